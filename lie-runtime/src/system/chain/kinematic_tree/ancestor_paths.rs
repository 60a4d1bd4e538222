//! The ways of what an element sees: from its frames inwards to the root, past each joint once.
//!
//! They are known before anything moves. How far what goes along them reaches is not: what a loop asks of its frames balances where its ways
//! meet, and joints further inwards have nothing but zeros in its rows.

use core::ops::Range;

use super::link::{Link, ROOT};

/// What happens to the covectors of an element on their way inwards; they are known by their slots.
#[derive(Clone, Copy, Debug)]
pub(in crate::system::chain) enum PathEvent {
    /// Two meet at a frame, and go on as the first.
    Meeting(usize, usize),
    /// All have met, and what is left goes on as this one from the frame where they did.
    Together(usize),
    /// One goes on past a joint, by its place, to the frame before it.
    Joint(usize, usize),
    /// One of which nothing is left would have, while another one is still on its way.
    Nothing(usize),
}

/// The ways of one element.
#[derive(Clone, Debug)]
pub(in crate::system::chain) struct AncestorPaths {
    /// The components of the free joints, from the ends inwards.
    joints: Vec<Range<usize>>,
    /// The same one by one.
    components: Vec<usize>,
    /// How many of these are of joints before the first frame that all ways lead through.
    near: usize,
    turns: Vec<PathEvent>,
    slots: usize,
}

impl AncestorPaths {
    /// Those from the frames at these places.
    pub(in crate::system::chain) fn new(links: &[Link], places: &[usize]) -> Self {
        let (mut heads, slots) = (places.to_vec(), places.len());
        let mut paths = AncestorPaths { joints: Vec::new(), components: Vec::new(), near: 0, turns: Vec::new(), slots };
        let mut left = slots;
        // The first of those that are furthest outwards.
        while let Some((slot, place)) =
            heads.iter().copied().enumerate().filter(|&(_, at)| at != ROOT).reduce(|a, b| if b.1 > a.1 { b } else { a })
        {
            for (other, head) in heads.iter_mut().enumerate().skip(slot + 1).filter(|(_, head)| **head == place) {
                *head = ROOT;
                paths.turns.push(PathEvent::Meeting(slot, other));
                left -= 1;
                if left == 1 {
                    paths.turns.push(PathEvent::Together(slot));
                }
            }
            // A single frame is not moved by what it hangs on alone.
            paths.joints.extend(links[place].components());
            paths.components.extend(links[place].components().into_iter().flatten());
            if left > 1 || slots == 1 {
                paths.near = paths.components.len();
            }
            paths.turns.push(PathEvent::Joint(slot, place));
            heads[slot] = links[place].parent;
        }
        paths
    }

    /// All of them one by one.
    pub(in crate::system::chain) fn components(&self) -> &[usize] {
        &self.components
    }

    /// The components of the joints.
    pub(in crate::system::chain) fn joints(&self) -> &[Range<usize>] {
        &self.joints
    }

    /// Those of the joints that rows act on: further inwards than the frame where all ways meet, if rows ask something of that.
    #[inline]
    pub(in crate::system::chain) fn components_within(&self, has_more: bool) -> &[usize] {
        if has_more { &self.components } else { &self.components[..self.near] }
    }

    /// Takes every turn; false after a meeting says that nothing is left.
    #[inline]
    pub(in crate::system::chain) fn visit_backward(&self, mut take: impl FnMut(PathEvent) -> bool) {
        let (mut gone, mut left) = (0_u64, self.slots);
        for &turn in &self.turns {
            let is_gone = |slot: usize| gone >> slot & 1 == 1;
            let turn = match turn {
                PathEvent::Joint(slot, place) if is_gone(slot) => PathEvent::Nothing(place),
                PathEvent::Together(slot) if is_gone(slot) => continue,
                turn => turn,
            };
            // One call, which is none once it is inlined.
            let is_there = take(turn);
            if let PathEvent::Meeting(slot, other) = turn {
                let before = [slot, other].into_iter().filter(|&slot| !is_gone(slot)).count();
                gone = gone & !(1 << slot) | 1 << other | u64::from(!is_there) << slot;
                left = left + usize::from(is_there) - before;
                if left == 0 {
                    return;
                }
            }
        }
    }
}
