//! M v' + B₁ᵀ λ = f, B₂ v' = c along a tree, by the Schur complement of the rows.
//!
//! With M = L Δ Lᵀ, the elimination from the ends inwards, the complement is (L⁻¹ B₂ᵀ)ᵀ Δ⁻¹ (L⁻¹ B₁ᵀ). A row of L⁻¹ Bᵀ comes from the sweep
//! inwards alone, from the joints that the row acts on to the root.

use super::articulated::{ArticulatedMass, others, pull, solve};
use super::factor::inwards;
use super::{Frames, add};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, PivotError};
use crate::system::SaddleError;
use crate::system::chain::assembly::{add_transpose_times, times, write_rows};
use crate::system::chain::redundant::relax;
use crate::system::chain::{Block, ElementSystem};

/// What a system with constraints needs besides.
#[derive(Clone, Debug)]
pub(super) struct Constrained<S> {
    /// B₂ M⁻¹ B₁ᵀ, all of it.
    schur: BandedLu<S>,
    /// Δ⁻¹ L⁻¹ B₁ᵀ of the elimination M = L Δ Lᵀ from the ends inwards, row after row.
    weighted: Vec<S>,
    /// L⁻¹ B₂ᵀ.
    halves: Vec<S>,
    /// The places that what a row asks for has come to.
    reached: Vec<bool>,
    row: Vec<S>,
}

impl<S: Scalar> Constrained<S> {
    pub(super) fn zeros(rows: usize, dof: usize, frames: usize) -> Self {
        let zeros = |count: usize| vec![S::from_f64(0.0); count];
        Constrained {
            schur: BandedLu::new(&(0..rows).rev().collect::<Vec<usize>>()),
            weighted: zeros(rows * dof),
            halves: zeros(rows * dof),
            reached: vec![false; frames],
            row: zeros(dof),
        }
    }
}

/// L⁻¹ b in the place of b, multiplied by Δ⁻¹ if it is to be weighted: half of a solution with M. A row goes from the joints that it
/// acts on to the root and no further outwards.
fn halve<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    row: &mut [M::Scalar],
    reached: &mut [bool],
    is_weighted: bool,
) {
    let (structure, zero) = (system.structure(), M::Scalar::from_f64(0.0));
    let ArticulatedMass { jacobians, gains, factors, vectors, blocks, .. } = mass;
    if is_weighted {
        for other in others(structure) {
            let (n, range) = (other.dimension, other.offset..other.offset + other.dimension);
            if row[range.clone()].iter().all(|&entry| entry == zero) {
                continue;
            }
            let own = row[range.clone()].to_vec();
            let inverse = blocks[other.block..other.block + n * n].chunks_exact(n);
            for (out, line) in row[range].iter_mut().zip(inverse) {
                *out = line.iter().zip(&own).fold(zero, |sum, (&a, &b)| sum + a * b);
            }
        }
    }
    reached.fill(false);
    for (place, link) in structure.tree().links().iter().enumerate().rev() {
        let own = link.components();
        let acts = own.clone().is_some_and(|own| row[own].iter().any(|&entry| entry != zero));
        if !(acts || reached[place]) {
            continue;
        }
        let (mut needed, pulled) = if reached[place] {
            pull::<M, F>(&jacobians[place], &vectors[place])
        } else {
            (F::Vector::zeros(), F::Member::zeros())
        };
        if let Some(range) = own {
            let (mut rest, mut solved) = (F::Member::zeros(), F::Member::zeros());
            for ((rest, &entry), &pulled) in rest.as_mut().iter_mut().zip(&row[range.clone()]).zip(pulled.as_ref()) {
                *rest = entry - pulled;
            }
            inwards::<M, F>(&factors[place], &gains[place], &mut rest, &mut needed, solved.as_mut());
            let size = range.len();
            row[range].copy_from_slice(&if is_weighted { solved } else { rest }.as_ref()[..size]);
        }
        if let Some(above) = vectors.get_mut(link.parent) {
            if reached[link.parent] {
                add(above, &needed);
            } else {
                *above = needed;
                reached[link.parent] = true;
            }
        }
    }
}

/// Solves M v' + B₁ᵀ λ = f, B₂ v' = c with the Schur complement of all rows: M⁻¹ fills it.
#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
pub(super) fn solve_saddle<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    epsilon: Option<f64>,
    [first, second]: [&[M::Scalar]; 2],
    force: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), SaddleError> {
    let (zero, one) = (M::Scalar::from_f64(0.0), M::Scalar::from_f64(1.0));
    let structure = system.structure();
    let dof = structure.layout().dof;
    solve(system, mass, force, acceleration);
    let Some(mut constrained) = mass.constrained.take() else { return Ok(()) };
    let Constrained { schur, weighted, halves, reached, row } = &mut *constrained;
    write_rows(structure, first, weighted);
    write_rows(structure, second, halves);
    for row in weighted.chunks_exact_mut(dof) {
        halve(system, mass, row, reached, true);
    }
    for row in halves.chunks_exact_mut(dof) {
        halve(system, mass, row, reached, false);
    }
    let outcome = schur.factorise(|band| {
        for (row, half) in halves.chunks_exact(dof).enumerate() {
            for (column, weighted) in weighted.chunks_exact(dof).enumerate() {
                band.add(row, column, half.iter().zip(weighted).fold(zero, |sum, (&a, &b)| sum + a * b));
            }
        }
        if let Some(epsilon) = epsilon {
            relax(band, epsilon);
        }
    });
    if let Err(error) = outcome {
        mass.constrained = Some(constrained);
        return Err(match error {
            PivotError::NotFinite => SaddleError::NotFinite,
            PivotError::Singular { row } => SaddleError::SingularConstraints { row },
        });
    }
    times(system, second, acceleration, multipliers);
    for (multiplier, &constraint) in multipliers.iter_mut().zip(constraint) {
        *multiplier -= constraint;
    }
    schur.solve(multipliers);
    row.copy_from_slice(force);
    add_transpose_times(system, first, multipliers, -one, row);
    solve(system, mass, row, acceleration);
    mass.constrained = Some(constrained);
    Ok(())
}

/// The same without a force, with the factors of the last solution.
pub(super) fn solve_saddle_again<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    first: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) {
    let Some(mut constrained) = mass.constrained.take() else { return };
    let Constrained { schur, row, .. } = &mut *constrained;
    for (multiplier, &constraint) in multipliers.iter_mut().zip(constraint) {
        *multiplier = -constraint;
    }
    schur.solve(multipliers);
    row.fill(M::Scalar::from_f64(0.0));
    add_transpose_times(system, first, multipliers, M::Scalar::from_f64(-1.0), row);
    solve(system, mass, row, acceleration);
    mass.constrained = Some(constrained);
}
