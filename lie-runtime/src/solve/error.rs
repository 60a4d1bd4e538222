//! Errors of linear systems without a unique solution.

use core::fmt;

/// Reasons why the linear system of accelerations and multipliers has no unique solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KktError {
    /// A block of the mass matrix has no Cholesky factorisation.
    MassNotPositiveDefinite {
        /// The first component of the velocity whose pivot is not positive.
        component: usize,
    },
    /// Elimination of the multipliers found no pivot: constraints are redundant or contradictory.
    SingularConstraints {
        /// The row of the constraint Jacobian B.
        row: usize,
    },
    /// The matrix or the right-hand side contains NaN or an infinite value.
    NotFinite,
}

impl fmt::Display for KktError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KktError::MassNotPositiveDefinite { component } => {
                write!(f, "the mass matrix is not positive definite at component {component} of the velocity")
            }
            KktError::SingularConstraints { row } => {
                write!(f, "constraint row {row} depends on the rows before it")
            }
            KktError::NotFinite => {
                f.write_str("the system of accelerations and multipliers contains a value that is not finite")
            }
        }
    }
}

impl std::error::Error for KktError {}

/// Reasons why a band matrix or a sparse matrix has no factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PivotError {
    /// Some rows are linearly dependent.
    Singular {
        /// The first dependent row that elimination finds, numbered as before all interchanges.
        row: usize,
    },
    /// An entry is NaN or infinite.
    NotFinite,
}
