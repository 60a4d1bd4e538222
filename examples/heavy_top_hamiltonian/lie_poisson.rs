//! The heavy top on se(3)*: momenta of an orbit of the coadjoint action (paper 3, section 3.4.2).

use lie_runtime::field::{FieldReport, VectorField};
use lie_runtime::integrator::StepFailure;
use lie_runtime::prelude::*;
use lie_runtime::space::Coadjoint;
use lie_runtime::system::Value;

use super::Top;

/// (23), (24): Lie-Poisson on se(3)*, μ = (Π, Γ) with Γ = Q⁻¹ Γ₀ and H = ½ Π · I⁻¹ Π + M l Γ · X.
pub struct LiePoisson(pub Top);

impl VectorField for LiePoisson {
    type Point = Coadjoint<SE3>;
    type Workspace = ();

    fn zero(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, y: &Coadjoint<SE3>, (): &mut (), out: &mut Vector6<f64>) -> Result<(), StepFailure> {
        let omega = y.momentum.angular().component_div(&self.0.moments);
        let arm = self.0.axis * self.0.mass_length;
        // −∂H/∂μ, for H is left-invariant.
        *out = -Vector6::new(omega.x, omega.y, omega.z, arm.x, arm.y, arm.z);
        Ok(())
    }
}

/// The vector under one name.
fn named(name: &'static str, vector: &Vector3<f64>) -> (&'static str, Value) {
    (name, Value::Vector(vector.as_slice().to_vec()))
}

impl FieldReport<Coadjoint<SE3>> for LiePoisson {
    fn notation(&self) -> String {
        "se(3)*".to_owned()
    }
    fn dimension(&self) -> usize {
        6
    }
    fn report_configuration(&self, y: &Coadjoint<SE3>) -> Value {
        Value::Record(vec![named("gravity", &y.momentum.linear())])
    }
    fn report_velocity(&self, y: &Coadjoint<SE3>) -> Value {
        Value::Record(vec![named("body_momentum", &y.momentum.angular())])
    }
    fn report_observables(&self, _: f64, y: &Coadjoint<SE3>) -> Value {
        let (momentum, gravity) = (y.momentum.angular(), y.momentum.linear());
        let norm = gravity.norm();
        Value::Record(vec![
            named("body_gravity", &(gravity * self.0.mass_length)),
            named("body_momentum", &momentum),
            ("vertical_momentum", Value::Scalar(momentum.dot(&gravity) / norm)),
            ("gravity_norm", Value::Scalar(norm)),
        ])
    }
    fn kinetic_energy(&self, _: f64, y: &Coadjoint<SE3>) -> f64 {
        let momentum = y.momentum.angular();
        0.5 * momentum.dot(&momentum.component_div(&self.0.moments))
    }
    fn potential_energy(&self, _: f64, y: &Coadjoint<SE3>) -> f64 {
        self.0.mass_length * y.momentum.linear().dot(&self.0.axis)
    }
}
