//! The right-trivialised cotangent bundle of a Lie group or of a homogeneous space.

use super::{AlgebraOf, HomogeneousSpace, LeftAction, length};
use crate::group::{LieGroup, TangentVector, dexp_inverse};

/// A point (q, μ) of T*G ≅ G × g*, μ the spatial momentum (paper 3, section 3.1).
///
/// The product G × g* acts by (g, ν)·(q, μ) = (g q, μ + ν), with the generator (ξ, ν) ↦ (ξ~ q, ν). For a space Q on
/// which G acts, such as [`S2`](super::S2), the bundle is Q × g*: a momentum μ ∈ g* defines p · (ξ~ q) for every ξ. Momenta of T*Q vanish
/// for every ξ that does not move q. On S² they are orthogonal to q, and stay orthogonal.
#[derive(Clone, Debug)]
pub struct Cotangent<Q: LeftAction> {
    /// q.
    pub configuration: Q,
    /// μ, a covector.
    pub momentum: AlgebraOf<Q>,
}

impl<Q: HomogeneousSpace> HomogeneousSpace for Cotangent<Q>
where
    AlgebraOf<Q>: LieGroup<Scalar = Q::Scalar, Tangent = AlgebraOf<Q>>,
{
    type Scalar = Q::Scalar;
    type Group = (Q::Group, AlgebraOf<Q>);

    #[inline]
    fn moved_by(&self, g: &Self::Group) -> Self {
        Cotangent { configuration: self.configuration.moved_by(&g.0), momentum: self.momentum.compose(&g.1) }
    }
    fn distance(&self, other: &Self) -> f64 {
        let mut difference = self.momentum.clone();
        difference.axpy(-<Q::Scalar as num_traits::One>::one(), &other.momentum);
        self.configuration.distance(&other.configuration).hypot(length(&difference))
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
    fn moved_along(&self, xi: &(AlgebraOf<Q>, AlgebraOf<Q>), out: &mut Self) {
        self.configuration.moved_along(&xi.0, &mut out.configuration);
        out.momentum.assign(&self.momentum);
        out.momentum.axpy(num_traits::One::one(), &xi.1);
    }
    #[inline]
    fn dexp_inverse(
        sigma: &(AlgebraOf<Q>, AlgebraOf<Q>),
        v: &(AlgebraOf<Q>, AlgebraOf<Q>),
        out: &mut (AlgebraOf<Q>, AlgebraOf<Q>),
    ) {
        out.0 = dexp_inverse::<Q::Group>(&sigma.0, &v.0);
        out.1.assign(&v.1);
    }
    #[inline]
    fn bracket(
        v: &(AlgebraOf<Q>, AlgebraOf<Q>),
        w: &(AlgebraOf<Q>, AlgebraOf<Q>),
        out: &mut (AlgebraOf<Q>, AlgebraOf<Q>),
    ) {
        out.0 = Q::Group::bracket(&v.0, &w.0);
        out.1.fill(num_traits::Zero::zero());
    }
}
