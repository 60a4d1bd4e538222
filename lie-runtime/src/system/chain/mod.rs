//! Systems over chains: sums of elements, assembled and solved in O(N).
//!
//! A declaration over a chain says one element; the macro generates its equations ([`Element`]); this module loops over
//! the elements. What an element touches is known at compile time, where its members stand when the system is made
//! ([`Layout`]).

mod element;
mod layout;

pub use element::{Block, Element, ElementSystem, Terms, Visitor};
pub use layout::{CLAMPED, KindDeclaration, Layout, Part, Place, Selection, Span};
