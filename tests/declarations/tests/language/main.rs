//! The language of declarations, and errors of invalid values.

mod accepted;
mod constructs;
mod declaration_check;
mod errors;
mod idioms;
mod names;
