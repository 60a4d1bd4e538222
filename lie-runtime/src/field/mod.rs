//! Differential equations of first order on homogeneous spaces: y' = F_{f(t, y)}(y) (paper 3, eqs. 1-3).
//!
//! A [`VectorField`] gives f(t, y), an element of the algebra of the group that acts on the [space](crate::space) of y.
//! Here is a free rigid body, its momentum on a coadjoint orbit:
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! struct Body { moments: Vector3<f64> }
//!
//! impl VectorField for Body {
//!     type Point = Coadjoint<SO3>;
//!     type Workspace = ();
//!
//!     fn zero(&self) -> Vector3<f64> { Vector3::zeros() }
//!     fn workspace(&self) {}
//!     fn evaluate(&self, _: f64, y: &Self::Point, _: &mut (), out: &mut Vector3<f64>) -> Result<(), StepFailure> {
//!         *out = -y.momentum.component_div(&self.moments); // μ' = μ × Ω
//!         Ok(())
//!     }
//! }
//!
//! let body = Body { moments: Vector3::new(1.0, 2.0, 3.0) };
//! let start = Coadjoint::new(Vector3::new(0.1, 2.0, 0.1));
//! let run = Simulation::of_field(&body).initial(start.clone()).method(MuntheKaas::rkmk4()).step(0.1).end_time(10.0).run();
//! let last = run.unwrap().states.pop().unwrap().point;
//! assert!((last.momentum.norm() - start.momentum.norm()).abs() < 1e-14);
//! ```
//!
//! What the [integrators](crate::integrator) see is [`FirstOrder`]: a way of reading a system as an equation of first order.
//! There are three, and one declaration may be read in several:
//!
//! | way | system | y |
//! |---|---|---|
//! | [`Intrinsic`] | a [`VectorField`] | a point of a homogeneous space |
//! | [`Mechanical`] | a [`MechanicalSystem`](crate::system::MechanicalSystem) | (q, v); with constraints in the index-1 form |
//! | [`Canonical`] | a [`HamiltonianSystem`]; declared systems by the [`LegendreTransform`] | (q, μ) on T*G |

mod hamiltonian;
mod intrinsic;
pub(crate) mod legendre;
mod mechanical;
pub(crate) mod over_elements;
mod state;
pub(crate) mod transformed;

use core::fmt::Debug;

pub use hamiltonian::{Canonical, HamiltonianSystem, LiftedHamiltonian, OnCotangent};
pub use intrinsic::{Intrinsic, VectorField};
pub use legendre::LegendreTransform;
pub use mechanical::{Mechanical, MechanicalWorkspace};
pub use over_elements::ElementMomenta;
pub use state::{FieldState, LocalEstimate};

use crate::group::TangentVector;
use crate::inputs::InputError;
use crate::problem::{Problem, StepFailure};
use crate::scalar::Scalar;
use crate::system::DeclarationError;

/// A way of reading a system as y' = F_{f(t, y)}(y); the implementing type holds nothing, the system is an argument.
///
/// Local coordinates σ with y = φ(σ)·y₀ are those of a map φ from the algebra, exp unless something else is said.
pub trait FirstOrder: Problem<State = FieldState<Self>> {
    /// The number type.
    type Scalar: Scalar;
    /// y.
    type Point: Clone + Debug;
    /// The Lie algebra that f takes values in.
    type Algebra: TangentVector<Scalar = Self::Scalar>;
    /// The buffers of an evaluation.
    type Workspace;

    /// The zero of the algebra; its length is that of every element.
    fn zero(system: &Self::System) -> Self::Algebra;
    /// Allocates the buffers.
    fn workspace(system: &Self::System) -> Self::Workspace;
    /// A run starts: what the buffers have kept of parameters, which may have changed since, is not that of the system any more.
    fn forget(workspace: &mut Self::Workspace) {
        let _ = workspace;
    }
    /// f(t, y) into `out`.
    ///
    /// # Errors
    /// [`StepFailure`] where the field has no value.
    fn evaluate(
        system: &Self::System,
        t: Self::Scalar,
        y: &Self::Point,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    ) -> Result<(), StepFailure>;
    /// φ(ξ)·y into `out`.
    fn flow(system: &Self::System, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point);
    /// dφ⁻¹_σ(v) into `out`: the rate σ' where y' is that of v.
    fn rate(system: &Self::System, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra);
    /// [v, w] into `out`.
    fn bracket(
        system: &Self::System,
        v: &Self::Algebra,
        w: &Self::Algebra,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    );
    /// The distance of two points, for error estimates.
    fn distance(system: &Self::System, a: &Self::Point, b: &Self::Point, workspace: &mut Self::Workspace) -> f64;
    /// True if every number that represents the point is finite.
    fn is_finite(system: &Self::System, y: &Self::Point) -> bool;
    /// Compares the declared functions of the system with the code that was generated from them, at and near (t, y).
    ///
    /// # Errors
    /// [`DeclarationError`], see
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    fn check_declaration(system: &Self::System, t: Self::Scalar, y: &Self::Point) -> Result<(), DeclarationError> {
        let _ = (system, t, y);
        Ok(())
    }
    /// [`ensure_inputs`](crate::system::MechanicalSystem::ensure_inputs) of the system.
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_inputs(system: &Self::System, start: f64, end: f64) -> Result<(), InputError> {
        let _ = (system, start, end);
        Ok(())
    }
    /// [`ensure_finite_inputs`](crate::system::MechanicalSystem::ensure_finite_inputs) of the system.
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_finite_inputs(system: &Self::System, t: Self::Scalar, y: &Self::Point) -> Result<(), InputError> {
        let _ = (system, t, y);
        Ok(())
    }
    /// How far the numbers are from representing a point, as of [groups](crate::group::LieGroup::membership_defect).
    fn membership_defect(system: &Self::System, y: &Self::Point) -> f64 {
        let _ = (system, y);
        0.0
    }
    /// Brings the numbers back to a point from which round-off has moved them away: defects become their squares.
    fn renormalize(system: &Self::System, y: &mut Self::Point) {
        let _ = (system, y);
    }
}
