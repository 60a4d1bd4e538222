//! Band matrices by triangular factors: the linear systems of chains, in O(n).

mod natural_order;
mod partial_pivoting;
#[cfg(test)]
mod tests;
mod triangular_solve;

use super::{PivotError, lost_pivot};
use crate::scalar::Scalar;

/// The L U factors of a band matrix, stored for many right-hand sides. It allocates only in the constructor.
///
/// The pattern is an envelope: `reach[k]` is the number of entries below the diagonal in column k, and to the right of the diagonal in
/// row k. Elimination in the natural order costs Σ reach² multiplications. It continues as long as no pivot is so small that half of the
/// digits could be lost. The size of an entry (i, j) is compared with √|aᵢᵢ aⱼⱼ|, which makes the test independent of units. A row
/// without a diagonal entry counts as a constraint, and its pivot is a pivot of B A⁻¹ Bᵀ. After an unsafe pivot the elimination restarts
/// with scaled partial pivoting, in a band that is wider by one half. The following matrices use partial pivoting at once.
///
/// ```
/// use lie_runtime::solve::BandedLu;
///
/// let mut factors = BandedLu::<f64>::new(&[1, 1, 0]);
/// factors.factorise(|matrix| {
///     for (row, column, entry) in [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0), (1, 2, 1.0), (2, 1, 1.0), (2, 2, 2.0)] {
///         matrix.add(row, column, entry);
///     }
/// })?;
/// let mut x = [4.0, 8.0, 8.0];
/// factors.solve(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15 && (x[2] - 3.0).abs() < 1e-15);
/// # Ok::<(), lie_runtime::solve::PivotError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BandedLu<S> {
    /// The number of entries below the diagonal in column k, and to the right of the diagonal in row k.
    reach: Vec<u32>,
    /// The number of entries to the left of the diagonal in row k, and above the diagonal in column k.
    before: Vec<u32>,
    /// The largest reach: entry (i, j) is at `(i - origin) width + j - i + band`.
    band: usize,
    /// The length of a stored row.
    width: usize,
    /// The first stored row.
    origin: usize,
    /// The rows, one after another, with space for the rows of the pivoted band.
    values: Vec<S>,
    /// The columns of L below its diagonal, each up to its reach, after elimination without interchanges; `upper` has the rows of U in
    /// the same format.
    lower: Vec<S>,
    upper: Vec<S>,
    inverse_pivots: Vec<S>,
    /// The sum of the absolute values of the terms of each diagonal entry, from row `origin` on.
    scales: Vec<f64>,
    /// 1/√ of the natural size of each diagonal entry, from row `origin` on.
    weights: Vec<f64>,
    /// The scales of the columns.
    column_scales: Vec<f64>,
    /// The row that was exchanged with row k.
    exchanged: Vec<usize>,
    /// The index of row k before all interchanges.
    order: Vec<usize>,
    is_permuted: bool,
}

/// The lengths of updated rows are multiples of it; entries beyond the band are stored as zeros.
const CHUNK: usize = 2;

/// The least multiple of [`CHUNK`] that is not less than the argument.
fn padded(length: usize) -> usize {
    length.div_ceil(CHUNK) * CHUNK
}

impl<S: Scalar> BandedLu<S> {
    /// Returns an empty matrix; `reach[k]` is the distance of the last entry of column k (and of row k) from the diagonal.
    ///
    /// The constructor allows for fill-in: a column reaches at least as far as the column before it.
    #[inline(never)]
    pub fn new(reach: &[usize]) -> Self {
        let size = reach.len();
        let mut reach = reach.to_vec();
        let mut end = 0;
        for (k, reach) in reach.iter_mut().enumerate() {
            end = end.max(k + *reach).min(size.saturating_sub(1));
            *reach = end.max(k) - k;
        }
        let mut before = vec![0; size];
        let mut column = 0;
        for (row, before) in before.iter_mut().enumerate() {
            while column + reach[column] < row {
                column += 1;
            }
            *before = row - column;
        }
        let short = |lengths: Vec<usize>| lengths.into_iter().map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        let band = reach.iter().copied().max().unwrap_or(0);
        let entries = reach.iter().sum::<usize>() + CHUNK;
        BandedLu {
            reach: short(reach).collect(),
            before: short(before).collect(),
            band,
            width: band + 1 + padded(band),
            origin: 0,
            lower: vec![S::zero(); entries],
            upper: vec![S::zero(); entries],
            values: vec![S::zero(); size * (band + 1 + padded(2 * band))],
            inverse_pivots: vec![S::zero(); size],
            scales: vec![0.0; size],
            weights: vec![0.0; size],
            column_scales: vec![0.0; size],
            exchanged: vec![0; size],
            order: vec![0; size],
            is_permuted: false,
        }
    }

    #[inline]
    fn reach(&self, k: usize) -> usize {
        self.reach[k] as usize
    }

    /// The first column of row k.
    #[inline]
    fn first(&self, k: usize) -> usize {
        k - self.before[k] as usize
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.reach.len()
    }

    /// The distance of the last entry from the diagonal.
    pub fn bandwidth(&self) -> usize {
        self.band
    }

    /// True if the last matrix was factorised with interchanges.
    pub(crate) fn is_permuted(&self) -> bool {
        self.is_permuted
    }

    /// Adds to an entry within the band.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: S) {
        let position = self.position(row, column);
        self.values[position] += value;
    }

    /// The position of an entry within the band in [`values_mut`](Self::values_mut). The entry to its right follows; the entry below it
    /// is at a distance of [`stride`](Self::stride).
    #[inline]
    pub fn position(&self, row: usize, column: usize) -> usize {
        (row - self.origin) * self.width + column + self.band - row
    }

    /// The distance between two adjacent entries of a column.
    #[inline]
    pub fn stride(&self) -> usize {
        self.width - 1
    }

    /// The stored values, for additions.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [S] {
        &mut self.values
    }

    /// Factorises the matrix that `assemble` adds to zeros. `assemble` is called twice if the natural order is not safe.
    ///
    /// # Errors
    /// [`PivotError`] if the matrix is singular or an entry is not finite.
    #[inline]
    pub fn factorise(&mut self, assemble: impl Fn(&mut Self)) -> Result<(), PivotError> {
        self.factorise_in_panels(&[self.size()], |matrix, _| assemble(matrix))
    }

    /// Factorises a matrix that `assemble` adds section by section. Section i completes the rows before `ends[i]`, and may add to as many
    /// rows after them as the band is wide. Each section is eliminated while it is in the nearest cache.
    ///
    /// # Errors
    /// As for [`factorise`](Self::factorise).
    #[inline]
    pub(crate) fn factorise_in_panels(
        &mut self,
        ends: &[usize],
        mut assemble: impl FnMut(&mut Self, usize),
    ) -> Result<(), PivotError> {
        if !self.is_permuted && self.eliminate(ends, &mut assemble) {
            return Ok(());
        }
        self.is_permuted = true;
        self.width = self.band + 1 + padded(2 * self.band);
        self.origin = 0;
        self.clear(0..self.size());
        (0..ends.len()).for_each(|number| assemble(self, number));
        let outcome = self.eliminate_with_pivoting();
        if outcome.is_err() {
            self.is_permuted = false;
            self.width = self.band + 1 + padded(self.band);
        }
        outcome
    }

    /// Factorises a symmetric positive definite matrix, without interchanges.
    ///
    /// # Errors
    /// The first row whose pivot is not positive.
    pub fn factorise_definite(&mut self, assemble: impl Fn(&mut Self)) -> Result<(), usize> {
        let is_safe = self.eliminate(&[self.size()], &mut |matrix: &mut Self, _| assemble(matrix));
        let negative = |inverse: &S| !(inverse.is_finite() && inverse.value() > 0.0);
        match self.inverse_pivots.iter().position(negative) {
            Some(row) => Err(row),
            None if is_safe => Ok(()),
            None => Err(self.first_lost_pivot().unwrap_or(0)),
        }
    }

    /// The first row whose pivot is lost to cancellation.
    fn first_lost_pivot(&self) -> Option<usize> {
        let lost = lost_pivot::<S>();
        (0..self.size()).find(|&k| 1.0 / self.inverse_pivots[k].value().abs() <= lost * self.scales[k])
    }

    /// Sets the given rows to zero.
    fn clear(&mut self, rows: core::ops::Range<usize>) {
        let start = (rows.start - self.origin) * self.width;
        self.values[start..start + rows.len() * self.width].fill(S::zero());
    }

    /// Solves for several right-hand sides, each of `size` values.
    #[inline(never)]
    pub fn solve(&self, right_hand_sides: &mut [S]) {
        for x in right_hand_sides.chunks_exact_mut(self.size().max(1)) {
            if self.is_permuted {
                self.solve_permuted(x);
            } else {
                self.solve_natural(x);
            }
        }
    }

    /// Solves the transposed systems.
    #[inline]
    pub fn solve_transposed(&self, right_hand_sides: &mut [S]) {
        for x in right_hand_sides.chunks_exact_mut(self.size().max(1)) {
            if self.is_permuted {
                self.solve_permuted_transposed(x);
            } else {
                self.solve_natural_transposed(x);
            }
        }
    }
}

/// The inner product of slices of equal length, in four independent sums.
#[inline]
fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let mut sums = [S::zero(); 4];
    let ((fours, a), (other_fours, b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    for (a, b) in fours.iter().zip(other_fours) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let ((twos, a), (other_twos, b)) = (a.as_chunks::<2>(), b.as_chunks::<2>());
    if let ([a], [b]) = (twos, other_twos) {
        sums[0] += a[0] * b[0];
        sums[1] += a[1] * b[1];
    }
    if let ([a], [b]) = (a, b) {
        sums[2] += *a * *b;
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}
