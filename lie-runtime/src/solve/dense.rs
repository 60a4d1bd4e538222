//! Dense linear systems whose size is known at run time.

use crate::scalar::{Mask, Scalar};

/// Solves A x = b by elimination with partial pivoting, in place: `matrix` holds A by rows, `vector` b and then x.
///
/// ```
/// use lie_runtime::solve::solve_dense;
///
/// let (mut matrix, mut vector) = ([0.0, 2.0, 4.0, 1.0], [2.0, 5.0]);
/// assert_eq!(solve_dense(&mut matrix, &mut vector), Ok(()));
/// assert_eq!(vector, [1.0, 1.0]);
/// assert_eq!(solve_dense(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 2.0]), Err(1));
/// ```
///
/// # Errors
/// The column in which no pivot is left, or in which a value is not finite.
///
/// # Panics
/// If the length of `matrix` is not the square of the length of `vector`.
pub fn solve_dense<S: Scalar>(matrix: &mut [S], vector: &mut [S]) -> Result<(), usize> {
    let n = vector.len();
    assert_eq!(matrix.len(), n * n, "a square matrix and a vector of its size");
    for k in 0..n {
        let mut best = k;
        let mut scale = S::zero();
        for i in 0..n {
            scale = scale.max(matrix[i * n + k].abs());
        }
        for i in k + 1..n {
            if matrix[i * n + k].least_magnitude() > matrix[best * n + k].least_magnitude() {
                best = i;
            }
        }
        let pivot = matrix[best * n + k];
        // A pivot below the round-off of the column is undetermined; the comparison is false for NaN as well.
        let has_pivot = (S::from_f64(S::epsilon()) * scale).lt(pivot.abs()).all();
        if !has_pivot || !pivot.is_finite() {
            return Err(k);
        }
        if best != k {
            for j in 0..n {
                matrix.swap(k * n + j, best * n + j);
            }
            vector.swap(k, best);
        }
        let (upper, lower) = matrix.split_at_mut((k + 1) * n);
        let pivots = &upper[k * n + k + 1..];
        for (row, i) in lower.chunks_exact_mut(n).zip(k + 1..n) {
            let factor = row[k] / pivot;
            row[k] = S::zero();
            if !factor.is_zero() {
                for (entry, &above) in row[k + 1..].iter_mut().zip(pivots) {
                    *entry -= factor * above;
                }
                let above = vector[k];
                vector[i] -= factor * above;
            }
        }
    }
    for k in (0..n).rev() {
        let known = (k + 1..n).fold(S::zero(), |sum, j| sum + matrix[k * n + j] * vector[j]);
        vector[k] = (vector[k] - known) / matrix[k * n + k];
    }
    Ok(())
}
