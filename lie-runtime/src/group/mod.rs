//! Lie groups with left-trivialised (body) velocities: q' = q v~.
//!
//! In every twist the angular part comes first. Angles are in radians. exp, T and the related operators follow section 2.3 of paper 1
//! (see the page `reference/conventions.md` of the book). They are accurate at every angle, because their
//! [singular functions](crate::singular) are. Direct products are structs that the macro declares, tuples and
//! arrays; `Vec`s are powers whose length is known at run time.
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! let motion: SE3 = SE3::exp(&Vector6::new(0.0, 0.0, 0.5, 1.0, 0.0, 0.0));
//! let moved: Vector3<f64> = motion * Vector3::x(); // The action on points,
//! let back = motion.inverse() * moved; // of the group: (g h) · x = g · (h · x).
//! assert!((back - Vector3::x()).norm() < 1e-15);
//! assert!(((motion * motion).log() - 2.0 * motion.log()).norm() < 1e-15);
//! ```
//!
//! A group is one file in this folder and one entry in the lists below. The higher modules are generated from these lists.

use core::fmt::Debug;

use crate::scalar::{Scalar, larger};

/// A vector of the Lie algebra or of its dual, or a vector of multipliers. Integrators form linear combinations of these.
///
/// Fixed vectors, arrays, tuples and `Vec`s are tangent vectors. The same code integrates a single body and a chain with a length that is
/// known at run time.
pub trait TangentVector: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;

    /// The number of components, if the type determines it.
    #[doc(hidden)]
    const COMPONENTS: Option<usize> = None;

    /// The number of components.
    fn component_count(&self) -> usize;
    /// Component `index`; panics where `index` is not under [`component_count`](TangentVector::component_count).
    fn component(&self, index: usize) -> Self::Scalar;
    /// Sets component `index`; panics like [`component`](TangentVector::component).
    fn set_component(&mut self, index: usize, value: Self::Scalar);
    /// Sets every component to `value`.
    #[doc(hidden)]
    fn fill(&mut self, value: Self::Scalar);
    /// `self = other`, without allocating.
    fn assign(&mut self, other: &Self);
    /// `self = factor * self`.
    fn scale(&mut self, factor: Self::Scalar);
    /// `self = self + factor * other`.
    fn axpy(&mut self, factor: Self::Scalar, other: &Self);
    /// `self = factor * other`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn assign_scaled(&mut self, factor: Self::Scalar, other: &Self) {
        self.assign(other);
        self.scale(factor);
    }
    /// `self = base + factor * other`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn assign_sum(&mut self, base: &Self, factor: Self::Scalar, other: &Self) {
        self.assign(base);
        self.axpy(factor, other);
    }
    /// `self = Σ factor * term`, each component summed up before it is stored.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn set_combination<'a>(&mut self, terms: impl Iterator<Item = (Self::Scalar, &'a Self)> + Clone)
    where
        Self: 'a,
    {
        let mut terms = terms;
        match terms.next() {
            Some((factor, term)) => self.assign_scaled(factor, term),
            None => self.fill(num_traits::Zero::zero()),
        }
        for (factor, term) in terms {
            self.axpy(factor, term);
        }
    }
    /// `self = self + factor Σ coefficients_j others_j`; terms with a zero coefficient are not read.
    #[doc(hidden)]
    fn add_combination(&mut self, factor: f64, coefficients: &[f64], others: &[Self]) {
        for (&coefficient, other) in coefficients.iter().zip(others) {
            if coefficient != 0.0 {
                self.axpy(Self::Scalar::from_f64(factor * coefficient), other);
            }
        }
    }
    /// The inner product.
    fn dot(&self, other: &Self) -> Self::Scalar;
    /// The largest absolute value in every lane (NaN if a component is NaN).
    #[doc(hidden)]
    fn lane_norm(&self) -> Self::Scalar;
    /// The largest absolute value of all lanes (NaN if a component is NaN).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn max_norm(&self) -> f64 {
        self.lane_norm().magnitude()
    }
    /// True if every component is finite.
    #[doc(hidden)]
    fn all_finite(&self) -> bool;

    /// Sets the values to zero and keeps the [derivatives](Scalar::derivatives).
    #[doc(hidden)]
    fn keep_derivatives(&mut self) {
        for at in 0..self.component_count() {
            self.set_component(at, self.component(at).derivatives());
        }
    }
    /// Copies the derivatives of `other`; the values do not change.
    #[doc(hidden)]
    fn take_derivatives(&mut self, other: &Self) {
        for at in 0..self.component_count() {
            let own = self.component(at);
            self.set_component(at, own - own.derivatives() + other.component(at).derivatives());
        }
    }
    /// The largest absolute [derivative](Scalar::variation) of a component (NaN if one is NaN).
    #[doc(hidden)]
    fn variation(&self) -> f64 {
        (0..self.component_count()).fold(0.0_f64, |largest, at| larger(largest, self.component(at).variation()))
    }
    /// The largest absolute value of a component or of a derivative (NaN if one is NaN).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn reach(&self) -> f64 {
        let size = self.max_norm();
        if Self::Scalar::HAS_DERIVATIVES { larger(size, self.variation()) } else { size }
    }
}

/// A Lie group with its exponential map; velocities and tangent operators are left-trivialised.
///
/// For q = q₀ exp(θ(t)): q' = q v~ and v = T(θ) θ' (paper 1, eq. 11).
pub trait LieGroup: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// Coordinates of the Lie algebra.
    type Tangent: TangentVector<Scalar = Self::Scalar>;

    /// The dimension of the group.
    fn dimension(&self) -> usize;
    /// The identity (of a chain: of the same length as `self`).
    #[doc(hidden)]
    fn identity_like(&self) -> Self;
    /// The product `self ∘ other`.
    fn compose(&self, other: &Self) -> Self;
    /// The inverse.
    fn inverse(&self) -> Self;
    /// The exponential map (paper 1, eqs. 16 to 18).
    #[doc(alias = "exponential map")]
    fn exp(theta: &Self::Tangent) -> Self;
    /// The inverse of [`exp`](LieGroup::exp), rotation angles in [0, π].
    #[doc(alias = "logarithmic map")]
    fn log(&self) -> Self::Tangent;
    /// `self ∘ exp(theta)` into `out`, without allocating.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self) {
        *out = self.compose(&Self::exp(theta));
    }
    /// T(θ) v, the velocity of q₀ exp(θ(t)) where θ' = v (paper 1, eqs. 11, 19 and 20).
    #[doc(alias = "dexp")]
    #[doc(alias = "tangent operator")]
    fn tangent(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent;
    /// T(θ)ᵀ p, for covectors.
    fn tangent_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent;
    /// T(θ)⁻¹ v, the rate θ' of the local coordinates (paper 1, eq. 13a); singular at rotation angles 2π, 4π, …
    fn tangent_inverse(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent;
    /// T(θ)⁻ᵀ p, for covectors.
    fn tangent_inverse_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent;
    /// Ad_q v, the coordinates of q v~ q⁻¹.
    #[doc(alias = "Ad")]
    fn adjoint(&self, v: &Self::Tangent) -> Self::Tangent;
    /// Ad_qᵀ p.
    fn adjoint_transpose(&self, p: &Self::Tangent) -> Self::Tangent;
    /// ad_v w, the coordinates of the commutator v~ w~ − w~ v~.
    fn bracket(v: &Self::Tangent, w: &Self::Tangent) -> Self::Tangent;
    /// ad_vᵀ p, the right-hand side of the Euler-Poincaré equations p' = ad_vᵀ p.
    fn coadjoint(v: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent;
    /// True if every component is finite.
    #[doc(hidden)]
    fn is_finite(&self) -> bool;
    /// The distance from the group: the largest of ||p| − 1| for quaternions and of the entries of RᵀR − I for matrices.
    ///
    /// NaN if a component is NaN; 0 for groups in which all values are elements.
    #[doc(hidden)]
    fn membership_defect(&self) -> f64 {
        0.0
    }
    /// Removes the drift from the group due to round-off. The remaining defect is the square of the previous defect.
    #[doc(hidden)]
    fn renormalize(&mut self) {}
}

/// Returns 1 / √s up to O(ε²) for a sum of squares s = 1 + O(ε).
#[inline]
pub(crate) fn to_unit_length<S: Scalar>(square: S) -> S {
    S::mul_add(-S::from_f64(0.5), square, S::from_f64(1.5))
}

/// The unit vector in the direction of `coordinates`.
///
/// # Errors
/// [`GroupError::NoDirection`] if all are zero or one is not finite.
pub(crate) fn direction<S: Scalar, const N: usize>(coordinates: [S; N]) -> Result<[S; N], GroupError> {
    // Scaled first, so that no square overflows or underflows.
    let largest = coordinates.iter().fold(0.0, |largest: f64, entry| largest.max(entry.magnitude()));
    if largest == 0.0 || !coordinates.iter().copied().all(Scalar::is_finite) {
        return Err(GroupError::NoDirection);
    }
    let scaled = coordinates.map(|entry| entry / S::from_f64(largest));
    let square = scaled.iter().fold(S::zero(), |sum, &entry| sum + entry * entry);
    let factor = square.sqrt().recip();
    Ok(scaled.map(|entry| entry * factor))
}

/// A group acting on points of a space: (g h) · x = g · (h · x).
#[doc(hidden)]
pub trait GroupAction<Point>: LieGroup {
    /// g · x.
    fn act(&self, point: &Point) -> Point;
}

/// Calls `$with! { … }` with the groups of rigid motions of space (algebra se(3)) and the given names.
macro_rules! rigid_motions_of_space {
    ($with:ident $($more:ident)*) => {
        $with! { SE3 S3R3 DQ $($more)* }
    };
}

/// Calls `$with! { … }` with the groups of spatial poses that are direct products.
macro_rules! direct_products_of_space {
    ($with:ident) => {
        $with! { SO3xR3 S3xR3 }
    };
}

/// Calls `$with! { … }` with all groups of spatial poses and the given names.
macro_rules! placements_of_space {
    ($with:ident $($more:ident)*) => {
        $crate::group::rigid_motions_of_space! { $with SO3xR3 S3xR3 $($more)* }
    };
}

/// Calls `$with! { … }` with all groups of poses: a rotation and a position.
macro_rules! placements {
    ($with:ident) => {
        $crate::group::placements_of_space! { $with SE2 }
    };
}

pub(crate) use {direct_products_of_space, placements, placements_of_space, rigid_motions_of_space};

#[doc(hidden)]
pub mod analytic;
mod attitude;
mod cache_aligned;
mod conversion;
pub(crate) mod dynamic;
mod error;
mod factor;
mod local_coordinates;
mod membership_defect;
pub(crate) mod operations;
mod operators;
mod placement;
mod product;
mod se3_algebra;
mod so3_algebra;
mod twist;

mod direct;
mod dq;
mod line;
mod rn;
mod s3;
mod s3r3;
mod se2;
mod se3;
mod so2;
mod so3;

#[doc(hidden)]
pub use cache_aligned::CacheAligned;
pub use error::GroupError;
#[doc(hidden)]
pub use factor::Factor;
#[doc(hidden)]
pub use local_coordinates::{CoordinateMap, LocalCoordinates, LocalGradient, LocalMotion};
pub use membership_defect::MemberDefect;
pub(crate) use operations::dexp_inverse;
#[doc(hidden)]
pub use operations::{OnElement, OnVectors};
pub use placement::Placement;
pub(crate) use product::by_members;
pub(crate) use so3_algebra::{cross, skew};
pub use twist::TwistParts;

pub use elements::*;

/// The group types; the prelude exports them.
pub(crate) mod elements {
    pub use super::direct::{S3xR3, SO3xR3};
    pub use super::dq::DQ;
    pub use super::rn::{R1, R2, R3, R4, R5, R6, Rn};
    pub use super::s3::S3;
    pub use super::s3r3::S3R3;
    pub use super::se2::SE2;
    pub use super::se3::SE3;
    pub use super::so2::SO2;
    pub use super::so3::SO3;
}
