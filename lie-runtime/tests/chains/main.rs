//! Systems over chains and lattices, written by hand.

#[path = "../support/mod.rs"]
mod support;

mod chain_systems;
mod particles;
#[cfg(feature = "sparse")]
mod sparse_systems;
