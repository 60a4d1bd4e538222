//! Velocities that satisfy the constraints.

use super::consistency::ConsistencyError;
use super::values::ConsistentValues;
use crate::integrator::{State, StepFailure};
use crate::simulate::setup::SetupError;
use crate::system::MechanicalSystem;

/// Computes the velocity closest to a guess that satisfies B v + b = 0 in a configuration.
///
/// The guess is zero by default. Fix the velocities that drive the mechanism; the other components follow from the constraints. For
/// example, a slider-crank mechanism with a given speed of the crank:
///
/// ```
/// # use lie_runtime::prelude::*;
/// # #[mechanical_system]
/// # mod slider_crank {
/// #     #[configuration]
/// #     pub struct Joints { pub crank: f64, pub rod: f64, pub slider: f64 }
/// #     #[kinetic_energy]
/// #     fn kinetic(v: &Velocity) -> f64 { v.crank.powi(2) + 0.5 * v.rod.powi(2) + 0.3 * v.slider.powi(2) }
/// #     #[constraint]
/// #     fn closed(q: &Joints) -> Vector2<f64> {
/// #         Vector2::new(q.crank.cos() + 2.0 * q.rod.cos() - q.slider, q.crank.sin() + 2.0 * q.rod.sin())
/// #     }
/// # }
/// use lie_runtime::simulate::{ConsistentVelocity, InverseKinematics};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = slider_crank::System::new()?;
/// let guess = slider_crank::Joints { crank: 1.0, rod: -0.4, slider: 2.4 };
/// let q = InverseKinematics::of(&system).fix(["crank"]).guess(&guess).solve()?;
/// let v = ConsistentVelocity::of(&system)
///     .fix(["crank"])
///     .guess(slider_crank::Velocity { crank: 5.0, rod: 0.0, slider: 0.0 })
///     .solve(&q)?;
/// let v = system.velocity(&v);
/// assert_eq!(v.crank, 5.0);
/// assert!((v.slider + 5.0 * (q.crank.sin() - q.crank.cos() * q.rod.tan())).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
///
/// Corrections are minimal in the metric of the mass matrix. The result satisfies the constraints on the velocity, and the rates of the
/// constraints on the configuration, up to round-off. It can be passed to
/// [`Simulation::initial`](crate::simulate::Simulation::of), which makes the same correction if the guess is close.
#[doc(alias("initial velocity", "consistent initial conditions"))]
pub struct ConsistentVelocity<'a, M: MechanicalSystem> {
    system: &'a M,
    time: f64,
    fixed: Vec<String>,
    guess: M::Velocity,
}

/// The error of a configuration without a consistent velocity.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConsistentVelocityError {
    /// A fixed member has an unknown name.
    #[error(transparent)]
    Setup(SetupError),
    /// The configuration or the guess belongs to another system, or has a value that is not finite.
    #[error("the velocity cannot be computed: {0}")]
    Failed(StepFailure),
    /// No velocity satisfies the constraints with these members fixed.
    #[error(transparent)]
    Inconsistent(ConsistencyError),
}

crate::messages::debug_is_the_message!(ConsistentVelocityError);

impl<M: MechanicalSystem> core::fmt::Debug for ConsistentVelocity<'_, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let ConsistentVelocity { time, fixed, guess, .. } = self;
        f.debug_struct("ConsistentVelocity")
            .field("time", time)
            .field("fixed", fixed)
            .field("guess", guess)
            .finish_non_exhaustive()
    }
}

impl<'a, M: MechanicalSystem<Scalar = f64>> ConsistentVelocity<'a, M> {
    /// Creates a problem with the guess zero and no fixed members, at the time 0.
    pub fn of(system: &'a M) -> Self {
        ConsistentVelocity { system, time: 0.0, fixed: Vec::new(), guess: system.zero_velocity() }
    }

    /// Sets the time of time-dependent constraints. Default: 0.
    #[must_use]
    pub fn at_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Fixes the velocities of these members at their values in the guess, with names as in
    /// [`fix_initial`](crate::simulate::Simulation::fix_initial).
    #[must_use]
    pub fn fix<N: Into<String>>(mut self, members: impl IntoIterator<Item = N>) -> Self {
        self.fixed.extend(members.into_iter().map(Into::into));
        self
    }

    /// Sets the guess: the `Velocity` of the declaration, or its components. Default: zero.
    #[must_use]
    pub fn guess(mut self, velocity: impl Into<M::Velocity>) -> Self {
        self.guess = velocity.into();
        self
    }

    /// Computes the velocity in the configuration `q`, which must satisfy the constraints on the configuration.
    ///
    /// # Errors
    /// [`ConsistentVelocityError`].
    pub fn solve(self, q: &M::Configuration) -> Result<M::Velocity, ConsistentVelocityError> {
        let ConsistentVelocity { system, time, fixed, guess: mut velocity } = self;
        let mut state = State::at_rest(system, time, q.clone());
        state.velocity.clone_from(&velocity);
        let foreign = |error| ConsistentVelocityError::Failed(StepFailure::ForeignState(error));
        state.check(system).map_err(foreign)?;
        let values = ConsistentValues::of(system).holding(system, &fixed);
        let mut values = values.map_err(ConsistentVelocityError::Setup)?;
        values.project_velocity(system, time, q, &mut velocity).map_err(|error| match error {
            ConsistencyError::Failed(failure) => ConsistentVelocityError::Failed(failure),
            error => ConsistentVelocityError::Inconsistent(error),
        })?;
        Ok(velocity)
    }
}
