//! The terms of the frames, pulled back to the joints.
//!
//! Covectors are summed up inwards, but positions and velocities are known outwards only. Along a chain they are not stored for all
//! of it: a long one is cut into pieces, the motion at the start of each piece is kept, and that within a piece is
//! computed once more when its turn comes. The buffers are of fixed size, on the stack. That makes the motion one evaluation a
//! joint up to 128 joints, two up to 16 384 and three up to two millions. A tree of up to 128 joints is one piece; of a larger
//! one the buffers are made anew.

use core::ops::Range;

use super::joined::Loads;
use super::{Frames, Link, Motion, Tree, add};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::ElementSystem;
use crate::system::chain::structure::Shape;

/// Pieces of a chain and joints of a piece.
const PIECE: usize = 128;

/// Pieces of few joints have short buffers.
const SHORT: usize = 8;
const MEDIUM: usize = 32;

/// What is pulled back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Covector<'a, S> {
    /// −g_x − M_x u' where v' = 0.
    Force,
    /// M_x u' + g_x at these v'.
    Residual(&'a [S]),
    /// M_x u, with what v alone moves.
    Momentum,
}

/// The motion of a frame.
pub type MotionOf<M, F> = Motion<<F as Frames<M>>::Frame, <F as Frames<M>>::Vector>;

/// What stays the same along a tree.
struct Sweep<'a, M: ElementSystem, F: Frames<M>> {
    system: &'a M,
    links: &'a [Link],
    t: M::Scalar,
    q: &'a M::Configuration,
    v: &'a [M::Scalar],
    covector: Covector<'a, M::Scalar>,
    /// What elements that see frames ask of each; of none, nothing.
    loads: &'a [F::Vector],
    frames: core::marker::PhantomData<F>,
}

impl<M: ElementSystem, F: Frames<M>> Sweep<'_, M, F> {
    #[inline]
    fn advance(&self, link: &Link, above: &MotionOf<M, F>) -> MotionOf<M, F> {
        let v = link.of::<M::Scalar, F::Member>(self.v);
        let (system, t, q) = (self.system, self.t, self.q);
        match self.covector {
            Covector::Force => F::motion(system, link, t, q, above, &v, &F::Member::zeros()),
            Covector::Residual(acceleration) => F::motion(system, link, t, q, above, &v, &link.of(acceleration)),
            // M v has no part that comes from time alone.
            Covector::Momentum => Motion {
                frame: F::frame(system, link, t, q, &above.frame),
                velocity: F::push(system, link, t, q, &above.frame, &above.velocity, &v),
                acceleration: above.acceleration,
            },
        }
    }

    #[inline]
    fn covector(&self, place: usize, link: &Link, at: &MotionOf<M, F>) -> F::Vector {
        let mut out = F::Vector::zeros();
        match self.covector {
            Covector::Residual(_) => F::add_residual(self.system, link, self.t, at, &mut out),
            Covector::Force => {
                F::add_residual(self.system, link, self.t, at, &mut out);
                for entry in out.as_mut_slice() {
                    *entry = -*entry;
                }
            }
            Covector::Momentum => {
                let mut inertia = F::Matrix::zeros();
                F::add_inertia(self.system, link, self.t, &at.frame, &mut inertia);
                let u = at.velocity.as_slice();
                for (out, row) in out.as_mut_slice().iter_mut().zip(inertia.as_slice().chunks_exact(u.len())) {
                    *out = row.iter().zip(u).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
                }
            }
        }
        if let Some(load) = self.loads.get(place) {
            add(&mut out, load);
        }
        out
    }

    /// Adds Jᵀ w of these joints to `out`; `w` comes from the joints behind the last one, what is returned goes to those before.
    fn inwards(
        &self,
        joints: Range<usize>,
        start: &MotionOf<M, F>,
        w: &F::Vector,
        out: &mut [M::Scalar],
        is_chain: bool,
    ) -> F::Vector {
        match joints.len() {
            length if length <= SHORT => {
                self.piece(joints, start, w, out, (&mut [*start; SHORT], &mut [F::Vector::zeros(); SHORT]))
            }
            length if length <= MEDIUM => {
                self.piece(joints, start, w, out, (&mut [*start; MEDIUM], &mut [F::Vector::zeros(); MEDIUM]))
            }
            length if length <= PIECE => {
                self.piece(joints, start, w, out, (&mut [*start; PIECE], &mut [F::Vector::zeros(); PIECE]))
            }
            length if is_chain => self.cut(joints, length.div_ceil(PIECE).max(PIECE), start, w, out),
            length => {
                self.piece(joints, start, w, out, (&mut vec![*start; length], &mut vec![F::Vector::zeros(); length]))
            }
        }
    }

    /// The same of a chain, in pieces of `size` joints.
    fn cut(
        &self,
        joints: Range<usize>,
        size: usize,
        start: &MotionOf<M, F>,
        w: &F::Vector,
        out: &mut [M::Scalar],
    ) -> F::Vector {
        let piece = |number: usize| {
            let first = joints.start + number * size;
            first..(first + size).min(joints.end)
        };
        let count = joints.len().div_ceil(size);
        let mut starts = [*start; PIECE];
        let mut motion = *start;
        for (number, start) in starts[1..count].iter_mut().enumerate() {
            for link in &self.links[piece(number)] {
                motion = self.advance(link, &motion);
            }
            *start = motion;
        }
        let mut w = *w;
        for (number, start) in starts[..count].iter().enumerate().rev() {
            w = self.inwards(piece(number), start, &w, out, true);
        }
        w
    }

    /// The same with buffers that hold the motion of every joint.
    #[inline]
    fn piece(
        &self,
        joints: Range<usize>,
        start: &MotionOf<M, F>,
        w: &F::Vector,
        out: &mut [M::Scalar],
        (motions, covectors): (&mut [MotionOf<M, F>], &mut [F::Vector]),
    ) -> F::Vector {
        let (first, links) = (joints.start, &self.links[joints]);
        // What is before the first joint of a piece, and what hangs on nothing, starts from the motion before it.
        let place = |link: &Link| link.parent.checked_sub(first).filter(|&parent| parent < links.len());
        for (at, link) in links.iter().enumerate() {
            let above = place(link).map_or(*start, |parent| motions[parent]);
            motions[at] = self.advance(link, &above);
            covectors[at] = self.covector(first + at, link, &motions[at]);
        }
        if let Some(last) = covectors[..links.len()].last_mut() {
            add(last, w);
        }
        let mut before = F::Vector::zeros();
        for (at, link) in links.iter().enumerate().rev() {
            let parent = place(link);
            let above = parent.map_or(&start.frame, |parent| &motions[parent].frame);
            let (next, own) = F::pull(self.system, link, self.t, self.q, above, &covectors[at]);
            if let Some(range) = link.components() {
                for (sum, &term) in out[range].iter_mut().zip(own.as_slice()) {
                    *sum += term;
                }
            }
            add(parent.map_or(&mut before, |parent| &mut covectors[parent]), &next);
        }
        before
    }
}

/// Adds what the frames' covectors are to the joints.
pub(super) fn pull_back<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    covector: Covector<'_, M::Scalar>,
    multipliers: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    let tree = system.structure().tree();
    let mut start = F::origin(system, t);
    if matches!(covector, Covector::Momentum) {
        start.velocity = F::Vector::zeros();
    }
    let links = tree.links();
    let mut pull = |loads: &[F::Vector]| {
        let sweep = Sweep::<M, F> { system, links, t, q, v, covector, loads, frames: core::marker::PhantomData };
        sweep.inwards(0..links.len(), &start, &F::Vector::zeros(), out, tree.is_chain());
    };
    let acceleration = match covector {
        Covector::Residual(acceleration) => Some(acceleration),
        Covector::Force => None,
        Covector::Momentum => return pull(&[]),
    };
    let kinds = system.structure().layout().kinds.iter().zip(&system.structure().shapes);
    let asks = |shape: &Shape| shape.terms.force || (shape.rows > 0 && acceleration.is_some());
    if !(F::JOINS && kinds.filter(|(kind, _)| kind.sees_frames && kind.count > 0).any(|(_, shape)| asks(shape))) {
        return pull(&[]);
    }
    with_motions::<M, F, ()>(system, t, q, Some(v), acceleration, |motions| {
        buffered(links.len(), F::Vector::zeros(), |loads| {
            F::visit_joined(system, &mut Loads { system, t, motions, covector, multipliers, out: &mut *loads });
            pull(loads);
        });
    });
}

/// So many values, on the stack up to 128.
pub(super) fn buffered<T: Copy, R>(length: usize, value: T, within: impl FnOnce(&mut [T]) -> R) -> R {
    match length {
        length if length <= SHORT => within(&mut [value; SHORT][..length]),
        length if length <= MEDIUM => within(&mut [value; MEDIUM][..length]),
        length if length <= PIECE => within(&mut [value; PIECE][..length]),
        length => within(&mut vec![value; length]),
    }
}

/// Shows the motions of all frames, in the order of sweeps, to `within`; v and v' are zero where they are not given.
pub(super) fn with_motions<M: ElementSystem, F: Frames<M>, R>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: Option<&[M::Scalar]>,
    acceleration: Option<&[M::Scalar]>,
    within: impl FnOnce(&[MotionOf<M, F>]) -> R,
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

/// The same of frames at rest, which is all that Φ and B are functions of.
pub(super) fn with_frames<M: ElementSystem, F: Frames<M>, R>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    within: impl FnOnce(&[MotionOf<M, F>]) -> R,
) -> R {
    let (links, origin) = (system.structure().tree().links(), F::origin(system, t).frame);
    let rest = Motion { frame: origin, velocity: F::Vector::zeros(), acceleration: F::Vector::zeros() };
    buffered(links.len(), rest, |motions| {
        for (place, link) in links.iter().enumerate() {
            let above = motions[..place].get(link.parent).map_or(origin, |above| above.frame);
            motions[place].frame = F::frame(system, link, t, q, &above);
        }
        within(motions)
    })
}

/// Goes outwards along a tree, from what is at the base: what is at a frame follows from what is at the one that it hangs on. Of a
/// tree of more than 128 joints that is no chain the buffer is made anew.
fn outwards<T: Copy>(tree: &Tree, base: T, advance: impl Fn(&Link, &T) -> T, mut visit: impl FnMut(&Link, &T)) {
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
        length if length <= PIECE => within(&mut [base; PIECE]),
        length => within(&mut vec![base; length]),
    }
}

/// The position of every frame, in the order of sweeps.
fn visit_positions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    visit: impl FnMut(&Link, &F::Frame),
) {
    let origin = F::origin(system, t).frame;
    outwards(system.structure().tree(), origin, |link, above| F::frame(system, link, t, q, above), visit);
}

/// The motion of every frame, in the order of sweeps.
fn visit_motions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    visit: impl FnMut(&Link, &MotionOf<M, F>),
) {
    let advance = |link: &Link, above: &MotionOf<M, F>| {
        let own = link.of::<M::Scalar, F::Member>(v);
        F::motion(system, link, t, q, above, &own, &F::Member::zeros())
    };
    outwards(system.structure().tree(), F::origin(system, t), advance, visit);
}

/// The positions of all frames, in the order of sweeps.
pub(super) fn positions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> Vec<F::Frame> {
    let mut all = Vec::with_capacity(system.structure().tree().links().len());
    visit_positions::<M, F>(system, t, q, |_, frame| all.push(*frame));
    all
}

/// The motions of all frames, in the order of sweeps.
pub(super) fn motions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<MotionOf<M, F>> {
    let mut all = Vec::with_capacity(system.structure().tree().links().len());
    visit_motions::<M, F>(system, t, q, v, |_, at| all.push(*at));
    all
}

/// The kinetic energy of all frames.
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

/// The potential energy of all frames.
pub(super) fn potential_energy<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> M::Scalar {
    let mut sum = M::Scalar::from_f64(0.0);
    visit_positions::<M, F>(system, t, q, |link, frame| sum += F::potential_energy(system, link, t, frame));
    sum
}
