//! Local coordinates x near the identity, q = q₀ ∘ μ(x) (paper 2, eqs. 65-67 and 80-82).
//!
//! A coordinate map of SO(3) rotates about x by an angle that is a function of |x|. Three functions of z = |x|² define the rotation and
//! the tangent operator of v = T(x) x':
//!
//! ```text
//! μ(x) = I + c₀ x~ − c₁ x~²,    T(x) = c₀ I + c₁ x~ + c₂ x xᵀ
//! ```
//!
//! An updated Lagrangian method needs T, its rate, and the derivatives of v and v' with respect to x, x' and x''. All of them follow
//! exactly from the derivatives of the c_k. Rigid motions have the same formulas over the dual numbers, as in `se3_algebra`: the twist
//! (Ω, U) corresponds to Ω + ε U. The plane is a subspace. On vector spaces and on SO(2), x is the vector or the angle.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3, Vector6};

pub use self::map::{CoordinateMap, LocalGradient, LocalMotion};
use self::place::{CoefficientPoint, outer, shifted};
use self::rates::{plane_rate, rigid_rate, rotation_rate};
use self::twists::{PLANE, block, dual, in_plane, in_space, twist};
use super::LieGroup;
use super::so3_algebra::skew;
use super::{Factor, MemberDefect};
use crate::scalar::Scalar;
use crate::scalar::singular::{gamma, stumpff};

/// Factors of dimension N with local coordinates: the members of configurations.
#[doc(hidden)]
pub trait LocalCoordinates<S: Scalar, const N: usize>: Factor<Scalar = S, Tangent = SVector<S, N>> {
    /// True if exp is a homomorphism of vectors: T = I, and x is the vector or the angle.
    const IS_FLAT: bool = false;
    /// Number of leading components that T maps to themselves, such as the angular part of a twist.
    ///
    /// Their rows of T and of its derivatives are zero in the other columns.
    const ANGULAR: usize = N;

    /// The default element: the identity of a group, e₃ of a sphere.
    fn origin() -> Self;
    /// The scale of the coordinates in relative comparisons: 1 if there are angles, otherwise the largest component.
    fn extent(&self) -> f64 {
        1.0
    }
    /// T(θ) of exp as a matrix.
    fn tangent_matrix(theta: &SVector<S, N>) -> SMatrix<S, N, N>;
    /// T(θ)⁻¹ as a matrix.
    fn tangent_inverse_matrix(theta: &SVector<S, N>) -> SMatrix<S, N, N>;
    /// The motion with coordinates x, x', x''.
    fn local_motion(
        map: &CoordinateMap,
        x: &SVector<S, N>,
        rate: &SVector<S, N>,
        second: &SVector<S, N>,
    ) -> LocalMotion<SVector<S, N>>;
    /// The derivatives of the motion.
    fn local_gradient(
        map: &CoordinateMap,
        x: &SVector<S, N>,
        rate: &SVector<S, N>,
        second: &SVector<S, N>,
    ) -> LocalGradient<S, N>;
    /// Returns the cotangents of θ and v from the cotangent p of θ' = T(θ)⁻¹ v; `at` is \[θ, v\].
    fn rate_pullback(at: [&SVector<S, N>; 2], p: &SVector<S, N>) -> [SVector<S, N>; 2];
    /// The field with the largest membership defect, for a struct of groups.
    fn worst_field(&self) -> Option<MemberDefect> {
        None
    }
}

#[inline]
fn rigid_motion<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector6<S>; 3]) -> LocalMotion<Vector6<S>> {
    let motion = CoefficientPoint::of(map, &dual(x)).motion(&dual(rate), &dual(second));
    let LocalMotion { theta, velocity, acceleration } = motion;
    LocalMotion { theta: twist(&theta), velocity: twist(&velocity), acceleration: twist(&acceleration) }
}

#[inline]
fn rigid_gradient<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector6<S>; 3]) -> LocalGradient<S, 6> {
    let gradient = CoefficientPoint::of(map, &dual(x)).derivatives(&dual(rate), &dual(second));
    LocalGradient {
        tangent: block(&gradient.tangent),
        velocity_by_position: block(&gradient.velocity_by_position),
        acceleration_by_position: block(&gradient.acceleration_by_position),
        acceleration_by_rate: block(&gradient.acceleration_by_rate),
    }
}

/// T(θ) = I − c₂ θ~ + c₃ θ~² = (1 − z c₃) I − c₂ θ~ + c₃ θ θᵀ.
#[inline]
fn tangent<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    let z = theta.dot(theta);
    let third = stumpff(3, 0, z);
    // By value: nalgebra clones operands behind a reference component by component, with calls for dual numbers.
    shifted(outer(theta, &(*theta * third)) - skew(&(*theta * stumpff(2, 0, z))), S::one() - z * third)
}

/// T(θ)⁻¹ = I + ½ θ~ + γ θ~² = (1 − z γ) I + ½ θ~ + γ θ θᵀ.
#[inline]
fn tangent_inverse<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    let z = theta.dot(theta);
    let second = gamma(0, z);
    shifted(outer(theta, &(*theta * second)) + skew(&(*theta * S::from_f64(0.5))), S::one() - z * second)
}

#[inline]
fn rigid_tangent<S: Scalar>(theta: &Vector6<S>) -> SMatrix<S, 6, 6> {
    block(&tangent(&dual(theta)))
}

#[inline]
fn rigid_tangent_inverse<S: Scalar>(theta: &Vector6<S>) -> SMatrix<S, 6, 6> {
    block(&tangent_inverse(&dual(theta)))
}

#[inline]
fn plane_tangent<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    in_plane(&rigid_tangent(&in_space(theta)))
}

#[inline]
fn plane_tangent_inverse<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    in_plane(&rigid_tangent_inverse(&in_space(theta)))
}

/// One line per kind of algebra: the groups, their dimension, the number of angular components, and the functions for motion, gradient
/// and the reverse pass of T⁻¹.
macro_rules! local_coordinates {
    ($($group:ident)* [$n:literal, $angular:literal] $tangent:expr, $inverse:expr, $motion:expr, $gradient:expr, $rate:expr) => {
        $(
            impl<S: Scalar> LocalCoordinates<S, $n> for crate::group::$group<S> {
                const ANGULAR: usize = $angular;

                fn origin() -> Self {
                    LieGroup::exp(&SVector::from_element(S::zero()))
                }
                #[inline]
                fn tangent_matrix(theta: &SVector<S, $n>) -> SMatrix<S, $n, $n> {
                    $tangent(theta)
                }
                #[inline]
                fn tangent_inverse_matrix(theta: &SVector<S, $n>) -> SMatrix<S, $n, $n> {
                    $inverse(theta)
                }
                #[inline]
                fn local_motion(
                    map: &CoordinateMap,
                    x: &SVector<S, $n>,
                    rate: &SVector<S, $n>,
                    second: &SVector<S, $n>,
                ) -> LocalMotion<SVector<S, $n>> {
                    $motion(map, [x, rate, second])
                }
                #[inline]
                fn local_gradient(
                    map: &CoordinateMap,
                    x: &SVector<S, $n>,
                    rate: &SVector<S, $n>,
                    second: &SVector<S, $n>,
                ) -> LocalGradient<S, $n> {
                    $gradient(map, [x, rate, second])
                }
                #[inline]
                fn rate_pullback(at: [&SVector<S, $n>; 2], p: &SVector<S, $n>) -> [SVector<S, $n>; 2] {
                    $rate(at, p)
                }
            }
        )*
    };
}

/// The line of the rigid motions of space.
macro_rules! of_rigid_motions {
    ($($group:ident)*) => {
        local_coordinates!($($group)* [6, 3] rigid_tangent, rigid_tangent_inverse, rigid_motion, rigid_gradient, rigid_rate);
    };
}

mod direct_products;
mod flat;
mod map;
mod place;
mod rates;
mod twists;

local_coordinates!(SO3 S3 [3, 3] tangent, tangent_inverse, rotation, rotation_gradient, rotation_rate);
rigid_motions_of_space!(of_rigid_motions);
local_coordinates!(SE2 [3, 1] plane_tangent, plane_tangent_inverse, plane_motion, plane_gradient, plane_rate);

#[inline]
fn rotation<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector3<S>; 3]) -> LocalMotion<Vector3<S>> {
    CoefficientPoint::of(map, x).motion(rate, second)
}

#[inline]
fn rotation_gradient<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector3<S>; 3]) -> LocalGradient<S, 3> {
    CoefficientPoint::of(map, x).derivatives(rate, second)
}

#[inline]
fn plane_motion<S: Scalar>(map: &CoordinateMap, motion: [&Vector3<S>; 3]) -> LocalMotion<Vector3<S>> {
    let [x, rate, second] = motion.map(in_space);
    let LocalMotion { theta, velocity, acceleration } = rigid_motion(map, [&x, &rate, &second]);
    let [theta, velocity, acceleration] =
        [theta, velocity, acceleration].map(|space| Vector3::from_fn(|i, _| space[PLANE[i]]));
    LocalMotion { theta, velocity, acceleration }
}

#[inline]
fn plane_gradient<S: Scalar>(map: &CoordinateMap, motion: [&Vector3<S>; 3]) -> LocalGradient<S, 3> {
    let [x, rate, second] = motion.map(in_space);
    let gradient = rigid_gradient(map, [&x, &rate, &second]);
    LocalGradient {
        tangent: in_plane(&gradient.tangent),
        velocity_by_position: in_plane(&gradient.velocity_by_position),
        acceleration_by_position: in_plane(&gradient.acceleration_by_position),
        acceleration_by_rate: in_plane(&gradient.acceleration_by_rate),
    }
}
