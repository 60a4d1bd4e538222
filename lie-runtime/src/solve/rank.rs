//! Linearly dependent rows of a matrix, identified by its Gram matrix.

use nalgebra::DMatrix;

/// A row is selected if the norm of its part orthogonal to the selected rows is at least this multiple of the largest such norm. The
/// first such row is selected. Rows keep their order as long as this order is stable, and the later rows then depend on the earlier rows.
const NEAR_THE_LARGEST: f64 = 1e-2;
/// Coefficients under this multiple of the largest one are round-off.
const NEGLIGIBLE: f64 = 1e-7;

/// A row that is a combination of others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DependentRow {
    pub row: usize,
    /// The rows in the combination, in order, with their coefficients; empty for a zero row.
    pub combination: Vec<(usize, f64)>,
}

/// Returns the rows that depend on others, in order. `gram` has the inner products of the rows, scaled to ones on the diagonal (zeros for
/// zero rows). A row depends on others if the square of its part orthogonal to their span is below `lost`.
///
/// A Cholesky factorisation with diagonal pivoting reveals the rank: if the largest remainder is below `lost`, all others are as well.
pub(crate) fn dependent_rows(gram: &DMatrix<f64>, lost: f64) -> Vec<DependentRow> {
    let count = gram.nrows();
    let mut rest: Vec<f64> = (0..count).map(|row| gram[(row, row)]).collect();
    let mut left: Vec<usize> = (0..count).collect();
    // L, and the row from which each of its columns was computed.
    let (mut factor, mut taken) = (DMatrix::zeros(count, count), Vec::new());
    loop {
        let largest = left.iter().fold(0.0_f64, |largest, &row| largest.max(rest[row]));
        let first = left.iter().position(|&row| rest[row] > lost && rest[row] >= NEAR_THE_LARGEST * largest);
        let Some(pivot) = first.map(|at| left.remove(at)) else { break };
        let (column, length) = (taken.len(), rest[pivot].sqrt());
        factor[(pivot, column)] = length;
        for &row in &left {
            let known: f64 = (0..column).map(|k| factor[(row, k)] * factor[(pivot, k)]).sum();
            let entry = (gram[(row, pivot)] - known) / length;
            factor[(row, column)] = entry;
            rest[row] -= entry * entry;
        }
        taken.push(pivot);
    }
    let combined = |row: usize| {
        // cᵀ L₁ = l, from the last column on.
        let mut coefficients = vec![0.0; taken.len()];
        for k in (0..taken.len()).rev() {
            let known: f64 = (k + 1..taken.len()).map(|j| coefficients[j] * factor[(taken[j], k)]).sum();
            coefficients[k] = (factor[(row, k)] - known) / factor[(taken[k], k)];
        }
        let largest = coefficients.iter().fold(0.0_f64, |largest, c| largest.max(c.abs()));
        let mut combination: Vec<(usize, f64)> =
            taken.iter().copied().zip(coefficients).filter(|(_, c)| c.abs() > NEGLIGIBLE * largest).collect();
        combination.sort_by_key(|&(row, _)| row);
        DependentRow { row, combination }
    };
    left.into_iter().map(combined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Gram matrix of rows scaled to length one.
    fn gram(rows: &[[f64; 4]]) -> DMatrix<f64> {
        let dot = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let unit = |row: &[f64; 4]| {
            let length = dot(row, row).sqrt();
            row.map(|entry| if length > 0.0 { entry / length } else { 0.0 })
        };
        let rows: Vec<[f64; 4]> = rows.iter().map(unit).collect();
        DMatrix::from_fn(rows.len(), rows.len(), |i, j| dot(&rows[i], &rows[j]))
    }

    #[test]
    fn later_rows_depend_on_the_earlier_ones_that_they_combine() {
        let (a, b, c) = ([1.0, 2.0, 0.5, 0.0], [0.0, 1.0, -1.0, 3.0], [2.0, 0.0, 1.0, 1.0]);
        let sum = core::array::from_fn(|k| a[k] - 2.0 * c[k]);
        let dependent = dependent_rows(&gram(&[a, b, c, sum, [0.0; 4], b]), 1e-12);
        let rows: Vec<usize> = dependent.iter().map(|dependent| dependent.row).collect();
        assert_eq!(rows, [3, 4, 5]);
        let names: Vec<Vec<usize>> =
            dependent.iter().map(|dependent| dependent.combination.iter().map(|&(row, _)| row).collect()).collect();
        assert_eq!(names, [vec![0, 2], vec![], vec![1]]);
        assert!((dependent[2].combination[0].1 - 1.0).abs() < 1e-14);
        let length = |row: &[f64; 4]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let expected = [length(&a) / length(&sum), -2.0 * length(&c) / length(&sum)];
        for (&(_, found), expected) in dependent[0].combination.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }

    #[test]
    fn the_threshold_tells_near_rows_from_equal_ones() {
        for (angle, rank_is_full) in [(1e-5, true), (3e-6, true), (3e-7, false), (1e-9, false)] {
            let near = [1.0, angle, 0.0, 0.0];
            let dependent = dependent_rows(&gram(&[[1.0, 0.0, 0.0, 0.0], near]), 1e-12);
            assert_eq!(dependent.is_empty(), rank_is_full, "{angle}");
        }
    }
}
