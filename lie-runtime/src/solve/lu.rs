//! Gaussian elimination for the multipliers.

use nalgebra::{SMatrix, SVector};

use crate::scalar::Scalar;
use crate::system::SaddleError;

/// A pivot under this multiple of its scale is taken for zero: the row depends on the rows before it.
///
/// The scale of the pivot in row i and column k is √|aᵢᵢ aₖₖ|, so that the test does not depend on the units of the
/// constraints. For the symmetric matrix B M⁻¹ Bᵀ the ratio is 1 − cos² of the angle between the gradient of the
/// constraint and the span of the others in the metric of M⁻¹: round-off leaves some 1e-16 to 1e-14 of redundant
/// constraints, and independent ones closer than 1e-6 rad are not told from redundant ones.
pub const SINGULAR_PIVOT: f64 = 1e-12;

/// Without interchanges pivots have to stay between these multiples of the diagonal entry; those of a symmetric positive
/// definite matrix never exceed it.
const SAFE_PIVOT: core::ops::Range<f64> = 1e-2..4.0;

/// Solves A x = b for a matrix of the size of the constraints; never allocates, unrolled for small `M`.
///
/// A = B₂ M⁻¹ B₁ᵀ is close to a symmetric positive definite matrix, for which elimination in the natural order is
/// stable; where a pivot falls under 1/100 of the diagonal entry (or grows), elimination starts again with scaled partial
/// pivoting.
/// Pivots are judged by the primal value of dual numbers, and by the first lane of SIMD lanes (lanes that need
/// different interchanges are to be solved one by one).
///
/// # Errors
/// * [`SaddleError::SingularConstraints`] with the first row that depends on the others (see [`SINGULAR_PIVOT`]);
/// * [`SaddleError::NotFinite`] if a NaN or an infinity is met, here or in the solution.
#[inline]
pub fn solve_lu<S: Scalar, const M: usize>(
    matrix: &SMatrix<S, M, M>,
    rhs: &SVector<S, M>,
) -> Result<SVector<S, M>, SaddleError> {
    let mut a = *matrix;
    let mut x = *rhs;
    let mut safe = true;
    let mut inverse_pivots = [S::zero(); M];
    for k in 0..M {
        let pivot = a[(k, k)];
        let (size, scale) = (pivot.value(), matrix[(k, k)].value());
        safe &= size > SAFE_PIVOT.start * scale && size < SAFE_PIVOT.end * scale;
        let inverse = S::one() / pivot;
        inverse_pivots[k] = inverse;
        for i in k + 1..M {
            let factor = a[(i, k)] * inverse;
            for j in k + 1..M {
                let update = factor * a[(k, j)];
                a[(i, j)] -= update;
            }
            let update = factor * x[k];
            x[i] -= update;
        }
    }
    for k in (0..M).rev() {
        let mut sum = x[k];
        for j in k + 1..M {
            sum -= a[(k, j)] * x[j];
        }
        x[k] = sum * inverse_pivots[k];
    }
    // One sum tells of every NaN and infinity: a component that is not finite makes 0 * x NaN.
    let mut probe = S::zero();
    for k in 0..M {
        probe += x[k] * S::zero();
    }
    if safe && probe.is_finite() {
        Ok(x)
    } else {
        solve_pivoted(matrix, rhs)
    }
}

/// Elimination with scaled partial pivoting; tells why there is no solution.
#[cold]
#[inline(never)]
fn solve_pivoted<S: Scalar, const M: usize>(
    matrix: &SMatrix<S, M, M>,
    rhs: &SVector<S, M>,
) -> Result<SVector<S, M>, SaddleError> {
    let mut a = *matrix;
    let mut b = *rhs;
    if !(a.iter().all(|entry| entry.is_finite()) && b.iter().all(|entry| entry.is_finite())) {
        return Err(SaddleError::NotFinite);
    }
    let mut scale = [0.0; M];
    for i in 0..M {
        let diagonal = a[(i, i)].value().abs().sqrt();
        scale[i] = if diagonal > 0.0 {
            diagonal
        } else {
            (0..M)
                .fold(0.0_f64, |largest, j| largest.max(a[(i, j)].value().abs()))
                .sqrt()
        };
        if scale[i] == 0.0 {
            return Err(SaddleError::SingularConstraints { row: i });
        }
    }
    // `order[k]` is the row that has become the k-th.
    let mut order = [0; M];
    for (k, row) in order.iter_mut().enumerate() {
        *row = k;
    }
    for k in 0..M {
        let ratio = |a: &SMatrix<S, M, M>, i: usize| a[(i, k)].value().abs() / scale[order[i]];
        // Of equals the earlier row stays, so that the later of two equal constraints is the one named.
        let mut best = k;
        for i in k + 1..M {
            if ratio(&a, i) > ratio(&a, best) {
                best = i;
            }
        }
        if ratio(&a, best) <= SINGULAR_PIVOT * scale[k] {
            let row = order[k..].iter().copied().min().unwrap_or(k);
            return Err(SaddleError::SingularConstraints { row });
        }
        a.swap_rows(k, best);
        b.swap_rows(k, best);
        order.swap(k, best);
        let inverse = S::one() / a[(k, k)];
        for i in k + 1..M {
            let factor = a[(i, k)] * inverse;
            for j in k + 1..M {
                let update = factor * a[(k, j)];
                a[(i, j)] -= update;
            }
            let update = factor * b[k];
            b[i] -= update;
        }
    }
    for k in (0..M).rev() {
        let mut sum = b[k];
        for j in k + 1..M {
            sum -= a[(k, j)] * b[j];
        }
        b[k] = sum / a[(k, k)];
    }
    if b.iter().all(|entry| entry.is_finite()) {
        Ok(b)
    } else {
        Err(SaddleError::NotFinite)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{
        Matrix1, Matrix2, Matrix3, Matrix6, SMatrix, Vector1, Vector2, Vector3, Vector6,
    };

    use super::*;

    /// A cheap sequence of numbers in (-1, 1).
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
        }
    }

    #[test]
    fn solutions_satisfy_their_systems() {
        for seed in 1..2000 {
            let mut next = numbers(seed);
            let matrix = Matrix6::from_fn(|_, _| next());
            let expected = Vector6::from_fn(|_, _| next());
            if matrix.determinant().abs() < 1e-3 {
                continue;
            }
            let solution = solve_lu(&matrix, &(matrix * expected)).unwrap();
            assert!(
                (solution - expected).norm() < 1e-9,
                "seed {seed}: {solution} {expected}"
            );
        }
    }

    #[test]
    fn zero_diagonals_are_no_obstacle() {
        let matrix = Matrix3::new(0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 4.0, 0.0, 0.0);
        let x = solve_lu(&matrix, &Vector3::new(1.0, 2.0, 4.0)).unwrap();
        assert_eq!(x, Vector3::new(1.0, 1.0, 1.0));
        assert_eq!(
            solve_lu(&Matrix1::new(4.0), &Vector1::new(2.0)),
            Ok(Vector1::new(0.5))
        );
    }

    #[test]
    fn a_repeated_constraint_is_found_in_the_presence_of_round_off_and_of_units() {
        for seed in 1..500 {
            let mut next = numbers(seed);
            // Four gradients in six dimensions; the last is a combination of the first two.
            let mut b = SMatrix::<f64, 4, 6>::from_fn(|_, _| next());
            let combination = b.row(0) * next() + b.row(1) * 0.7;
            b.set_row(3, &combination);
            for (row, unit) in [1.0, 1e6, 1e-7, 1e3].into_iter().enumerate() {
                b.set_row(row, &(b.row(row) * unit));
            }
            let error = solve_lu(&(b * b.transpose()), &SVector::repeat(1.0)).unwrap_err();
            assert!(
                matches!(error, SaddleError::SingularConstraints { .. }),
                "seed {seed}: {error:?}"
            );
        }
        let twice = Matrix2::new(1.0, 1.0, 1.0, 1.0);
        assert_eq!(
            solve_lu(&twice, &Vector2::zeros()),
            Err(SaddleError::SingularConstraints { row: 1 })
        );
        let empty = Matrix2::new(0.0, 0.0, 0.0, 1.0);
        assert_eq!(
            solve_lu(&empty, &Vector2::zeros()),
            Err(SaddleError::SingularConstraints { row: 0 })
        );
    }

    #[test]
    fn independent_constraints_of_very_different_units_are_solved() {
        let b = SMatrix::<f64, 2, 3>::new(1e9, 2e9, 0.0, 1e-6, -1e-6, 3e-6);
        let x = solve_lu(
            &(b * b.transpose()),
            &(b * b.transpose() * Vector2::new(1.0, 1e15)),
        )
        .unwrap();
        assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] / 1e15 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn nan_is_not_singular() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut matrix = Matrix3::identity();
            assert_eq!(
                solve_lu(&matrix, &Vector3::new(0.0, bad, 0.0)),
                Err(SaddleError::NotFinite)
            );
            matrix[(2, 0)] = bad;
            assert_eq!(
                solve_lu(&matrix, &Vector3::zeros()),
                Err(SaddleError::NotFinite)
            );
        }
    }

    #[test]
    fn no_constraints_no_multipliers() {
        assert_eq!(
            solve_lu(&SMatrix::<f64, 0, 0>::zeros(), &SVector::zeros()),
            Ok(SVector::<f64, 0>::zeros())
        );
    }
}
