//! The check of generated code against the declared functions at the start of every run.
//!
//! The functions of a declaration stay callable. The macro also emits the expression that it has read for each
//! function, as straight-line code. The check evaluates both at the given state and at a few states close to it
//! ([`states`]). It compares the sums of the energies with the kernels of the run. The tolerance follows from the
//! change of a function under round-off in its arguments ([`rounding`]): functions with large cancellation pass, and
//! other differences do not. Derived kernels are compared with finite differences of the energies and constraints
//! ([`kernels`]).

mod check;
mod declared;
mod finite_differences;
mod function_values;
mod kernels;
mod opaque_derivatives;
mod rate_sampler;
mod rounding;
mod singular_function;
mod states;
mod symmetry;

pub use check::{change_parameters, check_in_f64, displacement_between, power_along, powers_in_f64, symmetry_in_f64};
pub use declared::{Declared, EnergyContribution, FunctionComparison, moved_along};
pub use singular_function::singular_function_in_f64;
