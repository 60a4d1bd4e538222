//! What a run asks of the states of a problem.

use super::monitor::MotionMonitor;
use crate::inputs::{InputError, SmoothStretch};
use crate::integrator::{Problem, Solution, StepController};
use crate::scalar::Scalar;
use crate::simulate::consistent::Consistency;
use crate::simulate::energy_audit::AuditRequest;
use crate::simulate::failure::Failure;
use crate::simulate::setup::{Options, SetupError};
use crate::system::{DeclarationError, Description, ModelError};

/// A [`Problem`] that there are simulations of: all there are.
pub trait Simulated: Problem<State: Motion> {}

impl<P: Problem<State: Motion>> Simulated for P {}

/// The numbers of a motion.
pub(in crate::simulate) type ScalarOf<P> = <<P as Problem>::State as Motion>::Scalar;

/// A state of a motion that is simulated.
pub trait Motion: Solution {
    /// The number type.
    type Scalar: Scalar;
    /// The method that is taken unless another one is said.
    type Method;
    /// What looks after a motion on its way.
    type Monitor: MotionMonitor<Self>;

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
    fn audit<'a>(&self, system: &Self::System, audit: Option<AuditRequest<'a, Self>>) -> Option<AuditRequest<'a, Self>>
    where
        Self::System: 'a,
    {
        let _ = system;
        audit
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
    /// How far from the state the system changes smoothly with time.
    fn smooth_until(&self, system: &Self::System, end: f64, tolerance: f64) -> SmoothStretch;
    /// The latest evaluation of the inputs that gave a value which is not finite, if there was one.
    fn noted_input(system: &Self::System) -> Option<InputError>;
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
    /// The state with every coordinate, velocity and multiplier moved by some units of the last place of the largest one, into `out`: for
    /// the round-off of functions of it. `at` holds a sign, the direction in which odd components move, and about the size of a step.
    fn disturbed(&self, system: &Self::System, at: (f64, f64), out: &mut Self);
    /// Takes over the coordinates and velocities that differ between `before` and `changed`: two changes of the same state become one.
    ///
    /// # Errors
    /// The name of a coordinate or velocity that both have changed, to different values.
    fn merge(&mut self, system: &Self::System, before: &Self, changed: &Self) -> Result<(), String>;
    /// True if the velocities are equal, where there are some.
    fn has_velocity_of(&self, other: &Self) -> bool {
        let _ = other;
        true
    }
    /// Takes the velocity from another state, where there is one.
    fn take_velocity_of(&mut self, other: &Self) {
        let _ = other;
    }
    /// Takes λ and v' from another state.
    fn take_reactions_of(&mut self, other: &Self) {
        let _ = other;
    }
    /// Carries the state on by a time that is small beside a step, to second order, by v' and λ of the equations alone: a method that finds
    /// them from differences of positions finds round-off there. False where methods find none, which do it themselves.
    ///
    /// # Errors
    /// [`Failure`] if there are no accelerations.
    fn bridge(&self, system: &Self::System, time: f64, out: &mut Self) -> Result<bool, Failure> {
        let _ = (system, time, out);
        Ok(false)
    }
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
