//! What can go wrong with an ensemble, and with one of its members.

use core::fmt;
use std::io;
use std::path::PathBuf;

use crate::integrator::Problem;
use crate::messages::{listed, suggested};
use crate::simulate::{Failure, SimulationError};
use crate::system::ModelError;

/// The largest number of members: their values alone take some gigabytes.
pub(super) const MOST: usize = 1 << 24;

/// Samples without values.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum SampleError {
    /// A variable that is said twice.
    Repeated {
        /// Its name.
        name: String,
    },
    /// There is no variable of that name.
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A distribution that has no values.
    Distribution {
        /// The variable.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A row of another length than there are variables.
    Row {
        /// The row.
        row: usize,
        /// How many values it should have.
        expected: usize,
        /// How many it has.
        given: usize,
    },
    /// A value that is NaN or infinite.
    NotFinite {
        /// The row.
        row: usize,
        /// The variable.
        name: String,
        /// The value.
        value: f64,
    },
    /// A table that cannot be read.
    Table {
        /// The line of the file.
        line: u64,
        /// What is wrong there.
        problem: String,
    },
    /// More members than can be counted.
    TooMany {
        /// How many.
        members: f64,
    },
    /// More variables than Sobol's sequence has dimensions here.
    TooManyVariables {
        /// How many.
        variables: usize,
        /// How many are possible.
        most: usize,
    },
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::Repeated { name } => write!(f, "variable `{name}` is said twice"),
            SampleError::Unknown { name, known } => {
                write!(f, "there is no variable `{name}`; there are {}{}", listed(known), suggested(name, known))
            }
            SampleError::Distribution { name, problem } => write!(f, "variable `{name}`: {problem}"),
            SampleError::Row { row, expected, given } => {
                write!(f, "row {row} has {given} values for {expected} variables")
            }
            SampleError::NotFinite { row, name, value } => write!(f, "`{name}` is {value} in row {row}"),
            SampleError::Table { line, problem } => write!(f, "line {line} of the table: {problem}"),
            SampleError::TooMany { members } => {
                write!(f, "{members:.3e} members are more than the {MOST} that are run at once; run them in parts")
            }
            SampleError::TooManyVariables { variables, most } => write!(
                f,
                "Sobol's sequence has {most} dimensions here, not {variables}; take `Samples::latin_hypercube(count, seed)`"
            ),
        }
    }
}

crate::messages::debug_is_the_message!(SampleError);
impl std::error::Error for SampleError {}

/// Why a member has no numbers.
#[non_exhaustive]
pub enum MemberFailure {
    /// Its parameters make no system.
    Parameters(ModelError),
    /// The closure asked for a variable that the samples do not have.
    NoVariable {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Its run ended before its time.
    Run {
        /// The time of the last good state, if the first step was made.
        time: Option<f64>,
        /// What went wrong.
        failure: Box<Failure>,
    },
    /// Nothing was recorded.
    NothingRecorded,
    /// Its states were recorded at other times than those of the first member that has come to its end.
    OtherTimes {
        /// How many states there should be.
        expected: usize,
        /// How many there are.
        recorded: usize,
        /// The first time that differs: as it should be, and as it is.
        differs: Option<[f64; 2]>,
    },
    /// The closure that makes its run, or another closure of the run, has panicked.
    Panicked {
        /// The message.
        message: String,
    },
    /// Something else that the closure returned.
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl fmt::Display for MemberFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemberFailure::Parameters(error) => error.fmt(f),
            MemberFailure::NoVariable { name, known } => {
                write!(
                    f,
                    "the samples have no variable `{name}`; they have {}{}",
                    listed(known),
                    suggested(name, known)
                )
            }
            MemberFailure::Run { failure, .. } => failure.fmt(f),
            MemberFailure::NothingRecorded => f.write_str("its run has recorded no state"),
            MemberFailure::OtherTimes { expected, recorded, differs } => {
                write!(f, "its run has recorded {recorded} states, and that of the first member {expected}")?;
                if let Some([time, own]) = differs {
                    write!(f, ", at t = {own:?} instead of t = {time:?}")?;
                }
                f.write_str(": record all members at the same times, by `.output_times(&[…])`")
            }
            MemberFailure::Panicked { message } => write!(f, "its closure has panicked: {message}"),
            MemberFailure::Other(error) => error.fmt(f),
        }
    }
}

crate::messages::debug_is_the_message!(MemberFailure);
impl std::error::Error for MemberFailure {}

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

impl From<ModelError> for MemberFailure {
    fn from(error: ModelError) -> Self {
        MemberFailure::Parameters(error)
    }
}

impl From<Box<dyn std::error::Error + Send + Sync>> for MemberFailure {
    fn from(error: Box<dyn std::error::Error + Send + Sync>) -> Self {
        MemberFailure::Other(error)
    }
}

/// A member that has no numbers.
pub struct MemberError {
    /// Its number, counted from 0.
    pub member: usize,
    /// Why.
    pub failure: MemberFailure,
}

impl fmt::Display for MemberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "member {}: {}", self.member, self.failure)
    }
}

crate::messages::debug_is_the_message!(MemberError);
impl std::error::Error for MemberError {}

/// An ensemble that could not be run.
#[non_exhaustive]
pub enum EnsembleError {
    /// The samples have no values.
    Samples(SampleError),
    /// A name that is no parameter of the system.
    UnknownParameter {
        /// The name.
        name: String,
        /// The names there are.
        known: &'static [&'static str],
    },
    /// A parameter that is no single number.
    Parameter(ModelError),
    /// Nothing that is recorded has that name.
    UnknownColumn {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The checkpoint is that of another ensemble.
    OtherEnsemble {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint could not be read or written.
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The threads could not be started.
    Threads(String),
}

impl fmt::Display for EnsembleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnsembleError::Samples(error) => error.fmt(f),
            EnsembleError::UnknownParameter { name, known } => write!(
                f,
                "the system has no parameter `{name}`; it has {}{}; a value that the closure reads is added by \
                 `.variable(\"{name}\", …)`",
                listed(known),
                suggested(name, known)
            ),
            EnsembleError::Parameter(error) => {
                write!(f, "{error}; a member sets one component, `name[0]` or `name[0][0]`")
            }
            EnsembleError::UnknownColumn { name, known } => {
                write!(f, "unknown column `{name}`{}; the columns are {}", suggested(name, known), listed(known))
            }
            EnsembleError::OtherEnsemble { path } => write!(
                f,
                "`{}` is the checkpoint of another ensemble: of another system, other samples, parameters or columns, or another \
                 version; remove it, or name another",
                path.display()
            ),
            EnsembleError::Checkpoint { path, error } => write!(f, "checkpoint `{}`: {error}", path.display()),
            EnsembleError::Threads(reason) => write!(f, "the threads could not be started: {reason}"),
        }
    }
}

crate::messages::debug_is_the_message!(EnsembleError);
impl std::error::Error for EnsembleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EnsembleError::Samples(error) => Some(error),
            EnsembleError::Parameter(error) => Some(error),
            EnsembleError::Checkpoint { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<SampleError> for EnsembleError {
    fn from(error: SampleError) -> Self {
        EnsembleError::Samples(error)
    }
}
