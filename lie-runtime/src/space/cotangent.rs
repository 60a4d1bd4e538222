//! The cotangent bundle of a Lie group, trivialised from the right.

use super::{HomogeneousSpace, dexp_inverse, length};
use crate::group::{LieGroup, TangentVector};

/// A point (q, μ) of T*G ≅ G × g*, μ the momentum as seen from space (paper 3, section 3.1).
///
/// The product G × g* acts by (g, ν)·(q, μ) = (g q, μ + ν), with the generator (ξ, ν) ↦ (ξ~ q, ν).
#[derive(Clone, Debug)]
pub struct Cotangent<G: LieGroup> {
    /// q.
    pub configuration: G,
    /// μ, a covector.
    pub momentum: G::Tangent,
}

impl<G: LieGroup> HomogeneousSpace for Cotangent<G>
where
    G::Tangent: LieGroup<Scalar = G::Scalar, Tangent = G::Tangent>,
{
    type Scalar = G::Scalar;
    type Group = (G, G::Tangent);

    #[inline]
    fn moved_by(&self, g: &(G, G::Tangent)) -> Self {
        Cotangent { configuration: g.0.compose(&self.configuration), momentum: self.momentum.compose(&g.1) }
    }
    fn distance(&self, other: &Self) -> f64 {
        let mut difference = self.momentum.clone();
        difference.axpy(-<G::Scalar as num_traits::One>::one(), &other.momentum);
        length(&self.configuration.inverse().compose(&other.configuration).log()).hypot(length(&difference))
    }
    fn is_finite(&self) -> bool {
        self.configuration.is_finite() && self.momentum.all_finite()
    }
    fn membership_defect(&self) -> f64 {
        self.configuration.membership_defect()
    }
    fn renormalize(&mut self) {
        self.configuration.renormalize();
    }
    #[inline]
    fn moved_along(&self, xi: &(G::Tangent, G::Tangent), out: &mut Self) {
        out.configuration = G::exp(&xi.0).compose(&self.configuration);
        out.momentum.assign(&self.momentum);
        out.momentum.axpy(num_traits::One::one(), &xi.1);
    }
    #[inline]
    fn dexp_inverse(
        sigma: &(G::Tangent, G::Tangent),
        v: &(G::Tangent, G::Tangent),
        out: &mut (G::Tangent, G::Tangent),
    ) {
        out.0 = dexp_inverse::<G>(&sigma.0, &v.0);
        out.1.assign(&v.1);
    }
    #[inline]
    fn bracket(v: &(G::Tangent, G::Tangent), w: &(G::Tangent, G::Tangent), out: &mut (G::Tangent, G::Tangent)) {
        out.0 = G::bracket(&v.0, &w.0);
        out.1.fill(num_traits::Zero::zero());
    }
}
