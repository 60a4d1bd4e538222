//! [`Link`]: a frame, the joint that carries it, and the position of the joint's components in a velocity.

use core::ops::Range;

use crate::scalar::Scalar;
use crate::system::Block;

/// The parent position of a frame that is attached to the base.
pub const ROOT: usize = usize::MAX;

/// A frame, the joint that carries it, and its parent frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number of the frame.
    pub index: usize,
    /// The number of frames.
    pub length: usize,
    /// The kind of the joint, the position among the fields of the joints.
    pub kind: usize,
    /// The number of the joint in its field.
    pub member: usize,
    /// The number of members of that field.
    pub members: usize,
    /// The position of the parent frame in the order of the forward pass; [`ROOT`] without a parent.
    pub parent: usize,
    /// True if it has a child other than the next frame in that order.
    pub(in crate::system::chain) has_other_children: bool,
    /// The first component of the joint's velocity; [`CLAMPED`](crate::system::chain::CLAMPED) for a clamped joint.
    pub(in crate::system::chain) offset: usize,
    /// The number of components; 0 for a clamped joint.
    pub(in crate::system::chain) dimension: usize,
}

impl Link {
    /// Returns the components of a free joint.
    #[inline]
    pub fn components(&self) -> Option<Range<usize>> {
        self.is_free().then(|| self.offset..self.offset + self.dimension)
    }

    /// Returns true if the joint has components.
    #[inline]
    pub(in crate::system::chain) fn is_free(&self) -> bool {
        self.dimension > 0
    }

    /// Returns the joint's components of a velocity, followed by zeros; zeros for a clamped joint.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::system::chain) fn of<S: Scalar, B: Block<S>>(&self, all: &[S]) -> B {
        let mut own = B::zeros();
        let largest = own.as_slice().len();
        // Component by component, because an argument of a call must be in memory.
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

    /// Sets the joint's components of a velocity.
    #[inline]
    pub(in crate::system::chain) fn set<S: Scalar, B: Block<S>>(&self, all: &mut [S], own: &B) {
        self.change(all, own, |out, own| *out = own);
    }

    /// Returns true if the parent of the frame at this position is its predecessor, or the base for the first frame:
    /// then its motion is in a local variable.
    #[inline]
    pub(in crate::system::chain) fn is_child_of_previous(&self, place: usize) -> bool {
        self.parent.wrapping_add(1) == place
    }

    /// Adds to the joint's components of a velocity or force.
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

    /// Returns the components of a joint that has fewer than the largest number. Not inlined: a copy with a length that
    /// is known at run time only would force the components of all joints into memory.
    #[inline(never)]
    fn fewer<S: Scalar, B: Block<S>>(&self, all: &[S]) -> B {
        let mut own = B::zeros();
        if let Some(range) = self.components() {
            own.as_mut_slice()[..self.dimension].copy_from_slice(&all[range]);
        }
        own
    }

    /// Changes the components of a joint that has fewer than the largest number.
    #[inline(never)]
    fn change_fewer<S: Scalar, B: Block<S>>(&self, all: &mut [S], own: B, change: impl Fn(&mut S, S)) {
        if let Some(range) = self.components() {
            all[range].iter_mut().zip(own.as_slice()).for_each(|(out, &own)| change(out, own));
        }
    }

    /// Returns the number of components; 0 for a clamped joint.
    #[inline]
    pub(in crate::system::chain) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the link with the numbers of its joint: the number in its field, and the length of the field.
    #[inline]
    #[must_use]
    pub fn joint(&self) -> Link {
        Link { index: self.member, length: self.members, ..*self }
    }
}
