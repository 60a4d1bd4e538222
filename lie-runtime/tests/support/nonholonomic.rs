//! Nonholonomic systems with coordinates (x, y, angle): a knife edge on an inclined plane.

use std::borrow::Cow;

use lie_runtime::nalgebra::{Matrix1x3, Vector1, Vector3};
use lie_runtime::system::{ConstraintDescription, Description, MemberDescription};

use super::vector_space::{OnVectors, VectorSystem};

static CARD: Description = Description {
    name: "knife_edge",
    group: "R³",
    dof: 3,
    members: Cow::Borrowed(&[MemberDescription { name: "blade", group: "R³", offset: 0, dof: 3 }]),
    constraints: Cow::Borrowed(&[ConstraintDescription {
        name: "no_side_slip",
        offset: 0,
        rows: 1,
        rows_of_element: None,
        holonomic: false,
        jumps: false,
    }]),
    observables: &[],
    symmetries: &[],
    events: &[],
    ignored: &[],
    documentation: Cow::Borrowed(&[]),
    mass_nonzeros: 3,
    jacobian_nonzeros: 2,
    stiffness_nonzeros: 9,
    mass_is_constant: true,
    forces_depend_on_velocity: true,
    conserves_energy: false,
    never_gains_energy: false,
    states: 0,
    potential_jumps: false,
    kernels: &[],
};

/// A blade that does not slip sideways, x' sin φ − y' cos φ = 0, pulled along x by a constant unit acceleration.
#[derive(Clone, Debug)]
pub struct KnifeEdge;

impl KnifeEdge {
    pub fn system() -> OnVectors<Self, 3, 1> {
        OnVectors(KnifeEdge)
    }

    /// Position, angle and λ at t from rest at the origin with φ' = ω: φ = ω t, the speed u = sin(ω t)/ω.
    pub fn exact(omega: f64, t: f64) -> (Vector3<f64>, f64) {
        let phi = omega * t;
        let (sin, cos) = phi.sin_cos();
        // x' = u cos φ = sin(2φ)/(2ω), y' = u sin φ = sin²φ/ω.
        let x = (1.0 - (2.0 * phi).cos()) / (4.0 * omega * omega);
        let y = (phi - sin * cos) / (2.0 * omega * omega);
        // Along the normal (sin φ, −cos φ): −u φ' = sin φ − λ.
        (Vector3::new(x, y, phi), sin + sin)
    }
}

impl VectorSystem<3, 1> for KnifeEdge {
    fn card(&self) -> &'static Description {
        &CARD
    }
    fn holonomic(&self) -> usize {
        0
    }
    fn forces(&self, _: f64, _: &Vector3<f64>, _: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(1.0, 0.0, 0.0)
    }
    fn residual(&self, _: f64, _: &Vector3<f64>) -> Vector1<f64> {
        Vector1::zeros()
    }
    fn gradient(&self, _: f64, q: &Vector3<f64>) -> Matrix1x3<f64> {
        let (sin, cos) = q[2].sin_cos();
        Matrix1x3::new(sin, -cos, 0.0)
    }
    fn curvature(&self, _: f64, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector1<f64> {
        let (sin, cos) = q[2].sin_cos();
        Vector1::new((v[0] * cos + v[1] * sin) * v[2])
    }
}
