//! Dense factorisations of matrices whose size is known at run time.

use nalgebra::{DMatrix, DVector};

use crate::scalar::{Mask, Scalar};

/// L D Lᵀ with the unit lower triangle L.
#[derive(Clone, Debug)]
pub(super) struct Cholesky<S: Scalar> {
    /// L below the diagonal, D on it.
    factors: DMatrix<S>,
    /// The end of the nonzeros of each column: mass matrices are often diagonal or have small blocks.
    ends: Vec<usize>,
}

impl<S: Scalar> Cholesky<S> {
    /// Allocates factors of an n × n matrix.
    pub fn zeros(n: usize) -> Self {
        Cholesky { factors: DMatrix::from_element(n, n, S::zero()), ends: vec![n; n] }
    }

    /// The matrix to be factorised in place, of which the lower triangle is read.
    pub fn matrix_mut(&mut self) -> &mut DMatrix<S> {
        &mut self.factors
    }

    /// Factorises the matrix in place.
    ///
    /// # Errors
    /// The first column whose pivot is not positive, or is round-off of its diagonal entry.
    pub fn factorise(&mut self) -> Result<(), usize> {
        let n = self.factors.nrows();
        for column in 0..n {
            let (earlier, rest) = self.factors.as_mut_slice().split_at_mut(column * n);
            let entries = &mut rest[column..n];
            let diagonal = entries[0];
            for (k, (factors, &end)) in earlier.chunks_exact(n.max(1)).zip(&self.ends).enumerate() {
                if column < end {
                    // Entries below the end of a column are zero.
                    let weight = factors[column] * factors[k];
                    entries
                        .iter_mut()
                        .zip(&factors[column..end])
                        .for_each(|(entry, &factor)| *entry -= factor * weight);
                }
            }
            let pivot = entries[0];
            let least = S::from_f64(4.0 * n as f64 * S::epsilon()) * diagonal;
            if !pivot.is_finite() || !(S::zero().lt(pivot) & least.lt(pivot)).all() {
                return Err(column);
            }
            entries[1..].iter_mut().for_each(|entry| *entry /= pivot);
            self.ends[column] = column + entries.iter().rposition(|entry| !entry.is_zero()).unwrap_or(0) + 1;
        }
        Ok(())
    }

    /// Solves A x = b in place.
    pub fn solve(&self, x: &mut [S]) {
        let n = x.len();
        let columns = self.factors.as_slice();
        for (k, &end) in self.ends.iter().enumerate() {
            let (known, below) = x[k..end].split_at_mut(1);
            let column = &columns[k * n + k + 1..k * n + end];
            below.iter_mut().zip(column).for_each(|(x, &factor)| *x -= factor * known[0]);
        }
        for (k, &end) in self.ends.iter().enumerate().rev() {
            let column = &columns[k * n + k..k * n + end];
            let (first, below) = x[k..end].split_at_mut(1);
            let sum = column[1..].iter().zip(below).fold(S::zero(), |sum, (&factor, x)| sum + factor * *x);
            first[0] = first[0] / column[0] - sum;
        }
    }
}

/// A x.
pub(super) fn times<S: Scalar>(a: &DMatrix<S>, x: &DVector<S>, out: &mut DVector<S>) {
    out.fill(S::zero());
    for (column, &factor) in a.as_slice().chunks_exact(a.nrows().max(1)).zip(x.as_slice()) {
        out.as_mut_slice().iter_mut().zip(column).for_each(|(sum, &entry)| *sum += entry * factor);
    }
}

/// Aᵀ x.
pub(super) fn transpose_times<S: Scalar>(a: &DMatrix<S>, x: &DVector<S>, out: &mut DVector<S>) {
    out.fill(S::zero());
    for (column, sum) in a.as_slice().chunks_exact(a.nrows().max(1)).zip(out.as_mut_slice()) {
        *sum = column.iter().zip(x.as_slice()).fold(S::zero(), |sum, (&entry, &factor)| sum + entry * factor);
    }
}

/// A B; zeros of B are skipped.
pub(super) fn product<S: Scalar>(a: &DMatrix<S>, b: &DMatrix<S>) -> DMatrix<S> {
    let (rows, inner) = (a.nrows(), a.ncols());
    let mut out = DMatrix::from_element(rows, b.ncols(), S::zero());
    if rows > 0 && inner > 0 {
        for (sums, factors) in out.as_mut_slice().chunks_exact_mut(rows).zip(b.as_slice().chunks_exact(inner)) {
            for (column, &factor) in a.as_slice().chunks_exact(rows).zip(factors) {
                if !factor.is_zero() {
                    sums.iter_mut().zip(column).for_each(|(sum, &entry)| *sum += entry * factor);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::PivotedLu;

    #[test]
    fn factors_solve_their_systems() {
        let a = DMatrix::from_row_slice(3, 3, &[4.0, 1.0, -2.0, 1.0, 3.0, 0.5, -2.0, 0.5, 5.0]);
        let x = DVector::from_vec(vec![1.0, -2.0, 3.0]);
        let mut b = DVector::zeros(3);
        times(&a, &x, &mut b);
        let mut cholesky = Cholesky::zeros(3);
        cholesky.matrix_mut().copy_from(&a);
        cholesky.factorise().unwrap();
        let mut solved = b.clone();
        cholesky.solve(solved.as_mut_slice());
        assert!((&solved - &x).norm() < 1e-14);
        // Rows whose first pivot is zero.
        let c = DMatrix::from_row_slice(3, 3, &[0.0, 2.0, 1.0, 3.0, 1.0, -1.0, 1.0, 1.0, 1.0]);
        times(&c, &x, &mut b);
        let mut lu = PivotedLu::zeros(3);
        lu.entries_mut().copy_from_slice(c.transpose().as_slice());
        lu.factorise().unwrap();
        lu.solve(b.as_slice(), solved.as_mut_slice());
        assert!((&solved - &x).norm() < 1e-14);
        let mut lu = PivotedLu::zeros(2);
        lu.entries_mut().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(lu.factorise(), Err(1));
        cholesky.matrix_mut().fill(1.0);
        assert_eq!(cholesky.factorise(), Err(1));
    }
}
