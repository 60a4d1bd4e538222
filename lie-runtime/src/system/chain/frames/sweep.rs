//! The terms of the frames, pulled back to the members.
//!
//! Covectors are summed up inwards, but positions and velocities are known outwards only. They are not stored for the whole
//! chain: a long one is cut into pieces, the motion at the start of each piece is kept, and that within a piece is
//! computed once more when its turn comes. The buffers are of fixed size, on the stack. That makes the motion one evaluation a
//! member up to 128 members, two up to 16 384 and three up to two millions.

use core::ops::Range;

use super::{Frames, Link, Motion, add};
use crate::scalar::Scalar;
use crate::system::chain::{Block, ElementSystem, Span};

/// Pieces of a chain and members of a piece.
const PIECE: usize = 128;

/// Short chains have short buffers.
const SHORT: usize = 8;

/// What is pulled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Covector {
    /// −g_x − M_x u' where v' = 0.
    Force,
    /// M_x u, with what v alone moves.
    Momentum,
}

type MotionOf<M, F> = Motion<<F as Frames<M>>::Frame, <F as Frames<M>>::Vector>;

/// What stays the same along a chain.
struct Sweep<'a, M: ElementSystem, F> {
    system: &'a M,
    t: M::Scalar,
    q: &'a M::Configuration,
    v: &'a [M::Scalar],
    length: usize,
    free: Free,
    covector: Covector,
    frames: core::marker::PhantomData<F>,
}

/// Which members of the chain are free, and where their components are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    first: usize,
    end: usize,
    offset: usize,
    dimension: usize,
}

impl Free {
    /// Those of a chain.
    #[inline]
    pub fn of(span: &Span) -> Self {
        let free = span.free();
        Free { first: free.start, end: free.end, offset: span.offset, dimension: span.dimension }
    }

    /// The place among the free members.
    #[inline]
    pub fn position(self, index: usize) -> Option<usize> {
        (self.first <= index && index < self.end).then(|| index - self.first)
    }

    /// The components of a member, if it is free.
    #[inline]
    pub fn components(self, index: usize) -> Option<Range<usize>> {
        let offset = self.offset + self.position(index)? * self.dimension;
        Some(offset..offset + self.dimension)
    }

    /// The components of a member; zeros of a clamped one.
    #[inline]
    pub fn member<S: Scalar, B: Block<S>>(self, index: usize, all: &[S]) -> B {
        let mut own = B::zeros();
        if let Some(range) = self.components(index) {
            let size = own.as_ref().len();
            own.as_mut().copy_from_slice(&all[range.start..range.start + size]);
        }
        own
    }
}

/// The frame before the first one, at rest.
#[inline]
fn origin<M: ElementSystem, F: Frames<M>>() -> MotionOf<M, F> {
    Motion { frame: F::origin(), velocity: F::Vector::zeros(), acceleration: F::Vector::zeros() }
}

impl<M: ElementSystem, F: Frames<M>> Sweep<'_, M, F> {
    #[inline]
    fn link(&self, index: usize) -> Link {
        Link { index, length: self.length }
    }

    #[inline]
    fn advance(&self, index: usize, above: &MotionOf<M, F>) -> MotionOf<M, F> {
        let v = self.free.member::<M::Scalar, F::Member>(index, self.v);
        let (link, system, t, q) = (self.link(index), self.system, self.t, self.q);
        match self.covector {
            Covector::Force => F::motion(system, &link, t, q, above, &v, &F::Member::zeros()),
            // M v has no part that comes from time alone.
            Covector::Momentum => Motion {
                frame: F::frame(system, &link, t, q, &above.frame),
                velocity: F::push(system, &link, t, q, &above.frame, &above.velocity, &v),
                acceleration: above.acceleration,
            },
        }
    }

    #[inline]
    fn covector(&self, index: usize, at: &MotionOf<M, F>) -> F::Vector {
        let mut out = F::Vector::zeros();
        let link = self.link(index);
        match self.covector {
            Covector::Force => {
                F::add_residual(self.system, &link, self.t, at, &mut out);
                for entry in out.as_mut() {
                    *entry = -*entry;
                }
            }
            Covector::Momentum => {
                let mut inertia = F::Matrix::zeros();
                F::add_inertia(self.system, &link, self.t, &at.frame, &mut inertia);
                let u = at.velocity.as_ref();
                for (out, row) in out.as_mut().iter_mut().zip(inertia.as_ref().chunks_exact(u.len())) {
                    *out = row.iter().zip(u).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
                }
            }
        }
        out
    }

    /// Adds Jᵀ w of `members` to `out`; `w` comes from the members behind, what is returned goes to those before.
    fn inwards(
        &self,
        members: Range<usize>,
        start: MotionOf<M, F>,
        mut w: F::Vector,
        out: &mut [M::Scalar],
    ) -> F::Vector {
        if members.len() <= SHORT {
            return self.piece::<SHORT>(members, start, w, out);
        }
        if members.len() <= PIECE {
            return self.piece::<PIECE>(members, start, w, out);
        }
        let size = members.len().div_ceil(PIECE).max(PIECE);
        let piece = |number: usize| {
            let first = members.start + number * size;
            first..(first + size).min(members.end)
        };
        let count = members.len().div_ceil(size);
        let mut starts = [start; PIECE];
        let mut motion = start;
        for (number, start) in starts[1..count].iter_mut().enumerate() {
            for index in piece(number) {
                motion = self.advance(index, &motion);
            }
            *start = motion;
        }
        for (number, start) in starts[..count].iter().enumerate().rev() {
            w = self.inwards(piece(number), *start, w, out);
        }
        w
    }
}

impl<M: ElementSystem, F: Frames<M>> Sweep<'_, M, F> {
    /// The same for at most `LENGTH` members.
    fn piece<const LENGTH: usize>(
        &self,
        members: Range<usize>,
        start: MotionOf<M, F>,
        mut w: F::Vector,
        out: &mut [M::Scalar],
    ) -> F::Vector {
        let mut above = [start.frame; LENGTH];
        let mut covectors = [F::Vector::zeros(); LENGTH];
        let mut motion = start;
        for ((index, above), covector) in members.clone().zip(&mut above).zip(&mut covectors) {
            *above = motion.frame;
            motion = self.advance(index, &motion);
            *covector = self.covector(index, &motion);
        }
        for ((index, above), covector) in members.zip(&above).zip(&covectors).rev() {
            add(&mut w, covector);
            let (next, own) = F::pull(self.system, &self.link(index), self.t, self.q, above, &w);
            if let Some(range) = self.free.components(index) {
                for (sum, &term) in out[range].iter_mut().zip(own.as_ref()) {
                    *sum += term;
                }
            }
            w = next;
        }
        w
    }
}

/// Adds what the frames' covectors are to the members.
pub(super) fn pull_back<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    covector: Covector,
    out: &mut [M::Scalar],
) {
    let span = &system.structure().layout().spans[F::FIELD];
    let sweep = Sweep::<M, F> {
        system,
        t,
        q,
        v,
        length: span.length,
        free: Free::of(span),
        covector,
        frames: core::marker::PhantomData,
    };
    sweep.inwards(0..span.length, origin::<M, F>(), F::Vector::zeros(), out);
}

/// The kinetic energy of all frames.
pub(super) fn kinetic_energy<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> M::Scalar {
    let length = system.structure().layout().spans[F::FIELD].length;
    motions::<M, F>(system, t, q, v).enumerate().fold(M::Scalar::from_f64(0.0), |sum, (index, at)| {
        sum + F::kinetic_energy(system, &Link { index, length }, t, &at.frame, &at.velocity)
    })
}

/// The motions of all frames, outwards.
pub(super) fn motions<'a, M: ElementSystem, F: Frames<M> + 'a>(
    system: &'a M,
    t: M::Scalar,
    q: &'a M::Configuration,
    v: &'a [M::Scalar],
) -> impl Iterator<Item = MotionOf<M, F>> + 'a {
    let span = &system.structure().layout().spans[F::FIELD];
    let (mut motion, free) = (origin::<M, F>(), Free::of(span));
    (0..span.length).map(move |index| {
        let link = Link { index, length: span.length };
        let own = free.member::<M::Scalar, F::Member>(index, v);
        motion = F::motion(system, &link, t, q, &motion, &own, &F::Member::zeros());
        motion
    })
}

/// The potential energy of all frames.
pub(super) fn potential_energy<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> M::Scalar {
    let length = system.structure().layout().spans[F::FIELD].length;
    let (mut frame, mut sum) = (F::origin(), M::Scalar::from_f64(0.0));
    for index in 0..length {
        let link = Link { index, length };
        frame = F::frame(system, &link, t, q, &frame);
        sum += F::potential_energy(system, &link, t, &frame);
    }
    sum
}
