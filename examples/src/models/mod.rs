//! Declarations that several examples and tests share.

pub mod rods;
