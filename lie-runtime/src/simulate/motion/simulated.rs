//! Interface of the states of a problem for a run.

use super::monitor::MotionMonitor;
use crate::inputs::{InputError, SmoothStretch};
use crate::integrator::{Problem, Solution, StepController};
use crate::scalar::Scalar;
use crate::simulate::consistent::Consistency;
use crate::simulate::energy_audit::AuditRequest;
use crate::simulate::failure::Failure;
use crate::simulate::setup::{Options, SetupError};
use crate::system::{DeclarationError, Description, ImposedLaws, ModelError, OneSidedLaw};

/// A [`Problem`] that can be simulated. All problems of this crate implement it.
#[doc(hidden)]
pub trait Simulated: Problem<State: Motion> {}

impl<P: Problem<State: Motion>> Simulated for P {}

/// The scalar type of a motion.
pub(in crate::simulate) type ScalarOf<P> = <<P as Problem>::State as Motion>::Scalar;

/// The state of a simulated motion.
pub trait Motion: Solution {
    /// The scalar type.
    type Scalar: Scalar;
    /// The default method.
    type Method;
    /// The monitor of the motion.
    type Monitor: MotionMonitor<Self>;

    /// Returns the default method.
    fn method() -> Self::Method;
    /// Returns the structure of the system, if it is known.
    fn description(system: &Self::System) -> Option<&Description> {
        let _ = system;
        None
    }

    /// Returns the names of the forces and dissipations, if they are known.
    fn powers(&self, system: &Self::System) -> Vec<&'static str> {
        let _ = system;
        Vec::new()
    }

    /// Returns the unilateral contacts and the frictions of joints.
    fn one_sided_laws(system: &Self::System) -> Vec<OneSidedLaw> {
        let _ = system;
        Vec::new()
    }

    /// Replaces the system by the system without these contacts and frictions, which a time-stepping method imposes.
    ///
    /// # Errors
    /// [`ModelError`] for invalid parameters.
    fn remove_laws(system: &mut Self::System, laws: &ImposedLaws) -> Result<(), ModelError> {
        let _ = (system, laws);
        Ok(())
    }

    /// Returns the redundant constraint rows and the number of all rows with a gradient that is not zero; `None` if redundant rows are errors
    /// or too many rows would have to be examined.
    fn redundant_rows(&self, system: &Self::System) -> Option<(Vec<usize>, usize)> {
        let _ = system;
        None
    }

    /// Adds the momenta of declared symmetries to the requested audit.
    fn audit<'a>(&self, system: &Self::System, audit: Option<AuditRequest<'a, Self>>) -> Option<AuditRequest<'a, Self>>
    where
        Self::System: 'a,
    {
        let _ = system;
        audit
    }

    /// Returns the scale of the values that are compared with absolute tolerances, at the initial state. Default: 1.
    fn size(&self) -> f64 {
        1.0
    }
    /// Returns the approximate memory of the state, in bytes.
    fn bytes(&self) -> usize;
    /// Removes the history of the method.
    fn forget(&mut self) {}
    /// Checks that the state belongs to the system.
    ///
    /// # Errors
    /// [`ModelError`] if a chain or a vector has another length.
    fn belongs_to(&self, system: &Self::System) -> Result<(), ModelError> {
        let _ = system;
        Ok(())
    }
    /// Checks that the state belongs to the system and is finite.
    ///
    /// # Errors
    /// [`SetupError`] with the invalid part.
    fn check(&self, system: &Self::System, options: &Options) -> Result<(), SetupError>;
    /// Checks that the inputs of the system are available from the state to `end`.
    ///
    /// # Errors
    /// [`InputError`] with the missing input.
    fn ensure_inputs(&self, system: &Self::System, end: f64) -> Result<(), InputError>;
    /// Returns the time up to which the system is a smooth function of time.
    fn smooth_until(&self, system: &Self::System, end: f64, tolerance: f64) -> SmoothStretch;
    /// Returns the last evaluation of the inputs with a value that is not finite, if there was one.
    fn noted_input(system: &Self::System) -> Option<InputError>;
    /// Checks that the inputs in the state are finite after this `step` of time.
    ///
    /// # Errors
    /// [`InputError::NotFinite`].
    fn ensure_finite_inputs(&self, system: &Self::System, step: f64) -> Result<(), InputError>;
    /// Compares the declared functions with the generated code, at and close to the state.
    ///
    /// # Errors
    /// [`DeclarationError`].
    fn check_declaration(&self, system: &Self::System) -> Result<(), DeclarationError>;
    /// Returns consistent initial values and the corrections of the given ones.
    ///
    /// # Errors
    /// [`Failure::InitialValues`] or [`Failure::Setup`] if consistent values do not exist.
    fn consistent(self, system: &Self::System, options: &Options) -> Result<(Self, Consistency), Failure> {
        let _ = (system, options);
        Ok((self, Consistency::default()))
    }

    /// Creates the buffers of an error estimate.
    fn estimate(system: &Self::System) -> Self::Estimate;
    /// Returns the error of a step in units of the tolerance. A value up to 1 is acceptable.
    fn indicator(controller: &StepController, from: &Self, to: &Self, estimate: &Self::Estimate) -> f64;
    /// Returns two quantities whose quotient is a characteristic time of the motion.
    fn speed(&self) -> (f64, f64);
    /// Computes the state after a very short time to first order into `out`.
    fn moved(&self, system: &Self::System, time: f64, out: &mut Self);
    /// Computes a disturbed state into `out` to determine the round-off of functions of the state. Every coordinate, velocity and
    /// multiplier is disturbed by some units of the last place of the largest one. `at` is the sign for odd components and the approximate
    /// step size.
    fn disturbed(&self, system: &Self::System, at: (f64, f64), out: &mut Self);
    /// Copies the coordinates and velocities that differ between `before` and `changed`, so that two changes of a state are merged.
    ///
    /// # Errors
    /// The name of a coordinate or velocity that both changes set to different values.
    fn merge(&mut self, system: &Self::System, before: &Self, changed: &Self) -> Result<(), String>;
    /// Returns true if the velocities are equal. Default: true.
    fn has_velocity_of(&self, other: &Self) -> bool {
        let _ = other;
        true
    }
    /// Copies the velocity of another state.
    fn take_velocity_of(&mut self, other: &Self) {
        let _ = other;
    }
    /// Copies λ and v' of another state.
    fn take_reactions_of(&mut self, other: &Self) {
        let _ = other;
    }
    /// Integrates over a very short time to second order, with v' and λ of the equations. Methods that compute them from position
    /// differences would find round-off there. Returns false if the method can make the step itself.
    ///
    /// # Errors
    /// [`Failure`] if accelerations do not exist.
    fn bridge(&self, system: &Self::System, time: f64, out: &mut Self) -> Result<bool, Failure> {
        let _ = (system, time, out);
        Ok(false)
    }
    /// Completes a state on dual numbers at the time `from` and moves it along its motion by the time `by`, which consists of derivatives
    /// only. The time of the state does not change.
    ///
    /// # Errors
    /// [`Failure`] if accelerations do not exist.
    fn carry(&mut self, system: &Self::System, from: Self::Scalar, by: Self::Scalar) -> Result<(), Failure> {
        let _ = (system, from, by);
        Ok(())
    }
}
