//! What generated code is spelled with: names, types, the places where kernels read, expressions as Rust.

pub(crate) mod arguments;
mod blocks;
pub(crate) mod environment;
pub(crate) mod members;
pub(crate) mod names;
pub(crate) mod print;
pub(crate) mod types;

use proc_macro2::Literal;

/// A whole number as one writes it: `3`.
pub(crate) fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}
