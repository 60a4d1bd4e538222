//! Declarations and reference solutions that examples, tests and benches share: one library, compiled once.

pub mod four_bar;
pub mod reference;
pub mod right_angle;
pub mod rods;
pub mod rotating_bodies;
pub mod spherical_pendulum;
