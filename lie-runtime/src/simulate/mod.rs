//! Simulations: from consistent initial values to a recorded trajectory.
//!
//! A simulation reads like the sentence one would say:
//!
//! ```text
//! Simulation::of(&system).starting_at(q0, v0).with(HalfExplicit::hedop5()).step(1e-3).until(1.0).record_every(10).run()
//! Simulation::of(&system).starting_at(q0, v0).tolerance(1e-6, 1e-8).until(1.0).sample_at(&[0.25, 0.5, 1.0]).run()
//! ```
//!
//! The initial values are projected onto the constraints ([`ConsistentValues`]), and the result, a [`Trajectory`], tells
//! how far. A run that fails returns a [`SimulationError`] with all that has been computed.

mod builder;
mod consistent;
mod error;
#[cfg(feature = "export")]
mod export;
mod progress;
mod record;
mod run;
mod trajectory;

pub use builder::{Simulation, Start};
pub use consistent::{Consistency, ConsistencyError, ConsistentValues, Projection};
pub use error::{Failure, SetupError, SimulationError};
#[cfg(feature = "export")]
pub use export::ExportError;
pub use trajectory::{Statistics, StepRecord, Trajectory};
