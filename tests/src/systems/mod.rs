//! Declared systems that together use every construct of the language.

pub mod heavy_tops;
pub mod mechanisms;
