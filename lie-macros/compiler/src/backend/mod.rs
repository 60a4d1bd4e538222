//! Back ends: each prints the scheduled kernels in a language.

pub(crate) mod rust;
