//! Branches that end before their target.

use core::fmt;

/// The error of a branch that ends before its target. It contains all points found so far.
#[derive(thiserror::Error)]
#[error("{error}")]
pub struct BranchError<B, E> {
    /// The reason.
    pub error: E,
    /// The branch up to its last point; empty without an initial point.
    pub branch: B,
}

crate::messages::debug_is_the_message!([B, E: fmt::Display] BranchError<B, E>);
