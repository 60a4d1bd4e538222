//! The kinematic tree: frames, the joints that carry them, and the order in which recursions visit them.

mod ancestor_paths;
mod block_layout;
mod link;
mod tree;

pub(super) use ancestor_paths::{AncestorPaths, PathEvent};
pub use link::{Link, ROOT};
pub(super) use tree::copy;
pub use tree::{KinematicTree, ensure_frames};
