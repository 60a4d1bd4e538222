//! Rust syntax: types, items, lists and suggestions for misspelt names.

pub(super) mod constants;
pub(super) mod items;
pub(super) mod lists;
pub(super) mod shape;
pub(super) mod split_expressions;
pub(super) mod suggest;
