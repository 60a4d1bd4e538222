//! The heavy top on se(3)*: momenta of an orbit of the coadjoint action (paper 3, section 3.4.2).

use lie_runtime::field::{VectorField, VectorFieldProblem};
use lie_runtime::integrator::FieldState;
use lie_runtime::integrator::StepFailure;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Energy, Sample, Sampled};
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

impl Sampled<VectorFieldProblem<LiePoisson>> for LiePoisson {
    fn notation(&self) -> String {
        "se(3)*".to_owned()
    }
    fn dimension(&self) -> usize {
        6
    }
    fn sample(&self, state: &FieldState<VectorFieldProblem<LiePoisson>>) -> Sample {
        let (momentum, gravity) = (state.point.momentum.angular(), state.point.momentum.linear());
        let norm = gravity.norm();
        Sample {
            configuration: Value::Record(vec![named("gravity", &gravity)]),
            velocity: Value::Record(vec![named("body_momentum", &momentum)]),
            observables: Value::Record(vec![
                named("body_gravity", &(gravity * self.0.mass_length)),
                named("body_momentum", &momentum),
                ("vertical_momentum", Value::Scalar(momentum.dot(&gravity) / norm)),
                ("gravity_norm", Value::Scalar(norm)),
            ]),
            energy: Energy {
                kinetic: 0.5 * momentum.dot(&momentum.component_div(&self.0.moments)),
                potential: self.0.mass_length * gravity.dot(&self.0.axis),
            },
            ..Sample::at(state.time)
        }
    }
}
