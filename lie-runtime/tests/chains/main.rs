//! Systems over chains and lattices, written by hand.

mod chain_systems;
mod particles;
#[cfg(feature = "sparse")]
mod sparse_systems;
