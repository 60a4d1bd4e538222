//! Inertia about the directions of spheres.
//!
//! Frames see a member of S² through q' = ω × q, so that Jᵀ I J is singular along q. With ½ c (q · ω)² in T it is not, and a
//! motion with q · ω = 0 stays the same: c adds c q qᵀ to M and c (q · ω) q × ω to −g. As for single members, c is half the
//! trace of the member's block of M where all directions are e₃; members with an inertia of their own along q need none.

use super::{Frames, Link, articulated};
use crate::scalar::Scalar;
use crate::system::chain::{ElementSystem, Structure};

/// c of every joint, in the order of sweeps; 0 of those that are no directions.
pub(super) fn inertia<M: ElementSystem, F: Frames<M>>(system: &M, structure: &Structure<M::Scalar>) -> Vec<M::Scalar> {
    let (q, links) = (system.chain_space().origin(), structure.tree().links());
    if links.iter().all(|link| F::direction(&q, link).is_none()) {
        return Vec::new();
    }
    let zero = M::Scalar::from_f64(0.0);
    let blocks = articulated::own_blocks::<M, F>(system, structure, &q);
    let along = |(link, block): (&Link, &F::MemberMatrix)| {
        if F::direction(&q, link).is_none() {
            return zero;
        }
        let (block, n) = (block.as_ref(), F::MEMBER);
        let trace = block[0] + block[n + 1] + block[2 * n + 2];
        if block[2 * n + 2].value() > f64::EPSILON * trace.value() {
            return zero;
        }
        let half = trace * M::Scalar::from_f64(0.5);
        // Without a lever arm there any c will do.
        if half.value() > 0.0 { half } else { M::Scalar::from_f64(1.0) }
    };
    links.iter().zip(&blocks).map(along).collect()
}

/// Direction, c, and first component of every free joint that is one.
fn members<'a, M: ElementSystem, F: Frames<M>>(
    system: &'a M,
    q: &'a M::Configuration,
) -> impl Iterator<Item = ([M::Scalar; 3], M::Scalar, usize)> + 'a {
    let structure = system.structure();
    structure.tree().links().iter().zip(&structure.axial).filter_map(move |(link, &c)| {
        let range = link.components()?;
        Some((F::direction(q, link)?, c, range.start))
    })
}

#[inline]
fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Adds c q qᵀ to the block of the joint at a place of the order of sweeps.
#[inline]
pub(super) fn add_inertia<M: ElementSystem, F: Frames<M>>(
    structure: &Structure<M::Scalar>,
    q: &M::Configuration,
    place: usize,
    block: &mut F::MemberMatrix,
) {
    let Some(&c) = structure.axial.get(place) else { return };
    let Some(q) = F::direction(q, &structure.tree().links()[place]) else { return };
    for (row, &a) in block.as_mut().chunks_exact_mut(F::MEMBER).zip(&q) {
        let scaled = c * a;
        for (entry, &b) in row.iter_mut().zip(&q) {
            *entry += scaled * b;
        }
    }
}

/// Adds c (q · ω) q × ω.
pub(super) fn add_force<M: ElementSystem, F: Frames<M>>(
    system: &M,
    q: &M::Configuration,
    v: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    for (q, c, offset) in members::<M, F>(system, q) {
        let w = &v[offset..offset + 3];
        let spin = c * dot(&q, w);
        out[offset] += spin * (q[1] * w[2] - q[2] * w[1]);
        out[offset + 1] += spin * (q[2] * w[0] - q[0] * w[2]);
        out[offset + 2] += spin * (q[0] * w[1] - q[1] * w[0]);
    }
}

/// Adds c (q · ω) q.
pub(super) fn add_momentum<M: ElementSystem, F: Frames<M>>(
    system: &M,
    q: &M::Configuration,
    v: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    for (q, c, offset) in members::<M, F>(system, q) {
        let spin = c * dot(&q, &v[offset..offset + 3]);
        for (out, &q) in out[offset..offset + 3].iter_mut().zip(&q) {
            *out += spin * q;
        }
    }
}

/// Σ ½ c (q · ω)².
pub(super) fn energy<M: ElementSystem, F: Frames<M>>(system: &M, q: &M::Configuration, v: &[M::Scalar]) -> M::Scalar {
    let half = M::Scalar::from_f64(0.5);
    members::<M, F>(system, q).fold(M::Scalar::from_f64(0.0), |sum, (q, c, offset)| {
        let along = dot(&q, &v[offset..offset + 3]);
        sum + half * c * along * along
    })
}
