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
use super::loops::Loops;
use super::{Frames, Link, add, axial};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::SaddleError;
use crate::system::chain::assembly;
use crate::system::chain::mass::invert_block;
use crate::system::chain::structure::Member;
use crate::system::chain::{ElementSystem, Structure};

/// The eliminated mass matrix of a tree of joints with frames; lists are in the order of sweeps.
pub struct ArticulatedMass<M: ElementSystem, F: Frames<M>> {
    frames: Vec<F::Frame>,
    /// I of every frame and of all that hangs on it.
    pub(super) inertias: Vec<F::Matrix>,
    /// [A J].
    pub(super) jacobians: Vec<F::Jacobian>,
    /// Z = Δ⁻¹ L⁻¹ Jᵀ I A of every joint, transposed.
    pub(super) gains: Vec<F::Mixed>,
    /// L and Δ⁻¹ of every joint.
    pub(super) factors: Vec<F::MemberMatrix>,
    /// What a frame needs, and then its acceleration.
    pub(super) vectors: Vec<F::Vector>,
    /// Of members elsewhere M⁻¹, and what joints have of their own.
    pub(super) blocks: Vec<M::Scalar>,
    /// What rows of constraints need.
    pub(super) loops: Option<Box<Loops<M, F>>>,
}

impl<M: ElementSystem, F: Frames<M>> Clone for ArticulatedMass<M, F> {
    fn clone(&self) -> Self {
        ArticulatedMass {
            frames: self.frames.clone(),
            inertias: self.inertias.clone(),
            jacobians: self.jacobians.clone(),
            gains: self.gains.clone(),
            factors: self.factors.clone(),
            vectors: self.vectors.clone(),
            blocks: self.blocks.clone(),
            loops: self.loops.clone(),
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> fmt::Debug for ArticulatedMass<M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArticulatedMass").field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl<M: ElementSystem, F: Frames<M>> ArticulatedMass<M, F> {
    pub(super) fn zeros(system: &M) -> Self {
        let structure = system.structure();
        let length = structure.tree().links().len();
        let zeros = |count: usize| vec![M::Scalar::from_f64(0.0); count];
        ArticulatedMass {
            frames: vec![F::origin(system, M::Scalar::from_f64(0.0)).frame; length],
            inertias: vec![F::Matrix::zeros(); length],
            jacobians: vec![F::Jacobian::zeros(); length],
            gains: vec![F::Mixed::zeros(); length],
            factors: vec![F::MemberMatrix::zeros(); length],
            vectors: vec![F::Vector::zeros(); length],
            blocks: zeros(structure.blocks_length()),
            loops: (structure.layout().rows > 0).then(|| Box::new(Loops::new(structure))),
        }
    }
}

/// The members that carry no frames.
pub(super) fn others<S: Scalar>(structure: &Structure<S>) -> impl Iterator<Item = &Member> {
    structure.members.iter().filter(|member| !structure.tree().moves_with(member.offset))
}

/// What a joint has of its own, added to its block; `blocks` are of all members.
#[inline]
fn add_own<S: Scalar, B: Block<S>>(structure: &Structure<S>, link: &Link, blocks: &[S], size: usize, out: &mut B) {
    let Some(range) = link.components() else { return };
    let (n, first) = (range.len(), structure.members[structure.member_of[range.start]].block);
    for (sums, own) in out.as_mut_slice().chunks_exact_mut(size).zip(blocks[first..first + n * n].chunks_exact(n)) {
        for (sum, &term) in sums.iter_mut().zip(own) {
            *sum += term;
        }
    }
}

/// Eliminates M(q).
pub(super) fn factorise<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    mass: &mut ArticulatedMass<M, F>,
) -> Result<(), SaddleError> {
    let structure = system.structure();
    let has_blocks = structure.shapes.iter().any(|shape| shape.terms.inertia);
    if has_blocks {
        assembly::member_mass(system, structure, t, q, &mut mass.blocks);
    }
    for other in others(structure) {
        let n = other.dimension;
        invert_block(&mut mass.blocks[other.block..other.block + n * n], n)
            .map_err(|at| SaddleError::MassNotPositiveDefinite { component: other.offset + at })?;
    }
    let links = structure.tree().links();
    let ArticulatedMass { frames, inertias, jacobians, gains, factors, blocks, .. } = mass;
    let origin = F::origin(system, t).frame;
    for (place, link) in links.iter().enumerate() {
        let frame = F::frame(system, link, t, q, frames.get(link.parent).unwrap_or(&origin));
        frames[place] = frame;
        inertias[place] = F::Matrix::zeros();
        F::add_inertia(system, link, t, &frame, &mut inertias[place]);
    }
    for (place, link) in links.iter().enumerate().rev() {
        let above = frames.get(link.parent).unwrap_or(&origin);
        let (mut moved, mixed, mut block, jacobian) = F::transport(system, link, t, q, above, &inertias[place]);
        jacobians[place] = jacobian;
        if let Some(range) = link.components() {
            if has_blocks {
                add_own(structure, link, blocks, F::MEMBER, &mut block);
            }
            axial::add_inertia::<M, F>(structure, q, place, &mut block);
            factor::<M, F>(&mut block)
                .map_err(|at| SaddleError::MassNotPositiveDefinite { component: range.start + at })?;
            eliminate::<M, F>(&mut moved, &mixed, &block, &mut gains[place]);
            factors[place] = block;
        }
        if let Some(parent) = inertias.get_mut(link.parent) {
            add(parent, &moved);
        }
    }
    Ok(())
}

/// Aᵀ w and Jᵀ w.
#[inline]
pub(super) fn pull<M: ElementSystem, F: Frames<M>>(jacobian: &F::Jacobian, w: &F::Vector) -> (F::Vector, F::Member) {
    let n = F::FRAME;
    let (mut above, mut own) = (F::Vector::zeros(), F::Member::zeros());
    for (row, &w) in jacobian.as_slice().chunks_exact(n + F::MEMBER).zip(w.as_slice()) {
        for (sum, &entry) in above.as_mut_slice().iter_mut().chain(own.as_mut_slice()).zip(row) {
            *sum += entry * w;
        }
    }
    (above, own)
}

/// A u + J v.
#[inline]
pub(super) fn push<M: ElementSystem, F: Frames<M>>(jacobian: &F::Jacobian, u: &F::Vector, v: &F::Member) -> F::Vector {
    let mut moved = F::Vector::zeros();
    for (sum, row) in moved.as_mut_slice().iter_mut().zip(jacobian.as_slice().chunks_exact(F::FRAME + F::MEMBER)) {
        let both = u.as_slice().iter().chain(v.as_slice());
        *sum = row.iter().zip(both).fold(M::Scalar::from_f64(0.0), |sum, (&entry, &x)| sum + entry * x);
    }
    moved
}

/// Solves M v' = f.
pub(super) fn solve<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    force: &[M::Scalar],
    acceleration: &mut [M::Scalar],
) {
    let structure = system.structure();
    let ArticulatedMass { jacobians, gains, factors, vectors, blocks, .. } = mass;
    let links = structure.tree().links();
    let dot =
        |a: &[M::Scalar], b: &[M::Scalar]| a.iter().zip(b).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
    for other in others(structure) {
        let (n, range) = (other.dimension, other.offset..other.offset + other.dimension);
        let rows = blocks[other.block..other.block + n * n].chunks_exact(n);
        for (out, row) in acceleration[range.clone()].iter_mut().zip(rows) {
            *out = dot(row, &force[range.clone()]);
        }
    }
    vectors.fill(F::Vector::zeros());
    for (place, link) in links.iter().enumerate().rev() {
        let (mut needed, own) = pull::<M, F>(&jacobians[place], &vectors[place]);
        if let Some(range) = link.components() {
            let (mut rest, mut solved) = (F::Member::zeros(), F::Member::zeros());
            for ((rest, &force), &own) in rest.as_mut_slice().iter_mut().zip(&force[range]).zip(own.as_slice()) {
                *rest = force - own;
            }
            inwards::<M, F>(&factors[place], &gains[place], &mut rest, &mut needed, solved.as_mut_slice());
            link.set(acceleration, &solved);
        }
        if let Some(parent) = vectors.get_mut(link.parent) {
            add(parent, &needed);
        }
    }
    for (place, link) in links.iter().enumerate() {
        let u = vectors.get(link.parent).copied().unwrap_or_else(F::Vector::zeros);
        let mut own = link.of::<M::Scalar, F::Member>(acceleration);
        if link.components().is_some() {
            outwards::<M, F>(&factors[place], &gains[place], &u, &mut own);
            link.set(acceleration, &own);
        }
        vectors[place] = push::<M, F>(&jacobians[place], &u, &own);
    }
}

/// The block of every joint that frames and its own terms make up, at one configuration: Jᵀ I J + M_i with I of all that
/// hangs on it rigidly.
pub(super) fn own_blocks<M: ElementSystem, F: Frames<M>>(
    system: &M,
    structure: &Structure<M::Scalar>,
    q: &M::Configuration,
) -> Vec<F::MemberMatrix> {
    let (t, links) = (M::Scalar::from_f64(0.0), structure.tree().links());
    let mut blocks = vec![t; structure.blocks_length()];
    assembly::member_mass(system, structure, t, q, &mut blocks);
    let origin = F::origin(system, t).frame;
    let (mut frames, mut inertias): (Vec<F::Frame>, Vec<F::Matrix>) = (Vec::new(), Vec::new());
    for link in links {
        let frame = F::frame(system, link, t, q, frames.get(link.parent).unwrap_or(&origin));
        let mut inertia = F::Matrix::zeros();
        F::add_inertia(system, link, t, &frame, &mut inertia);
        frames.push(frame);
        inertias.push(inertia);
    }
    let mut result = vec![F::MemberMatrix::zeros(); links.len()];
    for (place, link) in links.iter().enumerate().rev() {
        let above = frames.get(link.parent).unwrap_or(&origin);
        let (moved, _, mut block, _) = F::transport(system, link, t, q, above, &inertias[place]);
        add_own(structure, link, &blocks, F::MEMBER, &mut block);
        result[place] = block;
        if let Some(parent) = inertias.get_mut(link.parent) {
            add(parent, &moved);
        }
    }
    result
}
