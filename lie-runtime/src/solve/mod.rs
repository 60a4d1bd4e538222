//! Small linear systems: the dense kernels that generated code calls.
//!
//! Eliminating v' from M v' + B₁ᵀ λ = f, B₂ v' = c leaves (B₂ M⁻¹ B₁ᵀ) λ = B₂ M⁻¹ f − c, a system with one row a
//! constraint: [`solve_lu`]. The blocks of M are inverted once by [`inverse_spd`].

mod cholesky;
mod lu;

pub use cholesky::inverse_spd;
pub use lu::{SINGULAR_PIVOT, solve_lu};
