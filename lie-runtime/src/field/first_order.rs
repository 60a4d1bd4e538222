//! First-order equations y' = F_{f(t, y)}(y) and their states.

use core::fmt::{self, Debug};

use crate::group::TangentVector;
use crate::inputs::{InputError, SmoothStretch};
use crate::problem::{Problem, Quantity, Solution, StepError, StepFailure};
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
    #[doc(hidden)]
    fn zero(system: &Self::System) -> Self::Algebra;
    /// Allocates the buffers.
    #[doc(hidden)]
    fn workspace(system: &Self::System) -> Self::Workspace;
    /// Discards buffered data that depend on parameters. Called at the start of a run, whose parameters may differ.
    #[doc(hidden)]
    fn forget(workspace: &mut Self::Workspace) {
        let _ = workspace;
    }
    /// Evaluates f(t, y) into `out`.
    ///
    /// # Errors
    /// [`StepFailure`] where the field is undefined.
    #[doc(hidden)]
    fn evaluate(
        system: &Self::System,
        t: Self::Scalar,
        y: &Self::Point,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    ) -> Result<(), StepFailure>;
    /// Evaluates φ(ξ)·y into `out`.
    #[doc(hidden)]
    fn flow(system: &Self::System, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point);
    /// Evaluates dφ⁻¹_σ(v) into `out`: the rate σ' for y' = F_v(y).
    #[doc(hidden)]
    fn rate(system: &Self::System, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra);
    /// Evaluates [v, w] into `out`.
    #[doc(hidden)]
    fn bracket(
        system: &Self::System,
        v: &Self::Algebra,
        w: &Self::Algebra,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    );
    /// The distance of two points, for error estimates.
    #[doc(hidden)]
    fn distance(system: &Self::System, a: &Self::Point, b: &Self::Point, workspace: &mut Self::Workspace) -> f64;
    /// True if every coordinate of the point is finite.
    #[doc(hidden)]
    fn is_finite(system: &Self::System, y: &Self::Point) -> bool;
    /// Compares the declared functions of the system with the generated code, at and near (t, y).
    ///
    /// # Errors
    /// [`DeclarationError`], see
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    #[doc(hidden)]
    fn check_declaration(system: &Self::System, t: Self::Scalar, y: &Self::Point) -> Result<(), DeclarationError> {
        let _ = (system, t, y);
        Ok(())
    }
    /// Calls [`ensure_inputs`](crate::system::MechanicalSystem::ensure_inputs) of the system.
    ///
    /// # Errors
    /// [`InputError`].
    #[doc(hidden)]
    fn ensure_inputs(system: &Self::System, start: f64, end: f64) -> Result<(), InputError> {
        let _ = (system, start, end);
        Ok(())
    }
    /// [`smooth_until`](crate::system::MechanicalSystem::smooth_until) of the system.
    #[doc(hidden)]
    fn smooth_until(system: &Self::System, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        let _ = (system, from, tolerance);
        SmoothStretch::to(end)
    }
    /// [`noted_input`](crate::system::MechanicalSystem::noted_input) of the system.
    #[doc(hidden)]
    fn noted_input(system: &Self::System) -> Option<InputError> {
        let _ = system;
        None
    }
    /// Calls [`ensure_finite_inputs`](crate::system::MechanicalSystem::ensure_finite_inputs) of the system.
    ///
    /// # Errors
    /// [`InputError`].
    #[doc(hidden)]
    fn ensure_finite_inputs(system: &Self::System, t: Self::Scalar, y: &Self::Point) -> Result<(), InputError> {
        let _ = (system, t, y);
        Ok(())
    }
    /// The distance of the coordinates from a point of the space, as for [groups](crate::group::LieGroup::membership_defect).
    #[doc(hidden)]
    fn membership_defect(system: &Self::System, y: &Self::Point) -> f64 {
        let _ = (system, y);
        0.0
    }
    /// Projects the coordinates to the space, to remove round-off; the defect becomes its square.
    #[doc(hidden)]
    fn renormalize(system: &Self::System, y: &mut Self::Point) {
        let _ = (system, y);
    }
}

/// The state of a solution of y' = F_{f(t, y)}(y) at one time.
pub struct FieldState<F: FirstOrder> {
    /// The time t.
    pub time: f64,
    /// The point y.
    pub point: F::Point,
    /// f(t, y): the first stage of the next step.
    pub direction: F::Algebra,
}

impl<F: FirstOrder> FieldState<F> {
    /// Returns a state without its direction; [`Integrator::start`](crate::integrator::Integrator::start) evaluates it.
    pub fn at(system: &F::System, time: f64, point: F::Point) -> Self {
        FieldState { time, point, direction: F::zero(system) }
    }

    /// Evaluates f(t, y) at this state. The error contains `h`, the size of the step to the state.
    // Inlined: a call would pass the state in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn evaluate(
        &mut self,
        system: &F::System,
        h: f64,
        workspace: &mut F::Workspace,
    ) -> Result<(), StepError> {
        let t = F::Scalar::from_f64(self.time);
        match F::evaluate(system, t, &self.point, workspace, &mut self.direction) {
            Ok(()) => self.check(system, h),
            Err(failure) => Err(StepError { time: self.time - h, step: h, failure }),
        }
    }

    /// Checks that the result of the step of size `h` is not NaN.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn check(&self, system: &F::System, h: f64) -> Result<(), StepError> {
        if self.direction.all_finite() && F::is_finite(system, &self.point) {
            return Ok(());
        }
        let quantity = if h == 0.0 { Quantity::Initial } else { Quantity::Stage };
        Err(StepError { time: self.time - h, step: h, failure: StepFailure::NotFinite { quantity } })
    }
}

impl<F: FirstOrder> Clone for FieldState<F> {
    fn clone(&self) -> Self {
        FieldState { time: self.time, point: self.point.clone(), direction: self.direction.clone() }
    }
}

impl<F: FirstOrder> fmt::Debug for FieldState<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldState")
            .field("time", &self.time)
            .field("point", &self.point)
            .field("direction", &self.direction)
            .finish()
    }
}

impl<F: FirstOrder> Solution for FieldState<F> {
    type System = F::System;
    type Estimate = LocalEstimate;

    fn time(&self) -> f64 {
        self.time
    }
    fn set_time(&mut self, time: f64) {
        self.time = time;
    }
    fn renormalize(&mut self, system: &F::System) {
        F::renormalize(system, &mut self.point);
    }
}

/// The local error of a step, estimated by an embedded method (paper 3, section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LocalEstimate {
    /// The distance of the two solutions: |σ₁ − σ̃₁| in the algebra, or d(y, ỹ) if the solutions have no common σ.
    pub error: f64,
    /// The length of the step in the norm of the distance.
    pub increment: f64,
}
