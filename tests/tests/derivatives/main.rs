//! What is generated, against dual numbers, differences and formulas by hand.

mod at_rest;
mod elements;
mod frames;
mod hamiltonian;
mod iteration_matrix;
mod mutations;
mod opaque;
mod plain;
