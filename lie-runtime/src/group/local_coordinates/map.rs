//! Coordinate maps, and motions with their derivatives in the coordinates.

use core::array::from_fn;

use nalgebra::{SMatrix, SVector};

use crate::scalar::Scalar;
use crate::scalar::singular::{arctangent, stumpff};

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
#[doc(hidden)]
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
    pub(super) fn coefficients<S: Scalar>(&self, z: S) -> [[S; 3]; 3] {
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
    pub(super) fn scale<S: Scalar>(&self, z: S) -> S {
        match *self {
            CoordinateMap::RotationVector => S::one(),
            CoordinateMap::Tangent { inverse_square, .. } => arctangent(0, S::from_f64(inverse_square) * z),
        }
    }
}

/// A motion q₀ ∘ μ(x(t)) at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
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
#[doc(hidden)]
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
