//! Dense matrices of a system.

use nalgebra::{DMatrix, DVector};

use crate::analysis::first_order::state_components;
use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, MechanicalSystem};

/// The components of a vector.
pub(in crate::analysis) fn components<V: TangentVector<Scalar = f64>>(vector: &V) -> DVector<f64> {
    DVector::from_fn(vector.component_count(), |at, _| vector.component(at))
}

/// Sets the components of a vector.
pub(in crate::analysis) fn set_components<V: TangentVector<Scalar = f64>>(vector: &mut V, values: &DVector<f64>) {
    for (at, &value) in values.iter().enumerate() {
        vector.set_component(at, value);
    }
}

/// Stacks two vectors.
pub(in crate::analysis) fn stacked(upper: &DVector<f64>, lower: &DVector<f64>) -> DVector<f64> {
    DVector::from_iterator(upper.len() + lower.len(), upper.iter().chain(lower.iter()).copied())
}

/// A matrix of the system, column by column.
pub(in crate::analysis) fn matrix<M: Linearised<Scalar = f64>>(system: &M, of: &M::Matrix) -> DMatrix<f64> {
    let (mut unit, mut column) = (system.zero_velocity(), system.zero_velocity());
    let dof = system.dof();
    let mut dense = DMatrix::zeros(dof, dof);
    for at in 0..dof {
        unit.set_component(at, 1.0);
        system.matrix_times(of, &unit, &mut column);
        dense.set_column(at, &components(&column));
        unit.set_component(at, 0.0);
    }
    dense
}

/// Returns M(q); only the lower triangle of a mass matrix is used.
pub(in crate::analysis) fn mass<M: Linearised<Scalar = f64>>(system: &M, t: f64, q: &M::Configuration) -> DMatrix<f64> {
    let mut mass = system.zero_matrix();
    system.mass_matrix(t, q, &mut mass);
    let mut mass = matrix(system, &mass);
    mass.fill_upper_triangle_with_lower_triangle();
    mass
}

/// B(t, q).
pub(in crate::analysis) fn jacobian<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    t: f64,
    q: &M::Configuration,
) -> DMatrix<f64> {
    let (rows, dof) = (system.constraint_rows(), system.dof());
    let (mut jacobian, mut unit, mut row) = (system.zero_jacobian(), system.zero_multipliers(), system.zero_velocity());
    system.constraint_jacobian(t, q, &mut jacobian);
    let mut dense = DMatrix::zeros(rows, dof);
    for at in 0..rows {
        unit.set_component(at, 1.0);
        system.jacobian_transpose_times(&jacobian, &unit, &mut row);
        dense.set_row(at, &components(&row).transpose());
        unit.set_component(at, 0.0);
    }
    dense
}

/// Returns an orthonormal basis of the velocities that move q, by columns; `None` if all velocities move q. On spheres it excludes the spin
/// about the direction. The last columns are the unit vectors of auxiliary states.
pub(in crate::analysis) fn movements<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    q: &M::Configuration,
) -> Option<DMatrix<f64>> {
    let dof = system.dof();
    let (mut has_spins, mut unit) = (false, system.zero_velocity());
    let mut projector = DMatrix::zeros(dof, dof);
    for at in 0..dof {
        unit.fill(0.0);
        unit.set_component(at, 1.0);
        has_spins |= system.space().remove_spins(q, &mut unit) > 0.0;
        projector.set_column(at, &components(&unit));
    }
    if !has_spins {
        return None;
    }
    // An orthogonal projector has the eigenvalues 0 and 1.
    let count = state_components(system).start;
    let eigen = projector.view((0, 0), (count, count)).into_owned().symmetric_eigen();
    let kept: Vec<usize> = (0..count).filter(|&at| eigen.eigenvalues[at] > 0.5).collect();
    let mechanical =
        DMatrix::from_fn(
            dof,
            kept.len(),
            |row, column| {
                if row < count { eigen.eigenvectors[(row, kept[column])] } else { 0.0 }
            },
        );
    Some(with_state_columns(&mechanical, dof - count))
}

/// Appends the unit vectors of auxiliary states, the last components, to mechanical directions.
pub(in crate::analysis) fn with_state_columns(directions: &DMatrix<f64>, states: usize) -> DMatrix<f64> {
    let (rows, columns) = directions.shape();
    let mut all = directions.clone().insert_columns(columns, states, 0.0);
    all.view_mut((rows - states, columns), (states, states)).fill_with_identity();
    all
}
