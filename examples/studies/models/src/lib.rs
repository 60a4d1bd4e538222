//! Declarations and reference solutions that examples, tests and benches share: one library, compiled once.

pub mod reference;
pub mod rods;
pub mod rotating_bodies;
pub mod spherical_pendulum;
