//! Dense factorisations of matrices whose size is known at run time.

use nalgebra::{DMatrix, DVector};

use crate::scalar::{Mask, Scalar};

/// Calls an inlined function with its first argument, a size. Common sizes are constants: the loops are unrolled, which saves more than half
/// of the instructions of matrices with few rows. Nothing is to be done for size 0.
macro_rules! unrolled {
    ($($function:ident)::+($size:expr, $($argument:expr),*)) => {
        match $size {
            0 => {}
            1 => $($function)::+(1, $($argument),*),
            2 => $($function)::+(2, $($argument),*),
            3 => $($function)::+(3, $($argument),*),
            6 => $($function)::+(6, $($argument),*),
            size => $($function)::+(size, $($argument),*),
        }
    };
}

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

    /// Solves A X = B in place, B by rows of `width` entries.
    pub fn solve(&self, width: usize, x: &mut [S]) {
        unrolled!(Self::solve_of_width(width, self, x));
    }

    #[inline(always)]
    fn solve_of_width(width: usize, Cholesky { factors, ends }: &Self, x: &mut [S]) {
        let (n, columns) = (ends.len(), factors.as_slice());
        for (k, &end) in ends.iter().enumerate() {
            // The slices cost more than the operations of a column without nonzeros below the diagonal.
            if end > k + 1 {
                let (known, below) = x[k * width..end * width].split_at_mut(width);
                for (x, &factor) in below.chunks_exact_mut(width).zip(&columns[k * n + k + 1..k * n + end]) {
                    x.iter_mut().zip(&*known).for_each(|(x, &known)| *x -= factor * known);
                }
            }
        }
        for (k, &end) in ends.iter().enumerate().rev() {
            let (x, below) = x[k * width..end * width].split_at_mut(width);
            let (pivot, factors) = (columns[k * n + k], &columns[k * n + k + 1..k * n + end]);
            for x in &mut *x {
                *x /= pivot;
            }
            if !factors.is_empty() {
                for (at, x) in x.iter_mut().enumerate() {
                    let terms = factors.iter().zip(below.chunks_exact(width));
                    *x -= terms.fold(S::zero(), |sum, (&factor, below)| sum + factor * below[at]);
                }
            }
        }
    }
}

/// A x.
pub(super) fn times<S: Scalar>(a: &DMatrix<S>, x: &DVector<S>, out: &mut DVector<S>) {
    unrolled!(times_of_rows(a.nrows(), a.as_slice(), x.as_slice(), out.as_mut_slice()));
}

#[inline(always)]
fn times_of_rows<S: Scalar>(rows: usize, a: &[S], x: &[S], out: &mut [S]) {
    let out = &mut out[..rows];
    out.fill(S::zero());
    for (column, &factor) in a.chunks_exact(rows).zip(x) {
        out.iter_mut().zip(column).for_each(|(sum, &entry)| *sum += entry * factor);
    }
}

/// A Bᵀ by rows, from the columns of A and B.
pub(super) fn times_transpose<S: Scalar>(rows: usize, a: &[S], b: &[S], out: &mut [S]) {
    unrolled!(times_transpose_of_rows(rows, a, b, out));
}

#[inline(always)]
fn times_transpose_of_rows<S: Scalar>(rows: usize, a: &[S], b: &[S], out: &mut [S]) {
    let out = &mut out[..rows * rows];
    out.fill(S::zero());
    for (a, b) in a.chunks_exact(rows).zip(b.chunks_exact(rows)) {
        for (sums, &factor) in out.chunks_exact_mut(rows).zip(a) {
            sums.iter_mut().zip(b).for_each(|(sum, &entry)| *sum += factor * entry);
        }
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
    let mut out = DMatrix::from_element(a.nrows(), b.ncols(), S::zero());
    unrolled!(add_product_of_rows(a.nrows(), a.as_slice(), b, out.as_mut_slice()));
    out
}

#[inline(always)]
fn add_product_of_rows<S: Scalar>(rows: usize, a: &[S], b: &DMatrix<S>, out: &mut [S]) {
    for (sums, factors) in out.chunks_exact_mut(rows).zip(b.as_slice().chunks_exact(b.nrows().max(1))) {
        for (column, &factor) in a.chunks_exact(rows).zip(factors) {
            if !factor.is_zero() {
                sums.iter_mut().zip(column).for_each(|(sum, &entry)| *sum += entry * factor);
            }
        }
    }
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
        cholesky.solve(1, solved.as_mut_slice());
        assert!((&solved - &x).norm() < 1e-14);
        // Four right-hand sides, one of which is b.
        let mut several: Vec<f64> = b.iter().flat_map(|&entry| [1.0, entry, 0.0, -2.0 * entry]).collect();
        cholesky.solve(4, &mut several);
        assert!((0..3).all(|row| several[4 * row + 1] == solved[row] && several[4 * row + 3] == -2.0 * solved[row]));
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
