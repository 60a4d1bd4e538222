//! Momenta on coadjoint orbits.

use super::{HomogeneousSpace, length};
use crate::group::{LieGroup, TangentVector};

/// A momentum μ in g*, on which the group acts by g·μ = Ad*_{g⁻¹} μ (paper 3, section 3.3).
///
/// The generator of ξ is −ad*_ξ μ. The Lie-Poisson system μ' = ad*_{∂H/∂μ} μ of a left-invariant Hamiltonian is
/// therefore the vector field f(μ) = −∂H/∂μ. The system μ' = −ad*_{∂H/∂μ} μ of a right-invariant one is f = ∂H/∂μ (eq. 18).
#[derive(Clone, Debug)]
pub struct Coadjoint<G: LieGroup> {
    /// μ.
    pub momentum: G::Tangent,
}

impl<G: LieGroup> Coadjoint<G> {
    /// The momentum μ.
    pub fn new(momentum: G::Tangent) -> Self {
        Coadjoint { momentum }
    }
}

impl<G: LieGroup> HomogeneousSpace for Coadjoint<G> {
    type Scalar = G::Scalar;
    type Group = G;

    #[inline]
    fn moved_by(&self, g: &G) -> Self {
        Coadjoint { momentum: g.inverse().adjoint_transpose(&self.momentum) }
    }
    fn distance(&self, other: &Self) -> f64 {
        let mut difference = self.momentum.clone();
        difference.axpy(-<G::Scalar as num_traits::One>::one(), &other.momentum);
        length(&difference)
    }
    fn is_finite(&self) -> bool {
        self.momentum.all_finite()
    }

    // exp(ξ)⁻¹ = exp(−ξ) needs no inversion.
    #[inline]
    fn moved_along(&self, xi: &G::Tangent, out: &mut Self) {
        let mut minus = xi.clone();
        minus.scale(-<G::Scalar as num_traits::One>::one());
        out.momentum = G::exp(&minus).adjoint_transpose(&self.momentum);
    }
}
