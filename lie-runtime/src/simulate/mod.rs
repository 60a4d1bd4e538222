//! Simulations: from consistent initial values to a recorded trajectory.
//!
//! Simulations are configured with a builder:
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system]
//! pub mod oscillator {
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
//! [`Simulation::of_field`] integrates a vector field, [`Simulation::of_hamiltonian`] a Hamiltonian system. Each of them is a
//! [`Problem`](crate::integrator::Problem) with the same options.
//!
//! Methods are selected by type or by name ([`Simulation::method_named`]), from [`methods`] and your own registries ([`Methods`]).
//!
//! Initial values close to the constraint manifold are projected onto it ([`ConsistentValues`]), and the result, a [`Trajectory`], contains
//! the corrections. Distant initial values are an error. A run that fails returns a [`SimulationError`] with all computed data; for example
//! if a motion leaves a position constraint.
//!
//! # Structure
//!
//! Each folder is a module that imports only the modules before it in this table:
//!
//! | module | content |
//! |---|---|
//! | `warning` | warnings and their destination |
//! | `setup` | settings before the start, and their errors |
//! | `consistent` | consistent values of q and v, λ and v', impacts, inverse kinematics |
//! | `failure` | errors during a run |
//! | `checks` | constraint drift, velocity growth, numerical energy gain |
//! | `singularities` | discontinuities, sliding modes, rank of the constraint Jacobian, crossing of singular configurations |
//! | `energy_audit` | energy balance, work and momenta |
//! | `motion` | interface of states and monitors, for mechanical systems and first-order equations |
//! | `controller` | sampled controllers |
//! | `event` | events and their actions |
//! | `outcome` | trajectory, statistics, samples, dense output, error of a run |
//! | `export` | CSV and NPZ files |
//! | `methods` | methods by name |
//! | `run` | execution of a run |
//! | `builder` | the simulation builder |
//!
//! `Simulation::run` checks the settings, computes consistent initial values, and starts the method and the monitor of the motion. Each
//! step is made by the method, searched for events and recorded if requested. The monitor checks every recorded state and every 32nd step.

mod builder;
mod checks;
mod consistent;
mod controller;
mod delay;
mod energy_audit;
pub mod event;
pub(crate) mod export;
mod failure;
mod methods;
mod motion;
mod outcome;
mod run;
mod setup;
mod singularities;
mod warning;

#[doc(hidden)]
pub use builder::Answer;
#[cfg(feature = "precompiled")]
pub use builder::PrecompiledError;
pub use builder::{Simulation, Start};
pub use consistent::{
    Consistency, ConsistencyError, ConsistentValues, ConsistentVelocity, ConsistentVelocityError, ImpactError,
    InverseKinematics, InverseKinematicsError, Projection,
};
pub use controller::{SampledInputs, StateOf};
pub use energy_audit::Balance;
pub(crate) use event::DualToPlain;
pub use event::Occurrence;
pub(crate) use export::arrays_of;
pub use export::{ExportError, write_csv, write_npz};
pub use failure::{Divergence, Failure};
#[doc(hidden)]
pub use methods::Choices;
pub use methods::{MethodError, MethodInfo, MethodOption, MethodRequirement, Methods, Registered, Registry, methods};
pub use motion::Simulated;
pub(crate) use motion::{Motion, SHORT_SAMPLE};
#[cfg(feature = "ensemble")]
pub(crate) use outcome::without_section;
pub use outcome::{
    ColumnError, DenseOutputError, Energy, Residual, ResultTable, Run, Sample, Sampled, SimulationError, Statistics,
    StepRecord, Trajectory,
};
pub(crate) use outcome::{ColumnNames, Columns, named_record};
pub(crate) use run::FixedSteps;
pub use setup::{LimitReached, Limits, SetupError};
pub(crate) use setup::{Options, Settings, StepSize};
#[doc(hidden)]
pub use singularities::SmallestSingularValue;
pub use warning::Warning;
#[cfg(all(feature = "ensemble", feature = "lanes"))]
pub(crate) use {
    checks::{Checks, VelocityGrowth},
    motion::MotionMonitor,
    singularities::{
        Discontinuity, SingularityMonitor, SlidingCheck, SlidingMode, discontinuity_ahead, may_cross_singularity,
    },
};
