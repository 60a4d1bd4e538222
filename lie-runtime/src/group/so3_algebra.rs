//! so(3), shared by rotation matrices and unit quaternions: operators I + a Ω~ + b Ω~².

use nalgebra::{Matrix3, Vector3};

use crate::scalar::Scalar;
use crate::scalar::fused::{difference_of_products, dot, plus_scaled};
use crate::scalar::singular::{gamma, stumpff};

/// a × b.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn cross<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    Vector3::new(
        difference_of_products(a.y, b.z, a.z, b.y),
        difference_of_products(a.z, b.x, a.x, b.z),
        difference_of_products(a.x, b.y, a.y, b.x),
    )
}

/// a~, the matrix of a × ·.
#[inline]
pub(crate) fn skew<S: Scalar>(a: &Vector3<S>) -> Matrix3<S> {
    let zero = S::zero();
    Matrix3::new(zero, -a.z, a.y, a.z, zero, -a.x, -a.y, a.x, zero)
}

/// I + `first` Ω~ + `second` Ω~².
#[derive(Clone, Copy)]
pub(super) struct HatPolynomial<S> {
    pub(super) first: S,
    pub(super) second: S,
}

impl<S: Scalar> HatPolynomial<S> {
    /// T(Ω) = I − c₂ Ω~ + c₃ Ω~² (paper 1, eq. 19).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tangent(omega: &Vector3<S>) -> Self {
        let z = dot(omega, omega);
        Self { first: -stumpff(2, 0, z), second: stumpff(3, 0, z) }
    }

    /// T(Ω)⁻¹ = I + ½ Ω~ + γ Ω~².
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tangent_inverse(omega: &Vector3<S>) -> Self {
        Self { first: S::from_f64(0.5), second: gamma(0, dot(omega, omega)) }
    }

    /// The transpose: Ω~ is skew.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn transpose(self) -> Self {
        Self { first: -self.first, second: self.second }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn apply(self, omega: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        let once = cross(omega, v);
        let twice = cross(omega, &once);
        plus_scaled(&plus_scaled(v, self.first, &once), self.second, &twice)
    }
}

/// The items of `LieGroup` that depend on the algebra only.
macro_rules! so3_algebra {
    () => {
        type Tangent = Vector3<S>;

        #[inline]
        fn dimension(&self) -> usize {
            3
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn tangent(theta: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
            HatPolynomial::tangent(theta).apply(theta, v)
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn tangent_transpose(theta: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
            HatPolynomial::tangent(theta).transpose().apply(theta, p)
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn tangent_inverse(theta: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
            HatPolynomial::tangent_inverse(theta).apply(theta, v)
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn tangent_inverse_transpose(theta: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
            HatPolynomial::tangent_inverse(theta).transpose().apply(theta, p)
        }
        #[inline]
        fn bracket(v: &Vector3<S>, w: &Vector3<S>) -> Vector3<S> {
            cross(v, w)
        }
        /// p' = p × Ω: Euler's equations.
        #[inline]
        fn coadjoint(v: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
            cross(p, v)
        }
    };
}

pub(super) use so3_algebra;
