//! Execution of a simulation, for any kind of problem and any method.
//!
//! | file | |
//! |---|---|
//! | [`initialisation`] | checks the settings, computes consistent initial values and starts the method |
//! | [`step_loop`] | loops over steps of fixed or error-controlled size |
//! | [`run_state`] | performs a step and processes its result |
//! | [`stepper`] | holds the system, the method and the monitor of the motion |
//! | [`system_source`] | the system of the run: borrowed, owned or with a controller |
//! | [`event_detection`], [`monitored_event`], [`root_finding`] | locate zero crossings of event functions within a step |
//! | [`recorder`] | records states at steps and at output times |
//! | [`run_limits`], [`stagnation`], [`stiffness`], [`warnings`], [`progress`] | limits of cost, detection of stagnation and of stiffness, warnings, progress bar |

mod event_detection;
mod initialisation;
mod monitored_event;
mod progress;
mod recorder;
mod root_finding;
mod run_limits;
mod run_state;
mod stagnation;
mod step_loop;
mod stepper;
mod stiffness;
mod system_source;
mod warnings;

pub(super) use initialisation::ErasedSimulation;
pub(crate) use step_loop::FixedSteps;
pub(super) use system_source::SystemSource;

/// Relative tolerance for equal times, in units of the step.
const COINCIDE: f64 = 1e-9;

/// Returns the round-off of a time. Times that differ by less are equal.
fn round_off(time: f64) -> f64 {
    2.0 * f64::EPSILON * time.abs()
}
