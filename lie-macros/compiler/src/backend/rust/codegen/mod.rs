//! Parts of generated code: names, types, access to leaves, and expressions as Rust.

pub(crate) mod arguments;
pub(crate) mod environment;
pub(crate) mod group_elements;
pub(crate) mod members;
pub(crate) mod names;
pub(crate) mod print;
pub(crate) mod types;

use proc_macro2::Literal;

/// Returns an integer literal without a suffix: `3`.
pub(crate) fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}
