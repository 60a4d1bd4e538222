//! The harness that every example shares: flags, runs, output, studies and figures.
//!
//! An example declares its systems, lists them as [`Variant`]s of one [`Example`] and hands that to [`main`]. All else,
//! from `--group` to the exported trajectory, is the same for all of them and lives here.

mod arguments;
pub mod chains;
mod example;
pub mod figure;
mod output;
mod request;
mod run;
mod settings;
pub mod study;

pub use example::{Example, Model, Study, Variant};
pub use lie_runtime::by_name::InitialValueProblem;
pub use lie_runtime::simulate::{Energy, Residual, Sample};
pub use request::{Outcome, Recording, Request, Step};
pub use run::{Status, main, run};
pub use settings::{Settings, UsageError};
