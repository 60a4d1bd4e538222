//! Homogeneous spaces: points on which a Lie group acts transitively.

use core::fmt::Debug;

use crate::group::{LieGroup, TangentVector, dexp_inverse};
use crate::scalar::Scalar;

/// Points with a left action of a Lie group; defines the type of spatial velocities and momenta.
///
/// For a [`HomogeneousSpace`] the group type defines the action. For configurations with chains the dimension of the group is known at run
/// time, and a [`LeftSpace`](crate::space::LeftSpace) defines the action.
#[doc(hidden)]
pub trait LeftAction: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// The algebra of the group, and its dual.
    type Algebra: TangentVector<Scalar = Self::Scalar>;
}

impl<P: HomogeneousSpace> LeftAction for P {
    type Scalar = P::Scalar;
    type Algebra = <P::Group as LieGroup>::Tangent;
}

/// The Lie algebra of the group that acts on a space.
pub type AlgebraOf<P> = <P as LeftAction>::Algebra;

/// A point of a space on which a Lie group acts transitively from the left: (g h)·y = g·(h·y).
#[doc(hidden)]
pub trait HomogeneousSpace: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// The group that acts.
    type Group: LieGroup<Scalar = Self::Scalar>;

    /// g·y.
    fn moved_by(&self, g: &Self::Group) -> Self;
    /// A metric for error estimates; the Euclidean distance of the components is sufficient.
    fn distance(&self, other: &Self) -> f64;
    /// True if every component of the point is finite.
    fn is_finite(&self) -> bool;
    /// The distance from the manifold, see [groups](LieGroup::membership_defect).
    #[doc(hidden)]
    fn membership_defect(&self) -> f64 {
        0.0
    }
    /// Removes the drift from the manifold due to round-off. The remaining defect is the square of the previous defect.
    #[doc(hidden)]
    fn renormalize(&mut self) {}

    /// Writes exp(ξ)·y into `out`, without an allocation.
    #[inline]
    #[doc(hidden)]
    fn moved_along(&self, xi: &AlgebraOf<Self>, out: &mut Self) {
        *out = self.moved_by(&<Self::Group as LieGroup>::exp(xi));
    }
    /// Writes dexp⁻¹_σ(v) into `out`; σ' = dexp⁻¹_σ(f) for y = exp(σ)·y₀ (paper 3, eq. 6).
    #[inline]
    fn dexp_inverse(sigma: &AlgebraOf<Self>, v: &AlgebraOf<Self>, out: &mut AlgebraOf<Self>) {
        *out = dexp_inverse::<Self::Group>(sigma, v);
    }
    /// [v, w] into `out`.
    #[inline]
    fn bracket(v: &AlgebraOf<Self>, w: &AlgebraOf<Self>, out: &mut AlgebraOf<Self>) {
        *out = <Self::Group as LieGroup>::bracket(v, w);
    }
}

/// The Euclidean length of a tangent vector.
#[inline]
pub(crate) fn length<V: TangentVector>(v: &V) -> f64 {
    v.dot(v).value().sqrt()
}
