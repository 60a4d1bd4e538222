//! Interface of the monitors of a motion.

use crate::integrator::{Solution, StepError};
use crate::simulate::failure::Failure;
use crate::simulate::setup::Options;
use crate::simulate::singularities::{Discontinuity, SlidingMode, SmallestSingularValue};
use crate::simulate::warning::Warning;

/// Monitors a motion during a run.
pub trait MotionMonitor<S: Solution> {
    /// Starts at the first state, which the method has completed.
    fn of(system: &S::System, state: &S, options: &Options) -> Self;
    /// Checks a state. Recorded states are checked without a step; at regular intervals, a state is checked with the size of its step.
    ///
    /// # Errors
    /// [`Failure`] with the violated condition.
    fn check(&mut self, system: &S::System, state: &S, step: Option<f64>, is_explicit: bool) -> Result<(), Failure>;
    /// Counts a step. Returns true if the state after the step must be recorded by [`note`](Self::note).
    fn count_step(&mut self) -> bool {
        false
    }
    /// Records the state after a step.
    ///
    /// # Errors
    /// [`Failure`] if no motion leads from the previous state to this one.
    fn note(&mut self, system: &S::System, state: &S) -> Result<(), Failure> {
        let _ = (system, state);
        Ok(())
    }
    /// Returns a discontinuity of the forces against the motion along the next step, at a constant time. Default: `None`.
    fn discontinuity_ahead(&self, system: &S::System, from: &S, h: f64) -> Option<Discontinuity> {
        let _ = (system, from, h);
        None
    }
    /// Returns a force discontinuity that holds the motion in the last steps of fixed size. Default: `None`.
    fn sliding_mode(&mut self, system: &S::System, from: &S, to: &S) -> Option<SlidingMode> {
        let _ = (system, from, to);
        None
    }
    /// Returns the cause of a failure at `state` and the last valid state.
    fn explain(&self, system: &S::System, failure: Failure, state: S, is_explicit: bool) -> (Failure, S);
    /// Prepares a state for a restart after a discontinuity of the equations. Removes the history of the method and computes λ and v' after
    /// the discontinuity.
    ///
    /// # Errors
    /// [`Failure`] if λ and v' do not exist.
    fn restart(&mut self, system: &S::System, state: &mut S) -> Result<(), Failure> {
        let _ = (system, state);
        Ok(())
    }
    /// Restarts the monitor after an event has changed the system or the state.
    fn change(&mut self, system: &S::System, state: &S, options: &Options);
    /// Returns true if the next step of an explicit method must be made by [`cross`](Self::cross).
    fn is_crossing_ahead(&mut self, system: &S::System, from: &S, h: f64) -> bool {
        let _ = (system, from, h);
        false
    }
    /// Replaces a step after a failure of the method, if possible.
    ///
    /// # Errors
    /// `failed` if it is not possible.
    fn cross(&mut self, system: &S::System, failed: StepError, from: &S, h: f64, to: &mut S) -> Result<(), StepError> {
        let _ = (system, from, h, to);
        Err(failed)
    }
    /// Checks if a step of an explicit method has crossed a singular configuration on the correct branch. `step` makes other steps from a
    /// state.
    ///
    /// # Errors
    /// [`StepFailure::PoleOfMultipliers`](crate::integrator::StepFailure::PoleOfMultipliers) if the step has left the branch.
    fn check_singular_step(
        &mut self,
        system: &S::System,
        [from, to]: [&S; 2],
        step: &mut dyn FnMut(&S, f64, &mut S) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let _ = (system, from, to, step);
        Ok(())
    }
    /// Completes a state for recording, after this `part` of the last step.
    ///
    /// # Errors
    /// [`Failure`] if the state cannot be completed.
    fn complete(&mut self, system: &S::System, state: &mut S, part: f64) -> Result<(), Failure> {
        let _ = (system, state, part);
        Ok(())
    }
    /// Returns the largest position residual of a constraint so far.
    fn position_residual(&self) -> f64 {
        0.0
    }
    /// Returns the largest numerically gained part of the energy so far, for a system that cannot gain energy.
    fn energy_gained(&self) -> Option<f64> {
        None
    }
    /// Returns the warnings about the accuracy of the motion so far.
    fn warnings(&self, system: &S::System) -> Vec<Warning> {
        let _ = system;
        Vec::new()
    }
    /// Returns the rate of the fastest motion close to a state, a reciprocal time. Default: `None`, it is unknown.
    fn fastest_rate(system: &S::System, state: &S) -> Option<f64> {
        let _ = (system, state);
        None
    }
    /// Returns the number of steps that were made by [`cross`](Self::cross).
    fn crossings(&self) -> usize {
        0
    }
    /// Returns the smallest singular value so far, if it is monitored.
    fn smallest_singular_value(&self) -> Option<SmallestSingularValue> {
        None
    }
}
