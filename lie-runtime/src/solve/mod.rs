//! Linear systems: small dense systems, unrolled, and band systems of chains.
//!
//! Eliminating v' from M v' + B₁ᵀ λ = f, B₂ v' = c leaves (B₂ M⁻¹ B₁ᵀ) λ = B₂ M⁻¹ f − c, a system with one row for every constraint:
//! [`solve_lu`]. The blocks of M are inverted once by [`inverse_spd`]. Iterations keep the factors of their matrices: [`LuFactors`].
//! [`solve_least_norm`] computes the multipliers of least norm for redundant constraints.
//!
//! The unknowns of chains are put in an order in which their matrices are bands ([`reverse_cuthill_mckee`]) and eliminated in O(n):
//! [`BandedLu`]. Trees with many branches and lattices have no narrow band; their matrices are sparse: `SparseLu`, with the feature
//! `sparse`.

mod banded;
mod cholesky;
mod dense;
mod error;
mod factors;
mod lu;
mod ordering;
mod pivot;
mod rank;
mod redundant;
#[cfg(feature = "sparse")]
mod sparse;

pub use banded::BandedLu;
pub use cholesky::inverse_spd;
pub(crate) use cholesky::is_positive_pivot;
#[cfg(feature = "dynamic")]
pub(crate) use dense::PivotedLu;
pub use dense::solve_dense;
pub use error::{KktError, PivotError};
pub use factors::LuFactors;
pub use lu::solve_lu;
pub use ordering::reverse_cuthill_mckee;
pub use pivot::SINGULAR_PIVOT;
pub(crate) use pivot::lost_pivot;
use pivot::round_off;
pub(crate) use rank::dependent_rows;
pub use redundant::solve_least_norm;
#[cfg(feature = "dynamic")]
pub(crate) use redundant::solve_least_norm_of_size;
pub(crate) use redundant::{ProximalStopTest, SIGNS, Turn, relaxation, relaxed};
#[cfg(feature = "sparse")]
pub use sparse::{SparseLu, SparsePattern};

#[cfg(test)]
mod random {
    /// A cheap pseudo-random sequence in (-1, 1), equal on all platforms.
    pub(super) fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
        }
    }
}
