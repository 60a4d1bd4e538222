//! What a run asks of those who look after a motion.

use crate::integrator::{Solution, StepError};
use crate::simulate::failure::Failure;
use crate::simulate::setup::Options;
use crate::simulate::singularities::{Discontinuity, SlidingMode, SmallestSingularValue};

/// What looks after a motion on its way.
pub trait MotionMonitor<S: Solution> {
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
    /// Where the forces jump against the motion on the way of a step from a state, the time held; `None` if they do not, or nobody looks.
    fn discontinuity_ahead(&self, system: &S::System, from: &S, h: f64) -> Option<Discontinuity> {
        let _ = (system, from, h);
        None
    }
    /// Looks whether a jump of a force holds the motion in the steps of fixed size up to this one.
    fn sliding_mode(&mut self, system: &S::System, from: &S, to: &S) -> Option<SlidingMode> {
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
    fn restart(&mut self, system: &S::System, state: &mut S) -> Result<(), Failure> {
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
    fn check_singular_step(
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
