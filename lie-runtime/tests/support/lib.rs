//! Mechanical systems written by hand, and the helpers they share.
// Not an interface: every file says what its systems are.
#![allow(missing_docs, clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[macro_use]
mod element_functions;
pub mod chain;
pub mod counting;
pub mod free_body;
pub mod heavy_top_se3;
pub mod heavy_top_so3r3;
pub mod nonholonomic;
pub mod particles;
pub mod pendulum;
pub mod reference;
pub mod rotation;
pub mod rotors;
pub mod top_hamiltonian;
pub mod vector_space;
