//! A sequence of equilibria under an increasing load.

use crate::analysis::equilibrium::error::EquilibriumError;
use crate::analysis::equilibrium::{Equilibrium, StaticState};
use crate::analysis::parameter_family::ParameterFamily;
use crate::system::{Linearised, MechanicalSystem};

/// The smallest fraction of a failed load step.
const SMALLEST_PART: f64 = 1e-3;

/// The search for equilibria at a sequence of parameter values, each from the previous equilibrium.
///
/// A failed step is divided. At a limit point of the load the step fails or snaps to a distant equilibrium;
/// [`Continuation`](crate::analysis::Continuation) follows the path through limit points.
///
/// ```
/// # use lie_runtime::prelude::*;
/// # #[mechanical_system]
/// # pub mod pendulum {
/// #     #[configuration]
/// #     pub struct Joint { pub angle: f64 }
/// #     #[parameters]
/// #     pub struct Arm { pub stiffness: f64, pub moment: f64 }
/// #     #[kinetic_energy]
/// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.angle * v.angle }
/// #     #[potential]
/// #     fn loads(arm: &Arm, q: &Joint) -> f64 {
/// #         0.5 * arm.stiffness * q.angle * q.angle - arm.moment * q.angle.sin()
/// #     }
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use lie_runtime::analysis::{LoadSteps, parameter};
///
/// let system = pendulum::System::new(pendulum::Arm { stiffness: 2.0, moment: 0.0 })?;
/// let moments = [0.5, 1.0, 2.0];
/// let states = LoadSteps::of(parameter(&system, "moment")).guess(pendulum::Joint { angle: 0.0 }).values(&moments)?;
/// for (moment, found) in moments.iter().zip(&states) {
///     let angle = found.state.configuration.angle;
///     assert!((2.0 * angle - moment * angle.cos()).abs() < 1e-12);
/// }
/// # Ok(())
/// # }
/// ```
pub struct LoadSteps<F: ParameterFamily> {
    family: F,
    start: Option<<F::System as MechanicalSystem>::Configuration>,
    time: f64,
}

impl<F: ParameterFamily<System: Linearised<Scalar = f64>>> LoadSteps<F> {
    /// Creates a search for these systems: a closure, [`parameter`](crate::analysis::parameter) or [`input`](crate::analysis::input).
    pub fn of(family: F) -> Self {
        LoadSteps { family, start: None, time: 0.0 }
    }

    /// Sets the initial configuration of the search for the first equilibrium.
    #[must_use]
    pub fn guess(mut self, q: impl Into<<F::System as MechanicalSystem>::Configuration>) -> Self {
        self.start = Some(q.into());
        self
    }

    /// Sets the time of time-dependent loads and constraints, 0 by default.
    #[must_use]
    pub fn at_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Computes the equilibria at these values.
    ///
    /// # Errors
    /// [`EquilibriumError::LoadStep`] with the value that failed and the last one with an equilibrium.
    pub fn values(self, values: &[f64]) -> Result<Vec<StaticState<F::System>>, EquilibriumError> {
        let Some(start) = self.start.clone() else { return Err(EquilibriumError::NoStart) };
        let mut found: Vec<StaticState<F::System>> = Vec::with_capacity(values.len());
        for (at, &value) in values.iter().enumerate() {
            found.push(match found.last() {
                None => {
                    let system = self.system(value)?;
                    let first = Equilibrium::of(&system).at_time(self.time).guess(start.clone());
                    first.solve().map_err(|error| failed(None, value, error))?
                }
                Some(known) => self.step(known, values[at - 1], value)?,
            });
        }
        Ok(found)
    }

    fn system(&self, value: f64) -> Result<F::System, EquilibriumError> {
        self.family.at(value).map_err(|error| EquilibriumError::Family { value, error })
    }

    /// Goes from one value to the next, in parts if necessary.
    fn step(
        &self,
        known: &StaticState<F::System>,
        from: f64,
        to: f64,
    ) -> Result<StaticState<F::System>, EquilibriumError> {
        let (mut known, mut reached, mut part) = (known.clone(), 0.0, 1.0);
        loop {
            let share = f64::min(reached + part, 1.0);
            let value = if share == 1.0 { to } else { from + share * (to - from) };
            let system = self.system(value)?;
            match Equilibrium::of(&system).at_time(self.time).restart_from(&known).solve() {
                Ok(found) if share == 1.0 => return Ok(found),
                Ok(found) => (known, reached, part) = (found, share, 2.0 * part),
                Err(error) => {
                    part *= 0.25;
                    if part < SMALLEST_PART {
                        return Err(failed(Some(from + reached * (to - from)), value, error));
                    }
                }
            }
        }
    }
}

fn failed(reached: Option<f64>, tried: f64, error: EquilibriumError) -> EquilibriumError {
    EquilibriumError::LoadStep { reached, tried, error: Box::new(error) }
}
