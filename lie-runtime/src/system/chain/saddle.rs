//! M v' + B₁ᵀ λ = f, B₂ v' = c: what solves it, and the mass matrix alone.

use super::assembly::{self, Sizes, TransposeTimes, jacobian_of};
use super::layout::CLAMPED;
use super::order::{Order, Unknown};
use super::path::{Path, SaddlePoint};
use super::structure::InverseMass;
use super::{Element, ElementSystem, Structure, Visitor};
use crate::scalar::Scalar;
use crate::solve::{BandError, BandedLu};
use crate::system::SaddleError;

/// The mass matrix of a chain, ready to be solved with, and the scratch space of that.
#[derive(Clone, Debug)]
pub struct ChainMass<S> {
    /// M⁻¹ block by block, unless it is constant and the structure has it, or coupled.
    inverse: Option<InverseMass<S>>,
    /// What elimination along a path keeps.
    factors: Vec<S>,
    /// B₁ M⁻¹, element by element.
    weighted: Vec<S>,
    /// B₂ M⁻¹ B₁ᵀ.
    schur: BandedLu<S>,
    /// A right-hand side in the order of the band.
    unknowns: Vec<S>,
    coupled: Option<CoupledMass<S>>,
}

/// A mass matrix that couples members.
#[derive(Clone, Debug)]
struct CoupledMass<S> {
    /// The masses of the elements.
    elements: Vec<S>,
    mass: BandedLu<S>,
    saddle: BandedLu<S>,
}

impl<S: Scalar> ChainMass<S> {
    pub(super) fn zeros(structure: &Structure<S>) -> Self {
        let is_coupled = structure.is_coupled;
        let own = !is_coupled && structure.inverse_mass.is_none();
        let size = if is_coupled { structure.saddle.unknowns.len() } else { structure.schur.rows.len() };
        ChainMass {
            inverse: own.then(|| InverseMass::Blocks(vec![S::zero(); structure.blocks_length()])),
            factors: vec![S::zero(); structure.path.as_ref().map_or(0, Path::factor_length)],
            weighted: vec![S::zero(); if is_coupled { 0 } else { structure.jacobian_length() }],
            schur: BandedLu::new(&structure.schur.reach),
            unknowns: vec![S::zero(); size],
            coupled: is_coupled.then(|| CoupledMass {
                elements: vec![S::zero(); structure.matrix_length()],
                mass: structure.inertia.band(),
                saddle: structure.saddle.band(),
            }),
        }
    }
}

/// M(q), ready to be solved with.
pub(super) fn prepare<M: ElementSystem>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    mass: &mut ChainMass<M::Scalar>,
) -> Result<(), SaddleError> {
    let structure = system.structure();
    if let Some(InverseMass::Blocks(blocks)) = &mut mass.inverse {
        assembly::member_mass(system, structure, t, q, blocks);
        return invert_blocks(structure, blocks);
    }
    if let Some(coupled) = &mut mass.coupled {
        assembly::mass(system, structure, t, q, &mut coupled.elements);
        return factorise_mass(structure, &coupled.elements, &mut coupled.mass);
    }
    Ok(())
}

/// Factorises a mass matrix that couples members.
pub(super) fn factorise_mass<S: Scalar>(
    structure: &Structure<S>,
    elements: &[S],
    band: &mut BandedLu<S>,
) -> Result<(), SaddleError> {
    band.factorise_definite(|band| add_matrices(structure, elements, &structure.inertia, band)).map_err(|position| {
        match structure.inertia.unknowns[position] {
            Unknown::Component(component) => SaddleError::MassNotPositiveDefinite { component },
            _ => SaddleError::NotFinite,
        }
    })
}

/// Adds the matrices of inertial elements to a band.
fn add_matrices<S: Scalar>(structure: &Structure<S>, elements: &[S], order: &Order, band: &mut BandedLu<S>) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.matrix_starts);
    for (((kind, shape), &start), slots) in kinds.zip(&order.slots).filter(|(((_, shape), _), _)| shape.terms.inertia) {
        let n = shape.components;
        for index in 0..kind.count {
            let matrix = &elements[start + index * n * n..][..n * n];
            let slots = &slots[index * kind.slots..][..kind.slots];
            let mut row = 0;
            for (&row_position, &rows) in slots.iter().zip(shape.slots) {
                let mut column = 0;
                for (&column_position, &columns) in slots.iter().zip(shape.slots) {
                    if row_position != CLAMPED && column_position != CLAMPED {
                        for i in 0..rows {
                            for j in 0..columns {
                                band.add(row_position + i, column_position + j, matrix[(row + i) * n + column + j]);
                            }
                        }
                    }
                    column += columns;
                }
                row += rows;
            }
        }
    }
}

/// Inverts the symmetric positive definite block of every member in its place.
pub(super) fn invert_blocks<S: Scalar>(structure: &Structure<S>, blocks: &mut [S]) -> Result<(), SaddleError> {
    for member in &structure.members {
        let n = member.dimension;
        invert_block(&mut blocks[member.block..member.block + n * n], n)
            .map_err(|at| SaddleError::MassNotPositiveDefinite { component: member.offset + at })?;
    }
    Ok(())
}

/// Gauss-Jordan elimination of a symmetric positive definite matrix in its place.
pub(super) fn invert_block<S: Scalar>(a: &mut [S], n: usize) -> Result<(), usize> {
    for k in 0..n {
        let mut scale = 0.0;
        // What has been subtracted from the pivot is at most its diagonal entry, in a definite matrix.
        for j in 0..k {
            scale += (a[k * n + j] * a[j * n + k]).value().abs();
        }
        let pivot = a[k * n + k];
        if !(pivot.is_finite() && pivot.value() > 4.0 * n as f64 * f64::EPSILON * scale && pivot.value() > 0.0) {
            return Err(k);
        }
        let inverse = S::one() / pivot;
        a[k * n + k] = S::one();
        for j in 0..n {
            a[k * n + j] *= inverse;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i * n + k];
            a[i * n + k] = S::zero();
            for j in 0..n {
                let update = factor * a[k * n + j];
                a[i * n + j] -= update;
            }
        }
    }
    Ok(())
}

/// Solves M v' = f.
pub(super) fn solve_mass<S: Scalar>(
    structure: &Structure<S>,
    mass: &mut ChainMass<S>,
    force: &[S],
    acceleration: &mut [S],
) {
    if let Some(coupled) = &mass.coupled {
        let unknowns = &mut mass.unknowns[..force.len()];
        for (unknown, label) in unknowns.iter_mut().zip(&structure.inertia.unknowns) {
            if let Unknown::Component(component) = label {
                *unknown = force[*component];
            }
        }
        coupled.mass.solve(unknowns);
        for (&unknown, label) in unknowns.iter().zip(&structure.inertia.unknowns) {
            if let Unknown::Component(component) = label {
                acceleration[*component] = unknown;
            }
        }
    } else {
        multiply(structure, inverse_of(structure, mass.inverse.as_ref()), force, acceleration);
    }
}

fn inverse_of<'a, S>(structure: &'a Structure<S>, own: Option<&'a InverseMass<S>>) -> Option<&'a InverseMass<S>> {
    own.or(structure.inverse_mass.as_ref())
}

/// M⁻¹ f.
fn multiply<S: Scalar>(structure: &Structure<S>, inverse: Option<&InverseMass<S>>, force: &[S], out: &mut [S]) {
    match inverse {
        Some(InverseMass::Diagonal(inverse)) => {
            for ((out, &force), &inverse) in out.iter_mut().zip(force).zip(inverse) {
                *out = force * inverse;
            }
        }
        Some(InverseMass::Blocks(blocks)) => {
            for member in &structure.members {
                let n = member.dimension;
                let force = &force[member.offset..member.offset + n];
                let rows = blocks[member.block..member.block + n * n].chunks_exact(n);
                for (out, row) in out[member.offset..member.offset + n].iter_mut().zip(rows) {
                    *out = row.iter().zip(force).fold(S::zero(), |sum, (&a, &b)| sum + a * b);
                }
            }
        }
        None => {}
    }
}

/// B₁ M⁻¹, element by element, and B v' − c of each element in the order of the band.
struct Weigh<'a, M: ElementSystem> {
    structure: &'a Structure<M::Scalar>,
    inverse: &'a InverseMass<M::Scalar>,
    jacobian: &'a [M::Scalar],
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> Visitor<M> for Weigh<'_, M> {
    #[inline]
    fn element<E: Element<M>>(&mut self) {
        let (rows, components) = (Sizes::<M, E>::ROWS, Sizes::<M, E>::COMPONENTS);
        if rows * components == 0 {
            return;
        }
        let structure = self.structure;
        let out = &mut self.out[structure.jacobian_starts[E::KIND]..];
        let places = structure.layout().kinds[E::KIND].places();
        for (place, out) in places.zip(out.chunks_exact_mut(rows * components)) {
            let jacobian = jacobian_of::<M, E>(structure, self.jacobian, place.index);
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

/// The failure of a band in the names of constraint rows: the first one at or after the unknown without a pivot.
///
/// A, in the place of M, is taken to be regular.
#[cold]
pub(super) fn explain(error: BandError, unknowns: &[Unknown]) -> SaddleError {
    let row = |unknown: &Unknown| match *unknown {
        Unknown::Row(row) | Unknown::Projection(row) => Some(row),
        _ => None,
    };
    match error {
        BandError::NotFinite => SaddleError::NotFinite,
        BandError::Singular { row: position } => unknowns[position..]
            .iter()
            .find_map(row)
            .or_else(|| unknowns.iter().rev().find_map(row))
            .map_or(SaddleError::NotFinite, |row| SaddleError::SingularConstraints { row }),
    }
}

/// Solves the saddle-point system.
#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
#[inline]
pub(super) fn solve<M: ElementSystem>(
    system: &M,
    mass: &mut ChainMass<M::Scalar>,
    force_jacobian: &[M::Scalar],
    constraint_jacobian: &[M::Scalar],
    force: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), SaddleError> {
    let structure = system.structure();
    if mass.coupled.is_some() {
        let (first, second) = (force_jacobian, constraint_jacobian);
        return solve_coupled(structure, mass, first, second, force, constraint, acceleration, multipliers);
    }
    let ChainMass { inverse, factors, weighted, schur, unknowns, .. } = mass;
    let Some(inverse) = inverse_of(structure, inverse.as_ref()) else { return Err(SaddleError::NotFinite) };
    multiply(structure, Some(inverse), force, acceleration);
    if let Some(path) = structure.path.as_ref().filter(|_| !schur.is_permuted()) {
        let Structure { members, member_of, .. } = structure;
        let system = SaddlePoint { inverse, members, member_of, force_jacobian, constraint_jacobian, constraint };
        if path.solve(&system, factors, acceleration, multipliers) {
            return Ok(());
        }
        multiply(structure, Some(inverse), force, acceleration);
    }
    system.visit(&mut Weigh::<M> { structure, inverse, jacobian: force_jacobian, out: weighted });
    let plan = &structure.schur;
    schur.factorise(|band| plan.assemble(constraint_jacobian, weighted, band)).map_err(|error| match error {
        BandError::NotFinite => SaddleError::NotFinite,
        BandError::Singular { row } => SaddleError::SingularConstraints { row: plan.rows[row] },
    })?;
    system.visit(&mut assembly::Times::<M> {
        structure,
        jacobian: constraint_jacobian,
        v: acceleration,
        out: multipliers,
    });
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
    system.visit(&mut TransposeTimes::<M> { structure, jacobian: weighted, multipliers, factor, out: acceleration });
    if probe.is_finite() { Ok(()) } else { Err(SaddleError::NotFinite) }
}

#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
fn solve_coupled<S: Scalar>(
    structure: &Structure<S>,
    mass: &mut ChainMass<S>,
    force_jacobian: &[S],
    constraint_jacobian: &[S],
    force: &[S],
    constraint: &[S],
    acceleration: &mut [S],
    multipliers: &mut [S],
) -> Result<(), SaddleError> {
    let Some(CoupledMass { elements, saddle, .. }) = &mut mass.coupled else { return Err(SaddleError::NotFinite) };
    let order = &structure.saddle;
    let assemble = |band: &mut BandedLu<S>| {
        add_matrices(structure, elements, order, band);
        let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.jacobian_starts);
        for ((((kind, shape), &start), slots), rows) in kinds.zip(&order.slots).zip(&order.rows) {
            let n = shape.components;
            for (index, &row_position) in rows.iter().enumerate() {
                let at = start + index * shape.rows * n;
                let mut column = 0;
                for (&position, &size) in slots[index * kind.slots..].iter().zip(shape.slots) {
                    if position != CLAMPED {
                        for row in 0..shape.rows {
                            for j in 0..size {
                                let entry = at + row * n + column + j;
                                band.add(position + j, row_position + row, force_jacobian[entry]);
                                band.add(row_position + row, position + j, constraint_jacobian[entry]);
                            }
                        }
                    }
                    column += size;
                }
            }
        }
    };
    saddle.factorise(assemble).map_err(|error| explain(error, &order.unknowns))?;
    let unknowns = &mut mass.unknowns;
    for (unknown, label) in unknowns.iter_mut().zip(&order.unknowns) {
        *unknown = match *label {
            Unknown::Component(component) => force[component],
            Unknown::Row(row) => constraint[row],
            Unknown::Acceleration(_) | Unknown::Projection(_) => S::zero(),
        };
    }
    saddle.solve(unknowns);
    let mut probe = S::zero();
    for (&unknown, label) in unknowns.iter().zip(&order.unknowns) {
        probe += unknown * S::zero();
        match *label {
            Unknown::Component(component) => acceleration[component] = unknown,
            Unknown::Row(row) => multipliers[row] = unknown,
            Unknown::Acceleration(_) | Unknown::Projection(_) => {}
        }
    }
    if probe.is_finite() { Ok(()) } else { Err(SaddleError::NotFinite) }
}
