//! The scales of a sparse matrix, and the test for singular matrices.

use super::SparseLu;
use crate::solve::{PivotError, SINGULAR_PIVOT};

/// The shift of the diagonal of a singular scaled matrix, which makes the factorisation possible.
const SHIFT: f64 = 1e-14;
/// Components of a null vector above this multiple of the largest component are not small.
const LARGE: f64 = 0.1;

impl SparseLu {
    /// Multiplies rows and columns by 1/√|aᵢᵢ|. The factor of a constraint row, which has no diagonal entry, is one over the norm of the
    /// row in these units. The scaled matrix does not depend on the units of the unknowns.
    pub(super) fn scale(&mut self) -> Result<(), PivotError> {
        let columns = self.pattern.columns();
        let diagonal = |k: usize| self.values[self.pattern.diagonal()[k]].abs();
        for (k, scale) in self.scales.iter_mut().enumerate() {
            *scale = if diagonal(k) > 0.0 { 1.0 / diagonal(k).sqrt() } else { 0.0 };
        }
        // Columns of constraints get the factors of their rows: the pattern is symmetric.
        for k in 0..self.scales.len() {
            if diagonal(k) == 0.0 {
                let entries = columns.row_idx_of_col(k).zip(&self.values[columns.col_range(k)]);
                let sum: f64 = entries
                    .filter(|&(row, _)| diagonal(row) > 0.0)
                    .map(|(row, value)| (value * self.scales[row]).powi(2))
                    .sum();
                self.unknowns[k] = sum;
            }
        }
        for k in 0..self.scales.len() {
            if diagonal(k) == 0.0 {
                self.scales[k] = 1.0 / self.unknowns[k].sqrt();
            }
        }
        if let Some(row) = self.scales.iter().position(|&scale| scale == 0.0 || !scale.is_finite()) {
            return Err(PivotError::Singular { row });
        }
        for k in 0..self.scales.len() {
            let scale = self.scales[k];
            for (row, value) in columns.row_idx_of_col(k).zip(&mut self.values[columns.col_range(k)]) {
                *value *= scale * self.scales[row];
            }
        }
        Ok(())
    }

    /// Returns false if the matrix is singular: one inverse iteration, started from irregular values, gives a solution that is very large
    /// compared with its right-hand side.
    pub(super) fn is_regular(&mut self) -> bool {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for unknown in &mut self.unknowns {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // The values of two rows must differ; equal values would miss a null vector that is the difference of two rows.
            *unknown = 0.5 + (state >> 11) as f64 / (1_u64 << 53) as f64;
        }
        self.solve_scaled(false);
        // NaN is not under anything.
        self.unknowns.iter().all(|unknown| unknown.abs() < 1.0 / SINGULAR_PIVOT)
    }

    /// Returns the last of the linearly dependent rows. The null vector comes from inverse iteration with the shifted matrix.
    #[cold]
    pub(super) fn explain(&mut self) -> PivotError {
        // The scaled matrix is still stored; constraints have zeros on the diagonal.
        let pattern = self.pattern.clone();
        let is_constraint: Vec<bool> = pattern.diagonal().iter().map(|&at| self.values[at] == 0.0).collect();
        for (&at, &is_constraint) in pattern.diagonal().iter().zip(&is_constraint) {
            self.values[at] += if is_constraint { -SHIFT } else { SHIFT };
        }
        if self.factorise_scaled().is_err() || self.is_regular() {
            // Only the shift makes the matrix regular: it has full rank to this number of digits.
            return PivotError::NotFinite;
        }
        let largest = |of: bool| {
            let numbers = self.unknowns.iter().zip(&is_constraint).filter(|&(_, &is)| is == of);
            numbers.fold(0.0_f64, |largest, (unknown, _)| largest.max(unknown.abs()))
        };
        let of_constraints = largest(true) > 0.0;
        let bound = LARGE * largest(of_constraints);
        let row = (0..self.unknowns.len())
            .rev()
            .find(|&k| is_constraint[k] == of_constraints && self.unknowns[k].abs() >= bound)
            .unwrap_or(0);
        PivotError::Singular { row }
    }
}
