//! First-order differential equations on homogeneous spaces: y' = F_{f(t, y)}(y) (paper 3, eqs. 1-3).
//!
//! A [`VectorField`] evaluates f(t, y), an element of the algebra of the group that acts on the [space](crate::space) of y. For example,
//! the momentum of a free rigid body moves on a coadjoint orbit:
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
//! The [integrators](crate::integrator) use the trait [`FirstOrder`], a formulation of a system as a first-order equation. There are
//! three formulations, and one declaration may have several:
//!
//! | formulation | system | y |
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
use crate::inputs::{InputError, SmoothStretch};
use crate::problem::{Problem, StepFailure};
use crate::scalar::Scalar;
use crate::system::DeclarationError;

/// A formulation of a system as y' = F_{f(t, y)}(y). The implementing type has no data; the system is an argument.
///
/// Local coordinates σ satisfy y = φ(σ)·y₀ with a map φ from the algebra; φ is exp by default.
pub trait FirstOrder: Problem<State = FieldState<Self>> {
    /// The scalar type.
    type Scalar: Scalar;
    /// y.
    type Point: Clone + Debug;
    /// The Lie algebra of the values of f.
    type Algebra: TangentVector<Scalar = Self::Scalar>;
    /// The buffers of an evaluation.
    type Workspace;

    /// The zero of the algebra; every element has its length.
    fn zero(system: &Self::System) -> Self::Algebra;
    /// Allocates the buffers.
    fn workspace(system: &Self::System) -> Self::Workspace;
    /// Discards buffered data that depend on parameters. Called at the start of a run, whose parameters may differ.
    fn forget(workspace: &mut Self::Workspace) {
        let _ = workspace;
    }
    /// Evaluates f(t, y) into `out`.
    ///
    /// # Errors
    /// [`StepFailure`] where the field is undefined.
    fn evaluate(
        system: &Self::System,
        t: Self::Scalar,
        y: &Self::Point,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    ) -> Result<(), StepFailure>;
    /// Evaluates φ(ξ)·y into `out`.
    fn flow(system: &Self::System, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point);
    /// Evaluates dφ⁻¹_σ(v) into `out`: the rate σ' for y' = F_v(y).
    fn rate(system: &Self::System, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra);
    /// Evaluates [v, w] into `out`.
    fn bracket(
        system: &Self::System,
        v: &Self::Algebra,
        w: &Self::Algebra,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    );
    /// The distance of two points, for error estimates.
    fn distance(system: &Self::System, a: &Self::Point, b: &Self::Point, workspace: &mut Self::Workspace) -> f64;
    /// True if every coordinate of the point is finite.
    fn is_finite(system: &Self::System, y: &Self::Point) -> bool;
    /// Compares the declared functions of the system with the generated code, at and near (t, y).
    ///
    /// # Errors
    /// [`DeclarationError`], see
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    fn check_declaration(system: &Self::System, t: Self::Scalar, y: &Self::Point) -> Result<(), DeclarationError> {
        let _ = (system, t, y);
        Ok(())
    }
    /// Calls [`ensure_inputs`](crate::system::MechanicalSystem::ensure_inputs) of the system.
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_inputs(system: &Self::System, start: f64, end: f64) -> Result<(), InputError> {
        let _ = (system, start, end);
        Ok(())
    }
    /// [`smooth_until`](crate::system::MechanicalSystem::smooth_until) of the system.
    fn smooth_until(system: &Self::System, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        let _ = (system, from, tolerance);
        SmoothStretch::to(end)
    }
    /// [`noted_input`](crate::system::MechanicalSystem::noted_input) of the system.
    fn noted_input(system: &Self::System) -> Option<InputError> {
        let _ = system;
        None
    }
    /// Calls [`ensure_finite_inputs`](crate::system::MechanicalSystem::ensure_finite_inputs) of the system.
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_finite_inputs(system: &Self::System, t: Self::Scalar, y: &Self::Point) -> Result<(), InputError> {
        let _ = (system, t, y);
        Ok(())
    }
    /// The distance of the coordinates from a point of the space, as for [groups](crate::group::LieGroup::membership_defect).
    fn membership_defect(system: &Self::System, y: &Self::Point) -> f64 {
        let _ = (system, y);
        0.0
    }
    /// Projects the coordinates to the space, to remove round-off; the defect becomes its square.
    fn renormalize(system: &Self::System, y: &mut Self::Point) {
        let _ = (system, y);
    }
}
