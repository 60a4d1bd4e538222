//! Linear systems: small dense ones, unrolled, and the bands of chains.
//!
//! Eliminating v' from M v' + B₁ᵀ λ = f, B₂ v' = c leaves (B₂ M⁻¹ B₁ᵀ) λ = B₂ M⁻¹ f − c, a system with one row a
//! constraint: [`solve_lu`]. The blocks of M are inverted once by [`inverse_spd`]. Iterations keep the factors of
//! their matrices: [`LuFactors`].
//!
//! The unknowns of chains are put in an order in which their matrices are bands ([`reverse_cuthill_mckee`]) and
//! eliminated in O(n): [`BandedLu`].

mod banded;
mod cholesky;
mod dense;
mod factors;
mod lu;
mod ordering;

pub(crate) use banded::pivot_bounds;
pub use banded::{BandError, BandedLu};
pub use cholesky::inverse_spd;
pub use dense::solve_dense;
pub use factors::LuFactors;
pub use lu::{SINGULAR_PIVOT, solve_lu};
pub use ordering::reverse_cuthill_mckee;

/// The unit round-off of a number type, that of `f64` or that of `f32`.
#[inline]
fn round_off<S: crate::scalar::Scalar>() -> f64 {
    let is_single = S::one() + S::from_f64(1e-10) == S::one();
    if is_single { f64::from(f32::EPSILON) } else { f64::EPSILON }
}
