//! What is generated, against dual numbers, differences and formulas by hand.

mod at_rest;
mod elements;
mod frames;
mod hamiltonian;
mod hamiltonian_on_spheres;
mod iteration_matrix;
mod mutations;
mod opaque;
mod plain;
mod rates;
