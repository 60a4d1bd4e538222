//! Stored triangular factors, for iterations that solve repeatedly with one matrix.

use nalgebra::{SMatrix, SVector};

use crate::scalar::{Mask, Scalar};

/// A pivot without interchange must be at least this multiple of the largest remaining entry in its column.
const SAFE_PIVOT: f64 = 1e-2;

/// The factors P A = L U of a general matrix; never allocates.
///
/// Elimination uses the natural order as long as every pivot is at least 1/100 of the largest entry below it. The multipliers of the
/// elimination then stay below 100. Iteration matrices are dominated by a positive definite mass matrix and need no interchange.
/// Otherwise partial pivoting chooses the rows.
///
/// ```
/// use lie_runtime::nalgebra::{Matrix2, Vector2};
/// use lie_runtime::solve::LuFactors;
///
/// let mut factors = LuFactors::<f64, 2>::zeros();
/// factors.factorise(&Matrix2::new(0.0, 2.0, 4.0, 1.0)).unwrap();
/// let mut x = Vector2::new(2.0, 5.0);
/// factors.solve(&mut x);
/// assert_eq!(x, Vector2::new(1.0, 1.0));
/// assert_eq!(factors.factorise(&Matrix2::new(1.0, 2.0, 2.0, 4.0)), Err(1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LuFactors<S, const N: usize> {
    /// L below the diagonal, U above.
    factors: SMatrix<S, N, N>,
    /// The inverses of the pivots.
    inverse_pivots: [S; N],
    /// The row that was interchanged with the k-th row.
    exchanged: [usize; N],
    is_permuted: bool,
}

impl<S: Scalar, const N: usize> LuFactors<S, N> {
    /// Returns factors without content.
    pub fn zeros() -> Self {
        LuFactors {
            factors: SMatrix::from_element(S::zero()),
            inverse_pivots: [S::zero(); N],
            exchanged: [0; N],
            is_permuted: false,
        }
    }

    /// Factorises `matrix`.
    ///
    /// # Errors
    /// The column in which no pivot is left, or in which a value is not finite.
    #[inline]
    pub fn factorise(&mut self, matrix: &SMatrix<S, N, N>) -> Result<(), usize> {
        self.factorise_entries(|row, column| matrix[(row, column)])
    }

    /// Factorises the matrix with the given entries, which are stored in the memory of the factors.
    ///
    /// # Errors
    /// As for [`factorise`](Self::factorise).
    #[inline]
    pub fn factorise_entries(&mut self, entry: impl Fn(usize, usize) -> S) -> Result<(), usize> {
        self.is_permuted = false;
        self.factors = SMatrix::from_fn(&entry);
        let a = &mut self.factors;
        // One test for all pivots and lanes.
        let mut is_safe = S::Mask::splat(true);
        for k in 0..N {
            let pivot = a[(k, k)];
            let bound = pivot.abs() * S::from_f64(1.0 / SAFE_PIVOT);
            let inverse = S::one() / pivot;
            self.inverse_pivots[k] = inverse;
            for i in k + 1..N {
                is_safe = is_safe & a[(i, k)].abs().le(bound);
                a[(i, k)] *= inverse;
            }
            for j in k + 1..N {
                let above = a[(k, j)];
                for i in k + 1..N {
                    let update = a[(i, k)] * above;
                    a[(i, j)] -= update;
                }
            }
        }
        if is_safe.all() && S::all_finite(self.inverse_pivots) {
            Ok(())
        } else {
            self.factorise_with_pivoting(SMatrix::from_fn(entry))
        }
    }

    /// Elimination with row interchanges.
    #[cold]
    #[inline(never)]
    fn factorise_with_pivoting(&mut self, matrix: SMatrix<S, N, N>) -> Result<(), usize> {
        self.is_permuted = true;
        self.factors = matrix;
        let a = &mut self.factors;
        for k in 0..N {
            // A value below the round-off of the original column is not a pivot.
            let scale = matrix.column(k).iter().fold(S::zero(), |largest, entry| largest.max(entry.abs()));
            let mut best = k;
            for i in k + 1..N {
                if a[(i, k)].least_magnitude() > a[(best, k)].least_magnitude() {
                    best = i;
                }
            }
            let pivot = a[(best, k)];
            if !pivot.is_finite() || pivot.abs().le(S::from_f64(1e-14) * scale).any() {
                return Err(k);
            }
            self.exchanged[k] = best;
            a.swap_rows(k, best);
            let inverse = S::one() / pivot;
            self.inverse_pivots[k] = inverse;
            for i in k + 1..N {
                a[(i, k)] *= inverse;
            }
            for j in k + 1..N {
                let above = a[(k, j)];
                for i in k + 1..N {
                    let update = a[(i, k)] * above;
                    a[(i, j)] -= update;
                }
            }
        }
        Ok(())
    }

    /// Overwrites every column of `right` with its solution.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn solve<const C: usize>(&self, right: &mut SMatrix<S, N, C>) {
        let a = &self.factors;
        if self.is_permuted {
            for k in 0..N {
                right.swap_rows(k, self.exchanged[k]);
            }
        }
        for column in 0..C {
            for k in 0..N {
                let x = right[(k, column)];
                for i in k + 1..N {
                    let update = a[(i, k)] * x;
                    right[(i, column)] -= update;
                }
            }
            for k in (0..N).rev() {
                let x = right[(k, column)] * self.inverse_pivots[k];
                right[(k, column)] = x;
                for i in 0..k {
                    let update = a[(i, k)] * x;
                    right[(i, column)] -= update;
                }
            }
        }
    }

    /// Overwrites `right` with the solution of the transposed system.
    #[inline]
    pub fn solve_transposed(&self, right: &mut SVector<S, N>) {
        let a = &self.factors;
        for k in 0..N {
            let mut x = right[k];
            for i in 0..k {
                x -= a[(i, k)] * right[i];
            }
            right[k] = x * self.inverse_pivots[k];
        }
        for k in (0..N).rev() {
            let mut x = right[k];
            for i in k + 1..N {
                x -= a[(i, k)] * right[i];
            }
            right[k] = x;
        }
        if self.is_permuted {
            for k in (0..N).rev() {
                right.swap_rows(k, self.exchanged[k]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Matrix5, SMatrix};

    use super::*;

    #[test]
    fn solutions_satisfy_their_systems() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
        };
        for _ in 0..1000 {
            let matrix = Matrix5::from_fn(|_, _| next());
            let expected = SMatrix::<f64, 5, 2>::from_fn(|_, _| next());
            if matrix.determinant().abs() < 1e-3 {
                continue;
            }
            let mut factors = LuFactors::zeros();
            factors.factorise(&matrix).unwrap();
            let mut x = matrix * expected;
            factors.solve(&mut x);
            assert!((x - expected).amax() < 1e-9, "{x} {expected}");
            let first = expected.column(0).into_owned();
            let mut y = matrix.transpose() * first;
            factors.solve_transposed(&mut y);
            assert!((y - first).amax() < 1e-9, "{y} {first}");
        }
    }

    #[test]
    fn what_has_no_factors_is_told() {
        let mut factors = LuFactors::zeros();
        assert_eq!(factors.factorise(&Matrix3::new(1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 1.0, 1.0)), Err(2));
        assert!(factors.factorise(&(Matrix3::identity() * f64::NAN)).is_err());
        assert_eq!(LuFactors::<f64, 0>::zeros().factorise(&SMatrix::zeros()), Ok(()));
    }
}
