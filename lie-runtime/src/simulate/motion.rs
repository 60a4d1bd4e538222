//! What a run asks of the states of a problem: those of mechanical systems answer in one file, those of equations of first
//! order in another.

use super::Consistency;
use super::balance::Watched;
use super::error::{Failure, SetupError};
use super::jump::Jump;
use super::options::Options;
use super::rank::SmallestSingularValue;
use crate::inputs::InputError;
use crate::integrator::{Problem, Solution, StepController, StepError};
use crate::scalar::Scalar;
use crate::system::{DeclarationError, Description, ModelError};

/// A [`Problem`] that there are simulations of: all there are.
pub trait Simulated: Problem<State: Motion> {}

impl<P: Problem<State: Motion>> Simulated for P {}

/// The numbers of a motion.
pub(super) type ScalarOf<P> = <<P as Problem>::State as Motion>::Scalar;

/// A state of a motion that is simulated.
pub trait Motion: Solution {
    /// The number type.
    type Scalar: Scalar;
    /// The method that is taken unless another one is said.
    type Method;
    /// What looks after a motion on its way.
    type Guard: Guard<Self>;

    /// The method that is taken unless another one is said.
    fn method() -> Self::Method;
    /// What is known of the structure of the system, if something is.
    fn description(system: &Self::System) -> Option<&Description> {
        let _ = system;
        None
    }

    /// The names of what gives energy to the system or takes it, if that is known.
    fn powers(&self, system: &Self::System) -> Vec<&'static str> {
        let _ = system;
        Vec::new()
    }

    /// What a run keeps account of besides what it was asked to `watch`: the momenta of declared symmetries.
    fn watched<'a>(&self, system: &Self::System, watched: Option<Watched<'a, Self>>) -> Option<Watched<'a, Self>>
    where
        Self::System: 'a,
    {
        let _ = system;
        watched
    }

    /// The size of the numbers that an absolute tolerance is compared with, where the motion starts; 1 if it is not known.
    fn size(&self) -> f64 {
        1.0
    }
    /// About how many bytes the state takes.
    fn bytes(&self) -> usize;
    /// Forgets what a method remembers of the steps behind the state.
    fn forget(&mut self) {}
    /// Checks that the state is one of the system.
    ///
    /// # Errors
    /// [`ModelError`] if it belongs to another one: if a chain or a vector has another length.
    fn belongs_to(&self, system: &Self::System) -> Result<(), ModelError> {
        let _ = system;
        Ok(())
    }
    /// Checks that a motion may start from the state: that it is one of the system, and finite.
    ///
    /// # Errors
    /// [`SetupError`] says what is not.
    fn check(&self, system: &Self::System, options: &Options) -> Result<(), SetupError>;
    /// Checks that a motion from the state to `end` can be given the inputs that the system takes.
    ///
    /// # Errors
    /// [`InputError`] says what is missing.
    fn ensure_inputs(&self, system: &Self::System, end: f64) -> Result<(), InputError>;
    /// Checks that the inputs are finite in the state after this `step` of the time alone.
    ///
    /// # Errors
    /// [`InputError::NotFinite`].
    fn ensure_finite_inputs(&self, system: &Self::System, step: f64) -> Result<(), InputError>;
    /// Compares the declared functions of the system with the code that was generated from them, at and near the state.
    ///
    /// # Errors
    /// [`DeclarationError`].
    fn check_declaration(&self, system: &Self::System) -> Result<(), DeclarationError>;
    /// The state to start from, and how far the given one is from it.
    ///
    /// # Errors
    /// [`Failure::InitialValues`] or [`Failure::Setup`] where there is none.
    fn consistent(self, system: &Self::System, options: &Options) -> Result<(Self, Consistency), Failure> {
        let _ = (system, options);
        Ok((self, Consistency::default()))
    }

    /// The buffers of an estimate.
    fn estimate(system: &Self::System) -> Self::Estimate;
    /// The error of a step in units of the tolerance: at most 1 is good.
    fn indicator(controller: &StepController, from: &Self, to: &Self, estimate: &Self::Estimate) -> f64;
    /// The sizes of two quantities whose quotient is a time in which the motion changes.
    fn speed(&self) -> (f64, f64);
    /// The state after a time that is next to nothing, to first order, into `out`.
    fn moved(&self, system: &Self::System, time: f64, out: &mut Self);
    /// Completes a state on numbers with derivatives at the time `from`, and carries it along its motion for a time `by` that is
    /// nothing but derivatives; what the state says of its time stays.
    ///
    /// # Errors
    /// [`Failure`] if there are no accelerations.
    fn carry(&mut self, system: &Self::System, from: Self::Scalar, by: Self::Scalar) -> Result<(), Failure> {
        let _ = (system, from, by);
        Ok(())
    }
}

/// What looks after a motion on its way.
pub trait Guard<S: Motion> {
    /// From the first state on, which the method has completed.
    fn of(system: &S::System, state: &S, options: &Options) -> Self;
    /// Looks whether a state is one the motion may come to: at every one that is recorded, and, with the size of the step
    /// that led to it, where a look is due.
    ///
    /// # Errors
    /// [`Failure`] says what is wrong with it.
    fn look(&mut self, system: &S::System, state: &S, step: Option<f64>, is_explicit: bool) -> Result<(), Failure>;
    /// Counts a step; true if the state that it has led to is to be noted.
    fn passes(&mut self) -> bool {
        false
    }
    /// Takes note of a state that a step has led to.
    ///
    /// # Errors
    /// [`Failure`] if no motion leads there from the one before.
    fn note(&mut self, system: &S::System, state: &S) -> Result<(), Failure> {
        let _ = (system, state);
        Ok(())
    }
    /// Where the forces jump between two states that a step joins, the time held; `None` if they do not, or nobody looks.
    fn jump(&self, system: &S::System, from: &S, to: &S) -> Option<Jump> {
        let _ = (system, from, to);
        None
    }
    /// What a failure at `state` is due to, and the last good state.
    fn explain(&self, system: &S::System, failure: Failure, state: S, is_explicit: bool) -> (Failure, S);
    /// Prepares a state to begin anew from where the equations jump: forgets how it was come to, and gives it the λ and v'
    /// behind the jump.
    ///
    /// # Errors
    /// [`Failure`] if there are none.
    fn begin_anew(&mut self, system: &S::System, state: &mut S) -> Result<(), Failure> {
        let _ = (system, state);
        Ok(())
    }
    /// Begins anew where an event has changed the system or the state.
    fn change(&mut self, system: &S::System, state: &S, options: &Options);
    /// True if a step of an explicit method is to be made by [other means](Self::cross).
    fn is_crossing_ahead(&mut self, system: &S::System, from: &S, h: f64) -> bool {
        let _ = (system, from, h);
        false
    }
    /// Makes the step that a method has `failed` to make by other means, where there are some.
    ///
    /// # Errors
    /// `failed` where there are none.
    fn cross(&mut self, system: &S::System, failed: StepError, from: &S, h: f64, to: &mut S) -> Result<(), StepError> {
        let _ = (system, from, h, to);
        Err(failed)
    }
    /// Looks whether a step of an explicit method has come by where multipliers have a pole, and whether it has led on along the motion:
    /// `step` makes others from a state.
    ///
    /// # Errors
    /// [`StepFailure::PoleOfMultipliers`](crate::integrator::StepFailure::PoleOfMultipliers) if it has not.
    fn look_at_pole(
        &mut self,
        system: &S::System,
        [from, to]: [&S; 2],
        step: &mut dyn FnMut(&S, f64, &mut S) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let _ = (system, from, to, step);
        Ok(())
    }
    /// Completes a state that is to be recorded, after this `part` of the last step.
    ///
    /// # Errors
    /// [`Failure`] if it cannot be completed.
    fn complete(&mut self, system: &S::System, state: &mut S, part: f64) -> Result<(), Failure> {
        let _ = (system, state, part);
        Ok(())
    }
    /// The largest residual of a constraint on the level of positions that was seen.
    fn position_residual(&self) -> f64 {
        0.0
    }
    /// The largest part of its energy that a motion has gained from nowhere, of a system that conserves it.
    fn energy_gained(&self) -> Option<f64> {
        None
    }
    /// How many steps were made by other means than the method's.
    fn crossings(&self) -> usize {
        0
    }
    /// The smallest singular value that was seen, if it was looked for.
    fn smallest_singular_value(&self) -> Option<SmallestSingularValue> {
        None
    }
}
