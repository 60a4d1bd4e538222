//! The ways of what an element sees: from its frames inwards to the root, past each joint once.
//!
//! They are known before anything moves. How far what goes along them reaches is not: what a loop asks of its frames balances where its ways
//! meet, and joints further inwards have nothing but zeros in its rows.

use core::ops::Range;

use super::{Link, ROOT};
use crate::scalar::Scalar;

/// What happens to the covectors of an element on their way inwards; they are known by their slots.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// Two meet at a frame, and go on as the first.
    Meeting(usize, usize),
    /// One goes on past a joint, by its place, to the frame before it.
    Joint(usize, usize),
}

/// The ways of one element.
#[derive(Clone, Debug)]
pub(in crate::system::chain) struct Ways {
    /// The components of the free joints, from the ends inwards.
    joints: Vec<Range<usize>>,
    /// How many of these joints, and of their components, stand before the first frame that all ways lead through.
    near: [usize; 2],
    turns: Vec<Turn>,
    slots: usize,
}

impl Ways {
    /// Those from the frames at these places.
    pub(super) fn new(links: &[Link], places: &[usize]) -> Self {
        let (mut heads, slots) = (places.to_vec(), places.len());
        let mut ways = Ways { joints: Vec::new(), near: [0; 2], turns: Vec::new(), slots };
        let (mut left, mut columns) = (slots, 0);
        // The first of those that are furthest outwards.
        while let Some((slot, place)) =
            heads.iter().copied().enumerate().filter(|&(_, at)| at != ROOT).reduce(|a, b| if b.1 > a.1 { b } else { a })
        {
            for (other, head) in heads.iter_mut().enumerate().skip(slot + 1).filter(|(_, head)| **head == place) {
                *head = ROOT;
                ways.turns.push(Turn::Meeting(slot, other));
                left -= 1;
            }
            // A single frame is not moved by what it hangs on alone.
            if left > 1 || slots == 1 {
                columns += links[place].components().map_or(0, |own| own.len());
                ways.near = [ways.joints.len() + usize::from(links[place].components().is_some()), columns];
            }
            ways.joints.extend(links[place].components());
            ways.turns.push(Turn::Joint(slot, place));
            heads[slot] = links[place].parent;
        }
        ways
    }

    /// The components of the joints.
    pub(super) fn joints(&self) -> &[Range<usize>] {
        &self.joints
    }

    /// Shows the components of each joint with its entries in a row, as far as there are any.
    #[inline]
    pub(in crate::system::chain) fn each<S: Scalar>(&self, row: &[S], mut visit: impl FnMut(Range<usize>, &[S])) {
        let (mut rest, [joints, columns]) = (row, self.near);
        let has_more = columns < row.len() && width(&row[columns..]) > 0;
        for joint in &self.joints[..if has_more { self.joints.len() } else { joints }] {
            let (own, further) = rest.split_at(joint.len());
            visit(joint.clone(), own);
            rest = further;
        }
    }

    /// Takes every turn; false after a meeting says that nothing is left.
    #[inline]
    pub(super) fn go_inwards(&self, mut take: impl FnMut(Turn) -> bool) {
        let (mut gone, mut left) = (0_u64, self.slots);
        for &turn in &self.turns {
            match turn {
                Turn::Meeting(slot, other) => {
                    let before = [slot, other].into_iter().filter(|slot| gone >> slot & 1 == 0).count();
                    let is_there = take(turn);
                    gone = gone & !(1 << slot) | 1 << other | u64::from(!is_there) << slot;
                    left = left + usize::from(is_there) - before;
                    if left == 0 {
                        return;
                    }
                }
                Turn::Joint(slot, _) => {
                    if gone >> slot & 1 == 0 {
                        take(turn);
                    }
                }
            }
        }
    }
}

/// The number of entries up to the last one that is not zero; zeros are passed four at a time.
#[inline]
pub(super) fn width<S: Scalar>(entries: &[S]) -> usize {
    let (_, fours) = entries.as_rchunks::<4>();
    let is_nothing = |four: &&[S; 4]| four.iter().fold(true, |nothing, &entry| nothing & (entry == S::zero()));
    let passed = 4 * fours.iter().rev().take_while(is_nothing).count();
    let rest = &entries[..entries.len() - passed];
    rest.iter().rposition(|&entry| entry != S::zero()).map_or(0, |last| last + 1)
}
