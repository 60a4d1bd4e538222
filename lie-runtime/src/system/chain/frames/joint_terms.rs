//! The inertia of joints by themselves, and members without frames.

use super::{Frames, add, spin_regularisation};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::assembly;
use crate::system::chain::element_shape::FreeMember;
use crate::system::chain::{ElementSystem, Link, Structure};

/// Iterates over the members without frames.
pub(super) fn members_without_frames<S: Scalar>(structure: &Structure<S>) -> impl Iterator<Item = &FreeMember> {
    let tree = structure.tree();
    let members = if structure.members.len() > tree.free() { &structure.members[..] } else { &[] };
    members.iter().filter(|member| !tree.is_joint_component(member.offset))
}

/// Solves M v' = f of the members without frames, with the inverses in `blocks`.
pub(super) fn solve_members_without_frames<S: Scalar>(
    structure: &Structure<S>,
    blocks: &[S],
    force: &[S],
    acceleration: &mut [S],
) {
    let dot = |a: &[S], b: &[S]| a.iter().zip(b).fold(S::zero(), |sum, (&a, &b)| sum + a * b);
    for other in members_without_frames(structure) {
        let (n, range) = (other.dimension, other.offset..other.offset + other.dimension);
        let rows = blocks[other.block..other.block + n * n].chunks_exact(n);
        for (out, row) in acceleration[range.clone()].iter_mut().zip(rows) {
            *out = dot(row, &force[range.clone()]);
        }
    }
}

/// Returns the inertia of a joint without its frame from the `blocks` of all members. Not inlined, because sizes that
/// are known at run time only force values into memory.
#[inline(never)]
fn joint_block<S: Scalar, B: Block<S>>(structure: &Structure<S>, link: &Link, blocks: &[S], size: usize) -> B {
    let mut out = B::zeros();
    if let Some(range) = link.components() {
        let (n, first) = (range.len(), structure.members[structure.member_of[range.start]].block);
        for (out, own) in out.as_mut_slice().chunks_exact_mut(size).zip(blocks[first..first + n * n].chunks_exact(n)) {
            out[..n].copy_from_slice(own);
        }
    }
    out
}

/// Returns true if terms over members have inertia.
pub(super) fn has_member_inertia<S: Scalar>(structure: &Structure<S>) -> bool {
    structure.shapes.iter().any(|shape| shape.terms.inertia)
}

/// Adds the inertia of a joint without its frame and the spin inertia of a sphere joint to its block, in the basis of
/// J's columns.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn add_joint_inertia<M: ElementSystem, F: Frames<M>>(
    structure: &Structure<M::Scalar>,
    q: &M::Configuration,
    (place, link): (usize, &Link),
    blocks: &[M::Scalar],
    jacobian: &F::Jacobian,
    out: &mut F::MemberMatrix,
) {
    if !blocks.is_empty() {
        let own = joint_block(structure, link, blocks, F::MEMBER);
        // A copy, because an argument of a call must be in memory, and without blocks there is no call.
        let jacobian = *jacobian;
        add(out, &if F::has_tangent_basis(link) { to_tangent_basis::<M, F>(link, q, &jacobian, own) } else { own });
    }
    spin_regularisation::add_spin::<M, F>(structure, place, out);
}

/// Converts a symmetric matrix of a joint to the basis of J's columns.
#[inline(never)]
fn to_tangent_basis<M: ElementSystem, F: Frames<M>>(
    link: &Link,
    q: &M::Configuration,
    jacobian: &F::Jacobian,
    mut own: F::MemberMatrix,
) -> F::MemberMatrix {
    let n = F::MEMBER;
    // By rows, and then by the former columns.
    for _ in 0..2 {
        let mut turned = F::MemberMatrix::zeros();
        for row in 0..n {
            let mut given = F::Member::zeros();
            given.as_mut_slice().copy_from_slice(&own.as_slice()[row * n..(row + 1) * n]);
            let entries = F::to_tangent_basis(link, q, jacobian, &given);
            for (column, &entry) in entries.as_slice().iter().enumerate() {
                turned.as_mut_slice()[column * n + row] = entry;
            }
        }
        own = turned;
    }
    own
}

/// Returns Jᵀ I J + M_i of every joint at one configuration, with the composite inertia I of its frame and all
/// descendants.
fn composite_blocks<M: ElementSystem, F: Frames<M>>(
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
        add(&mut block, &joint_block(structure, link, &blocks, F::MEMBER));
        result[place] = block;
        if let Some(parent) = inertias.get_mut(link.parent) {
            add(parent, &moved);
        }
    }
    result
}

/// Returns the spin inertia c of every joint, in the order of the forward pass; 0 for joints that are not spheres.
pub(super) fn spin_inertia<M: ElementSystem, F: Frames<M>>(
    system: &M,
    structure: &Structure<M::Scalar>,
) -> Vec<M::Scalar> {
    let (q, links) = (system.chain_space().origin(), structure.tree().links());
    if links.iter().all(|link| F::direction(&q, link).is_none()) {
        return Vec::new();
    }
    let zero = M::Scalar::from_f64(0.0);
    let blocks = composite_blocks::<M, F>(system, structure, &q);
    let along = |(link, block): (&Link, &F::MemberMatrix)| {
        if F::direction(&q, link).is_none() {
            return zero;
        }
        let (block, n) = (block.as_slice(), F::MEMBER);
        let trace = block[0] + block[n + 1] + block[2 * n + 2];
        if block[2 * n + 2].value() > f64::EPSILON * trace.value() {
            return zero;
        }
        let half = (trace - trace.derivatives()) * M::Scalar::from_f64(0.5);
        // Without a lever arm any c is suitable.
        if half.value() > 0.0 { half } else { M::Scalar::from_f64(1.0) }
    };
    links.iter().zip(&blocks).map(along).collect()
}
