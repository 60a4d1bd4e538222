//! Elimination with scaled partial pivoting, in a band that is wider by one half.

use super::triangular_solve::take;
use super::{BandedLu, dot, padded};
use crate::scalar::Scalar;
use crate::solve::{PivotError, lost_pivot};

impl<S: Scalar> BandedLu<S> {
    /// The scale of each row: 1/√|aᵢᵢ| if there is a diagonal entry. The scale of a constraint row is the size of the row in these units.
    fn scale_rows(&mut self) {
        let (band, width, size) = (self.band, self.width, self.size());
        for k in 0..size {
            let diagonal = self.values[k * width + band].value().abs();
            self.scales[k] = if diagonal > 0.0 { 1.0 / diagonal.sqrt() } else { 0.0 };
        }
        for k in 0..size {
            if self.values[k * width + band].value() == 0.0 {
                let columns = self.first(k)..=k + self.reach(k);
                let sum: f64 = columns
                    .filter(|&column| self.values[column * width + band].value() != 0.0)
                    .map(|column| (self.values[k * width + band + column - k].value() * self.scales[column]).powi(2))
                    .sum();
                self.scales[k] = if sum > 0.0 { 1.0 / sum.sqrt() } else { 0.0 };
            }
        }
    }

    /// Eliminates with scaled partial pivoting.
    #[cold]
    #[inline(never)]
    pub(super) fn eliminate_with_pivoting(&mut self) -> Result<(), PivotError> {
        let (band, width, size) = (self.band, self.width, self.size());
        if !self.values[..size * width].iter().all(|entry| entry.is_finite()) {
            return Err(PivotError::NotFinite);
        }
        self.scale_rows();
        if let Some(row) = self.scales.iter().position(|&scale| scale == 0.0 || !scale.is_finite()) {
            return Err(PivotError::Singular { row });
        }
        self.column_scales.copy_from_slice(&self.scales);
        let lost = lost_pivot::<S>();
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
            // A comparison with NaN is false.
            let is_pivot = ratio(&self.values, &self.scales, best) * self.column_scales[k] > lost;
            if !is_pivot {
                let row = self.order[k..=k + reach].iter().copied().min().unwrap_or(k);
                return Err(PivotError::Singular { row });
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
                if !factor.is_zero() {
                    for (entry, &above) in row[1..].iter_mut().zip(&pivot_row[1..]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        if self.inverse_pivots.iter().all(|inverse| inverse.is_finite()) { Ok(()) } else { Err(PivotError::NotFinite) }
    }

    #[cold]
    pub(super) fn solve_permuted(&self, x: &mut [S]) {
        let (band, width, size) = (self.band, self.width, self.size());
        for k in 0..size {
            x.swap(k, self.exchanged[k]);
            let (known, rest) = x.split_at_mut(k + 1);
            let below = self.values[(k + 1) * width..].chunks_exact(width).take(band);
            for (i, (unknown, row)) in rest.iter_mut().zip(below).enumerate() {
                *unknown -= row[band - 1 - i] * known[k];
            }
        }
        for k in (0..size).rev() {
            let reach = (2 * band).min(size - 1 - k);
            let row = &self.values[k * width + band + 1..][..reach];
            let (unknown, known) = x.split_at_mut(k + 1);
            unknown[k] = (unknown[k] - dot(row, &known[..reach])) * self.inverse_pivots[k];
        }
    }

    /// Solves with Uᵀ, and then applies the columns of L and the interchanges in reverse order.
    #[cold]
    pub(super) fn solve_permuted_transposed(&self, x: &mut [S]) {
        let (band, width, size) = (self.band, self.width, self.size());
        for k in 0..size {
            let reach = (2 * band).min(size - 1 - k);
            let row = &self.values[k * width + band + 1..][..reach];
            let (known, rest) = x.split_at_mut(k + 1);
            known[k] *= self.inverse_pivots[k];
            take(rest, known[k], row);
        }
        for k in (0..size).rev() {
            let (unknown, known) = x.split_at_mut(k + 1);
            let below = self.values[(k + 1) * width..].chunks_exact(width).take(band);
            for (i, (known, row)) in known.iter().zip(below).enumerate() {
                unknown[k] -= row[band - 1 - i] * *known;
            }
            x.swap(k, self.exchanged[k]);
        }
    }
}
