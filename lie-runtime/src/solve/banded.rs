//! Band matrices by triangular factors: the linear systems of chains, in O(n).

use super::round_off;
use crate::scalar::Scalar;

/// In the natural order a pivot has to be at least this multiple of the largest entry below it.
const SAFE_PIVOT: f64 = 1e-2;
/// A pivot under this multiple of its scale is what cancellation has left of zero (see
/// [`SINGULAR_PIVOT`](super::SINGULAR_PIVOT)).
const LOST_PIVOT: f64 = super::SINGULAR_PIVOT;
/// Rows are updated that many entries at a time; what is beyond the band is stored as zeros.
const CHUNK: usize = 4;

/// Why a band matrix has no factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandError {
    /// The rows from this one on depend on the rows before them (the first one by its number before interchanges).
    Singular {
        /// The row.
        row: usize,
    },
    /// A NaN or an infinity.
    NotFinite,
}

/// L U of a band matrix, kept for many right-hand sides; allocates nothing once it is made.
///
/// The pattern is an envelope: how far the entries of column k reach below the diagonal, the same for those of row k on
/// its right. Elimination keeps the natural order as long as every pivot is at least 1/100 of the largest entry below
/// it, and costs Σ reach². Otherwise it starts again with scaled partial pivoting, which needs a band half as wide
/// again, and goes on that way with the matrices that follow.
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
/// # Ok::<(), lie_runtime::solve::BandError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BandedLu<S> {
    /// How far column k reaches below the diagonal and row k beyond it.
    reach: Vec<usize>,
    /// The first column of each row.
    first: Vec<usize>,
    /// The largest reach: entry (i, j) stands at `i width + j - i + band`.
    band: usize,
    /// The length of a stored row.
    width: usize,
    /// Rows one after the other, with room for those of the pivoted band.
    values: Vec<S>,
    inverse_pivots: Vec<S>,
    /// Σ of the absolute values that a diagonal entry is the sum of.
    scales: Vec<f64>,
    /// The scales of the columns.
    column_scales: Vec<f64>,
    /// The row that was exchanged with row k.
    exchanged: Vec<usize>,
    /// The number that row k had before all interchanges.
    order: Vec<usize>,
    is_permuted: bool,
}

/// Of elimination without interchanges: whether a pivot is what cancellation has left of `scale`, and how large the
/// entries below it may be.
#[inline]
pub(crate) fn pivot_bounds<S: Scalar>(pivot: S, scale: f64) -> (bool, f64) {
    let size = pivot.value().abs();
    let lost = LOST_PIVOT * (round_off::<S>() / f64::EPSILON);
    // NaN is not above anything.
    let is_kept = size > lost * scale;
    (!is_kept, size / SAFE_PIVOT)
}

/// The multiple of [`CHUNK`] that is not less.
fn padded(length: usize) -> usize {
    length.div_ceil(CHUNK) * CHUNK
}

impl<S: Scalar> BandedLu<S> {
    /// A matrix to be filled; `reach[k]` is the distance of the last entry of column k (and of row k) from the diagonal.
    ///
    /// Fill-in is accounted for: a column reaches at least as far as the one before it.
    pub fn new(reach: &[usize]) -> Self {
        let size = reach.len();
        let mut reach = reach.to_vec();
        let mut end = 0;
        for (k, reach) in reach.iter_mut().enumerate() {
            end = end.max(k + *reach).min(size.saturating_sub(1));
            *reach = end.max(k) - k;
        }
        let mut first = vec![0; size];
        let mut column = 0;
        for (row, first) in first.iter_mut().enumerate() {
            while column + reach[column] < row {
                column += 1;
            }
            *first = column;
        }
        let band = reach.iter().copied().max().unwrap_or(0);
        BandedLu {
            reach,
            first,
            band,
            width: band + 1 + padded(band),
            values: vec![S::zero(); size * (band + 1 + padded(2 * band))],
            inverse_pivots: vec![S::zero(); size],
            scales: vec![0.0; size],
            column_scales: vec![0.0; size],
            exchanged: vec![0; size],
            order: vec![0; size],
            is_permuted: false,
        }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.reach.len()
    }

    /// The distance of the last entry from the diagonal.
    pub fn bandwidth(&self) -> usize {
        self.band
    }

    /// True if the last matrix has not been factorised in its natural order.
    pub(crate) fn is_permuted(&self) -> bool {
        self.is_permuted
    }

    /// Adds to an entry within the band.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: S) {
        self.values[row * self.width + column + self.band - row] += value;
    }

    /// Where an entry within the band stands among [`values_mut`](Self::values_mut); the entry to its right is the next
    /// one, the entry below it [`stride`](Self::stride) further.
    #[inline]
    pub fn position(&self, row: usize, column: usize) -> usize {
        row * self.width + column + self.band - row
    }

    /// The distance of two entries of a column.
    #[inline]
    pub fn stride(&self) -> usize {
        self.width - 1
    }

    /// The stored numbers, to be added to.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [S] {
        &mut self.values
    }

    /// Factorises the matrix that `assemble` adds to zeros; called twice if the natural order will not do.
    ///
    /// # Errors
    /// [`BandError`] if the matrix is singular or a number is not finite.
    #[inline]
    pub fn factorise(&mut self, assemble: impl Fn(&mut Self)) -> Result<(), BandError> {
        if !self.is_permuted {
            self.clear();
            assemble(self);
            if self.eliminate() {
                return Ok(());
            }
        }
        self.is_permuted = true;
        self.width = self.band + 1 + padded(2 * self.band);
        self.clear();
        assemble(self);
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
        self.clear();
        assemble(self);
        let is_safe = self.eliminate();
        let negative = |inverse: &S| !(inverse.is_finite() && inverse.value() > 0.0);
        match self.inverse_pivots.iter().position(negative) {
            Some(row) => Err(row),
            None if is_safe => Ok(()),
            None => Err(self.lost_pivot().unwrap_or(0)),
        }
    }

    /// The first row whose pivot is what cancellation has left.
    fn lost_pivot(&self) -> Option<usize> {
        let lost = LOST_PIVOT * (round_off::<S>() / f64::EPSILON);
        (0..self.size()).find(|&k| 1.0 / self.inverse_pivots[k].value().abs() <= lost * self.scales[k])
    }

    fn clear(&mut self) {
        let used = self.size() * self.width;
        self.values[..used].fill(S::zero());
    }

    /// Elimination in the natural order; false if a pivot is not safe.
    fn eliminate(&mut self) -> bool {
        match padded(self.band) {
            4 => self.eliminate_rows::<4>(),
            8 => self.eliminate_rows::<8>(),
            12 => self.eliminate_rows::<12>(),
            16 => self.eliminate_rows::<16>(),
            20 => self.eliminate_rows::<20>(),
            24 => self.eliminate_rows::<24>(),
            28 => self.eliminate_rows::<28>(),
            32 => self.eliminate_rows::<32>(),
            _ => self.eliminate_rows::<0>(),
        }
    }

    /// The same with `COLUMNS` entries beside every pivot, those beyond the envelope being zeros; with as many as the
    /// envelope has if `COLUMNS` is 0.
    fn eliminate_rows<const COLUMNS: usize>(&mut self) -> bool {
        let (band, width) = (self.band, self.width);
        for (scale, row) in self.scales.iter_mut().zip(self.values.chunks_exact(width)) {
            *scale = row[band].value().abs();
        }
        let mut is_safe = true;
        let columns = self.reach.iter().zip(&mut self.inverse_pivots).enumerate();
        for (k, (&reach, inverse_pivot)) in columns {
            let (above, below) = self.values.split_at_mut((k + 1) * width);
            let pivot_row = &above[k * width + band..];
            let pivot = pivot_row[0];
            let inverse = S::one() / pivot;
            *inverse_pivot = inverse;
            let (scale, scales) = self.scales[k..=k + reach].split_at_mut(1);
            let (is_lost, bound) = pivot_bounds(pivot, scale[0]);
            is_safe &= !is_lost;
            let columns = if COLUMNS == 0 { padded(reach) } else { COLUMNS };
            let pivot_row = &pivot_row[1..=columns];
            for (i, (row, scale)) in below.chunks_exact_mut(width).zip(scales).enumerate() {
                let (entry, row) = row[band - 1 - i..=band - 1 - i + columns].split_at_mut(1);
                is_safe &= entry[0].value().abs() <= bound;
                let factor = entry[0] * inverse;
                entry[0] = factor;
                *scale += (factor * pivot_row[i]).value().abs();
                if COLUMNS == 0 {
                    subtract(row, factor, pivot_row);
                } else if let (Some(row), Some(pivot_row)) =
                    (row.first_chunk_mut::<COLUMNS>(), pivot_row.first_chunk::<COLUMNS>())
                {
                    for (entry, &above) in row.iter_mut().zip(pivot_row) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        is_safe && self.inverse_pivots.iter().all(|inverse| inverse.is_finite())
    }

    /// The scale of each row: 1/√|aᵢᵢ| where there is a diagonal entry; elsewhere (the row of a constraint) the size of
    /// the row in these units.
    fn scale_rows(&mut self) {
        let (band, width, size) = (self.band, self.width, self.size());
        for k in 0..size {
            let diagonal = self.values[k * width + band].value().abs();
            self.scales[k] = if diagonal > 0.0 { 1.0 / diagonal.sqrt() } else { 0.0 };
        }
        for k in 0..size {
            if self.values[k * width + band].value() == 0.0 {
                let columns = self.first[k]..=k + self.reach[k];
                let sum: f64 = columns
                    .filter(|&column| self.values[column * width + band].value() != 0.0)
                    .map(|column| (self.values[k * width + band + column - k].value() * self.scales[column]).powi(2))
                    .sum();
                self.scales[k] = if sum > 0.0 { 1.0 / sum.sqrt() } else { 0.0 };
            }
        }
    }

    /// Elimination with scaled partial pivoting.
    #[cold]
    #[inline(never)]
    fn eliminate_with_pivoting(&mut self) -> Result<(), BandError> {
        let (band, width, size) = (self.band, self.width, self.size());
        if !self.values[..size * width].iter().all(|entry| entry.is_finite()) {
            return Err(BandError::NotFinite);
        }
        self.scale_rows();
        if let Some(row) = self.scales.iter().position(|&scale| scale == 0.0 || !scale.is_finite()) {
            return Err(BandError::Singular { row });
        }
        self.column_scales.copy_from_slice(&self.scales);
        let lost = LOST_PIVOT * (round_off::<S>() / f64::EPSILON);
        for (k, row) in self.order.iter_mut().enumerate() {
            *row = k;
        }
        for k in 0..size {
            let reach = band.min(size - 1 - k);
            let ratio = |values: &[S], scales: &[f64], i: usize| {
                values[(k + i) * width + band - i].value().abs() * scales[k + i]
            };
            let mut best = 0;
            for i in 1..=reach {
                if ratio(&self.values, &self.scales, i) > ratio(&self.values, &self.scales, best) {
                    best = i;
                }
            }
            // NaN is not above anything.
            let is_pivot = ratio(&self.values, &self.scales, best) * self.column_scales[k] > lost;
            if !is_pivot {
                let row = self.order[k..=k + reach].iter().copied().min().unwrap_or(k);
                return Err(BandError::Singular { row });
            }
            self.exchanged[k] = k + best;
            self.order.swap(k, k + best);
            self.scales.swap(k, k + best);
            let columns = padded(2 * band);
            let (above, below) = self.values.split_at_mut((k + 1) * width);
            let pivot_row = &mut above[k * width + band..][..=columns];
            if best > 0 {
                pivot_row.swap_with_slice(&mut below[(best - 1) * width + band - best..][..=columns]);
            }
            let inverse = S::one() / pivot_row[0];
            self.inverse_pivots[k] = inverse;
            for i in 1..=reach {
                let row = &mut below[(i - 1) * width + band - i..][..=columns];
                let factor = row[0] * inverse;
                row[0] = factor;
                if factor != S::zero() {
                    for (entry, &above) in row[1..].iter_mut().zip(&pivot_row[1..]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        if self.inverse_pivots.iter().all(|inverse| inverse.is_finite()) { Ok(()) } else { Err(BandError::NotFinite) }
    }

    /// Solves for one right-hand side after the other, each of `size` numbers.
    #[inline]
    pub fn solve(&self, right_hand_sides: &mut [S]) {
        for x in right_hand_sides.chunks_exact_mut(self.size().max(1)) {
            if self.is_permuted {
                self.solve_permuted(x);
            } else {
                self.solve_natural(x);
            }
        }
    }

    fn solve_natural(&self, x: &mut [S]) {
        let (band, width) = (self.band, self.width);
        for k in 0..x.len() {
            let first = self.first[k];
            let row = &self.values[k * width + band + first - k..k * width + band];
            let (known, rest) = x.split_at_mut(k);
            rest[0] -= dot(row, &known[first..]);
        }
        for k in (0..x.len()).rev() {
            let reach = self.reach[k];
            let row = &self.values[k * width + band + 1..][..reach];
            let (unknown, known) = x.split_at_mut(k + 1);
            unknown[k] = (unknown[k] - dot(row, &known[..reach])) * self.inverse_pivots[k];
        }
    }

    #[cold]
    fn solve_permuted(&self, x: &mut [S]) {
        let (band, width, size) = (self.band, self.width, self.size());
        for k in 0..size {
            x.swap(k, self.exchanged[k]);
            for i in 1..=band.min(size - 1 - k) {
                let update = self.values[(k + i) * width + band - i] * x[k];
                x[k + i] -= update;
            }
        }
        for k in (0..size).rev() {
            let reach = (2 * band).min(size - 1 - k);
            let row = &self.values[k * width + band + 1..][..reach];
            let (unknown, known) = x.split_at_mut(k + 1);
            unknown[k] = (unknown[k] - dot(row, &known[..reach])) * self.inverse_pivots[k];
        }
    }
}

/// `row -= factor above`, both of a multiple of [`CHUNK`] entries.
#[inline]
fn subtract<S: Scalar>(row: &mut [S], factor: S, above: &[S]) {
    for (row, above) in row.chunks_exact_mut(CHUNK).zip(above.chunks_exact(CHUNK)) {
        for lane in 0..CHUNK {
            row[lane] -= factor * above[lane];
        }
    }
}

/// The inner product, in four sums that do not wait for one another.
#[inline]
fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let mut sums = [S::zero(); CHUNK];
    let (a_chunks, b_chunks) = (a.chunks_exact(CHUNK), b.chunks_exact(CHUNK));
    let mut rest = S::zero();
    for (&a, &b) in a_chunks.remainder().iter().zip(b_chunks.remainder()) {
        rest += a * b;
    }
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..CHUNK {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
