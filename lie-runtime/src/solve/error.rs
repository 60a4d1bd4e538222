//! Errors of linear systems without a unique solution.

use crate::messages::see;

/// Reasons why the linear system of accelerations and multipliers has no unique solution.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KktError {
    /// A block of the mass matrix has no Cholesky factorisation.
    #[error(
        "the mass matrix is not positive definite at component {component} of the velocity; set a positive mass or inertia {}",
        see("mass-matrix")
    )]
    MassNotPositiveDefinite {
        /// The first component of the velocity whose pivot is not positive.
        component: usize,
    },
    /// Elimination of the multipliers found no pivot: constraints are redundant or contradictory.
    #[error(
        "constraint row {row} is linearly dependent on the rows before it; remove the redundant row {}",
        see("redundant-constraints")
    )]
    SingularConstraints {
        /// The row of the constraint Jacobian B.
        row: usize,
    },
    /// The matrix or the right-hand side contains NaN or an infinite value.
    #[error(
        "a coefficient of the linear system of accelerations and multipliers is not finite; check the forces and constraints for divisions by \
         zero {}",
        see("values-that-are-not-finite")
    )]
    NotFinite,
}

crate::messages::debug_is_the_message!(KktError);

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
