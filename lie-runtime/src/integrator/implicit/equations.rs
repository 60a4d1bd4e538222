//! The interface between Newton's iteration and the equations.

use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::{KktError, Linearised};

/// The reasons for a failed iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unsolved {
    /// Corrections are above the tolerance after this number of iterations.
    Slow(usize),
    /// Derivatives of the solution still change after this number of iterations.
    Unsettled(usize),
    /// A NaN, an infinity, or a singular matrix.
    NotFinite,
}

impl Unsolved {
    /// Returns the error of a step of size `h` from `from` with these residuals of forces and of constraints.
    #[cold]
    #[inline(never)]
    pub fn explained<M: Linearised>(
        self,
        [residual, constraint]: [f64; 2],
        system: &M,
        from: &State<M>,
        h: f64,
    ) -> StepError {
        match self {
            Unsolved::NotFinite => StepError::of_iteration(KktError::NotFinite, system, from, h),
            Unsolved::Slow(iterations) => {
                let failure = StepFailure::NewtonNotConverged { iterations, residual, constraint };
                StepError { time: from.time, step: h, failure }
            }
            Unsolved::Unsettled(iterations) => {
                StepError { time: from.time, step: h, failure: StepFailure::DerivativesNotSettled { iterations } }
            }
        }
    }
}

/// The scales of the convergence tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales<S> {
    /// The lower limits of the scales of forces and of constraints; the first residuals raise them.
    pub residuals: [S; 2],
    /// The unit of the corrections; zero for a first iterate far from the solution, which restricts the tests to residuals.
    pub corrections: S,
    /// The scale of round-off: the [extent](crate::space::ConfigurationSpace::extent) of the configuration, at most 1; the first correction
    /// raises it.
    pub extent: f64,
}

/// Equations with an iterate.
pub(crate) trait IterateEquations {
    /// The error of a failed iteration.
    type Error;
    /// The scalar type.
    type Scalar: Scalar;

    /// Computes the dependent values of the solution from the unknowns.
    fn place(&mut self);
    /// Returns the residuals of forces and of constraints; `None` for equations without a scale, for which only corrections are tested.
    fn residuals(&mut self, is_first: bool) -> Option<[Self::Scalar; 2]>;
    /// Returns the scales of the convergence tests, after the first residuals.
    fn scales(&mut self) -> Scales<Self::Scalar>;
    /// Factorises the matrix at the iterate.
    fn factorise(&mut self) -> Result<(), Self::Error>;
    /// Corrects the unknowns except in converged lanes and returns the size of the correction.
    fn correct(&mut self, resting: <Self::Scalar as Scalar>::Mask) -> Result<Self::Scalar, Self::Error>;
    /// Corrects the unknowns with generated code for the matrix at the iterate, which stores no factors; `None` if there is no such code or
    /// if it is not safe.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn correct_at_once(&mut self, resting: <Self::Scalar as Scalar>::Mask) -> Option<Self::Scalar> {
        let _ = resting;
        None
    }
    /// Returns the error of an iteration with these residuals.
    fn unsolved(&self, why: Unsolved, residuals: [f64; 2]) -> Self::Error;

    /// Sets the values of the residuals to zero, so that the next correction changes derivatives only.
    fn keep_derivatives(&mut self);
    /// Returns the largest derivative of the last correction and of the unknowns. `None` means that the matrix is exact and a second
    /// correction is sufficient.
    fn variations(&mut self) -> Option<[f64; 2]>;
}

/// Equations with a function that corrects them by its own matrix. The function returns the largest angle of all lanes, or `None` if the
/// matrix is singular.
pub(crate) struct Corrections<S, F> {
    correct: F,
    numbers: core::marker::PhantomData<S>,
}

impl<S: Scalar, F: FnMut() -> Option<f64>> Corrections<S, F> {
    /// Creates the equations of this function, which computes with the scalar type `S`.
    #[inline]
    pub fn of(correct: F) -> Self {
        Corrections { correct, numbers: core::marker::PhantomData }
    }
}

impl<S: Scalar, F: FnMut() -> Option<f64>> IterateEquations for Corrections<S, F> {
    type Error = Unsolved;
    type Scalar = S;

    #[inline]
    fn place(&mut self) {}
    #[inline]
    fn residuals(&mut self, _: bool) -> Option<[S; 2]> {
        None
    }
    #[inline]
    fn scales(&mut self) -> Scales<S> {
        Scales { residuals: [S::zero(); 2], corrections: S::one(), extent: 1.0 }
    }
    #[inline]
    fn factorise(&mut self) -> Result<(), Unsolved> {
        Ok(())
    }
    #[inline]
    fn correct(&mut self, _: S::Mask) -> Result<S, Unsolved> {
        (self.correct)().map(S::from_f64).ok_or(Unsolved::NotFinite)
    }
    #[inline]
    fn unsolved(&self, why: Unsolved, _: [f64; 2]) -> Unsolved {
        why
    }
    /// Values are corrected as well; their remaining residual is round-off.
    #[inline]
    fn keep_derivatives(&mut self) {}
    #[inline]
    fn variations(&mut self) -> Option<[f64; 2]> {
        None
    }
}
