//! Simulations: from consistent initial values to a recorded trajectory.
//!
//! A simulation reads like the sentence one would say:
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system]
//! pub mod oscillator {
//!     use lie_runtime::prelude::*;
//!
//!     #[configuration]
//!     pub struct Position { pub x: R1 }
//!
//!     #[kinetic_energy]
//!     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//!
//!     #[potential]
//!     fn spring(q: &Position) -> f64 { 0.5 * q.x.norm_squared() }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = oscillator::System::new()?;
//! let (q0, v0) = (oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0));
//!
//! let fixed =
//!     Simulation::of(&system).starting_at(q0, v0).with(HalfExplicit::herk4()).step(0.01).until(1.0).record_every(10).run()?;
//! assert_eq!(fixed.states.len(), 11);
//! assert_eq!(fixed.statistics.accepted, 100);
//!
//! let controlled =
//!     Simulation::of(&system).starting_at(q0, v0).tolerance(1e-8, 1e-10).until(1.0).sample_at(&[0.25, 0.5, 1.0]).run()?;
//! for state in &controlled.states {
//!     assert!((state.configuration.x.x - state.time.cos()).abs() < 1e-7);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A vector field is run by [`Simulation::of_field`], a Hamiltonian by [`Simulation::of_hamiltonian`]: each a
//! [`Problem`](crate::integrator::Problem), and the rest of the sentence is the same.
//!
//! Methods are chosen by their types, or by their names ([`Simulation::with_method`]) among [`methods`] and one's own
//! ([`Methods`]).
//!
//! Initial values next to the constraints are projected onto them ([`ConsistentValues`]), and the result, a [`Trajectory`],
//! tells how far; values far from them are an error. A run that fails returns a [`SimulationError`] with all that has been
//! computed, and so does one that has left a constraint on the level of positions.

mod balance;
mod between;
mod brake;
mod builder;
mod checks;
mod closure;
mod consistency;
mod consistent;
mod controller;
mod energy;
mod error;
pub mod event;
#[cfg(feature = "export")]
pub(crate) mod export;
mod given;
mod growth;
mod hazards;
mod jump;
mod launch;
mod leap;
mod limits;
mod locate;
mod lookout;
mod methods;
mod motion;
mod names;
mod options;
mod pace;
mod passage;
mod placement;
mod progress;
mod rank;
mod record;
mod row_changes;
mod run;
mod sample;
mod settings;
mod stall;
mod stepper;
mod trajectory;
mod watch;

pub use balance::Balance;
pub use between::BetweenError;
pub use builder::{Answer, Simulation, Start};
pub use consistency::{Consistency, ConsistencyError, Projection};
pub use consistent::ConsistentValues;
pub use controller::{SampledInputs, StateOf};
pub use error::{Divergence, Failure, SetupError};
pub use event::Occurrence;
#[cfg(feature = "export")]
pub use export::{ExportError, write_csv, write_npz};
pub use limits::{LimitReached, Limits};
pub use methods::{Choices, MethodCard, MethodError, MethodOption, Methods, Needs, Registered, Registry, methods};
pub use motion::Simulated;
pub(crate) use motion::{Motion, SHORT_SAMPLE};
pub(crate) use options::Options;
pub(crate) use pace::FixedSteps;
pub use placement::{Placement, PlacementError};
pub use rank::SmallestSingularValue;
pub use sample::{Energy, Residual, Sample, Sampled};
pub(crate) use settings::StepSize;
pub use trajectory::{Notice, SimulationError, Statistics, StepRecord, Trajectory};
#[cfg(all(feature = "ensemble", feature = "lanes"))]
pub(crate) use {
    checks::Checks,
    growth::Growth,
    hazards::{Hazards, jump_of_force},
    jump::Jump,
    motion::Guard,
    passage::may_pass_a_pole,
};
