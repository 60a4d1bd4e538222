//! Back ends: each prints the scheduled kernels in a language.

pub(crate) mod c;
mod headings;
pub(crate) mod rust;
pub(crate) mod text;
