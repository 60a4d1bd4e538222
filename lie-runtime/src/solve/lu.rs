//! Gaussian elimination for the multipliers.

use nalgebra::{SMatrix, SVector};

use super::KktError;
use super::pivot::{SINGULAR_PIVOT, round_off};
use crate::scalar::{Mask, Scalar};

/// The bounds of the ratio between a pivot and the diagonal entry in an elimination without interchanges. The pivots of a symmetric
/// positive definite matrix never exceed the diagonal entries, and its determinant never exceeds their product.
const SAFE_PIVOT: core::ops::Range<f64> = 1e-2..4.0;

/// Solves A x = b for a matrix whose size is the number of constraints. It never allocates, and is unrolled for small `M`.
///
/// A = B₂ M⁻¹ B₁ᵀ is close to a symmetric positive definite matrix, for which elimination in the natural order is stable.
/// Two and three constraints are solved by cofactors, with one division, if the determinant is at least 1/100 of the product of the
/// diagonal. More constraints are solved by elimination in the natural order if the pivots are at least 1/100 of the diagonal entries.
/// All other systems are solved by elimination with scaled partial pivoting. The primal value of dual numbers selects the method. If SIMD
/// lanes select different methods, every lane is solved separately.
///
/// ```
/// use lie_runtime::nalgebra::{Matrix2, Vector2};
/// use lie_runtime::solve::solve_lu;
/// use lie_runtime::system::KktError;
///
/// let x = solve_lu(&Matrix2::new(2.0, 1.0, 1.0, 3.0), &Vector2::new(3.0, 4.0))?;
/// assert_eq!(x, Vector2::new(1.0, 1.0));
/// let twice = solve_lu(&Matrix2::new(1.0, 1.0, 1.0, 1.0), &Vector2::new(1.0, 1.0));
/// assert_eq!(twice, Err(KktError::SingularConstraints { row: 1 }));
/// # Ok::<(), KktError>(())
/// ```
///
/// # Errors
/// * [`KktError::SingularConstraints`] with the first row that depends on the others (see [`SINGULAR_PIVOT`]);
/// * [`KktError::NotFinite`] if a NaN or an infinity is met, here or in the solution.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn solve_lu<S: Scalar, const M: usize>(
    matrix: &SMatrix<S, M, M>,
    rhs: &SVector<S, M>,
) -> Result<SVector<S, M>, KktError> {
    let solution = match M {
        2 => two_by_cofactors(matrix, rhs),
        3 => three_by_cofactors(matrix, rhs),
        _ => eliminate(matrix, rhs),
    };
    match solution {
        Some(x) => Ok(x),
        None if const { S::LANES > 1 && !S::HAS_DERIVATIVES } => lane_by_lane(matrix, rhs, solve_lu::<f64, M>),
        // By value and in separate variables: a variable must be in memory if a reference to it exists or a call writes to it.
        None => {
            let mut x = *rhs;
            solve_pivoted(*matrix, &mut x).map(|()| x)
        }
    }
}

/// Returns the solution if it is finite: a component that is not finite makes 0 x NaN, and one sum therefore tests all components.
#[cfg_attr(not(debug_assertions), inline(always))]
fn finite<S: Scalar, const M: usize>(x: SVector<S, M>) -> Option<SVector<S, M>> {
    let mut probe = S::zero();
    for k in 0..M {
        probe += x[k] * S::zero();
    }
    probe.is_finite().then_some(x)
}

/// True if a pivot, or a product of pivots, is neither lost nor too large; false for NaN.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_safe<S: Scalar>(pivot: S, scale: S) -> bool {
    let (least, most) = (S::from_f64(SAFE_PIVOT.start) * scale, S::from_f64(SAFE_PIVOT.end) * scale);
    (least.lt(pivot) & pivot.lt(most)).all()
}

/// Two equations. Called with M = 2 only.
#[cfg_attr(not(debug_assertions), inline(always))]
fn two_by_cofactors<S: Scalar, const M: usize>(a: &SMatrix<S, M, M>, b: &SVector<S, M>) -> Option<SVector<S, M>> {
    let scale = a[(0, 0)] * a[(1, 1)];
    let determinant = scale - a[(0, 1)] * a[(1, 0)];
    let inverse = S::one() / determinant;
    let mut x = *b;
    x[0] = (a[(1, 1)] * b[0] - a[(0, 1)] * b[1]) * inverse;
    x[1] = (a[(0, 0)] * b[1] - a[(1, 0)] * b[0]) * inverse;
    if is_safe(determinant, scale) { finite(x) } else { None }
}

/// Three equations. Called with M = 3 only.
#[cfg_attr(not(debug_assertions), inline(always))]
fn three_by_cofactors<S: Scalar, const M: usize>(a: &SMatrix<S, M, M>, b: &SVector<S, M>) -> Option<SVector<S, M>> {
    // The cross products of the rows are the columns of the adjugate.
    let cofactor = |r: usize, s: usize, i: usize, j: usize| a[(r, i)] * a[(s, j)] - a[(r, j)] * a[(s, i)];
    let first = [cofactor(1, 2, 1, 2), cofactor(1, 2, 2, 0), cofactor(1, 2, 0, 1)];
    let second = [cofactor(2, 0, 1, 2), cofactor(2, 0, 2, 0), cofactor(2, 0, 0, 1)];
    let third = [cofactor(0, 1, 1, 2), cofactor(0, 1, 2, 0), cofactor(0, 1, 0, 1)];
    let determinant = a[(0, 0)] * first[0] + a[(0, 1)] * first[1] + a[(0, 2)] * first[2];
    let inverse = S::one() / determinant;
    let mut x = *b;
    for k in 0..3 {
        x[k] = (first[k] * b[0] + second[k] * b[1] + third[k] * b[2]) * inverse;
    }
    if is_safe(determinant, a[(0, 0)] * a[(1, 1)] * a[(2, 2)]) { finite(x) } else { None }
}

/// Eliminates in the natural order; `None` if a pivot is not safe.
#[inline]
fn eliminate<S: Scalar, const M: usize>(matrix: &SMatrix<S, M, M>, rhs: &SVector<S, M>) -> Option<SVector<S, M>> {
    let mut a = *matrix;
    let mut x = *rhs;
    let mut safe = true;
    let mut inverse_pivots = [S::zero(); M];
    for k in 0..M {
        safe &= is_safe(a[(k, k)], matrix[(k, k)]);
        let inverse = S::one() / a[(k, k)];
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
    if safe { finite(x) } else { None }
}

/// Returns the solution of each lane, or the error of a lane without a solution.
#[cold]
#[inline(never)]
pub(super) fn lane_by_lane<S: Scalar, const M: usize>(
    matrix: &SMatrix<S, M, M>,
    rhs: &SVector<S, M>,
    solve: impl Fn(&SMatrix<f64, M, M>, &SVector<f64, M>) -> Result<SVector<f64, M>, KktError>,
) -> Result<SVector<S, M>, KktError> {
    let mut x = *rhs;
    for lane in 0..S::LANES {
        let alone = solve(&matrix.map(|entry| entry.lane(lane)), &rhs.map(|entry| entry.lane(lane)))?;
        for k in 0..M {
            let together = x[k];
            x[k] = S::of_lanes(|at| if at == lane { alone[k] } else { together.lane(at) });
        }
    }
    Ok(x)
}

/// Eliminates with scaled partial pivoting, and returns the reason if there is no solution.
#[cold]
#[inline(never)]
fn solve_pivoted<S: Scalar, const M: usize>(mut a: SMatrix<S, M, M>, b: &mut SVector<S, M>) -> Result<(), KktError> {
    if !(a.iter().all(|entry| entry.is_finite()) && b.iter().all(|entry| entry.is_finite())) {
        return Err(KktError::NotFinite);
    }
    let mut scale = [S::zero(); M];
    for i in 0..M {
        let diagonal = a[(i, i)].abs();
        let largest = (0..M).fold(S::zero(), |largest, j| largest.max(a[(i, j)].abs()));
        scale[i] = S::select(S::zero().lt(diagonal), diagonal, largest);
        if scale[i].le(S::zero()).any() {
            return Err(KktError::SingularConstraints { row: i });
        }
        scale[i] = scale[i].sqrt();
    }
    let lost = SINGULAR_PIVOT * (round_off::<S>() / f64::EPSILON);
    // `order[k]` is the index of the row that is now the k-th.
    let mut order = [0; M];
    for (k, row) in order.iter_mut().enumerate() {
        *row = k;
    }
    for k in 0..M {
        let ratio = |a: &SMatrix<S, M, M>, i: usize| a[(i, k)].abs() / scale[order[i]];
        // The earlier of two equal rows stays: the error then names the later of two equal constraints.
        let mut best = k;
        for i in k + 1..M {
            if ratio(&a, i).least_magnitude() > ratio(&a, best).least_magnitude() {
                best = i;
            }
        }
        if ratio(&a, best).le(S::from_f64(lost) * scale[k]).any() {
            let row = order[k..].iter().copied().min().unwrap_or(k);
            return Err(KktError::SingularConstraints { row });
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
    if b.iter().all(|entry| entry.is_finite()) { Ok(()) } else { Err(KktError::NotFinite) }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix1, Matrix2, Matrix3, Matrix6, SMatrix, Vector1, Vector2, Vector3, Vector6};

    use super::*;
    use crate::solve::random::numbers;

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
            assert!((solution - expected).norm() < 1e-9, "seed {seed}: {solution} {expected}");
        }
    }

    #[test]
    fn small_systems_satisfy_their_equations() {
        for seed in 1..2000 {
            let mut next = numbers(seed);
            let three = Matrix3::from_fn(|_, _| next());
            let x = Vector3::from_fn(|_, _| next());
            if three.determinant().abs() > 1e-3 {
                // Symmetric positive definite matrices and general matrices.
                for matrix in [three, three * three.transpose()] {
                    assert!((solve_lu(&matrix, &(matrix * x)).unwrap() - x).norm() < 1e-7, "seed {seed}");
                }
            }
            let two = Matrix2::from_fn(|_, _| next());
            let x = Vector2::from_fn(|_, _| next());
            if two.determinant().abs() > 1e-3 {
                for matrix in [two, two * two.transpose()] {
                    assert!((solve_lu(&matrix, &(matrix * x)).unwrap() - x).norm() < 1e-7, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn zero_diagonals_are_no_obstacle() {
        let matrix = Matrix3::new(0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 4.0, 0.0, 0.0);
        let x = solve_lu(&matrix, &Vector3::new(1.0, 2.0, 4.0)).unwrap();
        assert_eq!(x, Vector3::new(1.0, 1.0, 1.0));
        assert_eq!(solve_lu(&Matrix1::new(4.0), &Vector1::new(2.0)), Ok(Vector1::new(0.5)));
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
            assert!(matches!(error, KktError::SingularConstraints { .. }), "seed {seed}: {error:?}");
        }
        let twice = Matrix2::new(1.0, 1.0, 1.0, 1.0);
        assert_eq!(solve_lu(&twice, &Vector2::zeros()), Err(KktError::SingularConstraints { row: 1 }));
        let empty = Matrix2::new(0.0, 0.0, 0.0, 1.0);
        assert_eq!(solve_lu(&empty, &Vector2::zeros()), Err(KktError::SingularConstraints { row: 0 }));
    }

    #[test]
    fn independent_constraints_of_very_different_units_are_solved() {
        let b = SMatrix::<f64, 2, 3>::new(1e9, 2e9, 0.0, 1e-6, -1e-6, 3e-6);
        let x = solve_lu(&(b * b.transpose()), &(b * b.transpose() * Vector2::new(1.0, 1e15))).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] / 1e15 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn single_precision_finds_redundant_constraints_too() {
        let b = SMatrix::<f32, 2, 3>::new(0.1, 0.7, 0.3, 0.3, 2.1, 0.9);
        let error = solve_lu(&(b * b.transpose()), &Vector2::repeat(1.0));
        assert_eq!(error, Err(KktError::SingularConstraints { row: 1 }));
        let b = SMatrix::<f32, 2, 3>::new(0.1, 0.7, 0.3, 0.3, 1.9, 0.9);
        assert!(solve_lu(&(b * b.transpose()), &Vector2::repeat(1.0)).is_ok());
    }

    #[test]
    fn nan_is_not_singular() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut matrix = Matrix3::identity();
            assert_eq!(solve_lu(&matrix, &Vector3::new(0.0, bad, 0.0)), Err(KktError::NotFinite));
            matrix[(2, 0)] = bad;
            assert_eq!(solve_lu(&matrix, &Vector3::zeros()), Err(KktError::NotFinite));
        }
    }

    #[test]
    fn no_constraints_no_multipliers() {
        assert_eq!(solve_lu(&SMatrix::<f64, 0, 0>::zeros(), &SVector::zeros()), Ok(SVector::<f64, 0>::zeros()));
    }
}
