//! Dense output: the state at any time of a run.

use super::interpolation::interpolate;
use super::run::Run;
use crate::integrator::State;
use crate::messages::see;
use crate::simulate::consistent::ConsistencyError;
use crate::system::MechanicalSystem;

/// The reason why a run has no state at a time.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DenseOutputError {
    /// The time is before the first recorded state, after the last one or NaN.
    #[error(
        "t = {time} is outside the recorded states, which reach from {start} to {end}; choose a time in this interval {}",
        see("recorded-states")
    )]
    Outside {
        /// The time.
        time: f64,
        /// The time of the first state.
        start: f64,
        /// The time of the last state.
        end: f64,
    },
    /// The interpolated state cannot be projected onto the constraint manifold.
    #[error("the state at t = {time} between recorded states is inconsistent: {error}; record more states")]
    Inconsistent {
        /// The time.
        time: f64,
        /// The reason.
        error: ConsistencyError,
    },
}

crate::messages::debug_is_the_message!(DenseOutputError);

impl<M: MechanicalSystem> Run<'_, M> {
    /// Returns the state at a time of the run. Recorded states are returned unchanged. Between two recorded states, q and v follow from the
    /// cubic Hermite interpolant on the group. They are projected onto the constraint manifold and completed with λ and v' of the index-1
    /// system.
    ///
    /// For recorded states at distances h, the interpolation error is O(h⁴) in q and O(h³) in v and λ. For more accuracy,
    /// [`output_times`](crate::simulate::Simulation::output_times) records states with the order of the method. At the time of an event
    /// with changes, the state after the event is returned.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// # #[mechanical_system]
    /// # pub mod oscillator {
    /// #     #[configuration]
    /// #     pub struct Position { pub x: f64 }
    /// #     #[kinetic_energy]
    /// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    /// #     #[potential]
    /// #     fn spring(q: &Position) -> f64 { 0.5 * q.x * q.x }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = oscillator::System::new()?;
    /// # let (q, v) = (oscillator::Position { x: 1.0 }, Vector1::new(0.0));
    /// let run = Simulation::of(&system).initial(q, v).step(0.1).end_time(1.0).run()?;
    /// let state = run.at(0.333)?;
    /// assert!((state.configuration.x - 0.333_f64.cos()).abs() < 1e-6);
    /// assert!(run.at(1.5).unwrap_err().to_string().starts_with("t = 1.5 is outside the recorded states"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DenseOutputError`].
    #[doc(alias = "dense output")]
    #[doc(alias = "interpolation")]
    pub fn at(&self, time: f64) -> Result<State<M>, DenseOutputError> {
        let (first, last) = (self.first(), self.last());
        if !(first.time <= time && time <= last.time) {
            return Err(DenseOutputError::Outside { time, start: first.time, end: last.time });
        }
        let next = self.states.partition_point(|state| state.time <= time);
        let (number, from) = (next - 1, &self.states[next - 1]);
        let Some(to) = self.states.get(next).filter(|_| from.time < time) else { return Ok(from.clone()) };
        let state = self.log.with_system(self.system(), (number, time), |system| interpolate(system, from, to, time));
        state.map_err(|error| DenseOutputError::Inconsistent { time, error })
    }
}
