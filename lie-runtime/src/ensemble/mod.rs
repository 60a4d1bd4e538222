//! Ensembles: many runs of one model with varied parameters and initial values, on all cores (Monte Carlo, parameter sweep).
//!
//! A member of an ensemble is a row of [`Samples`]: parameter values by name, and free variables for the closure that creates the run. The
//! recorded values of each run are stored; the run itself is discarded.
//!
//! ```
//! use lie_runtime::ensemble::{Ensemble, Samples};
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system]
//! pub mod oscillator {
//!     #[configuration]
//!     pub struct Position { pub x: f64 }
//!
//!     #[parameters]
//!     pub struct Spring { pub stiffness: f64 }
//!
//!     #[kinetic_energy]
//!     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
//!
//!     #[potential]
//!     fn spring(spring: &Spring, q: &Position) -> f64 { 0.5 * spring.stiffness * q.x * q.x }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = oscillator::System::new(oscillator::Spring { stiffness: 1.0 })?;
//! let samples = Samples::sobol(64, 1).parameter("stiffness", 0.9..1.1).variable("start", 1.0..2.0);
//! let results = Ensemble::of(&system).samples(samples).outputs(["x", "energy"]).run(|system, member| {
//!     let (q0, v0) = (oscillator::Position { x: member.value("start")? }, Vector1::new(0.0));
//!     Ok(Simulation::of(system).initial(q0, v0).step(0.01).end_time(1.0).output_times(&[0.5, 1.0]).run()?)
//! })?;
//!
//! assert!(results.failures().is_empty());
//! let x = results.column("x").unwrap();
//! let spread = x.spread(1); // At the second of the times.
//! assert!((spread.mean - 1.5 * 1.0_f64.cos()).abs() < 5e-3 && spread.minimum > 0.45 && spread.maximum < 1.2);
//! assert!((x.quantile(1, 0.5) - spread.mean).abs() < 0.02);
//! # Ok(())
//! # }
//! ```
//!
//! The results do not depend on the number of threads. A failed member is listed in [`Results::failures`], and its values are NaN; other
//! members continue. An interrupted ensemble can continue from an [`Ensemble::checkpoint`].

#[cfg(feature = "lanes")]
mod batched;
mod checkpoint;
mod distribution;
mod error;
mod export;
#[cfg(feature = "lanes")]
mod lanes;
mod measure;
#[cfg(feature = "parquet")]
mod parquet;
mod results;
mod run;
mod samples;
mod sequence;

pub use distribution::Distribution;
pub use error::{EnsembleError, MemberError, MemberFailure, SampleError};
pub use results::{Column, MemberWarnings, Results, Spread};
pub use run::Ensemble;
pub use samples::{Member, Samples};
