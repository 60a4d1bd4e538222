//! Pieces of Rust that several of the others look at: types, items, lists, names that are nearly right.

pub(super) mod chains;
pub(super) mod constants;
pub(super) mod items;
pub(super) mod lists;
pub(super) mod shape;
pub(super) mod suggest;
