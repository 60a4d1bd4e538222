//! Spaces with a left action of a group.

use core::fmt::Debug;
use core::marker::PhantomData;

use super::{AlgebraOf, ConfigurationSpace, HomogeneousSpace};
use crate::group::operations::OnElement;
use crate::group::{LieGroup, TangentVector};
use crate::scalar::Scalar;

/// The left action y ↦ exp(ξ)·y on a space; ξ and μ have spatial components.
///
/// A value stores the lengths of chains. Every method writes into buffers of the caller and allocates nothing.
#[doc(hidden)]
pub trait LeftSpace: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// A point y.
    type Point: Clone + Debug;
    /// ξ, and covectors μ.
    type Algebra: TangentVector<Scalar = Self::Scalar>;

    /// exp(ξ)·y into `out`.
    #[doc(hidden)]
    fn move_along(&self, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point);
    /// dexp⁻¹_σ(v) into `out` (paper 3, eq. 6).
    #[doc(hidden)]
    fn dexp_inverse(&self, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra);
    /// [v, w] into `out`.
    #[doc(hidden)]
    fn bracket(&self, v: &Self::Algebra, w: &Self::Algebra, out: &mut Self::Algebra);
    /// Adds `factor` ad_vᵀ μ to `out`.
    #[doc(hidden)]
    fn add_coadjoint(&self, factor: f64, v: &Self::Algebra, mu: &Self::Algebra, out: &mut Self::Algebra);
    /// Ad_{exp ξ}ᵀ μ into `out`.
    #[doc(hidden)]
    fn pull_back(&self, xi: &Self::Algebra, mu: &Self::Algebra, out: &mut Self::Algebra);
    /// T(ξ)ᵀ μ into `out`.
    #[doc(hidden)]
    fn tangent_transpose(&self, xi: &Self::Algebra, mu: &Self::Algebra, out: &mut Self::Algebra);
    /// exp(ξ)·y and Ad_{exp ξ}ᵀ μ into `out`.
    #[inline]
    #[doc(hidden)]
    fn move_and_pull_back(
        &self,
        (y, mu): (&Self::Point, &Self::Algebra),
        xi: &Self::Algebra,
        out: (&mut Self::Point, &mut Self::Algebra),
    ) {
        self.move_along(y, xi, out.0);
        self.pull_back(xi, mu, out.1);
    }
    /// Removes the components of a velocity that do not move the point, see [`ConfigurationSpace::remove_spins`].
    #[doc(hidden)]
    fn remove_spins(&self, y: &Self::Point, velocity: &mut Self::Algebra) {
        let _ = (y, velocity);
    }
    /// A metric, see [`HomogeneousSpace::distance`].
    #[doc(hidden)]
    fn distance(&self, a: &Self::Point, b: &Self::Point) -> f64;
    /// True if every component of the point is finite.
    #[doc(hidden)]
    fn is_finite(&self, y: &Self::Point) -> bool;
    /// The distance from the manifold, see [groups](LieGroup::membership_defect).
    #[doc(hidden)]
    fn membership_defect(&self, y: &Self::Point) -> f64;
    /// Removes the drift from the manifold due to round-off. The remaining defect is the square of the previous defect.
    #[doc(hidden)]
    fn renormalize(&self, y: &mut Self::Point);
}

/// A configuration space with a left action of spatial velocities.
///
/// For a group, q maps the declared body velocities to spatial velocities. Velocities of [spheres](super::S2) are declared in spatial
/// components: the operations of q are the identity, and the velocity frame is at rest.
#[doc(hidden)]
pub trait FramedSpace:
    ConfigurationSpace
    + LeftSpace<
        Scalar = <Self as ConfigurationSpace>::Scalar,
        Point = <Self as ConfigurationSpace>::Configuration,
        Algebra = <Self as ConfigurationSpace>::Velocity,
    >
{
    /// Writes the operation of q on a vector or a covector into `out`; `Adjoint` maps velocities to spatial components.
    fn framed<O: OnElement>(&self, q: &Self::Configuration, vector: &Self::Velocity, out: &mut Self::Velocity);
    /// The velocity of the frames if q moves with w, both in spatial components: w for groups, zero for spheres.
    fn frame_velocity(&self, w: &Self::Velocity, out: &mut Self::Velocity);
}

/// The transitive left action of a Lie group on a [`HomogeneousSpace`], as a [`LeftSpace`].
#[derive(Debug)]
#[doc(hidden)]
pub struct TransitiveAction<P>(PhantomData<fn() -> P>);

impl<P> TransitiveAction<P> {
    /// The space.
    pub const NEW: Self = TransitiveAction(PhantomData);
}

impl<P> Clone for TransitiveAction<P> {
    fn clone(&self) -> Self {
        TransitiveAction(PhantomData)
    }
}

impl<P: HomogeneousSpace> LeftSpace for TransitiveAction<P> {
    type Scalar = P::Scalar;
    type Point = P;
    type Algebra = AlgebraOf<P>;

    // Inlined: a call would pass everything in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_along(&self, y: &P, xi: &AlgebraOf<P>, out: &mut P) {
        y.moved_along(xi, out);
    }
    #[inline]
    fn dexp_inverse(&self, sigma: &AlgebraOf<P>, v: &AlgebraOf<P>, out: &mut AlgebraOf<P>) {
        P::dexp_inverse(sigma, v, out);
    }
    #[inline]
    fn bracket(&self, v: &AlgebraOf<P>, w: &AlgebraOf<P>, out: &mut AlgebraOf<P>) {
        P::bracket(v, w, out);
    }
    #[inline]
    fn add_coadjoint(&self, factor: f64, v: &AlgebraOf<P>, mu: &AlgebraOf<P>, out: &mut AlgebraOf<P>) {
        out.axpy(P::Scalar::from_f64(factor), &P::Group::coadjoint(v, mu));
    }
    #[inline]
    fn pull_back(&self, xi: &AlgebraOf<P>, mu: &AlgebraOf<P>, out: &mut AlgebraOf<P>) {
        *out = P::Group::exp(xi).adjoint_transpose(mu);
    }
    #[inline]
    fn tangent_transpose(&self, xi: &AlgebraOf<P>, mu: &AlgebraOf<P>, out: &mut AlgebraOf<P>) {
        *out = P::Group::tangent_transpose(xi, mu);
    }
    #[inline]
    fn move_and_pull_back(&self, (y, mu): (&P, &AlgebraOf<P>), xi: &AlgebraOf<P>, out: (&mut P, &mut AlgebraOf<P>)) {
        let element = P::Group::exp(xi);
        *out.0 = y.moved_by(&element);
        *out.1 = element.adjoint_transpose(mu);
    }
    fn distance(&self, a: &P, b: &P) -> f64 {
        a.distance(b)
    }
    fn is_finite(&self, y: &P) -> bool {
        y.is_finite()
    }
    fn membership_defect(&self, y: &P) -> f64 {
        y.membership_defect()
    }
    fn renormalize(&self, y: &mut P) {
        y.renormalize();
    }
}
