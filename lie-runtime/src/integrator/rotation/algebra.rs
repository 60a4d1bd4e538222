//! Matrices of so(3) for Newton's iterations.

use nalgebra::{Matrix3, Vector3};

use crate::group::{CoordinateMap, LocalCoordinates, SO3, skew};
use crate::scalar::Scalar;
use crate::scalar::singular::gamma;

/// exp(Ψ~).
#[inline]
pub(super) fn exponential<S: Scalar>(psi: &Vector3<S>) -> Matrix3<S> {
    SO3::exp(psi).matrix()
}

/// T(Ψ) = dexp_{−Ψ} (paper 5, eq. 9).
#[inline]
pub(super) fn tangent<S: Scalar>(psi: &Vector3<S>) -> Matrix3<S> {
    SO3::tangent_matrix(psi)
}

/// T(Ψ)⁻¹ = I + ½ Ψ~ + γ Ψ~².
#[inline]
pub(super) fn tangent_inverse<S: Scalar>(psi: &Vector3<S>) -> Matrix3<S> {
    let z = psi.dot(psi);
    let square = psi * psi.transpose() - Matrix3::from_diagonal_element(z);
    Matrix3::identity() + skew(psi) * S::from_f64(0.5) + square * gamma(0, z)
}

/// The derivative of T(Ψ)⁻¹ y with respect to Ψ: T⁻¹ = I + ½ Ψ~ + γ Ψ~².
#[inline]
pub(super) fn tangent_inverse_gradient<S: Scalar>(psi: &Vector3<S>, y: &Vector3<S>) -> Matrix3<S> {
    let z = psi.dot(psi);
    let once = psi.cross(y);
    let by_coefficient = psi.cross(&once) * psi.transpose() * (gamma(1, z) + gamma(1, z));
    let by_square = skew(&once) + skew(psi) * skew(y);
    by_coefficient - skew(y) * S::from_f64(0.5) - by_square * gamma(0, z)
}

/// The rotation vector of cay(θ~) = (I − θ~/2)⁻¹ (I + θ~/2): 2 arctan(|θ|/2) along θ.
#[inline]
pub(super) fn cayley_vector<S: Scalar>(theta: &Vector3<S>) -> Vector3<S> {
    let rest = Vector3::from_element(S::zero());
    SO3::local_motion(&CoordinateMap::CAYLEY, theta, &rest, &rest).theta
}

/// The body velocity of cay(θ(t)): (I − θ~/2) / (1 + |θ|²/4).
#[inline]
pub(super) fn cayley_tangent<S: Scalar>(theta: &Vector3<S>) -> Matrix3<S> {
    let rest = Vector3::from_element(S::zero());
    SO3::local_gradient(&CoordinateMap::CAYLEY, theta, &rest, &rest).tangent
}

#[cfg(test)]
mod tests {
    use super::*;

    const PSI: Vector3<f64> = Vector3::new(0.7, -1.1, 0.4);
    const STEP: f64 = 1e-6;

    /// The columns of the derivative of `f`, from differences.
    fn derivative(f: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Matrix3<f64> {
        let column = |k| {
            let mut ahead = PSI;
            let mut behind = PSI;
            ahead[k] += STEP;
            behind[k] -= STEP;
            (f(&ahead) - f(&behind)) / (2.0 * STEP)
        };
        Matrix3::from_columns(&[column(0), column(1), column(2)])
    }

    #[test]
    fn operators_are_those_of_the_group() {
        let back = exponential(&PSI).transpose();
        let expected = derivative(|psi| SO3::from_matrix_unchecked(back * exponential(psi)).log());
        assert!((tangent(&PSI) - expected).amax() < 1e-9);
        assert!((tangent(&PSI) * tangent_inverse(&PSI) - Matrix3::identity()).amax() < 1e-14);
        let y = Vector3::new(0.3, 0.2, -0.9);
        assert!((tangent_inverse_gradient(&PSI, &y) - derivative(|psi| tangent_inverse(psi) * y)).amax() < 1e-9);
    }

    #[test]
    fn the_cayley_map_has_its_vector_and_tangent() {
        for factor in [1e-3, 1.0, 3.0] {
            let theta = PSI * factor;
            let half = skew(&theta) * 0.5;
            let map = (Matrix3::identity() - half).try_inverse().unwrap() * (Matrix3::identity() + half);
            assert!((exponential(&cayley_vector(&theta)) - map).amax() < 1e-14);
        }
        let back = exponential(&cayley_vector(&PSI)).transpose();
        let map = |theta: &Vector3<f64>| SO3::from_matrix_unchecked(back * exponential(&cayley_vector(theta))).log();
        assert!((cayley_tangent(&PSI) - derivative(map)).amax() < 1e-9);
    }
}
