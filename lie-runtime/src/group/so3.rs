//! SO(3): rotation matrices, body to space.

use nalgebra::{Matrix3, Vector3};

use super::operators::{action, composition};
use super::so3_algebra::{Operator, cross, so3_algebra};
use super::{GroupError, LieGroup, S3};
use crate::scalar::Scalar;
use crate::singular::rodrigues;

/// A rotation matrix R, body to space: R' = R Ω~ with the body's angular velocity Ω.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SO3<S: Scalar = f64> {
    matrix: Matrix3<S>,
}

impl<S: Scalar> SO3<S> {
    /// The identity.
    #[inline]
    pub fn identity() -> Self {
        Self { matrix: Matrix3::identity() }
    }

    /// A rotation from its matrix, which is kept as it is.
    ///
    /// # Errors
    /// [`GroupError::NotOrthogonal`] if RᵀR differs from I, [`GroupError::Reflection`] if det R < 0.
    pub fn from_matrix(matrix: Matrix3<S>) -> Result<Self, GroupError> {
        // f32 cannot tell 1 + 1e-9 from 1: what it can hold to is coarser.
        let tolerance = if S::from_f64(1.0 + 1e-9).value() == 1.0 { 1e-5 } else { 1e-9 };
        let product = matrix.transpose() * matrix;
        let mut defect: f64 = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                let exact = if i == j { 1.0 } else { 0.0 };
                let error = (product[(i, j)].value() - exact).abs();
                defect = if error.is_nan() { f64::INFINITY } else { defect.max(error) };
            }
        }
        if defect > tolerance {
            return Err(GroupError::NotOrthogonal { defect });
        }
        let [first, second, third] = [0, 1, 2].map(|i| matrix.column(i).into_owned());
        if cross(&first, &second).dot(&third).value() < 0.0 {
            return Err(GroupError::Reflection);
        }
        Ok(Self { matrix })
    }

    /// A rotation from a matrix that is known to be orthogonal.
    #[inline]
    pub fn from_matrix_unchecked(matrix: Matrix3<S>) -> Self {
        Self { matrix }
    }

    /// The matrix, body to space.
    #[inline]
    pub fn matrix(&self) -> Matrix3<S> {
        self.matrix
    }

    /// The transpose, which is the inverse.
    #[inline]
    pub fn transpose(&self) -> Self {
        Self { matrix: self.matrix.transpose() }
    }

    /// The inverse.
    #[inline]
    pub fn inverse(&self) -> Self {
        self.transpose()
    }

    /// Rodrigues' formula (paper 1, eq. 16).
    // A call would hand the matrix over in memory, in pieces of other sizes than it is read: 13 ns of a product with it.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn exp(theta: &Vector3<S>) -> Self {
        Self::exp_and_tangent(theta).0
    }

    /// exp and T, which share their coefficients.
    #[allow(clippy::inline_always)] // As for `exp`.
    #[inline(always)]
    pub(super) fn exp_and_tangent(theta: &Vector3<S>) -> (Self, Operator<S>) {
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
        (Self { matrix }, Operator { first: -second, second: third })
    }

    /// The rotation vector, of length in [0, π]; at π one of the two.
    #[inline]
    pub fn log(&self) -> Vector3<S> {
        S3::from_rotation_matrix(&self.matrix).log()
    }

    /// R x.
    #[inline]
    pub fn rotate(&self, vector: &Vector3<S>) -> Vector3<S> {
        let m = &self.matrix;
        Vector3::new(
            m.m11 * vector.x + m.m12 * vector.y + m.m13 * vector.z,
            m.m21 * vector.x + m.m22 * vector.y + m.m23 * vector.z,
            m.m31 * vector.x + m.m32 * vector.y + m.m33 * vector.z,
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
    #[inline]
    fn compose(&self, other: &Self) -> Self {
        let columns = [0, 1, 2]
            .map(|i| self.rotate(&Vector3::new(other.matrix[(0, i)], other.matrix[(1, i)], other.matrix[(2, i)])));
        Self { matrix: Matrix3::from_columns(&columns) }
    }
    #[inline]
    fn inverse(&self) -> Self {
        self.transpose()
    }
    #[allow(clippy::inline_always)] // As for the inherent one.
    #[inline(always)]
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
}
