//! What can go wrong with an ensemble, and with one of its members.

use std::io;
use std::path::PathBuf;

use crate::integrator::Problem;
use crate::messages::{listed, see, suggested};
use crate::simulate::{Failure, SimulationError};
use crate::system::ModelError;

/// The largest number of members: their values alone take some gigabytes.
pub(super) const MOST: usize = 1 << 24;

/// Samples without values.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// A variable that is said twice.
    #[error("duplicate variable `{name}`; remove one of them {}", see("samples"))]
    Repeated {
        /// Its name.
        name: String,
    },
    /// There is no variable of that name.
    #[error("unknown variable `{name}`; the variables are {}{} {}", listed(.known), suggested(.name, .known), see("samples"))]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A distribution that has no values.
    #[error("variable `{name}`: {problem} {}", see("samples"))]
    Distribution {
        /// The variable.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A row of another length than there are variables.
    #[error(
        "row {row} has {given} values, and there are {expected} variables; set one value for each variable {}",
        see("samples")
    )]
    Row {
        /// The row.
        row: usize,
        /// How many values it should have.
        expected: usize,
        /// How many it has.
        given: usize,
    },
    /// A value that is NaN or infinite.
    #[error("variable `{name}` is {value} in row {row}; set a finite value {}", see("samples"))]
    NotFinite {
        /// The row.
        row: usize,
        /// The variable.
        name: String,
        /// The value.
        value: f64,
    },
    /// A table that cannot be read.
    #[error("line {line} of the table: {problem} {}", see("samples"))]
    Table {
        /// The line of the file.
        line: u64,
        /// What is wrong there.
        problem: String,
    },
    /// More members than can be counted.
    #[error(
        "an ensemble of {members:.3e} members exceeds the maximum of {MOST}; run several ensembles {}",
        see("samples")
    )]
    TooMany {
        /// How many.
        members: f64,
    },
    /// More variables than Sobol's sequence has dimensions here.
    #[error(
        "Sobol's sequence supports {most} dimensions, found {variables}; use `Samples::latin_hypercube(count, seed)` {}",
        see("samples")
    )]
    TooManyVariables {
        /// How many.
        variables: usize,
        /// How many are possible.
        most: usize,
    },
}

crate::messages::debug_is_the_message!(SampleError);
/// Why a member has no numbers.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum MemberFailure {
    /// Its parameters make no system.
    #[error(transparent)]
    Parameters(#[from] ModelError),
    /// The closure asked for a variable that the samples do not have.
    #[error("unknown variable `{name}`; the samples have {}{} {}", listed(.known), suggested(.name, .known), see("samples"))]
    NoVariable {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Its run ended before its time.
    #[error("{failure}")]
    Run {
        /// The time of the last good state, if the first step was made.
        time: Option<f64>,
        /// What went wrong.
        failure: Box<Failure>,
    },
    /// Nothing was recorded.
    #[error("the run recorded no state; record at least one {}", see("recorded-states"))]
    NothingRecorded,
    /// Its states were recorded at other times than those of the first member that has come to its end.
    #[error(
        "the run recorded {recorded} states, and the first member recorded {expected}{}. Record all members at the same times with \
         `.output_times(&[…])` {}",
        first_difference(*.differs),
        see("recorded-states")
    )]
    OtherTimes {
        /// How many states there should be.
        expected: usize,
        /// How many there are.
        recorded: usize,
        /// The first time that differs: as it should be, and as it is.
        differs: Option<[f64; 2]>,
    },
    /// The closure that makes its run, or another closure of the run, has panicked.
    #[error("the closure panicked: {message} {}", see("ensembles"))]
    Panicked {
        /// The message.
        message: String,
    },
    /// Something else that the closure returned.
    #[error(transparent)]
    Other(#[from] Box<dyn std::error::Error + Send + Sync>),
}

crate::messages::debug_is_the_message!(MemberFailure);
impl<P: Problem> From<Box<SimulationError<P>>> for MemberFailure
where
    P::State: crate::integrator::Solution,
{
    /// The states of the run are not kept.
    fn from(error: Box<SimulationError<P>>) -> Self {
        let time = error.last.as_ref().map(crate::integrator::Solution::time);
        MemberFailure::Run { time, failure: Box::new(error.failure) }
    }
}

/// A member that has no numbers.
#[derive(thiserror::Error)]
#[error("member {member}: {failure}")]
pub struct MemberError {
    /// Its number, counted from 0.
    pub member: usize,
    /// Why.
    pub failure: MemberFailure,
}

crate::messages::debug_is_the_message!(MemberError);
/// An ensemble that could not be run.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// The samples have no values.
    #[error(transparent)]
    Samples(#[from] SampleError),
    /// A name that is no parameter of the system.
    #[error(
        "unknown parameter `{name}`; the parameters are {}{}; add a variable of the closure with `.variable(\"{name}\", …)` {}",
        listed(.known),
        suggested(.name, .known),
        see("samples")
    )]
    UnknownParameter {
        /// The name.
        name: String,
        /// The names there are.
        known: &'static [&'static str],
    },
    /// A parameter that is no single number.
    #[error("{0}; name one component, `name[0]` or `name[0][0]`")]
    Parameter(#[source] ModelError),
    /// Nothing that is recorded has that name.
    #[error("unknown column `{name}`; the columns are {}{} {}", listed(.known), suggested(.name, .known), see("ensembles"))]
    UnknownColumn {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The checkpoint is that of another ensemble.
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
    /// The checkpoint could not be read or written.
    #[error("checkpoint `{}`: {error}; check the path and its permissions {}", .path.display(), see("files"))]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The threads could not be started.
    #[error("the threads could not be started: {}; set fewer threads {}", .0, see("ensembles"))]
    Threads(String),
}

crate::messages::debug_is_the_message!(EnsembleError);

/// The first time that differs.
fn first_difference(differs: Option<[f64; 2]>) -> String {
    differs.map_or_else(String::new, |[time, own]| format!(", at t = {own:?} instead of t = {time:?}"))
}
