//! Errors of runs and analyses by name.

use super::RunRecord;
use crate::analysis::{EquilibriumError, LinearisationError};
use crate::gradient::DirectionError;
use crate::inputs::{InputError, TableError};
use crate::messages::{listed, see, suggested};
use crate::simulate::{ColumnError, Failure, MethodError};
use crate::system::ModelError;

/// The error of a run or an analysis of a system without its type.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ByNameError {
    /// The method or an option of it is unknown, or the method does not apply to the system.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The run did not reach its end.
    #[error("{message}")]
    Run {
        /// The reason.
        failure: Box<Failure>,
        /// The reason with the numbers of steps and recorded states.
        message: String,
        /// The computed results, with the last valid state.
        record: Box<RunRecord>,
    },
    /// The column is unknown.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// The variable is unknown.
    #[error(transparent)]
    Variable(#[from] DirectionError),
    /// The number of values is wrong.
    #[error(
        "`{name}` has {expected} components, found {given}; pass {expected} {}",
        see("variables-of-differentiation")
    )]
    Count {
        /// The name of the variable.
        name: String,
        /// The number of its components.
        expected: usize,
        /// The number of given values.
        given: usize,
    },
    /// The input is unknown.
    #[error("unknown input `{name}`; the inputs are {}{} {}", listed(.known), suggested(.name, .known), see("inputs"))]
    UnknownInput {
        /// The name.
        name: String,
        /// The inputs.
        known: Vec<String>,
    },
    /// The inputs are functions of the state.
    #[error(transparent)]
    Input(Box<InputError>),
    /// The table of an input is invalid.
    #[error(transparent)]
    InputTable(#[from] TableError),
    /// A value of a parameter is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no static equilibrium close to the initial configuration.
    #[error(transparent)]
    Equilibrium(Box<EquilibriumError>),
    /// The system has no linearisation about the initial values.
    #[error(transparent)]
    Linearisation(Box<LinearisationError>),
    /// The samples or the outputs of an ensemble are invalid.
    #[cfg(feature = "ensemble")]
    #[error(transparent)]
    Ensemble(Box<crate::ensemble::EnsembleError>),
    /// The run has no derivatives, or did not reach its end.
    #[error("{message}")]
    Sensitivity {
        /// The message of the [`SensitivityError`](crate::gradient::SensitivityError).
        message: String,
    },
}

crate::messages::debug_is_the_message!(ByNameError);
