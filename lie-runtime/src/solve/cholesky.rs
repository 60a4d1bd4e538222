//! Inverses of the diagonal blocks of the mass matrix.

use nalgebra::SMatrix;

use super::KktError;
use super::round_off;
use crate::scalar::{Mask, Scalar};

/// Computes the inverse of a symmetric positive definite block from A = L D Lᵀ; only the lower triangle of `block` is read.
///
/// ```
/// use lie_runtime::nalgebra::Matrix2;
/// use lie_runtime::solve::inverse_spd;
/// use lie_runtime::system::KktError;
///
/// assert_eq!(inverse_spd(&Matrix2::new(4.0, 0.0, 0.0, 2.0)), Ok(Matrix2::new(0.25, 0.0, 0.0, 0.5)));
/// let massless = inverse_spd(&Matrix2::new(4.0, 0.0, 0.0, 0.0));
/// assert_eq!(massless, Err(KktError::MassNotPositiveDefinite { component: 1 }));
/// ```
///
/// # Errors
/// [`KktError::MassNotPositiveDefinite`] with the first component (counted within the block) whose pivot is zero, negative, NaN,
/// infinite, or lost in round-off (below `4 N ε` of the diagonal entry).
#[inline]
pub fn inverse_spd<S: Scalar, const N: usize>(block: &SMatrix<S, N, N>) -> Result<SMatrix<S, N, N>, KktError> {
    let mut l = SMatrix::<S, N, N>::identity();
    let mut inverse_d = [S::one(); N];
    let mut d = [S::one(); N];
    for k in 0..N {
        let mut pivot = block[(k, k)];
        for j in 0..k {
            pivot -= l[(k, j)] * l[(k, j)] * d[j];
        }
        if !is_positive_pivot::<S, N>(pivot, block[(k, k)]) {
            return Err(KktError::MassNotPositiveDefinite { component: k });
        }
        d[k] = pivot;
        inverse_d[k] = S::one() / pivot;
        for i in k + 1..N {
            let mut entry = block[(i, k)];
            for j in 0..k {
                entry -= l[(i, j)] * l[(k, j)] * d[j];
            }
            l[(i, k)] = entry * inverse_d[k];
        }
    }
    // L⁻¹ column by column, then A⁻¹ = L⁻ᵀ D⁻¹ L⁻¹.
    let mut inverse_l = SMatrix::<S, N, N>::identity();
    for k in 0..N {
        for i in k + 1..N {
            let mut sum = S::zero();
            for j in k..i {
                sum -= l[(i, j)] * inverse_l[(j, k)];
            }
            inverse_l[(i, k)] = sum;
        }
    }
    let mut inverse = SMatrix::<S, N, N>::zeros();
    for i in 0..N {
        for k in 0..=i {
            let mut sum = S::zero();
            for j in i..N {
                sum += inverse_l[(j, i)] * inverse_l[(j, k)] * inverse_d[j];
            }
            inverse[(i, k)] = sum;
            inverse[(k, i)] = sum;
        }
    }
    Ok(inverse)
}

/// True for a pivot of an N × N block that is positive, finite and not lost in the round-off of its original diagonal entry.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn is_positive_pivot<S: Scalar, const N: usize>(pivot: S, diagonal: S) -> bool {
    let least = S::from_f64(4.0 * N as f64 * round_off::<S>()) * diagonal;
    pivot.is_finite() && (S::zero().lt(pivot) & least.lt(pivot)).all()
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix2, Matrix3, Matrix4};

    use super::*;

    #[test]
    fn inverse_of_a_product_with_its_transpose() {
        let factor = Matrix4::new(2.0, 0.3, -0.1, 0.5, 0.2, 1.5, 0.4, -0.7, 0.0, 0.3, 1.1, 0.2, -0.6, 0.1, 0.9, 3.0);
        let block = factor * factor.transpose();
        let inverse = inverse_spd(&block).unwrap();
        assert!((inverse * block - Matrix4::identity()).norm() < 1e-13);
        assert_eq!(inverse, inverse.transpose());
    }

    #[test]
    fn pivots_that_are_not_positive_are_named() {
        let component = |block| match inverse_spd::<f64, 3>(&block) {
            Err(KktError::MassNotPositiveDefinite { component }) => component,
            other => panic!("{other:?}"),
        };
        assert_eq!(component(Matrix3::from_diagonal(&[1.0, 0.0, 1.0].into())), 1);
        assert_eq!(component(Matrix3::from_diagonal(&[1.0, 2.0, -1.0].into())), 2);
        assert_eq!(component(Matrix3::from_diagonal(&[f64::NAN, 2.0, 1.0].into())), 0);
        assert_eq!(component(Matrix3::from_diagonal(&[1.0, f64::INFINITY, 1.0].into())), 1);
        assert_eq!(component(Matrix3::new(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0)), 1);
        let thin = Matrix2::new(1.0, 0.1, 0.1, 0.1 * 0.1);
        assert!(inverse_spd(&thin).is_err());
    }
}
