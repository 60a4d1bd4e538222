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

use core::array::from_fn;

use nalgebra::{Matrix3, SMatrix, SVector, Vector3, Vector6};

use self::place::{Place, outer, shifted};
use self::rates::{plane_rate, rigid_rate, rotation_rate};
use super::LieGroup;
use super::so3_algebra::skew;
use super::{Factor, MemberDefect};
use crate::scalar::singular::{arctangent, gamma, stumpff};
use crate::scalar::{Dual, Scalar};

/// A map from vectors to rotations and rigid motions.
///
/// ```
/// use lie_runtime::group::{CoordinateMap, LieGroup, LocalCoordinates, SO3};
/// use lie_runtime::nalgebra::Vector3;
///
/// // A quarter turn: 4 tan(π/8).
/// let x = Vector3::new(0.0, 0.0, 4.0 * (core::f64::consts::PI / 8.0).tan());
/// let (rate, second) = (Vector3::new(1.0, 0.0, 0.0), Vector3::zeros());
/// let motion = SO3::local_motion(&CoordinateMap::CONFORMAL_ROTATION_VECTOR, &x, &rate, &second);
/// assert!((motion.theta.z - core::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoordinateMap {
    /// x = φ n, n the axis and φ the angle: μ = exp.
    RotationVector,
    /// x = k tan(φ / k) n with an even k: rational functions of x.
    Tangent {
        /// 1/k².
        inverse_square: f64,
        /// The coefficients of w = 1 / (1 + z/k²) in c₀, c₁, c₂.
        linear: [f64; 3],
        /// The coefficients of w².
        square: [f64; 3],
    },
}

impl CoordinateMap {
    /// The conformal rotation vector 4 tan(φ/4) n, by Wiener and Milenković (paper 2, eqs. 81 and 82).
    pub const CONFORMAL_ROTATION_VECTOR: Self =
        CoordinateMap::Tangent { inverse_square: 1.0 / 16.0, linear: [-1.0, 0.0, 0.0], square: [2.0, -0.5, 0.125] };
    /// The Cayley transform: 2 tan(φ/2) n, Gibbs' vector times two.
    pub const CAYLEY: Self =
        CoordinateMap::Tangent { inverse_square: 0.25, linear: [1.0, -0.5, 0.0], square: [0.0, 0.0, 0.0] };

    /// c₀, c₁, c₂ and their first and second derivatives with respect to z.
    #[inline]
    fn coefficients<S: Scalar>(&self, z: S) -> [[S; 3]; 3] {
        match *self {
            CoordinateMap::RotationVector => from_fn(|n| [stumpff(1, n, z), -stumpff(2, n, z), stumpff(3, n, z)]),
            CoordinateMap::Tangent { inverse_square, linear, square } => {
                let real = S::from_f64;
                let w = (S::one() + real(inverse_square) * z).recip();
                // w' = −w²/k².
                let step = real(-inverse_square) * w;
                let (first, second) = (step * w, real(2.0) * step * step * w);
                let powers = [[w, w * w], [first, real(2.0) * w * first], [second, real(6.0) * step * step * w * w]];
                powers.map(|[w, ww]| from_fn(|k| real(linear[k]) * w + real(square[k]) * ww))
            }
        }
    }

    /// φ / |x|, the factor from x to the rotation vector.
    #[inline]
    fn scale<S: Scalar>(&self, z: S) -> S {
        match *self {
            CoordinateMap::RotationVector => S::one(),
            CoordinateMap::Tangent { inverse_square, .. } => arctangent(0, S::from_f64(inverse_square) * z),
        }
    }
}

/// A motion q₀ ∘ μ(x(t)) at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalMotion<V> {
    /// θ with exp(θ) = μ(x).
    pub theta: V,
    /// v = T(x) x'.
    pub velocity: V,
    /// v' = T(x) x'' + T'(x, x') x'.
    pub acceleration: V,
}

/// The derivatives of a motion with respect to its coordinates x, x' and x''.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalGradient<S, const N: usize> {
    /// T: the derivative of the position, of v with respect to x' and of v' with respect to x''.
    pub tangent: SMatrix<S, N, N>,
    /// D_x v.
    pub velocity_by_position: SMatrix<S, N, N>,
    /// D_x v'.
    pub acceleration_by_position: SMatrix<S, N, N>,
    /// D_x' v'.
    pub acceleration_by_rate: SMatrix<S, N, N>,
}

impl<S: Scalar, const N: usize> LocalGradient<S, N> {
    /// Returns the cotangents of x, x' and x'' from the cotangents of the position, v and v'.
    #[inline]
    pub fn transposed_times(&self, [position, velocity, acceleration]: [&SVector<S, N>; 3]) -> [SVector<S, N>; 3] {
        let LocalGradient { tangent, velocity_by_position, acceleration_by_position, acceleration_by_rate } = self;
        [
            tangent.tr_mul(position)
                + velocity_by_position.tr_mul(velocity)
                + acceleration_by_position.tr_mul(acceleration),
            tangent.tr_mul(velocity) + acceleration_by_rate.tr_mul(acceleration),
            tangent.tr_mul(acceleration),
        ]
    }
}

/// Factors of dimension N with local coordinates: the members of configurations.
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

/// Ω + ε U.
#[inline]
fn dual<S: Scalar>(twist: &Vector6<S>) -> Vector3<Dual<S>> {
    Vector3::from_fn(|i, _| Dual::variable(twist[i], twist[3 + i]))
}

/// (Ω, U).
#[inline]
fn twist<S: Scalar>(dual: &Vector3<Dual<S>>) -> Vector6<S> {
    Vector6::from_fn(|i, _| if i < 3 { dual[i].re } else { dual[i - 3].eps })
}

/// The matrix on twists of a matrix on Ω + ε U.
#[inline]
fn block<S: Scalar>(matrix: &Matrix3<Dual<S>>) -> SMatrix<S, 6, 6> {
    SMatrix::from_fn(|row, column| match (row < 3, column < 3) {
        (true, true) => matrix[(row, column)].re,
        (true, false) => S::zero(),
        (false, true) => matrix[(row - 3, column)].eps,
        (false, false) => matrix[(row - 3, column - 3)].re,
    })
}

#[inline]
fn rigid_motion<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector6<S>; 3]) -> LocalMotion<Vector6<S>> {
    let motion = Place::of(map, &dual(x)).motion(&dual(rate), &dual(second));
    let LocalMotion { theta, velocity, acceleration } = motion;
    LocalMotion { theta: twist(&theta), velocity: twist(&velocity), acceleration: twist(&acceleration) }
}

#[inline]
fn rigid_gradient<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector6<S>; 3]) -> LocalGradient<S, 6> {
    let gradient = Place::of(map, &dual(x)).derivatives(&dual(rate), &dual(second));
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

/// The rows and columns of the plane.
#[inline]
fn in_plane<S: Scalar>(space: &SMatrix<S, 6, 6>) -> Matrix3<S> {
    Matrix3::from_fn(|row, column| space[(PLANE[row], PLANE[column])])
}

#[inline]
fn plane_tangent<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    in_plane(&rigid_tangent(&in_space(theta)))
}

#[inline]
fn plane_tangent_inverse<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    in_plane(&rigid_tangent_inverse(&in_space(theta)))
}

/// The positions of ω and of the planar components of U in a spatial twist.
const PLANE: [usize; 3] = [2, 3, 4];

/// A twist of the plane in space.
#[inline]
fn in_space<S: Scalar>(plane: &Vector3<S>) -> Vector6<S> {
    let mut space = Vector6::from_element(S::zero());
    for (at, &component) in PLANE.iter().zip(plane.iter()) {
        space[*at] = component;
    }
    space
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
mod place;
mod rates;

local_coordinates!(SO3 S3 [3, 3] tangent, tangent_inverse, rotation, rotation_gradient, rotation_rate);
rigid_motions_of_space!(of_rigid_motions);
local_coordinates!(SE2 [3, 1] plane_tangent, plane_tangent_inverse, plane_motion, plane_gradient, plane_rate);

#[inline]
fn rotation<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector3<S>; 3]) -> LocalMotion<Vector3<S>> {
    Place::of(map, x).motion(rate, second)
}

#[inline]
fn rotation_gradient<S: Scalar>(map: &CoordinateMap, [x, rate, second]: [&Vector3<S>; 3]) -> LocalGradient<S, 3> {
    Place::of(map, x).derivatives(rate, second)
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
