//! Pendula in the plane: on a fixed circle, on a circle whose centre is driven, and with a redundant constraint.

use std::borrow::Cow;

use lie_runtime::nalgebra::{SMatrix, SVector, Vector2};
use lie_runtime::system::{ConstraintDescription, Description, MemberDescription};

use super::vector_space::{OnVectors, VectorSystem};

const GRAVITY: f64 = 9.81;

const fn card(constraints: &'static [ConstraintDescription]) -> Description {
    Description {
        name: "pendulum",
        group: "R²",
        dof: 2,
        members: Cow::Borrowed(&[MemberDescription { name: "bob", group: "R²", offset: 0, dof: 2 }]),
        constraints: Cow::Borrowed(constraints),
        observables: &[],
        symmetries: &[],
        events: &[],
        ignored: &[],
        documentation: Cow::Borrowed(&[]),
        mass_nonzeros: 2,
        jacobian_nonzeros: 2,
        stiffness_nonzeros: 4,
        mass_is_constant: true,
        forces_depend_on_velocity: true,
        conserves_energy: false,
        never_gains_energy: false,
        states: 0,
        potential_jumps: false,
        kernels: &[],
    }
}

const ROD: ConstraintDescription =
    ConstraintDescription { name: "rod", offset: 0, rows: 1, rows_of_element: None, holonomic: true, jumps: false };

static ONE: Description = card(&[ROD]);
static TWICE: Description = card(&[
    ROD,
    ConstraintDescription {
        name: "same_rod",
        offset: 1,
        rows: 1,
        rows_of_element: None,
        holonomic: true,
        jumps: false,
    },
]);

/// Unit mass and length, the suspension at (amplitude sin(frequency t), 0); Φ = (|x − s(t)|² − 1)/2.
#[derive(Clone, Debug)]
pub struct Pendulum {
    pub amplitude: f64,
    pub frequency: f64,
    pub mass: f64,
}

impl Pendulum {
    pub fn fixed() -> OnVectors<Self, 2, 1> {
        OnVectors(Pendulum { amplitude: 0.0, frequency: 1.0, mass: 1.0 })
    }

    /// Rheonomic.
    pub fn driven() -> OnVectors<Self, 2, 1> {
        OnVectors(Pendulum { amplitude: 0.3, frequency: 3.0, mass: 1.0 })
    }

    pub fn suspension(&self, t: f64) -> [Vector2<f64>; 3] {
        let (a, w) = (self.amplitude, self.frequency);
        let (sin, cos) = (w * t).sin_cos();
        [a * sin, a * w * cos, -a * w * w * sin].map(|x| Vector2::new(x, 0.0))
    }
}

impl VectorSystem<2, 1> for Pendulum {
    fn card(&self) -> &'static Description {
        &ONE
    }
    fn holonomic(&self) -> usize {
        1
    }
    fn masses(&self) -> Vector2<f64> {
        Vector2::repeat(self.mass)
    }
    fn forces(&self, _: f64, _: &Vector2<f64>, _: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new(0.0, -GRAVITY * self.mass)
    }
    fn residual(&self, t: f64, q: &Vector2<f64>) -> SVector<f64, 1> {
        SVector::<f64, 1>::new(0.5 * ((q - self.suspension(t)[0]).norm_squared() - 1.0))
    }
    fn gradient(&self, t: f64, q: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
        (q - self.suspension(t)[0]).transpose()
    }
    fn drift(&self, t: f64, q: &Vector2<f64>) -> SVector<f64, 1> {
        let [s, rate, _] = self.suspension(t);
        SVector::<f64, 1>::new(-(q - s).dot(&rate))
    }
    fn curvature(&self, t: f64, q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
        let [s, rate, second] = self.suspension(t);
        SVector::<f64, 1>::new((v - rate).norm_squared() - (q - s).dot(&second))
    }
}

/// The rod declared twice.
#[derive(Clone, Debug)]
pub struct Redundant(pub Pendulum);

impl Redundant {
    pub fn system() -> OnVectors<Self, 2, 2> {
        OnVectors(Redundant(Pendulum::fixed().0))
    }
}

impl VectorSystem<2, 2> for Redundant {
    fn card(&self) -> &'static Description {
        &TWICE
    }
    fn holonomic(&self) -> usize {
        2
    }
    fn forces(&self, t: f64, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector2<f64> {
        self.0.forces(t, q, v)
    }
    fn residual(&self, t: f64, q: &Vector2<f64>) -> Vector2<f64> {
        Vector2::repeat(self.0.residual(t, q)[0])
    }
    fn gradient(&self, t: f64, q: &Vector2<f64>) -> SMatrix<f64, 2, 2> {
        let row = self.0.gradient(t, q);
        SMatrix::from_rows(&[row, row * 3.0])
    }
    fn curvature(&self, t: f64, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector2<f64> {
        Vector2::repeat(self.0.curvature(t, q, v)[0])
    }
}
