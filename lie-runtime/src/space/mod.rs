//! Homogeneous spaces: manifolds with a transitive action of a Lie group (paper 3, section 2.1).
//!
//! A point type defines its group and the action. All integrators of [vector fields](crate::field) then apply. A new space needs a few
//! lines:
//!
//! ```
//! use lie_runtime::prelude::*;
//! use lie_runtime::space::HomogeneousSpace;
//!
//! /// A line through the origin of the plane, rotated by SO(2); twice its angle is a point of the circle.
//! #[derive(Clone, Debug)]
//! struct Line { direction: Vector2<f64> }
//!
//! impl HomogeneousSpace for Line {
//!     type Scalar = f64;
//!     type Group = SO2;
//!
//!     fn moved_by(&self, g: &SO2) -> Self { Line { direction: *g * self.direction } }
//!     fn distance(&self, other: &Self) -> f64 { self.direction.perp(&other.direction).abs() }
//!     fn is_finite(&self) -> bool { self.direction.iter().all(|&x| f64::is_finite(x)) }
//! }
//!
//! let line = Line { direction: Vector2::x() };
//! let by_pi = SO2::exp(&Vector1::new(core::f64::consts::PI));
//! assert!(line.distance(&line.moved_by(&by_pi)) < 1e-15);
//! ```
//!
//! | space | group | action |
//! |---|---|---|
//! | [`S2`] | SO(3) | g·q = g q |
//! | [`TS2`] | SE(3) | (A, a)·(q, ω) = (A q, A ω + a × A q) (paper 3, section 5.1) |
//! | a group of [`group`](crate::group), R^n included | itself | g·q = g q |
//! | [`Coadjoint`] momenta | any | g·μ = Ad*_{g⁻¹} μ, on coadjoint orbits (section 3.3) |
//! | [`Cotangent`] bundle T*G, of S² also | G × g* | (g, ν)·(q, μ) = (g q, μ + ν) |
//! | tuples, arrays, `Vec`s of spaces | the product of the groups | member by member |
//!
//! T SO(3) with body velocities (paper 3, section 6) is the product `(SO3, R3)`, [`TSO3`].
//!
//! The configurations of a mechanical system are points of a [`ConfigurationSpace`]: a [product](ProductSpace) of the declared
//! [fields](Fields). A field has members of one [`Factor`]; velocities act from the right.

mod coadjoint;
mod configuration;
mod cotangent;
pub(crate) mod cubic;
mod fields;
mod left;
mod left_multiplication;
mod product;
pub(crate) mod product_factor;
mod product_space;
mod retraction;
mod single_factor;
mod sphere;
mod sphere_factor;
pub(crate) mod visitors;

use core::fmt::Debug;

pub use coadjoint::Coadjoint;
pub use configuration::{ConfigurationSpace, ForeignLength, LocalPoint, LocalSpace};
pub use cotangent::Cotangent;
pub use fields::{EachField, Field, Fields, FixedFields, Span};
pub use left::{Acted, FramedSpace, LeftSpace, Moved};
pub use product_space::{ChainSpace, Components, FixedPlaces, FixedSpace, Places, ProductSpace};
pub use retraction::{Cayley, CayleyMap, Exponential, Retraction};
pub use sphere::{S2, TS2};

pub use crate::group::{Factor, MemberDefect, OnElement, OnVectors};
use crate::group::{LieGroup, R3, SO3, TangentVector, dexp_inverse};
use crate::scalar::Scalar;

/// T SO(3), the rotation R and the angular velocity Ω; the group SO(3) × R³ acts by (B, w)·(R, Ω) = (B R, Ω + w).
pub type TSO3<S = f64> = (SO3<S>, R3<S>);

/// The Lie algebra of the group that acts on a space.
pub type AlgebraOf<P> = <P as Moved>::Algebra;

/// A point of a space on which a Lie group acts transitively from the left: (g h)·y = g·(h·y).
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
    fn membership_defect(&self) -> f64 {
        0.0
    }
    /// Removes the drift from the manifold due to round-off. The remaining defect is the square of the previous defect.
    fn renormalize(&mut self) {}

    /// Writes exp(ξ)·y into `out`, without an allocation.
    #[inline]
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
