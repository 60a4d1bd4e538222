//! Declared functions against what the macro has read of them: no run starts from a declaration that was misunderstood.
//!
//! The functions of a declaration stay functions, and beside each of them the macro leaves the expression that all kernels
//! were derived from, as straight-line code. Both are evaluated at a state and at a few near it ([`states`]), and the sums of
//! the energies are compared with the kernels that a run uses. What counts as agreement follows from how much a
//! function changes when its arguments change by round-off ([`rounding`]), so that functions with large cancellation pass and
//! whatever else differs does not. What was derived from the expressions is held to the energies and the constraints by differences
//! ([`kernels`]).

mod check;
mod declared;
mod finite_differences;
mod function_values;
mod kernels;
mod opaque_derivatives;
mod rate_sampler;
mod rounding;
mod states;
mod symmetry;

pub use check::{change_parameters, check_in_f64, displacement_between, power_along, powers_in_f64, symmetry_in_f64};
pub use declared::{Declared, EnergyContribution, FunctionComparison, moved_along};
