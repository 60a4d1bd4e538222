//! Elimination in the natural order, and the test of its pivots.
//!
//! A pivot may be small compared with the entries of its row and column if rows are not interchanged. The terms that are subtracted for
//! it then dominate the entries of the matrix. Let oᵢ be the natural size of the diagonal entry i, see [`BandedLu::find_size`]. The entry
//! (i, j) has the natural size √(oᵢ oⱼ) in any units of the unknowns. A pivot is accepted if no update exceeds the natural size of its
//! entry by more than the factor [`growth_limit`]. For chains the updates grow with the number of nodes: each node carries the mass of
//! the eliminated nodes.

use core::any::Any;

use super::{BandedLu, CHUNK, padded};
use crate::scalar::Scalar;
use crate::solve::{lost_pivot, round_off};

/// The largest ratio of an update to the natural size of its entry: half of the digits are left, and two more.
fn growth_limit<S: Scalar>() -> f64 {
    0.01 / round_off::<S>().sqrt()
}

/// Calls a method for a number of columns that is known at compile time, rounded up; the last argument is the fallback for more columns.
macro_rules! unrolled {
    ($self:ident.$method:ident($k:expr, $columns:expr, $kept:expr) or $wide:expr) => {
        match $columns.div_ceil(CHUNK) {
            0 => $self.$method::<0>($k, $kept),
            1 => $self.$method::<2>($k, $kept),
            2 => $self.$method::<4>($k, $kept),
            3 => $self.$method::<6>($k, $kept),
            4 => $self.$method::<8>($k, $kept),
            5 => $self.$method::<10>($k, $kept),
            6 => $self.$method::<12>($k, $kept),
            7 => $self.$method::<14>($k, $kept),
            8 => $self.$method::<16>($k, $kept),
            9 => $self.$method::<18>($k, $kept),
            10 => $self.$method::<20>($k, $kept),
            11 => $self.$method::<22>($k, $kept),
            12 => $self.$method::<24>($k, $kept),
            _ => $wide,
        }
    };
}

/// The progress of an elimination.
#[derive(Default)]
struct EliminationProgress {
    /// The next unknown.
    column: usize,
    /// The number of rows with a known natural size.
    sized: usize,
    /// The number of stored values of L, which equals the number of stored values of U.
    kept: usize,
}

/// [`BandedLu::eliminate_within`] for `f64`. It is not generic, so that this crate contains its code.
#[inline(never)]
fn eliminate_within_in_f64(matrix: &mut BandedLu<f64>, end: usize, progress: &mut EliminationProgress) -> bool {
    matrix.eliminate_unknowns(end, progress)
}

impl<S: Scalar> BandedLu<S> {
    /// Eliminates in the natural order, section by section; false if a pivot is not safe.
    #[inline]
    pub(super) fn eliminate(&mut self, ends: &[usize], assemble: &mut impl FnMut(&mut Self, usize)) -> bool {
        let (size, mut is_safe) = (self.size(), true);
        let (mut progress, mut cleared) = (EliminationProgress::default(), 0);
        self.origin = 0;
        for (number, &end) in ends.iter().enumerate() {
            self.move_to(progress.column, cleared);
            let begun = size.min(end + self.band);
            self.clear(cleared..begun);
            cleared = begun;
            assemble(self, number);
            is_safe &= self.eliminate_within(end, &mut progress);
        }
        is_safe && self.inverse_pivots.iter().all(|inverse| inverse.is_finite())
    }

    /// Makes `row` the first stored row; the rows after it up to `end` stay.
    fn move_to(&mut self, row: usize, end: usize) {
        let rows = row - self.origin..end - self.origin;
        self.values.copy_within(rows.start * self.width..rows.end * self.width, 0);
        self.scales.copy_within(rows.clone(), 0);
        self.weights.copy_within(rows, 0);
        self.origin = row;
    }

    /// Eliminates the unknowns before `end`, whose reach contains only complete rows, and stores their factors; false if a pivot is not
    /// safe.
    fn eliminate_within(&mut self, end: usize, progress: &mut EliminationProgress) -> bool {
        if const { S::IS_F64 } {
            let matrix: &mut dyn Any = self;
            return matrix.downcast_mut().is_some_and(|matrix| eliminate_within_in_f64(matrix, end, progress));
        }
        self.eliminate_unknowns(end, progress)
    }

    fn eliminate_unknowns(&mut self, end: usize, progress: &mut EliminationProgress) -> bool {
        let EliminationProgress { column, sized, kept } = progress;
        let mut is_safe = true;
        while *column < end && *column + self.reach(*column) < end {
            // The rows to which the elimination of the unknowns before k has not been applied yet.
            let (k, reach) = (*column, self.reach(*column));
            for row in *sized..=k + reach {
                self.find_size(row);
            }
            *sized = (*sized).max(k + reach + 1);
            let has_room = padded(reach.saturating_sub(1)) < padded(self.band);
            let pair = if has_room && self.is_pair(k) {
                unrolled!(self.eliminate_pair(k, reach - 1, *kept) or None)
            } else {
                None
            };
            if let Some(pair_is_safe) = pair {
                is_safe &= pair_is_safe;
                *column += 2;
                *kept += 2 * reach - 1;
            } else {
                let wide = |this: &mut Self| this.eliminate_wide_column(k, *kept);
                is_safe &= unrolled!(self.eliminate_column(k, reach, *kept) or wide(self));
                *column += 1;
                *kept += reach;
            }
        }
        is_safe
    }

    /// Sets the weight 1/√oₖ. The natural size oₖ is |aₖₖ|. In the row of a constraint, which has no diagonal entry, oₖ is the largest
    /// term |aₖⱼ aⱼₖ| / oⱼ. Elimination of an unknown j before k adds this term, as in B M⁻¹ Bᵀ.
    ///
    /// The test of the pivots is invariant if rows and columns are multiplied by factors. The entries are entries of the original matrix:
    /// no unknown that reaches k has been eliminated. The weight is computed as late as possible, while the entries are in the cache.
    #[inline]
    fn find_size(&mut self, k: usize) {
        let (width, first, diagonal) = (self.width, self.first(k), self.position(k, k));
        let row = &self.values[diagonal + first - k..=diagonal];
        let (at, mut size) = (k - self.origin, row[k - first].value().abs());
        self.scales[at] = size;
        if size == 0.0 {
            // The column above the diagonal: from row to row, the entry is one position to the left.
            let column = self.values[self.position(first, k)..].iter().step_by((width - 1).max(1));
            for ((entry, transposed), weight) in row.iter().zip(column).zip(&self.weights[first - self.origin..at]) {
                size = larger(size, (entry.value() * transposed.value()).abs() * (weight * weight));
            }
        }
        self.weights[at] = 1.0 / size.sqrt();
    }

    /// True if unknowns k and k + 1 have equal reach.
    #[inline]
    pub(super) fn is_pair(&self, k: usize) -> bool {
        let reach = self.reach(k);
        reach > 0 && self.reach(k + 1) + 1 == reach
    }

    /// Eliminates unknowns k and k + 1; false if a pivot is not safe. `COLUMNS` is the reach of the second one, rounded up. The
    /// operations and their order are as in [`eliminate_column`](Self::eliminate_column), but rows are read and written once for two
    /// unknowns.
    #[inline]
    fn eliminate_pair<const COLUMNS: usize>(&mut self, k: usize, kept: usize) -> Option<bool> {
        let (start, stride, reach, at) = (self.position(k, k), self.width - 1, self.reach(k), k - self.origin);
        let ([_, next_weight], weights) = self.weights[at..=at + reach].split_first_chunk::<2>()?;
        let ([scale, next_scale], scales) = self.scales[at..=at + reach].split_first_chunk_mut::<2>()?;
        let (above, rest) = self.values[start..].split_at_mut(stride);
        let (next, rows) = rest.split_at_mut(stride);
        let (&mut [pivot, beside], above) = above.split_first_chunk_mut::<2>()?;
        let above = *above.first_chunk::<COLUMNS>()?;
        let ([entry, next_pivot], next_above) = next.split_first_chunk_mut::<2>()?;
        let next_above = next_above.first_chunk_mut::<COLUMNS>()?;
        let (first_lower, lower) = self.lower[kept..kept + 2 * reach - 1].split_first_mut()?;
        let (lower, next_lower) = lower.split_at_mut(reach - 1);

        let inverse = S::one() / pivot;
        let right = larger(beside.value().abs() * next_weight, largest(&above, weights));
        let mut below = entry.value().abs() * next_weight;
        let factor = *entry * inverse;
        *first_lower = factor;
        *next_scale += (factor * beside).value().abs();
        let next_pivot = *next_pivot - factor * beside;
        let mut next_above = *next_above;
        for (entry, &above) in next_above.iter_mut().zip(&above) {
            *entry -= factor * above;
        }
        let (first_upper, upper) = self.upper[kept..].split_first_mut()?;
        *first_upper = beside;
        *upper.first_chunk_mut::<COLUMNS>()? = above;
        *upper[reach - 1..].first_chunk_mut::<COLUMNS>()? = next_above;

        let next_inverse = S::one() / next_pivot;
        let (next_right, mut next_below) = (largest(&next_above, weights), 0.0);
        let rows = rows.chunks_exact_mut(stride).zip(above.iter().zip(&next_above));
        let factors = lower.iter_mut().zip(next_lower);
        for (((row, (&transposed, &next_transposed)), (scale, weight)), (lower, next_lower)) in
            rows.zip(scales.iter_mut().zip(weights)).zip(factors)
        {
            let Some((&mut [entry, next_entry], row)) = row.split_first_chunk_mut::<2>() else { return Some(false) };
            let Some(row) = row.first_chunk_mut::<COLUMNS>() else { return Some(false) };
            below = larger(below, entry.value().abs() * weight);
            let factor = entry * inverse;
            *lower = factor;
            let left = next_entry - factor * beside;
            next_below = larger(next_below, left.value().abs() * weight);
            let next_factor = left * next_inverse;
            *next_lower = next_factor;
            *scale += (factor * transposed).value().abs();
            *scale += (next_factor * next_transposed).value().abs();
            for (entry, (&above, &next_above)) in row.iter_mut().zip(above.iter().zip(&next_above)) {
                *entry = *entry - factor * above - next_factor * next_above;
            }
        }
        let is_safe = is_safe(pivot, *scale, right, below) & is_safe(next_pivot, *next_scale, next_right, next_below);
        self.inverse_pivots[k] = inverse;
        self.inverse_pivots[k + 1] = next_inverse;
        Some(is_safe)
    }

    /// Eliminates unknown k; false if its pivot is not safe. `COLUMNS` is its reach, rounded up; the entries beyond the reach are zeros.
    /// The row of the pivot is copied: the copy overlaps with no other row, and the compiler can update several entries at a time.
    #[inline]
    fn eliminate_column<const COLUMNS: usize>(&mut self, k: usize, kept: usize) -> bool {
        let (start, stride, reach, at) = (self.position(k, k), self.width - 1, self.reach(k), k - self.origin);
        let Some((&pivot, above)) = self.values[start..].split_first() else { return false };
        let Some(&above) = above.first_chunk::<COLUMNS>() else { return false };
        let Some(upper) = self.upper[kept..].first_chunk_mut::<COLUMNS>() else { return false };
        *upper = above;
        let inverse = S::one() / pivot;
        self.inverse_pivots[k] = inverse;
        let weights = &self.weights[at + 1..=at + reach];
        let right = largest(&above, weights);
        let scale = self.scales[at];
        let mut below = 0.0;
        // From each entry below the pivot to the next one; there is space after the last row.
        let rows = self.values[start + stride..].chunks_exact_mut(stride.max(1));
        let scales = self.scales[at + 1..=at + reach].iter_mut().zip(weights);
        let lower = &mut self.lower[kept..kept + reach];
        for (((row, &transposed), (scale, weight)), lower) in rows.zip(&above).zip(scales).zip(lower) {
            let Some((&mut entry, row)) = row.split_first_mut() else { return false };
            let Some(row) = row.first_chunk_mut::<COLUMNS>() else { return false };
            below = larger(below, entry.value().abs() * weight);
            let factor = entry * inverse;
            *lower = factor;
            *scale += (factor * transposed).value().abs();
            for (entry, &above) in row.iter_mut().zip(&above) {
                *entry -= factor * above;
            }
        }
        is_safe(pivot, scale, right, below)
    }

    /// Eliminates a column of any length.
    fn eliminate_wide_column(&mut self, k: usize, kept: usize) -> bool {
        let (start, reach, at) = (self.position(k, k), self.reach(k), k - self.origin);
        let (above, rows) = self.values.split_at_mut((at + 1) * self.width);
        let above = &above[start..=start + reach];
        let (pivot, above) = (above[0], &above[1..]);
        self.upper[kept..kept + reach].copy_from_slice(above);
        let inverse = S::one() / pivot;
        self.inverse_pivots[k] = inverse;
        let (scale, scales) = self.scales[at..=at + reach].split_at_mut(1);
        let weights = &self.weights[at + 1..];
        let mut below = 0.0;
        let lower = &mut self.lower[kept..kept + reach];
        let rows = rows.chunks_exact_mut(self.width).zip(scales).zip(weights).zip(lower).enumerate();
        for (i, (((row, scale), weight), lower)) in rows {
            let row = &mut row[self.band - 1 - i..][..=reach];
            below = larger(below, row[0].value().abs() * weight);
            let factor = row[0] * inverse;
            *lower = factor;
            *scale += (factor * above[i]).value().abs();
            subtract(&mut row[1..], factor, above);
        }
        is_safe(pivot, scale[0], largest(above, weights), below)
    }
}

/// Whether a pivot is neither lost to cancellation compared with `scale` nor too small for the weighted entries to its right and below
/// it.
#[inline]
fn is_safe<S: Scalar>(pivot: S, scale: f64, right: f64, below: f64) -> bool {
    let size = pivot.value().abs();
    // A comparison with NaN is false.
    size > lost_pivot::<S>() * scale && size * growth_limit::<S>() >= right * below
}

/// The larger of two values; the first one if the other is NaN.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The largest weighted entry.
#[inline]
fn largest<S: Scalar>(entries: &[S], weights: &[f64]) -> f64 {
    entries.iter().zip(weights).fold(0.0, |largest, (entry, weight)| larger(largest, entry.value().abs() * weight))
}

/// `row -= factor above`. It is not inlined: the compiler then knows that the rows do not overlap.
#[inline(never)]
fn subtract<S: Scalar>(row: &mut [S], factor: S, above: &[S]) {
    for (entry, &above) in row.iter_mut().zip(above) {
        *entry -= factor * above;
    }
}
