//! Errors of ensembles and of their members.

use std::io;
use std::path::PathBuf;

use crate::integrator::Problem;
use crate::messages::{Remedy, listed, see, setting, suggested};
use crate::simulate::{Failure, SimulationError};
use crate::system::ModelError;

/// The largest number of members; their values alone require some gigabytes.
pub(super) const MOST: usize = 1 << 24;

/// The error of invalid samples.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// A variable is defined twice.
    #[error("duplicate variable `{name}`; remove one occurrence {}", see("samples"))]
    Repeated {
        /// Its name.
        name: String,
    },
    /// The name of a variable is unknown.
    #[error("unknown variable `{name}`; the variables are {}{} {}", listed(.known), suggested(.name, .known), see("samples"))]
    Unknown {
        /// The name.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// The distribution of a variable is invalid.
    #[error("variable `{name}`: {problem} {}", see("samples"))]
    Distribution {
        /// The variable.
        name: String,
        /// The invalid property.
        problem: String,
    },
    /// The length of a row differs from the number of variables.
    #[error(
        "row {row} has {given} values, and there are {expected} variables; set one value for each variable {}",
        see("samples")
    )]
    Row {
        /// The index of the row.
        row: usize,
        /// The number of variables.
        expected: usize,
        /// The length of the row.
        given: usize,
    },
    /// A value is NaN or infinite.
    #[error("variable `{name}` is {value} in row {row}; set a finite value {}", see("samples"))]
    NotFinite {
        /// The index of the row.
        row: usize,
        /// The variable.
        name: String,
        /// The value.
        value: f64,
    },
    /// A table cannot be read.
    #[error("line {line} of the table: {problem} {}", see("samples"))]
    Table {
        /// The line of the file.
        line: u64,
        /// The error in this line.
        problem: String,
    },
    /// There are too many members.
    #[error(
        "an ensemble of {members:.3e} members exceeds the maximum of {MOST}; run several ensembles {}",
        see("samples")
    )]
    TooMany {
        /// The number of members.
        members: f64,
    },
    /// There are more variables than supported dimensions of the Sobol sequence.
    #[error(
        "Sobol's sequence supports {most} dimensions, found {variables}; use {} {}",
        Remedy::LatinHypercube,
        see("samples")
    )]
    TooManyVariables {
        /// The number of variables.
        variables: usize,
        /// The number of supported dimensions.
        most: usize,
    },
}

crate::messages::debug_is_the_message!(SampleError);
/// The failure of a member.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum MemberFailure {
    /// The system rejects the parameters of the member.
    #[error(transparent)]
    Parameters(#[from] ModelError),
    /// The closure requested an unknown variable.
    #[error("unknown variable `{name}`; the samples have {}{} {}", listed(.known), suggested(.name, .known), see("samples"))]
    NoVariable {
        /// The name.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// The run failed.
    #[error("{failure}")]
    Run {
        /// The time of the last valid state, if the first step was made.
        time: Option<f64>,
        /// The failure of the run.
        failure: Box<Failure>,
    },
    /// The run recorded no states.
    #[error("the run recorded no state; record at least one {}", see("recorded-states"))]
    NothingRecorded,
    /// The recorded times differ from the first member that reached the end time.
    #[error(
        "the run recorded {recorded} states, and the first member recorded {expected}{}. Record all members at the same times with {} {}",
        first_difference(*.differs),
        Remedy::Setting { name: "output_times", value: "&[…]" },
        see("recorded-states")
    )]
    OtherTimes {
        /// The expected number of states.
        expected: usize,
        /// The number of recorded states.
        recorded: usize,
        /// The first different time: the expected and the recorded one.
        differs: Option<[f64; 2]>,
    },
    /// A closure of the member has panicked.
    #[error("the closure panicked: {message} {}", see("ensembles"))]
    Panicked {
        /// The panic message.
        message: String,
    },
    /// Another error of the closure.
    #[error(transparent)]
    Other(#[from] Box<dyn std::error::Error + Send + Sync>),
}

crate::messages::debug_is_the_message!(MemberFailure);
impl<P: Problem> From<Box<SimulationError<P>>> for MemberFailure
where
    P::State: crate::integrator::Solution,
{
    /// The states of the run are discarded.
    fn from(error: Box<SimulationError<P>>) -> Self {
        let time = error.last.as_ref().map(crate::integrator::Solution::time);
        MemberFailure::Run { time, failure: Box::new(error.failure) }
    }
}

/// A failed member.
#[derive(thiserror::Error)]
#[error("member {member}: {failure}")]
pub struct MemberError {
    /// The index of the member, from 0.
    pub member: usize,
    /// The failure.
    pub failure: MemberFailure,
}

crate::messages::debug_is_the_message!(MemberError);
/// The error of an ensemble.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// The samples are invalid.
    #[error(transparent)]
    Samples(#[from] SampleError),
    /// The name of a parameter is unknown.
    #[error(
        "unknown parameter `{name}`; the parameters are {}{}{} {}",
        listed(.known),
        suggested(.name, .known),
        setting("variable").after("; add a variable of the closure with").unwrap_or_default(),
        see("samples")
    )]
    UnknownParameter {
        /// The name.
        name: String,
        /// The existing names.
        known: &'static [&'static str],
    },
    /// A parameter is not a scalar.
    #[error("{0}; name one component, `name[0]` or `name[0][0]`")]
    Parameter(ModelError),
    /// The name of a recorded column is unknown.
    #[error("unknown column `{name}`; the columns are {}{} {}", listed(.known), suggested(.name, .known), see("ensembles"))]
    UnknownColumn {
        /// The name.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// The checkpoint belongs to another ensemble.
    #[error(
        "the checkpoint `{}` belongs to another ensemble: the system, the samples, the parameters, the columns or the version differ. Remove the \
         file, or choose another name {}",
        .path.display(),
        see("ensembles")
    )]
    OtherEnsemble {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint cannot be read or written.
    #[error("checkpoint `{}`: {error}; check the path and its permissions {}", .path.display(), see("files"))]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The threads cannot be started.
    #[error("the threads could not be started: {}; set fewer threads {}", .0, see("ensembles"))]
    Threads(String),
}

crate::messages::debug_is_the_message!(EnsembleError);

/// Formats the first different time.
fn first_difference(differs: Option<[f64; 2]>) -> String {
    differs.map_or_else(String::new, |[time, own]| format!(", at t = {own:?} instead of t = {time:?}"))
}
