//! Branches that end before their aim.

use core::fmt;

/// A branch that was not followed to its aim; nothing found is lost.
pub struct BranchError<B, E> {
    /// The reason.
    pub error: E,
    /// The branch up to the last point that was found; without points if there is none to begin with.
    pub branch: B,
}

/// The message of the reason: `fn main() -> Result<…>` prints it.
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
