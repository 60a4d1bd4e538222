//! Back ends: each prints the scheduled kernels in a language.

pub(crate) mod c;
pub(crate) mod rust;
