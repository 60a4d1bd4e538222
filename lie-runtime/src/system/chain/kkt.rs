//! The KKT system M v' + B₁ᵀ λ = f, B₂ v' = c of a system without frames.

use super::assembly::{self, ElementSizes, add_transpose_times, jacobian_of};
use super::block_tridiagonal::KktBlocks;
use super::elimination_order::Unknown;
use super::inverse_mass::{InverseMass, multiply};
use super::layout::CLAMPED;
use super::mass_matrix::{ChainMass, KktMatrix, add_mass_times, add_matrices, inverse_of};
use super::regularisation::{largest, relax, relax_jointly};
use super::system_matrix::{BlockPosition, MatrixEntries};
use super::{ElementSystem, ElementVisitor, Structure};
use crate::scalar::{Scalar, larger};
use crate::solve::{BandedLu, PivotError};
use crate::system::KktError;
use crate::system::Term;

/// Computes B₁ M⁻¹, element by element.
struct WeightedJacobian<'a, M: ElementSystem> {
    structure: &'a Structure<M::Scalar>,
    inverse: &'a InverseMass<M::Scalar>,
    jacobian: &'a [M::Scalar],
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> ElementVisitor<M> for WeightedJacobian<'_, M> {
    #[inline]
    fn element<E: Term<M>>(&mut self) {
        let (rows, components) = (ElementSizes::<M, E>::ROWS, ElementSizes::<M, E>::COMPONENTS);
        if rows * components == 0 {
            return;
        }
        let structure = self.structure;
        let out = &mut self.out[structure.jacobian_starts[E::KIND]..];
        let places = structure.layout().kinds[E::KIND].places();
        for (place, out) in places.zip(out.chunks_exact_mut(rows * components)) {
            let jacobian = jacobian_of::<M, E>(structure, self.jacobian, place.element);
            let mut start = 0;
            for (&size, &offset) in E::SLOTS.iter().zip(place.offsets) {
                if offset != CLAMPED {
                    for row in 0..rows {
                        let at = row * components + start;
                        let (b, z) = (&jacobian[at..at + size], &mut out[at..at + size]);
                        match self.inverse {
                            InverseMass::Diagonal(inverse) => {
                                for ((z, &b), &inverse) in z.iter_mut().zip(b).zip(&inverse[offset..offset + size]) {
                                    *z = b * inverse;
                                }
                            }
                            InverseMass::Blocks(blocks) => {
                                let block = structure.members[structure.member_of[offset]].block;
                                let block = &blocks[block..block + size * size];
                                for (z, row) in z.iter_mut().zip(block.chunks_exact(size)) {
                                    *z = row.iter().zip(b).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
                                }
                            }
                        }
                    }
                }
                start += size;
            }
        }
    }
}

/// Converts a failed pivot to the constraint row: the first row at or after the unknown without a pivot.
///
/// The matrix A in place of M is assumed to be regular.
#[cold]
pub(super) fn to_kkt_error(error: PivotError, unknowns: &[Unknown]) -> KktError {
    let row = |unknown: &Unknown| match *unknown {
        Unknown::Row(row) | Unknown::Projection(row) => Some(row),
        _ => None,
    };
    match error {
        PivotError::NotFinite => KktError::NotFinite,
        PivotError::Singular { row: position } => unknowns[position..]
            .iter()
            .find_map(row)
            .or_else(|| unknowns.iter().rev().find_map(row))
            .map_or(KktError::NotFinite, |row| KktError::SingularConstraints { row }),
    }
}

/// Solves the KKT system with the block-tridiagonal elimination; with `ahead` = (w, h) the second equation is B₂ (w + h
/// v') + b = 0. Returns false, with undefined results, if the system is not block-tridiagonal or a pivot is not safe.
#[inline]
pub(super) fn solve_block_tridiagonal<M: ElementSystem>(
    system: &M,
    mass: &mut ChainMass<M::Scalar>,
    [force_jacobian, constraint_jacobian]: [&[M::Scalar]; 2],
    [force, constraint]: [&[M::Scalar]; 2],
    ahead: Option<(&[M::Scalar], f64)>,
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> bool {
    let structure = system.structure();
    let ChainMass { kkt, inverse, factors, used_block_tridiagonal, schur, .. } = mass;
    let (Some(block_tridiagonal), Some(inverse)) =
        (&structure.block_tridiagonal, inverse_of(structure, inverse.as_ref()))
    else {
        return false;
    };
    if kkt.is_some() || schur.is_permuted() {
        return false;
    }
    let Structure { members, member_of, .. } = structure;
    let ahead = ahead.map(|(velocity, h)| (velocity, M::Scalar::from_f64(1.0 / h)));
    let system =
        KktBlocks { inverse, members, member_of, force_jacobian, constraint_jacobian, force, constraint, ahead };
    if !block_tridiagonal.is_all {
        multiply(&structure.members, Some(inverse), force, acceleration);
    }
    *used_block_tridiagonal = block_tridiagonal.solve(&system, factors, acceleration, multipliers);
    *used_block_tridiagonal
}

/// Solves the KKT system, regularised by `epsilon` if given.
#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
#[inline]
pub(super) fn solve<M: ElementSystem>(
    system: &M,
    mass: &mut ChainMass<M::Scalar>,
    epsilon: Option<f64>,
    force_jacobian: &[M::Scalar],
    constraint_jacobian: &[M::Scalar],
    force: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), KktError> {
    let structure = system.structure();
    if let Some(kkt) = &mut mass.kkt {
        let jacobians = [force_jacobian, constraint_jacobian];
        return solve_kkt_matrix(
            structure,
            epsilon,
            kkt,
            &mut mass.unknowns,
            jacobians,
            [force, constraint],
            acceleration,
            multipliers,
        );
    }
    let jacobians = [force_jacobian, constraint_jacobian];
    if epsilon.is_none()
        && solve_block_tridiagonal(system, mass, jacobians, [force, constraint], None, acceleration, multipliers)
    {
        return Ok(());
    }
    let ChainMass { inverse, used_block_tridiagonal, weighted, schur, unknowns, .. } = mass;
    *used_block_tridiagonal = false;
    let Some(inverse) = inverse_of(structure, inverse.as_ref()) else { return Err(KktError::NotFinite) };
    multiply(&structure.members, Some(inverse), force, acceleration);
    system.visit(&mut WeightedJacobian::<M> { structure, inverse, jacobian: force_jacobian, out: weighted });
    let plan = &structure.schur;
    let assemble = |band: &mut BandedLu<M::Scalar>| {
        plan.assemble(constraint_jacobian, weighted, band);
        if let Some(epsilon) = epsilon {
            relax(band, epsilon);
        }
    };
    schur.factorise(assemble).map_err(|error| match error {
        PivotError::NotFinite => KktError::NotFinite,
        PivotError::Singular { row } => KktError::SingularConstraints { row: plan.rows[row] },
    })?;
    assembly::times(system, constraint_jacobian, acceleration, multipliers);
    for (unknown, &row) in unknowns.iter_mut().zip(&plan.rows) {
        *unknown = multipliers[row] - constraint[row];
    }
    schur.solve(unknowns);
    let mut probe = M::Scalar::from_f64(0.0);
    for (&unknown, &row) in unknowns.iter().zip(&plan.rows) {
        multipliers[row] = unknown;
        probe += unknown * M::Scalar::from_f64(0.0);
    }
    let factor = M::Scalar::from_f64(-1.0);
    add_transpose_times(system, weighted, multipliers, factor, acceleration);
    if probe.is_finite() { Ok(()) } else { Err(KktError::NotFinite) }
}

/// Solves the KKT system with the factors of the last solution. f must be zero unless the matrix is eliminated as a
/// whole; the block-tridiagonal elimination needs B₁ = B₂.
pub(super) fn solve_again<M: ElementSystem>(
    system: &M,
    mass: &mut ChainMass<M::Scalar>,
    force_jacobian: &[M::Scalar],
    force: Option<&[M::Scalar]>,
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) {
    let (structure, zero) = (system.structure(), M::Scalar::from_f64(0.0));
    let ChainMass { kkt, inverse, factors, used_block_tridiagonal, weighted, schur, unknowns, .. } = mass;
    if let (true, Some(block_tridiagonal), Some(inverse)) =
        (*used_block_tridiagonal, &structure.block_tridiagonal, inverse_of(structure, inverse.as_ref()))
    {
        if !block_tridiagonal.is_all {
            acceleration.fill(zero);
        }
        let Structure { members, member_of, .. } = structure;
        let constraint_jacobian = force_jacobian;
        let (force, ahead) = (&[], None);
        let system =
            KktBlocks { inverse, members, member_of, force_jacobian, constraint_jacobian, force, constraint, ahead };
        block_tridiagonal.solve_again(&system, factors, acceleration, multipliers);
        return;
    }
    if let Some(KktMatrix { matrix, .. }) = kkt {
        let labels = &structure.kkt.unknowns;
        for (unknown, label) in unknowns.iter_mut().zip(labels) {
            *unknown = match *label {
                Unknown::Component(component) => force.map_or(zero, |force| force[component]),
                Unknown::Row(row) => constraint[row],
                Unknown::Acceleration(_) | Unknown::Projection(_) => zero,
            };
        }
        matrix.solve(unknowns);
        scatter_unknowns(unknowns, labels, acceleration, multipliers);
        return;
    }
    for (unknown, &row) in unknowns.iter_mut().zip(&structure.schur.rows) {
        *unknown = -constraint[row];
    }
    schur.solve(unknowns);
    for (&unknown, &row) in unknowns.iter().zip(&structure.schur.rows) {
        multipliers[row] = unknown;
    }
    acceleration.fill(zero);
    let factor = M::Scalar::from_f64(-1.0);
    add_transpose_times(system, weighted, multipliers, factor, acceleration);
}

/// Computes f − M v' − B₁ᵀ λ; returns the size of f and M v', derivatives included.
pub(super) fn residual_force<M: ElementSystem>(
    system: &M,
    kkt: &KktMatrix<M::Scalar>,
    force_jacobian: &[M::Scalar],
    force: &[M::Scalar],
    [acceleration, multipliers]: [&[M::Scalar]; 2],
    out: &mut [M::Scalar],
) -> f64 {
    out.fill(M::Scalar::from_f64(0.0));
    add_mass_times(system.structure(), &kkt.elements, acceleration, out);
    let size = [&*out, force].into_iter().flat_map(largest).fold(0.0, larger);
    for (out, &force) in out.iter_mut().zip(force) {
        *out = force - *out;
    }
    add_transpose_times(system, force_jacobian, multipliers, M::Scalar::from_f64(-1.0), out);
    size
}

/// Copies the unknowns of [M B₁ᵀ; B₂ 0] to the results; the returned sum is finite if all unknowns are.
#[inline]
fn scatter_unknowns<S: Scalar>(unknowns: &[S], labels: &[Unknown], acceleration: &mut [S], multipliers: &mut [S]) -> S {
    let mut probe = S::zero();
    for (&unknown, label) in unknowns.iter().zip(labels) {
        probe += unknown * S::zero();
        match *label {
            Unknown::Component(component) => acceleration[component] = unknown,
            Unknown::Row(row) => multipliers[row] = unknown,
            Unknown::Acceleration(_) | Unknown::Projection(_) => {}
        }
    }
    probe
}

/// Solves [M B₁ᵀ; B₂ 0] as a whole.
#[allow(clippy::too_many_arguments)] // The blocks of one linear system.
fn solve_kkt_matrix<S: Scalar>(
    structure: &Structure<S>,
    epsilon: Option<f64>,
    KktMatrix { elements, matrix }: &mut KktMatrix<S>,
    unknowns: &mut [S],
    [force_jacobian, constraint_jacobian]: [&[S]; 2],
    [force, constraint]: [&[S]; 2],
    acceleration: &mut [S],
    multipliers: &mut [S],
) -> Result<(), KktError> {
    let order = &structure.kkt;
    let assemble = |entries: &mut MatrixEntries<'_, S>| {
        add_matrices(structure, elements, order, entries);
        let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.jacobian_starts);
        for ((((kind, shape), &start), slots), rows) in kinds.zip(&order.slots).zip(&order.rows) {
            let n = shape.components;
            for (index, &row) in rows.iter().enumerate() {
                let own = start + index * shape.rows * n..start + (index + 1) * shape.rows * n;
                let (first, second) = (&force_jacobian[own.clone()], &constraint_jacobian[own]);
                let mut start = 0;
                for (&position, &size) in slots[index * kind.slots..].iter().zip(shape.slots) {
                    if position != CLAMPED {
                        let at = BlockPosition { row: position, column: row, rows: size, columns: shape.rows };
                        entries.add_block(at, |i, j| first[j * n + start + i]);
                        let at = BlockPosition { row, column: position, rows: shape.rows, columns: size };
                        entries.add_block(at, |i, j| second[i * n + start + j]);
                    }
                    start += size;
                }
            }
        }
        if let Some(epsilon) = epsilon {
            relax_jointly(structure, order, false, epsilon, entries);
        }
    };
    matrix.factorise(assemble).map_err(|error| to_kkt_error(error, &order.unknowns))?;
    for (unknown, label) in unknowns.iter_mut().zip(&order.unknowns) {
        *unknown = match *label {
            Unknown::Component(component) => force[component],
            Unknown::Row(row) => constraint[row],
            Unknown::Acceleration(_) | Unknown::Projection(_) => S::zero(),
        };
    }
    matrix.solve(unknowns);
    let probe = scatter_unknowns(unknowns, &order.unknowns, acceleration, multipliers);
    if probe.is_finite() { Ok(()) } else { Err(KktError::NotFinite) }
}
