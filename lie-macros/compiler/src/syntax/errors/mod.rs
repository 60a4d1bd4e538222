//! Output for declarations with errors: the items that can be kept, and a placeholder of the system.

pub(super) mod placeholder;
pub(super) mod recovery;
