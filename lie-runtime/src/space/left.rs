//! Spaces as the group sees them that moves their points from the left.

use core::fmt::Debug;
use core::marker::PhantomData;

use super::{AlgebraOf, ConfigurationSpace, HomogeneousSpace};
use crate::group::operations::OnElement;
use crate::group::{LieGroup, TangentVector};
use crate::scalar::Scalar;

/// Points that a group moves from the left: what velocities and momenta as seen from space are.
///
/// Of a [`HomogeneousSpace`] that is known by the group. Configurations with chains are moved by a group whose dimension their
/// type does not tell; how it moves them is known by their space, a [`LeftSpace`].
pub trait Moved: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// The algebra of the group, and its dual.
    type Algebra: TangentVector<Scalar = Self::Scalar>;
}

impl<P: HomogeneousSpace> Moved for P {
    type Scalar = P::Scalar;
    type Algebra = <P::Group as LieGroup>::Tangent;
}

/// The group that moves the points of a space from the left, y ↦ exp(ξ)·y, by its algebra: ξ, μ as seen from space.
///
/// A value of it knows the lengths of chains. Every method writes into buffers of the caller and allocates nothing.
pub trait LeftSpace: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// A point y.
    type Point: Clone + Debug;
    /// ξ, and covectors μ.
    type Algebra: TangentVector<Scalar = Self::Scalar>;

    /// exp(ξ)·y into `out`.
    fn move_along(&self, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point);
    /// dexp⁻¹_σ(v) into `out` (paper 3, eq. 6).
    fn dexp_inverse(&self, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra);
    /// [v, w] into `out`.
    fn bracket(&self, v: &Self::Algebra, w: &Self::Algebra, out: &mut Self::Algebra);
    /// Adds `factor` ad_vᵀ μ to `out`.
    fn add_coadjoint(&self, factor: f64, v: &Self::Algebra, mu: &Self::Algebra, out: &mut Self::Algebra);
    /// Ad_{exp ξ}ᵀ μ into `out`.
    fn pull_back(&self, xi: &Self::Algebra, mu: &Self::Algebra, out: &mut Self::Algebra);
    /// T(ξ)ᵀ μ into `out`.
    fn tangent_transpose(&self, xi: &Self::Algebra, mu: &Self::Algebra, out: &mut Self::Algebra);
    /// exp(ξ)·y and Ad_{exp ξ}ᵀ μ into `out`.
    #[inline]
    fn move_and_pull_back(
        &self,
        (y, mu): (&Self::Point, &Self::Algebra),
        xi: &Self::Algebra,
        out: (&mut Self::Point, &mut Self::Algebra),
    ) {
        self.move_along(y, xi, out.0);
        self.pull_back(xi, mu, out.1);
    }
    /// Takes from a velocity what moves nothing, as of [`ConfigurationSpace::remove_spins`].
    fn remove_spins(&self, y: &Self::Point, velocity: &mut Self::Algebra) {
        let _ = (y, velocity);
    }
    /// A metric, as of [`HomogeneousSpace::distance`].
    fn distance(&self, a: &Self::Point, b: &Self::Point) -> f64;
    /// True if every number that represents the point is finite.
    fn is_finite(&self, y: &Self::Point) -> bool;
    /// How far the numbers are from representing a point, as of [groups](LieGroup::membership_defect).
    fn membership_defect(&self, y: &Self::Point) -> f64;
    /// Brings the numbers back to a point from which round-off has moved them away: defects become their squares.
    fn renormalize(&self, y: &mut Self::Point);
}

/// A configuration space that is moved from the left as well, by velocities as seen from space.
///
/// In a group q itself takes the velocities that are declared, those of the body, to space. Those of [spheres](super::S2) are
/// declared as space sees them: there the operations of q are the identity, and the frame that velocities are seen from is at
/// rest.
pub trait FramedSpace:
    ConfigurationSpace
    + LeftSpace<
        Scalar = <Self as ConfigurationSpace>::Scalar,
        Point = <Self as ConfigurationSpace>::Configuration,
        Algebra = <Self as ConfigurationSpace>::Velocity,
    >
{
    /// The operation of q on a vector or a covector, as `Adjoint` takes velocities to space, into `out`.
    fn framed<O: OnElement>(&self, q: &Self::Configuration, vector: &Self::Velocity, out: &mut Self::Velocity);
    /// The velocity of the frames where q moves with w, both as seen from space: w of groups, zero of spheres.
    fn frame_velocity(&self, w: &Self::Velocity, out: &mut Self::Velocity);
}

/// A [`HomogeneousSpace`] as a [`LeftSpace`].
#[derive(Debug)]
pub struct Acted<P>(PhantomData<fn() -> P>);

impl<P> Acted<P> {
    /// The space.
    pub const NEW: Self = Acted(PhantomData);
}

impl<P> Clone for Acted<P> {
    fn clone(&self) -> Self {
        Acted(PhantomData)
    }
}

impl<P: HomogeneousSpace> LeftSpace for Acted<P> {
    type Scalar = P::Scalar;
    type Point = P;
    type Algebra = AlgebraOf<P>;

    // A call would hand everything over in memory.
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
