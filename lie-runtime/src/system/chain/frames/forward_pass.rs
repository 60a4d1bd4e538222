//! The forward pass (forward kinematics): positions and motions of frames from the base to the leaves, and sums over
//! frames.

use super::{FrameMotion, FrameMotionOf, Frames};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::Block;
use crate::system::chain::{ElementSystem, KinematicTree, Link};

/// The number of segments of a chain, and of joints in a segment.
pub(super) const SEGMENT: usize = 128;

/// Short segments have short buffers.
pub(super) const SHORT: usize = 8;
pub(super) const MEDIUM: usize = 32;

/// Calls `within` with `length` values, on the stack up to 128.
pub(super) fn buffered<T: Copy, R>(length: usize, value: T, within: impl FnOnce(&mut [T]) -> R) -> R {
    match length {
        length if length <= SHORT => within(&mut [value; SHORT][..length]),
        length if length <= MEDIUM => within(&mut [value; MEDIUM][..length]),
        length if length <= SEGMENT => within(&mut [value; SEGMENT][..length]),
        length => within(&mut vec![value; length]),
    }
}

/// Calls `within` with the motions of all frames, in the order of the forward pass; missing v and v' are zero.
pub(super) fn with_motions<M: ElementSystem, F: Frames<M>, R>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: Option<&[M::Scalar]>,
    acceleration: Option<&[M::Scalar]>,
    within: impl FnOnce(&[FrameMotionOf<M, F>]) -> R,
) -> R {
    let (links, base) = (system.structure().tree().links(), F::origin(system, t));
    let own = |link: &Link, of: Option<&[M::Scalar]>| of.map_or_else(F::Member::zeros, |of| link.of(of));
    buffered(links.len(), base, |motions| {
        for (place, link) in links.iter().enumerate() {
            let above = motions[..place].get(link.parent).unwrap_or(&base);
            motions[place] = F::motion(system, link, t, q, above, &own(link, v), &own(link, acceleration));
        }
        within(motions)
    })
}

/// Calls `within` with all frames at rest, sufficient for Φ and B.
pub(super) fn with_frames<M: ElementSystem, F: Frames<M>, R>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    within: impl FnOnce(&[FrameMotionOf<M, F>]) -> R,
) -> R {
    let links = system.structure().tree().links();
    let rest = FrameMotion {
        frame: F::origin(system, t).frame,
        velocity: F::Vector::zeros(),
        acceleration: F::Vector::zeros(),
    };
    buffered(links.len(), rest, |motions| {
        set_frames::<M, F>(system, t, q, motions);
        within(motions)
    })
}

/// Sets the position of every frame, in the order of the forward pass.
#[inline]
pub(super) fn set_frames<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    motions: &mut [FrameMotionOf<M, F>],
) {
    let origin = F::origin(system, t).frame;
    let mut last = origin;
    for (place, link) in system.structure().tree().links().iter().enumerate() {
        let known = || motions.get(link.parent).map_or(&origin, |above| &above.frame);
        last = F::frame(system, link, t, q, if link.is_child_of_previous(place) { &last } else { known() });
        motions[place].frame = last;
    }
}

/// Runs the forward pass: `advance` computes the value at a frame from the value at its parent. For a tree of more than
/// 128 joints that is not a chain it allocates a buffer.
fn forward_pass<T: Copy>(
    tree: &KinematicTree,
    base: T,
    advance: impl Fn(&Link, &T) -> T,
    mut visit: impl FnMut(&Link, &T),
) {
    let links = tree.links();
    if tree.is_chain() {
        let mut at = base;
        for link in links {
            at = advance(link, &at);
            visit(link, &at);
        }
        return;
    }
    let mut within = |all: &mut [T]| {
        for (place, link) in links.iter().enumerate() {
            all[place] = advance(link, all[..place].get(link.parent).unwrap_or(&base));
            visit(link, &all[place]);
        }
    };
    match links.len() {
        length if length <= SHORT => within(&mut [base; SHORT]),
        length if length <= MEDIUM => within(&mut [base; MEDIUM]),
        length if length <= SEGMENT => within(&mut [base; SEGMENT]),
        length => within(&mut vec![base; length]),
    }
}

/// Visits the position of every frame, in the order of the forward pass.
fn visit_positions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    visit: impl FnMut(&Link, &F::Frame),
) {
    let origin = F::origin(system, t).frame;
    forward_pass(system.structure().tree(), origin, |link, above| F::frame(system, link, t, q, above), visit);
}

/// Visits the motion of every frame, in the order of the forward pass.
fn visit_motions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    visit: impl FnMut(&Link, &FrameMotionOf<M, F>),
) {
    let advance = |link: &Link, above: &FrameMotionOf<M, F>| {
        let own = link.of::<M::Scalar, F::Member>(v);
        F::motion(system, link, t, q, above, &own, &F::Member::zeros())
    };
    forward_pass(system.structure().tree(), F::origin(system, t), advance, visit);
}

/// Returns the positions of all frames, in the order of the forward pass.
pub(super) fn positions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> Vec<F::Frame> {
    let mut all = Vec::with_capacity(system.structure().tree().links().len());
    visit_positions::<M, F>(system, t, q, |_, frame| all.push(*frame));
    all
}

/// Returns the motions of all frames, in the order of the forward pass.
pub(super) fn motions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<FrameMotionOf<M, F>> {
    let mut all = Vec::with_capacity(system.structure().tree().links().len());
    visit_motions::<M, F>(system, t, q, v, |_, at| all.push(*at));
    all
}

/// Returns the kinetic energy of all frames.
pub(super) fn kinetic_energy<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> M::Scalar {
    let mut sum = M::Scalar::from_f64(0.0);
    visit_motions::<M, F>(system, t, q, v, |link, at| {
        sum += F::kinetic_energy(system, link, t, &at.frame, &at.velocity);
    });
    sum
}

/// Returns the potential energy of all frames.
pub(super) fn potential_energy<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> M::Scalar {
    let mut sum = M::Scalar::from_f64(0.0);
    visit_positions::<M, F>(system, t, q, |link, frame| sum += F::potential_energy(system, link, t, frame));
    sum
}

/// Returns position, velocity and acceleration (at v' = 0) of every frame, in the order of the forward pass.
pub fn motions_in_order<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<FrameMotionOf<M, F>> {
    motions::<M, F>(system, t, q, v)
}

/// Returns the positions of all frames of a configuration, by their numbers.
#[doc(alias = "forward kinematics")]
pub fn frames_of<M: ElementSystem, F: Frames<M>>(system: &M, t: M::Scalar, q: &M::Configuration) -> Vec<F::Frame> {
    if system.chain_space().check(q).is_err() {
        return Vec::new();
    }
    system.structure().tree().numbered(&positions::<M, F>(system, t, q))
}

/// Returns the motions of all frames at v' = 0, by their numbers.
pub fn motions_of<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<FrameMotion<F::Frame, F::Vector>> {
    if system.chain_space().check(q).is_err() || v.len() != system.structure().layout().dof {
        return Vec::new();
    }
    system.structure().tree().numbered(&motions::<M, F>(system, t, q, v))
}

/// Returns the inertias of all frames, by their numbers; by rows, of which the upper triangle is known.
pub fn inertias_of<M: ElementSystem, F: Frames<M>>(system: &M, t: M::Scalar, q: &M::Configuration) -> Vec<F::Matrix> {
    if system.chain_space().check(q).is_err() {
        return Vec::new();
    }
    let mut all = Vec::with_capacity(system.structure().tree().links().len());
    visit_positions::<M, F>(system, t, q, |link, frame| {
        let mut inertia = F::Matrix::zeros();
        F::add_inertia(system, link, t, frame, &mut inertia);
        all.push(inertia);
    });
    system.structure().tree().numbered(&all)
}

/// A link and the motion of its frame.
pub type Placed<M, F> = (Link, FrameMotion<<F as Frames<M>>::Frame, <F as Frames<M>>::Vector>);

/// Returns every frame with its link and motion, parents first.
pub fn placed_motions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<Placed<M, F>> {
    if system.chain_space().check(q).is_err() || v.len() != system.structure().layout().dof {
        return Vec::new();
    }
    system.structure().tree().links().iter().copied().zip(motions::<M, F>(system, t, q, v)).collect()
}
