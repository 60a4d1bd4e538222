//! The text on standard output.

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod table;
