//! What a run has cost, and what was seen on the way.

use crate::simulate::singularities::SmallestSingularValue;

/// What a simulation has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Steps that count.
    pub accepted: usize,
    /// Steps that were repeated with another size.
    pub rejected: usize,
    /// Linear systems solved.
    pub linear_solves: u64,
    /// The largest residual of a holonomic constraint, in its own units, in any state that was looked at: those that are
    /// recorded, one in every 32, and the last; 0 without such constraints.
    pub position_residual: f64,
    /// The largest part of the energy of the motion, above the lowest potential that it has come by, that has come from nowhere, in
    /// any state that was looked at: one in every 32 and the last. `None` of systems that may gain energy:
    /// [`Description::never_gains_energy`](crate::system::Description::never_gains_energy). Half of it means that a run with smaller steps
    /// would tell something else.
    pub energy_gained: Option<f64>,
    /// The largest difference, after any step, of the energy and of what it was at the start with all that it has been given and taken,
    /// in units of energy: what has come from nowhere, from the method. `None` unless
    /// [`monitor_energy`](crate::simulate::Simulation::monitor_energy) was said of a declared system.
    pub energy_defect: Option<f64>,
    /// The largest change of a momentum after any step, since the start or the last event that has changed something; `None` unless
    /// [`monitor_momentum`](crate::simulate::Simulation::monitor_momentum) was said or the declaration has a symmetry.
    pub momentum_drift: Option<f64>,
    /// How near the constraints came to losing rank; `None` unless
    /// [`monitor_rank`](crate::simulate::Simulation::monitor_rank) was said.
    pub smallest_singular_value: Option<SmallestSingularValue>,
    /// Steps in which constraints that may be redundant came near to losing rank, so that they were made by the equations of index 1
    /// instead of the method.
    pub crossings: usize,
    /// Newton iterations, the mean a step; `None` of explicit methods.
    pub newton_iterations: Option<f64>,
    /// Wall-clock time of the whole run, s.
    pub seconds: f64,
}

/// One attempted step of an error-controlled simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRecord {
    /// The time at which the step starts.
    pub time: f64,
    /// Its size.
    pub step: f64,
    /// The error indicator (paper 1, eq. 21); NaN if the step had no result.
    pub error: f64,
    /// True if the step counts.
    pub accepted: bool,
}
