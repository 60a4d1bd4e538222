//! The null space and the pseudo-inverse of B.

use nalgebra::{DMatrix, DVector};

use crate::analysis::matrices::dense;
use crate::solve::lost_pivot;
use crate::system::{KktError, Linearised};

/// The null space of B in the metric of the mass matrix.
///
/// For M = L Lᵀ and the Householder factors of (B L⁻ᵀ)ᵀ with column pivoting, Q = [Q₁ Q₂]:
///
/// ```text
/// N = L⁻ᵀ Q₂,    B N = 0,    Nᵀ M N = 1,          B⁺ = L⁻ᵀ Q₁ R₁⁻ᵀ,    B B⁺ = 1,    Nᵀ M B⁺ = 0.
/// ```
///
/// B⁺ omits linearly dependent rows. On spheres, N and B⁺ contain no spins about the directions.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct NullSpace {
    /// N, one column per direction.
    pub basis: DMatrix<f64>,
    /// B⁺, one column per row of B.
    pub right_inverse: DMatrix<f64>,
    /// The linearly dependent rows.
    pub dependent: Vec<usize>,
}

impl NullSpace {
    /// Computes the null space of some rows of B, in the span of the columns of `movements` if given.
    ///
    /// # Errors
    /// [`KktError`] if M is not positive definite or a value is not finite.
    #[inline]
    pub fn of(movements: Option<&DMatrix<f64>>, mass: &DMatrix<f64>, rows: &DMatrix<f64>) -> Result<Self, KktError> {
        if !mass.iter().chain(rows.iter()).all(|entry| entry.is_finite()) {
            return Err(KktError::NotFinite);
        }
        let dof = mass.nrows();
        let mass = movements.map_or_else(|| mass.clone(), |basis| basis.tr_mul(&(mass * basis)));
        let positive = |component| KktError::MassNotPositiveDefinite { component };
        let free = mass.nrows();
        let factor = mass.cholesky().ok_or(positive(0))?.unpack();
        // Computes L⁻ᵀ of a list of columns, in all velocities.
        let moved = |mut columns: DMatrix<f64>| {
            factor.tr_solve_lower_triangular_mut(&mut columns);
            if let Some(basis) = movements { basis * columns } else { columns }
        };
        let count = rows.nrows();
        let mut gradients = movements.map_or_else(|| rows.transpose(), |basis| basis.tr_mul(&rows.transpose()));
        factor.solve_lower_triangular_mut(&mut gradients);
        let lengths: Vec<f64> =
            gradients.column_iter().map(|row| Some(row.norm()).filter(|&length| length > 0.0).unwrap_or(1.0)).collect();
        for (mut row, length) in gradients.column_iter_mut().zip(&lengths) {
            row /= *length;
        }
        if count == 0 || free == 0 {
            let basis = moved(DMatrix::identity(free, free));
            let right_inverse = DMatrix::zeros(dof, count);
            return Ok(NullSpace { basis, right_inverse, dependent: (0..count).collect() });
        }
        let factors = gradients.col_piv_qr();
        let triangle = factors.r();
        // The part of a row outside the span of the others is the sine of an angle.
        let lost = lost_pivot::<f64>().sqrt();
        let rank = (0..triangle.nrows()).take_while(|&at| triangle[(at, at)].abs() > lost).count();
        let mut rotation = DMatrix::identity(free, free);
        factors.q_tr_mul(&mut rotation);
        let rotation = rotation.transpose();
        let mut order = DVector::from_fn(count, |row, _| row);
        factors.p().permute_rows(&mut order);
        // Row j of B has index k in the order of the pivots: R₁₁ᵀ y = e_k.
        let leading = triangle.view((0, 0), (rank, rank)).into_owned();
        let mut solved = DMatrix::identity(rank, rank);
        leading.tr_solve_upper_triangular_mut(&mut solved);
        let by_pivot = moved(rotation.columns(0, rank) * solved);
        let mut right_inverse = DMatrix::zeros(dof, count);
        for (k, &row) in order.iter().take(rank).enumerate() {
            right_inverse.set_column(row, &(by_pivot.column(k) / lengths[row]));
        }
        let basis = moved(rotation.columns(rank, free - rank).into_owned());
        let mut dependent: Vec<usize> = order.iter().copied().skip(rank).collect();
        dependent.sort_unstable();
        Ok(NullSpace { basis, right_inverse, dependent })
    }

    /// Computes the null space of all rows of B(t, q) of a system.
    ///
    /// # Errors
    /// The errors of [`of`](NullSpace::of).
    pub fn of_system<M: Linearised<Scalar = f64>>(system: &M, t: f64, q: &M::Configuration) -> Result<Self, KktError> {
        NullSpace::of(dense::movements(system, q).as_ref(), &dense::mass(system, t, q), &dense::jacobian(system, t, q))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two independent rows and their sum, in a non-Euclidean metric.
    #[test]
    fn directions_and_inverses_are_those_of_the_independent_rows() {
        let mass = DMatrix::from_row_slice(
            4,
            4,
            &[3.0, 1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.5, 0.0, 0.0, 5.0, 0.0, 0.0, 0.5, 0.0, 1.0],
        );
        let rows = DMatrix::from_row_slice(3, 4, &[1.0, 2.0, 0.5, 0.0, 0.0, 1e3, -1e3, 3e3, 1.0, 1002.0, -999.5, 3e3]);
        let space = NullSpace::of(None, &mass, &rows).unwrap();
        assert_eq!((space.basis.ncols(), space.dependent.len()), (2, 1));
        let close = |found: DMatrix<f64>, expected: DMatrix<f64>| {
            assert!((&found - &expected).amax() < 1e-12, "{found} {expected}");
        };
        close(&rows * &space.basis / 1e3, DMatrix::zeros(3, 2));
        close(space.basis.tr_mul(&(&mass * &space.basis)), DMatrix::identity(2, 2));
        close(space.basis.tr_mul(&(&mass * &space.right_inverse)), DMatrix::zeros(2, 3));
        let kept: Vec<usize> = (0..3).filter(|row| !space.dependent.contains(row)).collect();
        let (kept_rows, kept_columns) = (rows.select_rows(&kept), space.right_inverse.select_columns(&kept));
        close(kept_rows * kept_columns, DMatrix::identity(2, 2));
    }
}
