//! Inverse dynamics (recursive Newton-Euler algorithm, RNEA): the terms of the frames, pulled back to the joints.
//!
//! The backward pass sums covectors, but the forward pass must compute positions and velocities first. The motions of a
//! long chain are not all stored. The chain is cut into segments, the motion at the start of each segment is stored,
//! and the motions within a segment are recomputed in the backward pass. The buffers have a fixed size, on the stack.
//! The motion of a joint is evaluated once up to 128 joints, twice up to 16 384 and three times up to two million
//! joints. A tree of up to 128 joints is one segment; a larger tree needs an allocated buffer.

use core::ops::Range;

use super::forward_pass::{MEDIUM, SEGMENT, SHORT, buffered, with_motions};
use super::frame_elements::{CovectorKind, FrameLoads};
use super::{FrameMotion, FrameMotionOf, Frames, add, negate};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::element_shape::ElementShape;
use crate::system::chain::{ElementSystem, Link};

/// The constant data of both passes: `advance` and `covector` are generic, so that each kind of covector has its own
/// functions.
struct NewtonEulerPass<'a, M: ElementSystem, F: Frames<M>, A, W> {
    system: &'a M,
    links: &'a [Link],
    t: M::Scalar,
    q: &'a M::Configuration,
    /// Computes the motion of a frame from the motion of its parent.
    advance: A,
    /// Computes the covector of a frame from its position in the order and its motion.
    covector: W,
    frames: core::marker::PhantomData<F>,
}

impl<M, F, A, W> NewtonEulerPass<'_, M, F, A, W>
where
    M: ElementSystem,
    F: Frames<M>,
    A: Fn(&Link, &FrameMotionOf<M, F>) -> FrameMotionOf<M, F>,
    W: Fn(usize, &Link, &FrameMotionOf<M, F>) -> F::Vector,
{
    /// Adds Jᵀ w of these joints to `out`; `w` comes from the descendants of the last joint, the result goes to the
    /// parent of the first.
    fn backward_pass(
        &self,
        joints: Range<usize>,
        start: &FrameMotionOf<M, F>,
        w: &F::Vector,
        out: &mut [M::Scalar],
        is_chain: bool,
    ) -> F::Vector {
        match joints.len() {
            length if length <= SHORT => {
                self.segment(joints, start, w, out, (&mut [*start; SHORT], &mut [F::Vector::zeros(); SHORT]))
            }
            length if length <= MEDIUM => {
                self.segment(joints, start, w, out, (&mut [*start; MEDIUM], &mut [F::Vector::zeros(); MEDIUM]))
            }
            length if length <= SEGMENT => {
                self.segment(joints, start, w, out, (&mut [*start; SEGMENT], &mut [F::Vector::zeros(); SEGMENT]))
            }
            length if is_chain => self.in_segments(joints, length.div_ceil(SEGMENT).max(SEGMENT), start, w, out),
            length => {
                self.segment(joints, start, w, out, (&mut vec![*start; length], &mut vec![F::Vector::zeros(); length]))
            }
        }
    }

    /// Processes a chain in segments of `size` joints.
    fn in_segments(
        &self,
        joints: Range<usize>,
        size: usize,
        start: &FrameMotionOf<M, F>,
        w: &F::Vector,
        out: &mut [M::Scalar],
    ) -> F::Vector {
        let segment = |number: usize| {
            let first = joints.start + number * size;
            first..(first + size).min(joints.end)
        };
        let count = joints.len().div_ceil(size);
        let mut starts = [*start; SEGMENT];
        let mut motion = *start;
        for (number, start) in starts[1..count].iter_mut().enumerate() {
            for link in &self.links[segment(number)] {
                motion = (self.advance)(link, &motion);
            }
            *start = motion;
        }
        let mut w = *w;
        for (number, start) in starts[..count].iter().enumerate().rev() {
            w = self.backward_pass(segment(number), start, &w, out, true);
        }
        w
    }

    /// Processes a segment with buffers for the motion of every joint.
    fn segment(
        &self,
        joints: Range<usize>,
        start: &FrameMotionOf<M, F>,
        w: &F::Vector,
        out: &mut [M::Scalar],
        (motions, covectors): (&mut [FrameMotionOf<M, F>], &mut [F::Vector]),
    ) -> F::Vector {
        let (first, links) = (joints.start, &self.links[joints]);
        let (motions, covectors) = (&mut motions[..links.len()], &mut covectors[..links.len()]);
        // A frame whose parent is its predecessor uses a local variable; a root frame starts from the base.
        let mut last = *start;
        for (at, link) in links.iter().enumerate() {
            let known = || motions.get(link.parent.wrapping_sub(first)).unwrap_or(start);
            last = (self.advance)(link, if link.is_child_of_previous(first + at) { &last } else { known() });
            motions[at] = last;
            covectors[at] = (self.covector)(first + at, link, &last);
        }
        let mut carried = *w;
        for (at, link) in links.iter().enumerate().rev() {
            let parent = link.parent.wrapping_sub(first);
            let above = motions.get(parent).map_or(&start.frame, |parent| &parent.frame);
            add(&mut carried, &covectors[at]);
            let (next, own) = F::pull(self.system, link, self.t, self.q, above, &carried);
            link.add(out, &own);
            carried = next;
            if !link.is_child_of_previous(first + at) {
                carried = F::Vector::zeros();
                if let Some(parent) = covectors.get_mut(parent) {
                    add(parent, &next);
                }
            }
        }
        carried
    }
}

/// Returns true if elements over frames add forces, or constraint forces if `are_constrained`.
pub(super) fn has_frame_loads<M: ElementSystem, F: Frames<M>>(system: &M, are_constrained: bool) -> bool {
    let kinds = system.structure().layout().kinds.iter().zip(&system.structure().shapes);
    let asks = |shape: &ElementShape| shape.terms.force || (shape.rows > 0 && are_constrained);
    F::HAS_FRAME_ELEMENTS && kinds.filter(|(kind, _)| kind.over_frames && kind.count > 0).any(|(_, shape)| asks(shape))
}

/// Adds the frames' covectors, pulled back to the joints.
pub(super) fn pull_back<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    covector: CovectorKind<'_, M::Scalar>,
    multipliers: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    let tree = system.structure().tree();
    let links = tree.links();
    let acceleration = match covector {
        CovectorKind::Residual(acceleration) => Some(acceleration),
        CovectorKind::Force => None,
    };
    // Without elements over frames only this path is compiled.
    if const { !F::HAS_FRAME_ELEMENTS } || !has_frame_loads::<M, F>(system, acceleration.is_some()) {
        return pull_covectors::<M, F>(system, t, q, v, covector, &[], out);
    }
    with_motions::<M, F, ()>(system, t, q, Some(v), acceleration, |motions| {
        buffered(links.len(), F::Vector::zeros(), |loads| {
            F::visit_frame_elements(
                system,
                &mut FrameLoads { system, t, motions, covector, multipliers, out: &mut *loads },
            );
            pull_covectors::<M, F>(system, t, q, v, covector, loads, out);
        });
    });
}

/// Adds the frames' covectors and the forces of elements over frames, pulled back to the joints; no `loads` are zero.
fn pull_covectors<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    covector: CovectorKind<'_, M::Scalar>,
    loads: &[F::Vector],
    out: &mut [M::Scalar],
) {
    let loaded = |place: usize, mut own: F::Vector| {
        if let Some(load) = loads.get(place) {
            add(&mut own, load);
        }
        own
    };
    let residual = |link: &Link, at: &FrameMotionOf<M, F>| {
        let mut own = F::Vector::zeros();
        F::add_residual(system, link, t, at, &mut own);
        own
    };
    let start = F::origin(system, t);
    match covector {
        CovectorKind::Force => {
            let advance = |link: &Link, above: &FrameMotionOf<M, F>| {
                F::motion(system, link, t, q, above, &link.of(v), &F::Member::zeros())
            };
            let covector = |place: usize, link: &Link, at: &FrameMotionOf<M, F>| {
                let mut own = residual(link, at);
                negate(&mut own);
                loaded(place, own)
            };
            sweep::<M, F, _, _>(system, t, q, &start, advance, covector, out);
        }
        CovectorKind::Residual(acceleration) => {
            let advance = |link: &Link, above: &FrameMotionOf<M, F>| {
                F::motion(system, link, t, q, above, &link.of(v), &link.of(acceleration))
            };
            let covector = |place: usize, link: &Link, at: &FrameMotionOf<M, F>| loaded(place, residual(link, at));
            sweep::<M, F, _, _>(system, t, q, &start, advance, covector, out);
        }
    }
}

/// Adds the frames' momenta M_x u for the velocities due to v, pulled back to the joints.
pub(super) fn pull_momenta<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    // M v has no contribution of explicit time dependence.
    let advance = |link: &Link, above: &FrameMotionOf<M, F>| FrameMotion {
        frame: F::frame(system, link, t, q, &above.frame),
        velocity: F::push(system, link, t, q, &above.frame, &above.velocity, &link.of(v)),
        acceleration: above.acceleration,
    };
    let covector = |_: usize, link: &Link, at: &FrameMotionOf<M, F>| {
        let (mut own, mut inertia) = (F::Vector::zeros(), F::Matrix::zeros());
        F::add_inertia(system, link, t, &at.frame, &mut inertia);
        let u = at.velocity.as_slice();
        for (own, row) in own.as_mut_slice().iter_mut().zip(inertia.as_slice().chunks_exact(u.len())) {
            *own = row.iter().zip(u).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
        }
        own
    };
    let start = FrameMotion { velocity: F::Vector::zeros(), ..F::origin(system, t) };
    sweep::<M, F, _, _>(system, t, q, &start, advance, covector, out);
}

/// Runs the forward pass with `advance` and the backward pass with `covector`, from the base.
fn sweep<M: ElementSystem, F: Frames<M>, A, W>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    start: &FrameMotionOf<M, F>,
    advance: A,
    covector: W,
    out: &mut [M::Scalar],
) where
    A: Fn(&Link, &FrameMotionOf<M, F>) -> FrameMotionOf<M, F>,
    W: Fn(usize, &Link, &FrameMotionOf<M, F>) -> F::Vector,
{
    let tree = system.structure().tree();
    let links = tree.links();
    let sweep =
        NewtonEulerPass::<M, F, A, W> { system, links, t, q, advance, covector, frames: core::marker::PhantomData };
    sweep.backward_pass(0..links.len(), start, &F::Vector::zeros(), out, tree.is_chain());
}
