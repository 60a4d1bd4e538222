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
    assert_eq!(matrix.len(), vector.len() * vector.len(), "a square matrix and a vector of its size");
    factorise(matrix, vector.len(), |k, best| vector.swap(k, best))?;
    substitute(matrix, vector);
    Ok(())
}

/// Replaces A, by rows, by L below the diagonal and U with P A = L U; calls `swapped` with the rows that are interchanged.
fn factorise<S: Scalar>(matrix: &mut [S], n: usize, mut swapped: impl FnMut(usize, usize)) -> Result<(), usize> {
    for k in 0..n {
        let mut scale = S::zero();
        for i in 0..n {
            scale = scale.max(matrix[i * n + k].abs());
        }
        let (mut best, mut largest) = (k, matrix[k * n + k].least_magnitude());
        for i in k + 1..n {
            let size = matrix[i * n + k].least_magnitude();
            if size > largest {
                (best, largest) = (i, size);
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
            swapped(k, best);
        }
        let (upper, lower) = matrix.split_at_mut((k + 1) * n);
        let pivots = &upper[k * n + k + 1..];
        for row in lower.chunks_exact_mut(n) {
            let factor = row[k] / pivot;
            row[k] = factor;
            if !factor.is_zero() {
                for (entry, &above) in row[k + 1..].iter_mut().zip(pivots) {
                    *entry -= factor * above;
                }
            }
        }
    }
    Ok(())
}

/// Solves L U x = b in place.
fn substitute<S: Scalar>(factors: &[S], vector: &mut [S]) {
    let n = vector.len();
    for k in 0..n {
        for j in 0..k {
            let factor = factors[k * n + j];
            if !factor.is_zero() {
                let above = vector[j];
                vector[k] -= factor * above;
            }
        }
    }
    for k in (0..n).rev() {
        let known = (k + 1..n).fold(S::zero(), |sum, j| sum + factors[k * n + j] * vector[j]);
        vector[k] = (vector[k] - known) / factors[k * n + k];
    }
}

/// A square matrix by rows, or its factors P A = L U.
#[cfg(feature = "dynamic")]
#[derive(Clone, Debug)]
pub(crate) struct PivotedLu<S: Scalar> {
    n: usize,
    entries: Vec<S>,
    /// The row of A at each position.
    order: Vec<usize>,
}

#[cfg(feature = "dynamic")]
impl<S: Scalar> PivotedLu<S> {
    /// Allocates an n × n matrix.
    pub(crate) fn zeros(n: usize) -> Self {
        PivotedLu { n, entries: vec![S::zero(); n * n], order: (0..n).collect() }
    }

    /// The number of rows.
    pub(crate) fn size(&self) -> usize {
        self.n
    }

    /// The entries by rows, to be factorised in place.
    pub(crate) fn entries_mut(&mut self) -> &mut [S] {
        &mut self.entries
    }

    /// Factorises the matrix in place.
    ///
    /// # Errors
    /// The column without a pivot, or with a value that is not finite.
    pub(crate) fn factorise(&mut self) -> Result<(), usize> {
        self.order.clear();
        self.order.extend(0..self.n);
        let order = &mut self.order;
        factorise(&mut self.entries, self.n, |k, best| order.swap(k, best))
    }

    /// Solves A x = b; `x` is overwritten by the solution.
    pub(crate) fn solve(&self, b: &[S], x: &mut [S]) {
        for (x, &row) in x.iter_mut().zip(&self.order) {
            *x = b[row];
        }
        substitute(&self.entries, x);
    }

    /// Solves Aᵀ x = b: Uᵀ, then Lᵀ, then the rows in their order; `x` is overwritten by the solution.
    pub(crate) fn solve_transposed(&self, mut b: Vec<S>, x: &mut [S]) {
        for k in 0..self.n {
            let known = (0..k).fold(S::zero(), |sum, j| sum + self[(j, k)] * b[j]);
            b[k] = (b[k] - known) / self[(k, k)];
        }
        for k in (0..self.n).rev() {
            let known = (k + 1..self.n).fold(S::zero(), |sum, j| sum + self[(j, k)] * b[j]);
            b[k] -= known;
        }
        for (&value, &row) in b.iter().zip(&self.order) {
            x[row] = value;
        }
    }
}

#[cfg(feature = "dynamic")]
impl<S: Scalar> core::ops::Index<(usize, usize)> for PivotedLu<S> {
    type Output = S;

    fn index(&self, (row, column): (usize, usize)) -> &S {
        &self.entries[row * self.n + column]
    }
}

#[cfg(feature = "dynamic")]
impl<S: Scalar> core::ops::IndexMut<(usize, usize)> for PivotedLu<S> {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut S {
        &mut self.entries[row * self.n + column]
    }
}
