//! Solutions with the factors of the natural order. Unknowns with equal reach are handled in pairs: the entries that they share are then
//! read and written once for both.

use super::{BandedLu, CHUNK, dot};
use crate::scalar::Scalar;

impl<S: Scalar> BandedLu<S> {
    pub(super) fn solve_natural(&self, x: &mut [S]) {
        self.forwards(&self.lower, None, x);
        self.backwards(&self.upper, Some(&self.inverse_pivots), x);
    }

    /// Solves with Uᵀ and then with Lᵀ.
    pub(super) fn solve_natural_transposed(&self, x: &mut [S]) {
        self.forwards(&self.upper, Some(&self.inverse_pivots), x);
        self.backwards(&self.lower, None, x);
    }

    /// Solves with a lower triangular matrix, by columns or pairs of columns. Multiples of each known unknown are subtracted from all
    /// unknowns in its reach. The diagonal entries are 1 if `inverse` is empty.
    #[inline]
    fn forwards(&self, mut columns: &[S], inverse: Option<&[S]>, x: &mut [S]) {
        let (scaled, mut k) = (|x: S, k: usize| inverse.map_or(x, |inverse| x * inverse[k]), 0);
        while k < self.size() {
            let reach = self.reach(k);
            let unknowns = &mut x[k..=k + reach];
            if self.is_pair(k)
                && let Some(([known, next], unknowns)) = unknowns.split_first_chunk_mut::<2>()
                && let Some((&between, rest)) = columns.split_first()
            {
                let (column, rest) = rest.split_at(reach - 1);
                let (next_column, rest) = rest.split_at(reach - 1);
                *known = scaled(*known, k);
                *next = scaled(*next - between * *known, k + 1);
                take_both([*known, *next], [column, next_column], unknowns);
                (columns, k) = (rest, k + 2);
            } else if let Some((known, unknowns)) = unknowns.split_first_mut() {
                let (column, rest) = columns.split_at(reach);
                *known = scaled(*known, k);
                take(unknowns, *known, column);
                (columns, k) = (rest, k + 1);
            }
        }
    }

    /// Solves with an upper triangular matrix, from its last row on, by rows or pairs of rows.
    #[inline]
    fn backwards(&self, rows: &[S], inverse: Option<&[S]>, x: &mut [S]) {
        let scaled = |x: S, k: usize| inverse.map_or(x, |inverse| x * inverse[k]);
        let (mut rows, mut end) = (&rows[..rows.len() - CHUNK], self.size());
        while end > 0 {
            if end > 1
                && self.is_pair(end - 2)
                && let (k, reach) = (end - 2, self.reach(end - 2))
                && let Some(([unknown, next], known)) = x[k..=k + reach].split_first_chunk_mut::<2>()
                && let (rest, own) = rows.split_at(rows.len() - (2 * reach - 1))
                && let Some((&between, own)) = own.split_first()
            {
                let (row, next_row) = own.split_at(reach - 1);
                let [sum, next_sum] = both_dots([row, next_row], known);
                *next = scaled(*next - next_sum, k + 1);
                *unknown = scaled(*unknown - sum - between * *next, k);
                (rows, end) = (rest, k);
            } else {
                let k = end - 1;
                let (rest, row) = rows.split_at(rows.len() - self.reach(k));
                let (unknown, known) = x.split_at_mut(end);
                unknown[k] = scaled(unknown[k] - dot(row, &known[..row.len()]), k);
                (rows, end) = (rest, k);
            }
        }
    }
}

/// Subtracts multiples of two columns from the unknowns in the reach of both.
#[inline]
fn take_both<S: Scalar>([factor, next_factor]: [S; 2], [column, next_column]: [&[S]; 2], unknowns: &mut [S]) {
    let ((pairs, last), (ours, our_last)) = (unknowns.as_chunks_mut::<2>(), column.as_chunks::<2>());
    let (theirs, their_last) = next_column.as_chunks::<2>();
    for ((unknowns, ours), theirs) in pairs.iter_mut().zip(ours).zip(theirs) {
        for lane in 0..2 {
            unknowns[lane] -= factor * ours[lane] + next_factor * theirs[lane];
        }
    }
    if let ([unknown], [ours], [theirs]) = (last, our_last, their_last) {
        *unknown -= factor * *ours + next_factor * *theirs;
    }
}

/// The inner products of two slices with a third one.
#[inline]
fn both_dots<S: Scalar>([row, next_row]: [&[S]; 2], known: &[S]) -> [S; 2] {
    let mut sums = [[S::zero(); 2]; 2];
    let ((known, last), (ours, our_last)) = (known.as_chunks::<2>(), row.as_chunks::<2>());
    let (theirs, their_last) = next_row.as_chunks::<2>();
    for ((known, ours), theirs) in known.iter().zip(ours).zip(theirs) {
        for lane in 0..2 {
            sums[0][lane] += ours[lane] * known[lane];
            sums[1][lane] += theirs[lane] * known[lane];
        }
    }
    if let ([known], [ours], [theirs]) = (last, our_last, their_last) {
        sums[0][0] += *ours * *known;
        sums[1][0] += *theirs * *known;
    }
    sums.map(|[a, b]| a + b)
}

/// Subtracts `factor` times a row from the unknowns in its reach.
#[inline]
pub(super) fn take<S: Scalar>(unknowns: &mut [S], factor: S, row: &[S]) {
    for (unknown, &entry) in unknowns.iter_mut().zip(row) {
        *unknown -= factor * entry;
    }
}
