//! A rigid body on SO(3) without constraints, torque-free.

use std::borrow::Cow;

use lie_runtime::nalgebra::{Matrix3, SVector, Vector3};
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::{Description, KktError, MechanicalSystem, MemberDescription};

use super::rotation;

static CARD: Description = Description {
    name: "free_body",
    group: "SO(3)",
    dof: 3,
    members: Cow::Borrowed(&[MemberDescription { name: "attitude", group: "SO(3)", offset: 0, dof: 3 }]),
    constraints: Cow::Borrowed(&[]),
    observables: &[],
    symmetries: &[],
    events: &[],
    ignored: &[],
    documentation: Cow::Borrowed(&[]),
    mass_nonzeros: 3,
    jacobian_nonzeros: 0,
    stiffness_nonzeros: 0,
    mass_is_constant: true,
    forces_depend_on_velocity: true,
    conserves_energy: false,
    never_gains_energy: false,
    states: 0,
    potential_jumps: false,
    kernels: &[],
};

/// The principal moments of inertia.
#[derive(Clone, Debug)]
pub struct FreeBody(pub Vector3<f64>);

/// Rotations, by formulas of their own.
#[derive(Clone, Debug)]
pub struct Attitudes;

impl ConfigurationSpace for Attitudes {
    type Scalar = f64;
    type Configuration = Matrix3<f64>;
    type Velocity = Vector3<f64>;

    fn dof(&self) -> usize {
        3
    }
    fn zero_velocity(&self) -> Vector3<f64> {
        Vector3::zeros()
    }
    fn compose_exp(&self, q: &Matrix3<f64>, theta: &Vector3<f64>, out: &mut Matrix3<f64>) {
        *out = q * rotation::exp(theta);
    }
    fn log_difference(&self, from: &Matrix3<f64>, to: &Matrix3<f64>, out: &mut Vector3<f64>) {
        *out = rotation::log(&(from.transpose() * to));
    }
    fn tangent_inverse(&self, theta: &Vector3<f64>, v: &Vector3<f64>, out: &mut Vector3<f64>) {
        *out = rotation::tangent_inverse(theta, v);
    }
    fn tangent(&self, theta: &Vector3<f64>, v: &Vector3<f64>, out: &mut Vector3<f64>) {
        *out = rotation::tangent(theta, v);
    }
    fn is_finite(&self, q: &Matrix3<f64>) -> bool {
        q.sum().is_finite()
    }
    fn coadjoint(&self, v: &Vector3<f64>, p: &Vector3<f64>, out: &mut Vector3<f64>) {
        *out = p.cross(v);
    }
}

impl MechanicalSystem for FreeBody {
    type Scalar = f64;
    type Configuration = Matrix3<f64>;
    type Velocity = Vector3<f64>;
    type Space = Attitudes;
    type Multipliers = SVector<f64, 0>;
    type Jacobian = ();
    type Mass = Vector3<f64>;

    fn description(&self) -> &'static Description {
        &CARD
    }
    #[inline]
    fn space(&self) -> &Attitudes {
        &Attitudes
    }
    fn constraint_rows(&self) -> usize {
        0
    }
    fn holonomic_rows(&self) -> usize {
        0
    }
    fn zero_multipliers(&self) -> SVector<f64, 0> {
        SVector::zeros()
    }
    fn zero_jacobian(&self) {}
    fn zero_mass(&self) -> Vector3<f64> {
        Vector3::zeros()
    }
    fn mass(&self, _: f64, _: &Matrix3<f64>, out: &mut Vector3<f64>) -> Result<(), KktError> {
        *out = self.0.map(f64::recip);
        Ok(())
    }
    fn solve_mass(&self, mass: &mut Vector3<f64>, force: &Vector3<f64>, acceleration: &mut Vector3<f64>) {
        *acceleration = force.component_mul(mass);
    }
    fn force(&self, _: f64, _: &Matrix3<f64>, v: &Vector3<f64>, out: &mut Vector3<f64>) {
        *out = v.component_mul(&self.0).cross(v);
    }
    fn constraint(&self, _: f64, _: &Matrix3<f64>, _: &mut SVector<f64, 0>) {}
    fn constraint_jacobian(&self, _: f64, _: &Matrix3<f64>, (): &mut ()) {}
    fn constraint_drift(&self, _: f64, _: &Matrix3<f64>, _: &mut SVector<f64, 0>) {}
    fn constraint_curvature(&self, _: f64, _: &Matrix3<f64>, _: &Vector3<f64>, _: &mut SVector<f64, 0>) {}
    fn jacobian_times(&self, (): &(), _: &Vector3<f64>, _: &mut SVector<f64, 0>) {}
    fn jacobian_transpose_times(&self, (): &(), _: &SVector<f64, 0>, out: &mut Vector3<f64>) {
        *out = Vector3::zeros();
    }
    fn solve_kkt(
        &self,
        mass: &mut Vector3<f64>,
        (): &(),
        (): &(),
        force: &Vector3<f64>,
        _: &SVector<f64, 0>,
        acceleration: &mut Vector3<f64>,
        _: &mut SVector<f64, 0>,
    ) -> Result<(), KktError> {
        self.solve_mass(mass, force, acceleration);
        Ok(())
    }
    fn kinetic_energy(&self, _: f64, _: &Matrix3<f64>, v: &Vector3<f64>) -> f64 {
        0.5 * v.component_mul(&self.0).dot(v)
    }
    fn potential_energy(&self, _: f64, _: &Matrix3<f64>) -> f64 {
        0.0
    }
}
