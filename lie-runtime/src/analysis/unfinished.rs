//! Branches that end before their target.

use core::fmt;

/// The error of a branch that ends before its target. It contains all points found so far.
pub struct BranchError<B, E> {
    /// The reason.
    pub error: E,
    /// The branch up to its last point; empty without an initial point.
    pub branch: B,
}

/// Writes the message of the reason, because `fn main() -> Result<…>` prints this format.
impl<B, E: fmt::Display> fmt::Debug for BranchError<B, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<B, E: fmt::Display> fmt::Display for BranchError<B, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<B, E: fmt::Display> std::error::Error for BranchError<B, E> {}
