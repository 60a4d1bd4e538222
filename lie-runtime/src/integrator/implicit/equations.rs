//! What Newton's iteration asks of the equations that it solves.

use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::system::{KktError, Linearised};

/// Why there is no solution.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unsolved {
    /// Corrections stay above the tolerance after so many iterations.
    Slow(usize),
    /// Derivatives of the solution change still after so many turns.
    Unsettled(usize),
    /// A NaN, an infinity, or a singular matrix.
    NotFinite,
}

impl Unsolved {
    /// The error of a step of size `h` from `from`, which has left these residuals of forces and of constraints.
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
            Unsolved::Unsettled(turns) => {
                StepError { time: from.time, step: h, failure: StepFailure::DerivativesNotSettled { turns } }
            }
        }
    }
}

/// What is small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales<S> {
    /// Of the residuals of forces and of constraints, at least: the first ones raise it.
    pub residuals: [S; 2],
    /// The unit of the corrections; zero where the first iterate is far from the solution, and residuals alone tell.
    pub corrections: S,
    /// What round-off is a part of: the [extent](crate::space::ConfigurationSpace::extent) of the configuration, at most 1; the first correction raises it.
    pub extent: f64,
}

/// Equations with an iterate that is brought nearer to their solution.
pub(crate) trait Equations {
    /// What is told where there is no solution.
    type Error;
    /// The number type.
    type Scalar: Scalar;

    /// Computes what follows from the unknowns and is part of the solution.
    fn place(&mut self);
    /// The residuals of forces and of constraints; `None` of equations without a scale, where corrections alone tell.
    fn residuals(&mut self, is_first: bool) -> Option<[Self::Scalar; 2]>;
    /// What things are compared with; asked for after the first residuals.
    fn scales(&mut self) -> Scales<Self::Scalar>;
    /// Makes the matrix at the iterate.
    fn factorise(&mut self) -> Result<(), Self::Error>;
    /// Corrects the unknowns, but not those of lanes at rest; returns by how much.
    fn correct(&mut self, resting: <Self::Scalar as Scalar>::Mask) -> Result<Self::Scalar, Self::Error>;
    /// The same with the matrix at the iterate, by what is written out for these equations and keeps nothing; `None` where there is no such
    /// thing, or where it is not safe.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn correct_at_once(&mut self, resting: <Self::Scalar as Scalar>::Mask) -> Option<Self::Scalar> {
        let _ = resting;
        None
    }
    /// The error of an iteration that has left these residuals.
    fn unsolved(&self, why: Unsolved, residuals: [f64; 2]) -> Self::Error;

    /// Takes the values from the residuals, so that the next correction is one of derivatives alone.
    fn keep_derivatives(&mut self);
    /// The largest derivative of the last correction, and of the unknowns; `None` where the matrix is exact, so that a second
    /// correction leaves nothing.
    fn variations(&mut self) -> Option<[f64; 2]>;
}

/// Equations that a function corrects, with a matrix of its own, by the angle it returns, that of the lane that is farthest from
/// rest; `None` if the matrix is singular.
pub(crate) struct Corrections<S, F> {
    correct: F,
    numbers: core::marker::PhantomData<S>,
}

impl<S: Scalar, F: FnMut() -> Option<f64>> Corrections<S, F> {
    /// Those of this function, which computes with numbers of the type `S`.
    #[inline]
    pub fn of(correct: F) -> Self {
        Corrections { correct, numbers: core::marker::PhantomData }
    }
}

impl<S: Scalar, F: FnMut() -> Option<f64>> Equations for Corrections<S, F> {
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
    /// Values are corrected as well: what is left of them is round-off.
    #[inline]
    fn keep_derivatives(&mut self) {}
    #[inline]
    fn variations(&mut self) -> Option<[f64; 2]> {
        None
    }
}
