//! Elimination in the natural order, and whether its result may be kept.
//!
//! Without interchanges a pivot may be small beside the entries of its row and column, and what is subtracted for it
//! then buries the entries it is subtracted from. With oᵢ the natural size of the diagonal entry i, see
//! [`BandedLu::find_size`], the entry (i, j) has the natural size √(oᵢ oⱼ), whatever the units of the unknowns are. A
//! pivot is kept as long as no update exceeds that of its entry by more than the factor [`growth_limit`]. For chains
//! the updates do grow with the number of nodes: each node carries the mass of those that have been eliminated.

use super::{BandedLu, dot, padded};
use crate::scalar::Scalar;
use crate::solve::{lost_pivot, round_off};

/// The lengths of updated rows are multiples of it; what is beyond the band is stored as zeros.
pub(super) const CHUNK: usize = 2;

/// The most that an update may exceed the natural size of its entry: half of the digits are left, and two more.
fn growth_limit<S: Scalar>() -> f64 {
    0.01 / round_off::<S>().sqrt()
}

/// A method on numbers of columns known at compile time, rounded up; what is given instead of more of them.
macro_rules! unrolled {
    ($self:ident.$method:ident($k:expr, $columns:expr) or $wide:expr) => {
        match $columns.div_ceil(CHUNK) {
            0 => $self.$method::<0>($k),
            1 => $self.$method::<2>($k),
            2 => $self.$method::<4>($k),
            3 => $self.$method::<6>($k),
            4 => $self.$method::<8>($k),
            5 => $self.$method::<10>($k),
            6 => $self.$method::<12>($k),
            7 => $self.$method::<14>($k),
            8 => $self.$method::<16>($k),
            9 => $self.$method::<18>($k),
            10 => $self.$method::<20>($k),
            11 => $self.$method::<22>($k),
            12 => $self.$method::<24>($k),
            _ => $wide,
        }
    };
}

impl<S: Scalar> BandedLu<S> {
    /// Elimination in the natural order; false if a pivot is not safe.
    pub(super) fn eliminate(&mut self) -> bool {
        let (mut is_safe, mut sized, mut k) = (true, 0, 0);
        while k < self.reach.len() {
            // Where the elimination of the unknowns before k has not been yet.
            let reach = self.reach[k];
            for row in sized..=k + reach {
                self.find_size(row);
            }
            sized = sized.max(k + reach + 1);
            let pair = if self.makes_a_pair(k) { unrolled!(self.eliminate_pair(k, reach - 1) or None) } else { None };
            is_safe &= pair.unwrap_or_else(|| {
                let wide = |this: &mut Self| this.eliminate_wide_column(k);
                unrolled!(self.eliminate_column(k, reach) or wide(self))
            });
            k += if pair.is_some() { 2 } else { 1 };
        }
        is_safe && self.inverse_pivots.iter().all(|inverse| inverse.is_finite())
    }

    /// Sets the weight 1/√oₖ: oₖ is |aₖₖ|, and where there is no diagonal entry, in the row of a constraint, the
    /// largest term that eliminating one of the unknowns j before it adds there, |aₖⱼ aⱼₖ| / oⱼ: that of B M⁻¹ Bᵀ.
    ///
    /// Multiplying rows and columns by numbers does not change what the pivots are compared with. The entries are those of
    /// the matrix: no unknown that reaches k has been eliminated. It is found no earlier than needed, while they are at hand.
    #[inline]
    fn find_size(&mut self, k: usize) {
        let (band, width, first) = (self.band, self.width, self.first[k]);
        let row = &self.values[k * width + band + first - k..=k * width + band];
        let mut size = row[k - first].value().abs();
        self.scales[k] = size;
        if size == 0.0 {
            // The column above the diagonal: row after row, an entry less far to the right.
            let column = self.values[first * width + band + k - first..].iter().step_by((width - 1).max(1));
            for ((entry, transposed), weight) in row.iter().zip(column).zip(&self.weights[first..k]) {
                size = larger(size, (entry.value() * transposed.value()).abs() * (weight * weight));
            }
        }
        self.weights[k] = 1.0 / size.sqrt();
    }

    /// True if unknowns k and k + 1 reach the same one, and the rows have room for what is read beyond it.
    #[inline]
    fn makes_a_pair(&self, k: usize) -> bool {
        let reach = self.reach[k];
        reach > 0 && self.reach[k + 1] + 1 == reach && padded(reach - 1) < padded(self.band)
    }

    /// Eliminates unknowns k and k + 1; whether their pivots are safe. `COLUMNS` is how far the second one reaches, rounded up.
    /// The operations are those of [`eliminate_column`](Self::eliminate_column), in the same order, but rows are read and
    /// written once for two unknowns.
    #[inline]
    fn eliminate_pair<const COLUMNS: usize>(&mut self, k: usize) -> Option<bool> {
        let (start, stride, reach) = (k * self.width + self.band, self.width - 1, self.reach[k]);
        let ([_, next_weight], weights) = self.weights[k..=k + reach].split_first_chunk::<2>()?;
        let ([scale, next_scale], scales) = self.scales[k..=k + reach].split_first_chunk_mut::<2>()?;
        let (above, rest) = self.values[start..].split_at_mut(stride);
        let (next, rows) = rest.split_at_mut(stride);
        let (&mut [pivot, beside], above) = above.split_first_chunk_mut::<2>()?;
        let above = *above.first_chunk::<COLUMNS>()?;
        let ([entry, next_pivot], next_above) = next.split_first_chunk_mut::<2>()?;
        let next_above = next_above.first_chunk_mut::<COLUMNS>()?;

        let inverse = S::one() / pivot;
        let right = larger(beside.value().abs() * next_weight, largest(&above, weights));
        let mut below = entry.value().abs() * next_weight;
        let factor = *entry * inverse;
        *entry = factor;
        *next_scale += (factor * beside).value().abs();
        *next_pivot -= factor * beside;
        for (entry, &above) in next_above.iter_mut().zip(&above) {
            *entry -= factor * above;
        }

        let (next_pivot, next_above) = (*next_pivot, *next_above);
        let next_inverse = S::one() / next_pivot;
        let (next_right, mut next_below) = (largest(&next_above, weights), 0.0);
        let rows = rows.chunks_exact_mut(stride).zip(above.iter().zip(&next_above));
        for ((row, (&transposed, &next_transposed)), (scale, weight)) in rows.zip(scales.iter_mut().zip(weights)) {
            let Some(([entry, next_entry], row)) = row.split_first_chunk_mut::<2>() else { return Some(false) };
            let Some(row) = row.first_chunk_mut::<COLUMNS>() else { return Some(false) };
            below = larger(below, entry.value().abs() * weight);
            let factor = *entry * inverse;
            *entry = factor;
            let left = *next_entry - factor * beside;
            next_below = larger(next_below, left.value().abs() * weight);
            let next_factor = left * next_inverse;
            *next_entry = next_factor;
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

    /// Eliminates unknown k; false if its pivot is not safe. `COLUMNS` is how far it reaches, rounded up: what is beyond
    /// is zeros. As a copy of the pivot's row overlaps with no other row, several entries are updated at a time.
    #[inline]
    fn eliminate_column<const COLUMNS: usize>(&mut self, k: usize) -> bool {
        let (start, stride, reach) = (k * self.width + self.band, self.width - 1, self.reach[k]);
        let Some((&pivot, above)) = self.values[start..].split_first() else { return false };
        let Some(&above) = above.first_chunk::<COLUMNS>() else { return false };
        let inverse = S::one() / pivot;
        self.inverse_pivots[k] = inverse;
        let weights = &self.weights[k + 1..=k + reach];
        let right = largest(&above, weights);
        let scale = self.scales[k];
        let mut below = 0.0;
        // From each entry below the pivot to the next one; there is room behind the last row.
        let rows = self.values[start + stride..].chunks_exact_mut(stride.max(1));
        let scales = self.scales[k + 1..=k + reach].iter_mut().zip(weights);
        for ((row, &transposed), (scale, weight)) in rows.zip(&above).zip(scales) {
            let Some((entry, row)) = row.split_first_mut() else { return false };
            let Some(row) = row.first_chunk_mut::<COLUMNS>() else { return false };
            below = larger(below, entry.value().abs() * weight);
            let factor = *entry * inverse;
            *entry = factor;
            *scale += (factor * transposed).value().abs();
            for (entry, &above) in row.iter_mut().zip(&above) {
                *entry -= factor * above;
            }
        }
        is_safe(pivot, scale, right, below)
    }

    /// The same for columns of any length.
    fn eliminate_wide_column(&mut self, k: usize) -> bool {
        let (above, rows) = self.values.split_at_mut((k + 1) * self.width);
        let reach = self.reach[k];
        let above = &above[k * self.width + self.band..][..=reach];
        let (pivot, above) = (above[0], &above[1..]);
        let inverse = S::one() / pivot;
        self.inverse_pivots[k] = inverse;
        let (scale, scales) = self.scales[k..=k + reach].split_at_mut(1);
        let weights = &self.weights[k + 1..];
        let mut below = 0.0;
        let rows = rows.chunks_exact_mut(self.width).zip(scales).zip(weights).enumerate();
        for (i, ((row, scale), weight)) in rows {
            let row = &mut row[self.band - 1 - i..][..=reach];
            below = larger(below, row[0].value().abs() * weight);
            let factor = row[0] * inverse;
            row[0] = factor;
            *scale += (factor * above[i]).value().abs();
            subtract(&mut row[1..], factor, above);
        }
        is_safe(pivot, scale[0], largest(above, weights), below)
    }

    pub(super) fn solve_natural(&self, x: &mut [S]) {
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

    /// Uᵀ and then Lᵀ, row by row as they are stored: what is known of a row is taken from all unknowns that it meets.
    pub(super) fn solve_natural_transposed(&self, x: &mut [S]) {
        let (band, width) = (self.band, self.width);
        for k in 0..x.len() {
            let row = &self.values[k * width + band + 1..][..self.reach[k]];
            let (known, rest) = x.split_at_mut(k + 1);
            known[k] *= self.inverse_pivots[k];
            take(rest, known[k], row);
        }
        for k in (0..x.len()).rev() {
            let first = self.first[k];
            let row = &self.values[k * width + band + first - k..k * width + band];
            let (rest, known) = x.split_at_mut(k);
            take(&mut rest[first..], known[0], row);
        }
    }
}

/// Takes `factor` times a row from the unknowns that it meets.
#[inline]
pub(super) fn take<S: Scalar>(unknowns: &mut [S], factor: S, row: &[S]) {
    for (unknown, &entry) in unknowns.iter_mut().zip(row) {
        *unknown -= factor * entry;
    }
}

/// Whether a pivot is neither what cancellation has left of `scale` nor too small for the weighted entries on its right
/// and below.
#[inline]
fn is_safe<S: Scalar>(pivot: S, scale: f64, right: f64, below: f64) -> bool {
    let size = pivot.value().abs();
    // NaN is not above anything.
    size > lost_pivot::<S>() * scale && size * growth_limit::<S>() >= right * below
}

/// The larger one of two numbers; the first one if the other is NaN.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The largest weighted entry.
#[inline]
fn largest<S: Scalar>(entries: &[S], weights: &[f64]) -> f64 {
    entries.iter().zip(weights).fold(0.0, |largest, (entry, weight)| larger(largest, entry.value().abs() * weight))
}

/// `row -= factor above`; not inlined, so that it is known that the rows do not overlap.
#[inline(never)]
fn subtract<S: Scalar>(row: &mut [S], factor: S, above: &[S]) {
    for (entry, &above) in row.iter_mut().zip(above) {
        *entry -= factor * above;
    }
}
