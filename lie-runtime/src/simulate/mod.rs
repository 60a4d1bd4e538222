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
//!     Simulation::of(&system).initial(q0, v0).method(HalfExplicit::herk4()).step(0.01).end_time(1.0).output_every(10).run()?;
//! assert_eq!(fixed.states.len(), 11);
//! assert_eq!(fixed.statistics.accepted, 100);
//!
//! let controlled =
//!     Simulation::of(&system).initial(q0, v0).rtol(1e-8).atol(1e-10).end_time(1.0).output_times(&[0.25, 0.5, 1.0]).run()?;
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
//! Methods are chosen by their types, or by their names ([`Simulation::method_named`]) among [`methods`] and one's own
//! ([`Methods`]).
//!
//! Initial values next to the constraints are projected onto them ([`ConsistentValues`]), and the result, a [`Trajectory`],
//! tells how far; values far from them are an error. A run that fails returns a [`SimulationError`] with all that has been
//! computed, and so does one that has left a constraint on the level of positions.
//!
//! # How it is built
//!
//! A folder is a room, and each knows those that stand before it here:
//!
//! | room | |
//! |---|---|
//! | `notice` | warnings and their destination |
//! | `setup` | what a run is told before it starts, and what is not sound in that |
//! | `consistent` | values that the constraints admit, and the λ and v' that go with them |
//! | `failure` | what goes wrong on the way |
//! | `checks` | what every motion is looked at for: its constraints, its speeds, its energy |
//! | `hazards` | what a motion may come by: jumps, poles of the multipliers, constraints that lose rank; and ways through |
//! | `balance` | the accounts of energy and momenta |
//! | `motion` | what a run asks of states and of those who look after them; mechanical systems and equations of first order answer |
//! | `controller` | inputs that are held from one instant to the next |
//! | `event` | an event, and what it does to a motion |
//! | `outcome` | what a run leaves: trajectory, statistics, samples, its error |
//! | `export` | the files of that |
//! | `methods` | methods by name |
//! | `run` | a run on its way |
//! | `builder` | the sentence |
//!
//! The sentence ends in `run`: its launch checks the settings, makes the first state consistent, and lets the method and the guard of the
//! motion begin. Each step is made by both, looked into for events, and recorded as far as is asked for; the guard's checks are due in
//! every state that is recorded and in one of 32. However it ends, what there is becomes the outcome.

mod builder;
mod checks;
mod consistent;
mod controller;
mod energy_audit;
pub mod event;
#[cfg(feature = "export")]
pub(crate) mod export;
mod failure;
mod methods;
mod motion;
mod notice;
mod outcome;
mod run;
mod setup;
mod singularities;

pub use builder::{Answer, Simulation, Start};
pub use consistent::{
    Consistency, ConsistencyError, ConsistentValues, ImpactError, InverseKinematics, InverseKinematicsError, Projection,
};
pub use controller::{SampledInputs, StateOf};
pub use energy_audit::Balance;
pub use event::Occurrence;
pub(crate) use event::Telling;
#[cfg(feature = "export")]
pub use export::{ExportError, write_csv, write_npz};
pub use failure::{Divergence, Failure};
pub use methods::{Choices, MethodError, MethodInfo, MethodOption, Methods, Needs, Registered, Registry, methods};
pub use motion::Simulated;
pub(crate) use motion::{Motion, SHORT_SAMPLE};
pub use notice::Notice;
pub use outcome::{
    BetweenError, Energy, Residual, Sample, Sampled, SimulationError, Statistics, StepRecord, Trajectory,
};
pub(crate) use run::FixedSteps;
pub use setup::{LimitReached, Limits, SetupError};
pub(crate) use setup::{Options, StepSize};
pub use singularities::SmallestSingularValue;
#[cfg(all(feature = "ensemble", feature = "lanes"))]
pub(crate) use {
    checks::{Checks, VelocityGrowth},
    motion::MotionMonitor,
    singularities::{Discontinuity, SingularityMonitor, discontinuity_ahead, may_cross_singularity},
};
