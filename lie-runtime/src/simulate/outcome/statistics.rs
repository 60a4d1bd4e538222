//! Statistics of a run.

use crate::simulate::singularities::SmallestSingularValue;

/// Cost and accuracy of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Number of accepted steps.
    pub accepted: usize,
    /// Number of rejected steps.
    pub rejected: usize,
    /// Number of linear systems that were solved.
    pub linear_solves: u64,
    /// The largest residual of a holonomic constraint, in the unit of the constraint; 0 without such constraints. It is checked in recorded
    /// states, in every 32nd step and in the last one.
    pub position_residual: f64,
    /// The largest part of the energy, above the lowest potential energy, that is a numerical gain. It is checked in every 32nd step and in
    /// the last one. A value of 0.5 means that the step size is too large for a reliable result. `None` for systems that may gain energy:
    /// [`Description::never_gains_energy`](crate::system::Description::never_gains_energy).
    pub energy_gained: Option<f64>,
    /// The largest absolute value after any step of E − E₀ minus the work since the start, in units of energy. It is the numerical energy
    /// error. `None` without [`monitor_energy`](crate::simulate::Simulation::monitor_energy) and for systems that are not declared.
    pub energy_defect: Option<f64>,
    /// The largest change of a momentum after any step, since the start or the last event with changes. `None` without
    /// [`monitor_momentum`](crate::simulate::Simulation::monitor_momentum) and without declared symmetries.
    pub momentum_drift: Option<f64>,
    /// The smallest singular value of the constraint Jacobian; `None` without [`monitor_rank`](crate::simulate::Simulation::monitor_rank).
    pub smallest_singular_value: Option<SmallestSingularValue>,
    /// Number of steps close to a singular configuration that were made with the index-1 equations instead of the method.
    pub crossings: usize,
    /// Mean number of Newton iterations per step; `None` for explicit methods.
    pub newton_iterations: Option<f64>,
    /// Wall-clock time of the whole run, s.
    pub seconds: f64,
}

/// One attempted step of an error-controlled simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRecord {
    /// The time at the beginning of the step.
    pub time: f64,
    /// The step size.
    pub step: f64,
    /// The error indicator (paper 1, eq. 21); NaN if the step failed.
    pub error: f64,
    /// True if the step was accepted.
    pub accepted: bool,
}
