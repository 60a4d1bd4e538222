//! SO(3): rotation matrices, body to space.

use nalgebra::{Matrix3, Vector3};

use super::operators::{action, composition};
use super::so3_algebra::{HatPolynomial, cross, so3_algebra};
use super::{GroupError, LieGroup, S3, TangentVector, to_unit_length};
use crate::scalar::fused::dot;
use crate::scalar::singular::rodrigues;
use crate::scalar::{Scalar, larger};

/// Iterations of the polar decomposition; a condition number of 1e15 needs about fifty.
const MOST_NEWTON_STEPS: usize = 100;

/// A rotation matrix R, body to space: R' = R Ω~ with the body's angular velocity Ω.
///
/// [`exp`](crate::group::LieGroup::exp), [`log`](crate::group::LieGroup::log) and [`inverse`](crate::group::LieGroup::inverse) are methods
/// of [`LieGroup`](crate::group::LieGroup). `a * b` is the product, `a * vector` the rotated vector`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "rotation matrix")]
#[doc(alias = "spherical joint")]
#[doc(alias = "attitude")]
pub struct SO3<S: Scalar = f64> {
    matrix: Matrix3<S>,
}

impl<S: Scalar> SO3<S> {
    /// The identity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn identity() -> Self {
        Self { matrix: Matrix3::identity() }
    }

    /// Returns the rotation with this matrix; the entries are not changed.
    ///
    /// # Errors
    /// [`GroupError::NotOrthogonal`] if RᵀR differs from I, [`GroupError::Reflection`] if det R < 0.
    pub fn from_matrix(matrix: Matrix3<S>) -> Result<Self, GroupError> {
        let defect = Self { matrix }.membership_defect();
        // The comparison is false for NaN.
        if defect.is_nan() || defect > f64::max(1e-9, 84.0 * S::epsilon()) {
            return Err(GroupError::NotOrthogonal { defect });
        }
        let [first, second, third] = [0, 1, 2].map(|i| matrix.column(i).into_owned());
        if cross(&first, &second).dot(&third).value() < 0.0 {
            return Err(GroupError::Reflection);
        }
        Ok(Self { matrix })
    }

    /// Returns the rotation closest to a matrix in the Frobenius norm: the orthogonal factor of its polar decomposition.
    ///
    /// # Errors
    /// [`GroupError::Reflection`] if det is negative, [`GroupError::Singular`] if it is zero or not finite.
    pub fn nearest(matrix: &Matrix3<S>) -> Result<Self, GroupError> {
        // Newton's iteration X ← (X + X⁻ᵀ) / 2, for X⁻ᵀ det X = [x₂ × x₃, x₃ × x₁, x₁ × x₂].
        let largest = matrix.iter().fold(0.0, |largest, entry| larger(largest, entry.value().abs()));
        let mut columns = [0, 1, 2].map(|i| matrix.column(i) / S::from_f64(largest));
        let mut last = f64::INFINITY;
        for _ in 0..MOST_NEWTON_STEPS {
            let [x, y, z] = &columns;
            let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
            let determinant = x.dot(&cofactors[0]);
            let value = determinant.value();
            if value < 0.0 {
                return Err(GroupError::Reflection);
            }
            // Scaling by the cube root of the determinant reduces the number of iterations.
            let scale = S::from_f64(value.cbrt().recip());
            let inverse = determinant.recip() / scale;
            if !(value > 0.0 && inverse.is_finite() && scale.is_finite()) {
                return Err(GroupError::Singular { determinant: value });
            }
            let half = S::from_f64(0.5);
            let mut change = 0.0_f64;
            for (column, cofactor) in columns.iter_mut().zip(cofactors) {
                let next = (*column * scale + cofactor * inverse) * half;
                change = change.max((next - *column).max_norm());
                *column = next;
            }
            // The convergence is quadratic and stops at round-off.
            if change <= S::epsilon() || (change < 1e-3 && change >= last) {
                return Ok(Self { matrix: Matrix3::from_columns(&columns) });
            }
            last = change;
        }
        Err(GroupError::Singular { determinant: matrix.map(S::value).determinant() })
    }

    /// Returns the rotation with this matrix, which must be orthogonal.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn from_matrix_unchecked(matrix: Matrix3<S>) -> Self {
        Self { matrix }
    }

    /// The matrix, body to space.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn matrix(&self) -> Matrix3<S> {
        self.matrix
    }

    /// The matrix; the same name as for [`S3`].
    #[inline]
    #[doc(hidden)]
    pub fn rotation_matrix(&self) -> Matrix3<S> {
        self.matrix
    }

    /// The transpose, which is the inverse.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn transpose(&self) -> Self {
        Self { matrix: self.matrix.transpose() }
    }

    /// The inverse.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn inverse(&self) -> Self {
        self.transpose()
    }

    /// Rodrigues' formula (paper 1, eq. 16).
    // Inlined: a call would pass the matrix in memory, in pieces of other sizes than the loads (13 ns per product).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn exp(theta: &Vector3<S>) -> Self {
        Self::exp_and_tangent(theta).0
    }

    /// exp and T, which share their coefficients.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn exp_and_tangent(theta: &Vector3<S>) -> (Self, HatPolynomial<S>) {
        let (x, y, z) = (theta.x, theta.y, theta.z);
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (first, second, third) = rodrigues(xx + yy + zz);
        let (sx, sy, sz) = (first * x, first * y, first * z);
        let (cx, cy) = (second * x, second * y);
        let (xy, xz, yz) = (cx * y, cx * z, cy * z);
        let one = S::one();
        let matrix = Matrix3::new(
            one - second * (yy + zz),
            xy - sz,
            xz + sy,
            xy + sz,
            one - second * (xx + zz),
            yz - sx,
            xz - sy,
            yz + sx,
            one - second * (xx + yy),
        );
        (Self { matrix }, HatPolynomial { first: -second, second: third })
    }

    /// The rotation vector, of length in [0, π]; one of the two at π.
    #[inline]
    #[doc(hidden)]
    pub fn log(&self) -> Vector3<S> {
        S3::of_rotation(self).log()
    }

    /// R x.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn rotate(&self, vector: &Vector3<S>) -> Vector3<S> {
        let m = &self.matrix;
        Vector3::new(
            dot(&Vector3::new(m.m11, m.m12, m.m13), vector),
            dot(&Vector3::new(m.m21, m.m22, m.m23), vector),
            dot(&Vector3::new(m.m31, m.m32, m.m33), vector),
        )
    }
}

composition!(SO3);
action!(SO3 on Vector3 by rotate);

impl<S: Scalar> LieGroup for SO3<S> {
    type Scalar = S;
    so3_algebra!();

    #[inline]
    fn identity_like(&self) -> Self {
        Self::identity()
    }
    // Written out column by column: `map` over an array is a call that passes everything in memory. Fused sums as in `rotate` made an RKMK4
    // step 1.15 times as long on targets with FMA.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose(&self, other: &Self) -> Self {
        let (m, n) = (&self.matrix, &other.matrix);
        let column = |[x, y, z]: [S; 3]| {
            [m.m11 * x + m.m12 * y + m.m13 * z, m.m21 * x + m.m22 * y + m.m23 * z, m.m31 * x + m.m32 * y + m.m33 * z]
        };
        let x = column([n.m11, n.m21, n.m31]);
        let y = column([n.m12, n.m22, n.m32]);
        let z = column([n.m13, n.m23, n.m33]);
        Self { matrix: Matrix3::new(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]) }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inverse(&self) -> Self {
        self.transpose()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exp(theta: &Vector3<S>) -> Self {
        SO3::exp(theta)
    }
    #[inline]
    fn log(&self) -> Vector3<S> {
        SO3::log(self)
    }
    #[inline]
    fn adjoint(&self, v: &Vector3<S>) -> Vector3<S> {
        self.rotate(v)
    }
    #[inline]
    fn adjoint_transpose(&self, p: &Vector3<S>) -> Vector3<S> {
        self.transpose().rotate(p)
    }
    #[inline]
    fn is_finite(&self) -> bool {
        S::all_finite(self.matrix.iter().copied())
    }
    fn membership_defect(&self) -> f64 {
        let difference = self.matrix.tr_mul(&self.matrix) - Matrix3::identity();
        difference.iter().fold(0.0, |defect, entry| larger(defect, entry.value().abs()))
    }
    /// R (3 I − RᵀR) / 2.
    #[inline]
    fn renormalize(&mut self) {
        let m = &self.matrix;
        let [x, y, z] = [m.column(0).into_owned(), m.column(1).into_owned(), m.column(2).into_owned()];
        let half = S::from_f64(0.5);
        let (xy, xz, yz) = (x.dot(&y) * half, x.dot(&z) * half, y.dot(&z) * half);
        let (xx, yy, zz) = (to_unit_length(x.dot(&x)), to_unit_length(y.dot(&y)), to_unit_length(z.dot(&z)));
        self.matrix =
            Matrix3::from_columns(&[x * xx - y * xy - z * xz, y * yy - x * xy - z * yz, z * zz - x * xz - y * yz]);
    }
}
