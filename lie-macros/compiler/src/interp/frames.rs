//! The functions and loops under evaluation, and the pending jumps out of them.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;

use super::value::Value;
use crate::expr::Node;

/// The kinds of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Function,
    Loop,
}

/// A function or loop under evaluation.
pub(crate) struct Frame {
    pub(super) scope: FrameKind,
    /// The first slot of its own variables; in a loop, of the variables of one iteration.
    pub(super) floor: usize,
    pub iteration: usize,
    /// Number of path conditions at its entry.
    pub(super) path: usize,
}

/// A pending jump.
pub(crate) struct Jump {
    pub frame: usize,
    /// True for `continue`.
    pub is_next: bool,
    /// The first slot of the variables that are out of scope at its target.
    pub floor: usize,
    /// The condition under which it is taken; `None`: always.
    pub condition: Option<Node>,
    pub value: Value,
    /// The values at the jump of the variables that were written later.
    pub saved: BTreeMap<usize, Value>,
    pub at: TokenStream,
}
