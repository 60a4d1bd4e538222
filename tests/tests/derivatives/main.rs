//! Generated kernels against dual numbers, differences and hand-written formulas.

mod at_rest;
mod element_kernels;
mod frames;
mod hamiltonian;
mod hamiltonian_on_spheres;
mod iteration_matrix;
mod mutations;
mod opaque;
mod plain;
mod rates;
