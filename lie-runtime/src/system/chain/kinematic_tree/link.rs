//! A frame and the joint that carries it: where the components of the joint are in a velocity.

use core::ops::Range;

use crate::scalar::Scalar;
use crate::system::Block;

/// The place of the frame that hangs on none.
pub const ROOT: usize = usize::MAX;

/// A frame, the joint that carries it and the frame it hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number of the frame.
    pub index: usize,
    /// How many frames there are.
    pub length: usize,
    /// Which of the fields that frames follow the joint is of.
    pub kind: usize,
    /// The number of the joint in its field.
    pub member: usize,
    /// How many members that field has.
    pub members: usize,
    /// The place in the order of sweeps of the frame before this one; [`ROOT`] without one.
    pub parent: usize,
    /// True if another frame hangs on it than the next in that order.
    pub(in crate::system::chain) carries_several: bool,
    /// The first component of the joint's velocity; [`CLAMPED`](crate::system::chain::CLAMPED) if it is held.
    pub(in crate::system::chain) offset: usize,
    /// How many components it has: none if it is held.
    pub(in crate::system::chain) dimension: usize,
}

impl Link {
    /// The components of the joint, if it is free.
    #[inline]
    pub fn components(&self) -> Option<Range<usize>> {
        self.is_free().then(|| self.offset..self.offset + self.dimension)
    }

    /// True of a joint that has components.
    #[inline]
    pub(in crate::system::chain) fn is_free(&self) -> bool {
        self.dimension > 0
    }

    /// Those of a velocity, with zeros behind them; zeros alone of a joint that is held.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::system::chain) fn of<S: Scalar, B: Block<S>>(&self, all: &[S]) -> B {
        let mut own = B::zeros();
        let largest = own.as_slice().len();
        // Number by number: what a call writes has to be in memory.
        let mut set = |all: &[S]| own.as_mut_slice().iter_mut().zip(all).for_each(|(own, &entry)| *own = entry);
        if self.dimension == largest {
            set(&all[self.offset..][..largest]);
        } else if self.dimension == 1 {
            own.as_mut_slice()[0] = all[self.offset];
        } else {
            set(self.fewer::<S, B>(all).as_slice());
        }
        own
    }

    /// Sets those of a velocity, if the joint is free.
    #[inline]
    pub(in crate::system::chain) fn set<S: Scalar, B: Block<S>>(&self, all: &mut [S], own: &B) {
        self.change(all, own, |out, own| *out = own);
    }

    /// True if the frame, at this place in the order of sweeps, hangs on the one before it there, or is the first: what has just been computed
    /// is then at hand, and not on its way to the memory and back.
    #[inline]
    pub(in crate::system::chain) fn follows(&self, place: usize) -> bool {
        self.parent.wrapping_add(1) == place
    }

    /// Adds to those of a velocity, or of a force, if the joint is free.
    #[inline]
    pub(in crate::system::chain) fn add<S: Scalar, B: Block<S>>(&self, all: &mut [S], own: &B) {
        self.change(all, own, |sum, own| *sum += own);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn change<S: Scalar, B: Block<S>>(&self, all: &mut [S], own: &B, change: impl Fn(&mut S, S)) {
        let largest = own.as_slice().len();
        if self.dimension == largest {
            all[self.offset..][..largest].iter_mut().zip(own.as_slice()).for_each(|(out, &own)| change(out, own));
        } else if self.dimension == 1 {
            change(&mut all[self.offset], own.as_slice()[0]);
        } else {
            self.change_fewer(all, *own, change);
        }
    }

    /// Of a joint with fewer components than the largest, or none. Calls, so that of most joints, which are as large, the components are in
    /// registers: a copy of a length that is known at run time would have them all in memory.
    #[inline(never)]
    fn fewer<S: Scalar, B: Block<S>>(&self, all: &[S]) -> B {
        let mut own = B::zeros();
        if let Some(range) = self.components() {
            own.as_mut_slice()[..self.dimension].copy_from_slice(&all[range]);
        }
        own
    }

    /// The same to change.
    #[inline(never)]
    fn change_fewer<S: Scalar, B: Block<S>>(&self, all: &mut [S], own: B, change: impl Fn(&mut S, S)) {
        if let Some(range) = self.components() {
            all[range].iter_mut().zip(own.as_slice()).for_each(|(out, &own)| change(out, own));
        }
    }

    /// How many components the joint has, none if it is held.
    #[inline]
    pub(in crate::system::chain) fn dimension(&self) -> usize {
        self.dimension
    }

    /// The joint in the place of its frame: its number in its field, and how many that has.
    #[inline]
    #[must_use]
    pub fn joint(&self) -> Link {
        Link { index: self.member, length: self.members, ..*self }
    }
}
