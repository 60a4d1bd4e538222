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
mod homogeneous;
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

pub use coadjoint::Coadjoint;
pub use configuration::{ConfigurationSpace, ForeignLength};
#[doc(hidden)]
pub use configuration::{LocalPoint, LocalSpace, ReverseSpace};
pub use cotangent::Cotangent;
#[doc(hidden)]
pub use fields::{EachField, Field, Fields, FixedFields, Span};
#[doc(hidden)]
pub use homogeneous::LeftAction;
pub(crate) use homogeneous::length;
pub use homogeneous::{AlgebraOf, HomogeneousSpace};
#[doc(hidden)]
pub use left::{FramedSpace, LeftSpace, TransitiveAction};
pub use product_space::ProductSpace;
#[doc(hidden)]
pub use product_space::{ChainSpace, Components, FixedPlaces, FixedSpace, Places};
#[doc(hidden)]
pub use retraction::CayleyMap;
pub use retraction::{Cayley, Exponential, Retraction};
pub use sphere::{S2, TS2};

pub use crate::group::MemberDefect;
#[doc(hidden)]
pub use crate::group::{Factor, OnElement, OnVectors};
use crate::group::{R3, SO3};

/// T SO(3), the rotation R and the angular velocity Ω; the group SO(3) × R³ acts by (B, w)·(R, Ω) = (B R, Ω + w).
pub type TSO3<S = f64> = (SO3<S>, R3<S>);
