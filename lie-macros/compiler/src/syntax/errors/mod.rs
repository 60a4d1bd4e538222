//! Output for declarations with errors: the items that can be kept, and placeholders for the others.

mod constraints;
mod factors;
pub(super) mod placeholders;
pub(super) mod recovery;
pub(super) mod role_inference;
mod syntax_recovery;
