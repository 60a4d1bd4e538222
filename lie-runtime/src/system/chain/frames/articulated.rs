//! M v' = f by articulated inertias, in O(N).
//!
//! The equations of a chain are M_x u' of every frame, pulled back to the members. Elimination from the free end
//! inwards leaves, with I the inertia of frame i and of all that hangs on it and p the force that it needs at u' = 0,
//!
//! ```text
//! D = Jᵀ I J + M_i,   H = Aᵀ I J,   I ← M_x + Aᵀ I A − H D⁻¹ Hᵀ,   p ← Aᵀ p + H D⁻¹ (f − Jᵀ p),
//! ```
//!
//! and then outwards v' = D⁻¹ (f − Jᵀ p − Hᵀ u'), u' ← A u' + J v'. That is block elimination of a definite matrix, so no
//! pivoting is needed; D has the size of one member.

use core::fmt;

use super::factor::{eliminate, factor, inwards, outwards};
use super::sweep::Free;
use super::{Frames, Link, add, axial};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, PivotError};
use crate::system::SaddleError;
use crate::system::chain::assembly::{self, Times, TransposeTimes};
use crate::system::chain::mass::invert_block;
use crate::system::chain::redundant::relax;
use crate::system::chain::structure::Member;
use crate::system::chain::{Block, ElementSystem, Structure};

/// The eliminated mass matrix of a chain with frames.
pub struct ArticulatedMass<M: ElementSystem, F: Frames<M>> {
    t: M::Scalar,
    q: M::Configuration,
    /// xᵢ₋₁ of every member, and the last frame.
    frames: Vec<F::Frame>,
    /// Z = Δ⁻¹ L⁻¹ Jᵀ I A of every member, transposed.
    gains: Vec<F::Mixed>,
    /// L and Δ⁻¹ of every member.
    factors: Vec<F::MemberMatrix>,
    /// Of members elsewhere M⁻¹, and what members of the chain have of their own.
    blocks: Vec<M::Scalar>,
    constrained: Option<Box<Constrained<M::Scalar>>>,
}

/// What a system with constraints needs besides.
#[derive(Clone, Debug)]
struct Constrained<S> {
    /// B₂ M⁻¹ B₁ᵀ, all of it.
    schur: BandedLu<S>,
    /// Its columns.
    columns: Vec<S>,
    unit: Vec<S>,
    row: Vec<S>,
    response: Vec<S>,
}

impl<M: ElementSystem, F: Frames<M>> Clone for ArticulatedMass<M, F> {
    fn clone(&self) -> Self {
        ArticulatedMass {
            t: self.t,
            q: self.q.clone(),
            frames: self.frames.clone(),
            gains: self.gains.clone(),
            factors: self.factors.clone(),
            blocks: self.blocks.clone(),
            constrained: self.constrained.clone(),
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> fmt::Debug for ArticulatedMass<M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArticulatedMass").field("q", &self.q).finish_non_exhaustive()
    }
}

impl<M: ElementSystem, F: Frames<M>> ArticulatedMass<M, F> {
    pub(super) fn zeros(system: &M) -> Self {
        let structure = system.structure();
        let layout = structure.layout();
        let length = layout.spans[F::FIELD].length;
        let zeros = |count: usize| vec![M::Scalar::from_f64(0.0); count];
        let (rows, dof) = (layout.rows, layout.dof);
        ArticulatedMass {
            t: M::Scalar::from_f64(0.0),
            q: system.chain_space().origin(),
            frames: vec![F::origin(); length + 1],
            gains: vec![F::Mixed::zeros(); length],
            factors: vec![F::MemberMatrix::zeros(); length],
            blocks: zeros(structure.blocks_length()),
            constrained: (rows > 0).then(|| {
                Box::new(Constrained {
                    schur: BandedLu::new(&(0..rows).rev().collect::<Vec<usize>>()),
                    columns: zeros(rows * rows),
                    unit: zeros(rows),
                    row: zeros(dof),
                    response: zeros(dof),
                })
            }),
        }
    }
}

/// The members outside of the chain, and those of the chain in order.
fn parted<S: Scalar, M: ElementSystem<Scalar = S>, F: Frames<M>>(
    structure: &Structure<S>,
) -> (impl Iterator<Item = &Member>, &[Member]) {
    let span = &structure.layout().spans[F::FIELD];
    let first = structure.members.partition_point(|member| member.offset < span.offset);
    let (before, rest) = structure.members.split_at(first);
    let (own, after) = rest.split_at(span.free().len());
    (before.iter().chain(after), own)
}

/// Eliminates M(q).
pub(super) fn factorise<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    mass: &mut ArticulatedMass<M, F>,
) -> Result<(), SaddleError> {
    let structure = system.structure();
    let span = &structure.layout().spans[F::FIELD];
    mass.t = t;
    mass.q.clone_from(q);
    let (others, own) = parted::<M::Scalar, M, F>(structure);
    let has_blocks = structure.shapes.iter().any(|shape| shape.terms.inertia);
    if has_blocks {
        assembly::member_mass(system, structure, t, q, &mut mass.blocks);
    }
    for other in others {
        let n = other.dimension;
        invert_block(&mut mass.blocks[other.block..other.block + n * n], n)
            .map_err(|at| SaddleError::MassNotPositiveDefinite { component: other.offset + at })?;
    }
    let length = span.length;
    for index in 0..length {
        mass.frames[index + 1] = F::frame(system, &Link { index, length }, t, q, &mass.frames[index]);
    }
    let (n, free) = (F::MEMBER, Free::of(span));
    let mut inertia = F::Matrix::zeros();
    let ArticulatedMass { frames, gains, factors, blocks, .. } = mass;
    let own_frames = frames.windows(2).zip(gains).zip(factors).enumerate();
    for (index, ((frames, gains), factors)) in own_frames.rev() {
        let link = Link { index, length };
        let [above, frame] = [&frames[0], &frames[1]];
        F::add_inertia(system, &link, t, frame, &mut inertia);
        let (mut moved, mixed, mut block) = F::transport(system, &link, t, q, above, &inertia);
        if let Some(position) = free.position(index) {
            let place = &own[position];
            if has_blocks {
                for (sum, &term) in block.as_mut().iter_mut().zip(&blocks[place.block..place.block + n * n]) {
                    *sum += term;
                }
            }
            axial::add_inertia::<M, F>(structure, q, index, &mut block);
            factor::<M, F>(&mut block)
                .map_err(|at| SaddleError::MassNotPositiveDefinite { component: place.offset + at })?;
            eliminate::<M, F>(&mut moved, &mixed, &block, gains);
            *factors = block;
        }
        inertia = moved;
    }
    Ok(())
}

/// Solves M v' = f.
pub(super) fn solve<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &ArticulatedMass<M, F>,
    force: &[M::Scalar],
    acceleration: &mut [M::Scalar],
) {
    let structure = system.structure();
    let span = &structure.layout().spans[F::FIELD];
    let (t, q, length, free) = (mass.t, &mass.q, span.length, Free::of(span));
    let dot =
        |a: &[M::Scalar], b: &[M::Scalar]| a.iter().zip(b).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
    for other in parted::<M::Scalar, M, F>(structure).0 {
        let (n, range) = (other.dimension, other.offset..other.offset + other.dimension);
        let rows = mass.blocks[other.block..other.block + n * n].chunks_exact(n);
        for (out, row) in acceleration[range.clone()].iter_mut().zip(rows) {
            *out = dot(row, &force[range.clone()]);
        }
    }
    let mut p = F::Vector::zeros();
    let chain = mass.frames.iter().zip(&mass.gains).zip(&mass.factors);
    for (index, ((frame, gains), factors)) in chain.clone().enumerate().rev() {
        let (mut above, own) = F::pull(system, &Link { index, length }, t, q, frame, &p);
        if let Some(range) = free.components(index) {
            let mut rest = F::Member::zeros();
            for ((rest, &force), &own) in rest.as_mut().iter_mut().zip(&force[range.clone()]).zip(own.as_ref()) {
                *rest = force - own;
            }
            inwards::<M, F>(factors, gains, &mut rest, &mut above, &mut acceleration[range]);
        }
        p = above;
    }
    let mut u = F::Vector::zeros();
    for (index, ((frame, gains), factors)) in chain.enumerate() {
        let mut own = free.member::<M::Scalar, F::Member>(index, acceleration);
        if let Some(range) = free.components(index) {
            outwards::<M, F>(factors, gains, &u, &mut own);
            acceleration[range].copy_from_slice(own.as_ref());
        }
        u = F::push(system, &Link { index, length }, t, q, frame, &u, &own);
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
    let structure = system.structure();
    let (zero, one) = (M::Scalar::from_f64(0.0), M::Scalar::from_f64(1.0));
    solve(system, mass, force, acceleration);
    let Some(mut constrained) = mass.constrained.take() else { return Ok(()) };
    let Constrained { schur, columns, unit, row, response } = &mut *constrained;
    let rows = unit.len();
    for (at, column) in columns.chunks_exact_mut(rows).enumerate() {
        unit.fill(zero);
        unit[at] = one;
        row.fill(zero);
        let (jacobian, multipliers) = (first, &*unit);
        system.visit(&mut TransposeTimes::<M> { structure, jacobian, multipliers, factor: one, out: row });
        solve(system, mass, row, response);
        system.visit(&mut Times::<M> { structure, jacobian: second, v: response, out: column });
    }
    let outcome = schur.factorise(|band| {
        for (at, column) in columns.chunks_exact(rows).enumerate() {
            for (row, &entry) in column.iter().enumerate() {
                band.add(row, at, entry);
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
    system.visit(&mut Times::<M> { structure, jacobian: second, v: acceleration, out: multipliers });
    for (multiplier, &constraint) in multipliers.iter_mut().zip(constraint) {
        *multiplier -= constraint;
    }
    schur.solve(multipliers);
    row.copy_from_slice(force);
    let (jacobian, known) = (first, &*multipliers);
    system.visit(&mut TransposeTimes::<M> { structure, jacobian, multipliers: known, factor: -one, out: row });
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
    let (structure, factor) = (system.structure(), M::Scalar::from_f64(-1.0));
    system.visit(&mut TransposeTimes::<M> { structure, jacobian: first, multipliers, factor, out: row });
    solve(system, mass, row, acceleration);
    mass.constrained = Some(constrained);
}

/// The block of a member that frames and its own terms make up, at one configuration: Jᵀ I J + M_i with I of all that
/// hangs on it rigidly.
pub(super) fn own_blocks<M: ElementSystem, F: Frames<M>>(
    system: &M,
    structure: &Structure<M::Scalar>,
    q: &M::Configuration,
) -> Vec<F::MemberMatrix> {
    let (t, span) = (M::Scalar::from_f64(0.0), &structure.layout().spans[F::FIELD]);
    let free = Free::of(span);
    let mut blocks = vec![t; structure.blocks_length()];
    assembly::member_mass(system, structure, t, q, &mut blocks);
    let (length, n) = (span.length, F::MEMBER);
    let mut frames = vec![F::origin(); length + 1];
    for index in 0..length {
        frames[index + 1] = F::frame(system, &Link { index, length }, t, q, &frames[index]);
    }
    let (_, own) = parted::<M::Scalar, M, F>(structure);
    let (mut result, mut inertia) = (vec![F::MemberMatrix::zeros(); length], F::Matrix::zeros());
    for index in (0..length).rev() {
        let link = Link { index, length };
        F::add_inertia(system, &link, t, &frames[index + 1], &mut inertia);
        let (moved, _, block) = F::transport(system, &link, t, q, &frames[index], &inertia);
        result[index] = block;
        if let Some(position) = free.position(index) {
            let place = &own[position];
            let mut term = F::MemberMatrix::zeros();
            term.as_mut().copy_from_slice(&blocks[place.block..place.block + n * n]);
            add(&mut result[index], &term);
        }
        inertia = moved;
    }
    result
}
