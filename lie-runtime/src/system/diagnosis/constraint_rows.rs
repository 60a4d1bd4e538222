//! The rows of B at one configuration in the metric of M⁻¹: Gram matrix and singular values.

use nalgebra::DMatrix;

use super::super::{KktError, MechanicalSystem};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::solve::{dependent_rows, lost_pivot};

/// The rows of B at one point, in the metric of M⁻¹.
pub(super) struct ConstraintRows<M: MechanicalSystem + ?Sized> {
    pub(super) mass: M::Mass,
    /// Bᵀ, column by column.
    pub(super) gradients: Vec<M::Velocity>,
    /// M⁻¹ Bᵀ, column by column.
    pub(super) columns: Vec<M::Velocity>,
    pub(super) lengths: Vec<f64>,
    /// The inner products of the rows, scaled to length one.
    pub(super) gram: DMatrix<f64>,
}

impl<M: MechanicalSystem + ?Sized> ConstraintRows<M> {
    pub(super) fn of(system: &M, t: M::Scalar, q: &M::Configuration) -> Result<Self, KktError> {
        let count = system.constraint_rows();
        let (mut mass, mut jacobian) = (system.zero_mass(), system.zero_jacobian());
        system.mass(t, q, &mut mass)?;
        system.constraint_jacobian(t, q, &mut jacobian);
        let mut unit = system.zero_multipliers();
        let (mut rows, mut columns) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for at in 0..count {
            let (mut row, mut column) = (system.zero_velocity(), system.zero_velocity());
            unit.fill(num_traits::Zero::zero());
            unit.set_component(at, num_traits::One::one());
            system.jacobian_transpose_times(&jacobian, &unit, &mut row);
            system.solve_mass(&mut mass, &row, &mut column);
            rows.push(row);
            columns.push(column);
        }
        let product = |i: usize, k: usize| rows[i].dot(&columns[k]).value();
        let lengths: Vec<f64> = (0..count).map(|row| product(row, row).sqrt()).collect();
        if lengths.iter().any(|length| !length.is_finite()) {
            return Err(KktError::NotFinite);
        }
        let scale = |row: usize| if lengths[row] > 0.0 { lengths[row] } else { 1.0 };
        let gram = DMatrix::from_fn(count, count, |i, k| product(i.max(k), i.min(k)) / (scale(i) * scale(k)));
        Ok(ConstraintRows { mass, gradients: rows, columns, lengths, gram })
    }

    /// Returns the singular values of the scaled rows, the smallest one first.
    pub(super) fn singular_values(&self) -> Vec<f64> {
        if self.gram.is_empty() {
            return Vec::new();
        }
        let squares = self.gram.clone().symmetric_eigenvalues();
        let mut values: Vec<f64> = squares.iter().map(|square| square.max(0.0).sqrt()).collect();
        values.sort_by(f64::total_cmp);
        values
    }
}

/// Returns the singular values of the rows of B at (t, q), scaled to length one in the metric of M⁻¹, the smallest one
/// first, and the number of independent rows.
pub(crate) fn singular_values<M: MechanicalSystem + ?Sized>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> Result<(Vec<f64>, usize), KktError> {
    let rows = ConstraintRows::of(system, t, q)?;
    let rank = rows.lengths.len() - dependent_rows(&rows.gram, lost_pivot::<M::Scalar>()).len();
    Ok((rows.singular_values(), rank))
}

/// Returns the rows of B at (t, q) that depend on the rows before them, and the number of rows whose gradient is not zero. Rows without a
/// gradient are not redundant: they are the rows of inactive constraints.
///
/// # Errors
/// [`KktError`] if the mass matrix is not positive definite or a value is not finite.
pub(crate) fn redundant_rows<M: MechanicalSystem + ?Sized>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> Result<(Vec<usize>, usize), KktError> {
    let rows = ConstraintRows::of(system, t, q)?;
    let acting: Vec<usize> = (0..rows.lengths.len()).filter(|&row| rows.lengths[row] > 0.0).collect();
    let gram = rows.gram.select_rows(&acting).select_columns(&acting);
    let dependent = dependent_rows(&gram, lost_pivot::<M::Scalar>());
    Ok((dependent.into_iter().map(|dependent| acting[dependent.row]).collect(), acting.len()))
}

/// Returns [`smallest_singular_value`] of the rows whose gradient is not zero; 1 without such rows.
///
/// # Errors
/// The same.
pub(crate) fn smallest_singular_value_of_acting_rows<M: MechanicalSystem + ?Sized>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> Result<f64, KktError> {
    let mut rows = ConstraintRows::of(system, t, q)?;
    let acting: Vec<usize> = (0..rows.lengths.len()).filter(|&row| rows.lengths[row] > 0.0).collect();
    rows.gram = rows.gram.select_rows(&acting).select_columns(&acting);
    Ok(rows.singular_values().first().copied().unwrap_or(1.0))
}

/// Returns the smallest singular value of the rows of B at (t, q), scaled to length one in the metric of M⁻¹; 1 without
/// rows.
///
/// For redundant rows the value is round-off; [`Diagnosis::smallest_kept`](crate::system::Diagnosis::smallest_kept) is
/// the smallest singular value of independent rows.
///
/// # Errors
/// [`KktError`] if the mass matrix is not positive definite or a number is not finite.
pub fn smallest_singular_value<M: MechanicalSystem + ?Sized>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> Result<f64, KktError> {
    Ok(ConstraintRows::of(system, t, q)?.singular_values().first().copied().unwrap_or(1.0))
}
