//! Spin regularisation: an inertia of sphere joints about their directions.
//!
//! Frames depend on a member of S² through q' = ω × q, so that Jᵀ I J is singular along q. The term ½ c (q · ω)² in T
//! removes the singularity without a change of motions with q · ω = 0: c adds c q qᵀ to M and c (q · ω) q × ω to −g. As
//! for single members, c is half the trace of the member's block of M with all directions at e₃; members with an
//! inertia along q need none. Any c results in the same motion, so that derivatives treat it as a constant.

use super::Frames;
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::{ElementSystem, Link, Structure};

/// Iterates over direction, c, and first component of every free sphere joint.
fn members<'a, M: ElementSystem, F: Frames<M>>(
    system: &'a M,
    q: &'a M::Configuration,
) -> impl Iterator<Item = ([M::Scalar; 3], M::Scalar, usize)> + 'a {
    let structure = system.structure();
    structure.tree().links().iter().zip(&structure.spin_inertia).filter_map(move |(link, &c)| {
        let range = link.components()?;
        Some((F::direction(q, link)?, c, range.start))
    })
}

#[inline]
fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn cross<S: Scalar>(a: &[S], b: &[S]) -> [S; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Adds c q qᵀ to the block of the joint at a position in the order of the forward pass.
#[inline]
pub(super) fn add_inertia<M: ElementSystem, F: Frames<M>>(
    structure: &Structure<M::Scalar>,
    q: &M::Configuration,
    place: usize,
    block: &mut F::MemberMatrix,
) {
    let Some(&c) = structure.spin_inertia.get(place) else { return };
    let Some(q) = F::direction(q, &structure.tree().links()[place]) else { return };
    // With indices, so that the loop is unrolled.
    let block = block.as_mut_slice();
    for row in 0..3 {
        let scaled = c * q[row];
        for column in 0..3 {
            block[row * F::MEMBER + column] += scaled * q[column];
        }
    }
}

/// Adds c to the block of the joint at a position in the order of the forward pass, in the basis of J's columns.
#[inline]
pub(super) fn add_spin<M: ElementSystem, F: Frames<M>>(
    structure: &Structure<M::Scalar>,
    place: usize,
    block: &mut F::MemberMatrix,
) {
    // The entries of other joints are 0.
    if let Some(&c) = structure.spin_inertia.get(place)
        && F::MEMBER > 2
    {
        block.as_mut_slice()[2 * (F::MEMBER + 1)] += c;
    }
}

/// Adds c (q · ω) q × ω to the force on the joint at a position in the order of the forward pass.
#[inline]
pub(super) fn add_force_at<M: ElementSystem, F: Frames<M>>(
    structure: &Structure<M::Scalar>,
    q: &M::Configuration,
    (place, link): (usize, &Link),
    v: &F::Member,
    out: &mut F::Member,
) {
    let Some(&c) = structure.spin_inertia.get(place) else { return };
    let Some(q) = F::direction(q, link) else { return };
    let w = &v.as_slice()[..3];
    let (spin, moved) = (c * dot(&q, w), cross(&q, w));
    for (out, moved) in out.as_mut_slice()[..3].iter_mut().zip(moved) {
        *out += spin * moved;
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
        for (out, moved) in out[offset..offset + 3].iter_mut().zip(cross(&q, w)) {
            *out += spin * moved;
        }
    }
}

/// Adds c (q · ω') q − c (q · ω) q × ω.
pub(super) fn add_residual<M: ElementSystem, F: Frames<M>>(
    system: &M,
    q: &M::Configuration,
    v: &[M::Scalar],
    acceleration: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    for (q, c, offset) in members::<M, F>(system, q) {
        let (w, a) = (&v[offset..offset + 3], &acceleration[offset..offset + 3]);
        let (spin, along, moved) = (c * dot(&q, w), c * dot(&q, a), cross(&q, w));
        for (out, (&q, moved)) in out[offset..offset + 3].iter_mut().zip(q.iter().zip(moved)) {
            *out += along * q - spin * moved;
        }
    }
}

/// Adds the gradient of w · (c (q · ω') q − c (q · ω) q × ω) = c ((q · ω') (q · w) − (q · ω) q · (ω × w)) along q,
/// where q' = η × q, and with respect to ω.
pub(super) fn residual_pullback<M: ElementSystem, F: Frames<M>>(
    system: &M,
    q: &M::Configuration,
    [v, acceleration, weights]: [&[M::Scalar]; 3],
    [of_configuration, of_velocity]: [&mut [M::Scalar]; 2],
) {
    for (q, c, offset) in members::<M, F>(system, q) {
        let own = offset..offset + 3;
        let [omega, a, w] = [v, acceleration, weights].map(|all| &all[own.clone()]);
        let (along_omega, along_a, along_w) = (dot(&q, omega), dot(&q, a), dot(&q, w));
        let (augmented, moved) = (cross(omega, w), cross(w, &q));
        let triple = dot(&q, &augmented);
        let of_q: [M::Scalar; 3] = core::array::from_fn(|i| {
            c * (a[i] * along_w + w[i] * along_a - omega[i] * triple - augmented[i] * along_omega)
        });
        for (out, term) in of_configuration[own.clone()].iter_mut().zip(cross(&q, &of_q)) {
            *out += term;
        }
        for (i, out) in of_velocity[own].iter_mut().enumerate() {
            *out -= c * (q[i] * triple + moved[i] * along_omega);
        }
    }
}

/// Adds the derivatives of c (q · ω') q − c (q · ω) q × ω along q, where q' = η × q, and with respect to ω, by rows, to
/// the block of the joint at a position in the order of the forward pass.
pub(super) fn add_tangents<M: ElementSystem, F: Frames<M>>(
    structure: &Structure<M::Scalar>,
    q: &M::Configuration,
    place: usize,
    [v, acceleration]: [&F::Member; 2],
    stiffness: &mut F::MemberMatrix,
    damping: &mut F::MemberMatrix,
) {
    let Some(&c) = structure.spin_inertia.get(place) else { return };
    let Some(q) = F::direction(q, &structure.tree().links()[place]) else { return };
    let (w, a) = (&v.as_slice()[..3], &acceleration.as_slice()[..3]);
    let (spin, along, moved) = (dot(&q, w), dot(&q, a), cross(&q, w));
    let (zero, one) = (M::Scalar::from_f64(0.0), M::Scalar::from_f64(1.0));
    for column in 0..3 {
        let mut unit = [zero; 3];
        unit[column] = one;
        let (turned, beside) = (cross(&unit, &q), cross(&q, &unit));
        let (turned_along, turned_spin, turned_moved) = (dot(&turned, a), dot(&turned, w), cross(&turned, w));
        for row in 0..3 {
            stiffness.as_mut_slice()[row * F::MEMBER + column] +=
                c * (turned_along * q[row] + along * turned[row] - turned_spin * moved[row] - spin * turned_moved[row]);
            damping.as_mut_slice()[row * F::MEMBER + column] -= c * (q[column] * moved[row] + spin * beside[row]);
        }
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
