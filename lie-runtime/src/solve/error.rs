//! Why linear systems have no solution.

use core::fmt;

/// Why the linear system of accelerations and multipliers has no unique solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KktError {
    /// A block of the mass matrix has no Cholesky factorisation.
    MassNotPositiveDefinite {
        /// The first component of the velocity whose pivot is not positive.
        component: usize,
    },
    /// Elimination of the multipliers found no pivot: constraints are redundant or contradict each other.
    SingularConstraints {
        /// The row of B.
        row: usize,
    },
    /// A NaN or an infinity appeared in the matrix or in the right-hand side.
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
            KktError::NotFinite => f.write_str("a number in the system of accelerations and multipliers is not finite"),
        }
    }
}

impl std::error::Error for KktError {}

/// Why a band matrix or a sparse one has no factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PivotError {
    /// Some rows depend on one another.
    Singular {
        /// The first row that depends on those before it, as far as elimination tells, before all interchanges.
        row: usize,
    },
    /// A NaN or an infinity.
    NotFinite,
}
