//! [`AncestorPaths`]: the paths from an element's frames to the root, shared joints visited once.
//!
//! The paths do not depend on the configuration. The covectors of a loop cancel where its paths meet, and then the
//! entries of all ancestors of that frame vanish; this is tested at run time.

use core::ops::Range;

use super::link::{Link, ROOT};

/// A step of the backward pass of an element's covectors, which are identified by their slots.
#[derive(Clone, Copy, Debug)]
pub(in crate::system::chain) enum PathEvent {
    /// Two covectors meet at a frame; their sum continues in the first slot.
    Meeting(usize, usize),
    /// All covectors have met; the sum continues in this slot.
    Together(usize),
    /// A covector crosses a joint, by its position, to the parent frame.
    Joint(usize, usize),
    /// A covector that has vanished would cross this joint, while another one is still on its path.
    Nothing(usize),
}

/// The paths of one element.
#[derive(Clone, Debug)]
pub(in crate::system::chain) struct AncestorPaths {
    /// The components of the free joints, leaves first.
    joints: Vec<Range<usize>>,
    /// The single components of the joints.
    components: Vec<usize>,
    /// The number of components of joints before the first frame that all paths contain.
    before_meeting: usize,
    steps: Vec<PathEvent>,
    slots: usize,
}

impl AncestorPaths {
    /// Computes the paths from the frames at these positions.
    pub(in crate::system::chain) fn new(links: &[Link], places: &[usize]) -> Self {
        let (mut heads, slots) = (places.to_vec(), places.len());
        let mut paths =
            AncestorPaths { joints: Vec::new(), components: Vec::new(), before_meeting: 0, steps: Vec::new(), slots };
        let mut left = slots;
        // The first of the slots that are furthest from the root.
        while let Some((slot, place)) =
            heads.iter().copied().enumerate().filter(|&(_, at)| at != ROOT).reduce(|a, b| if b.1 > a.1 { b } else { a })
        {
            for (other, head) in heads.iter_mut().enumerate().skip(slot + 1).filter(|(_, head)| **head == place) {
                *head = ROOT;
                paths.steps.push(PathEvent::Meeting(slot, other));
                left -= 1;
                if left == 1 {
                    paths.steps.push(PathEvent::Together(slot));
                }
            }
            // A single frame is not moved by its parent alone.
            paths.joints.extend(links[place].components());
            paths.components.extend(links[place].components().into_iter().flatten());
            if left > 1 || slots == 1 {
                paths.before_meeting = paths.components.len();
            }
            paths.steps.push(PathEvent::Joint(slot, place));
            heads[slot] = links[place].parent;
        }
        paths
    }

    /// Returns the components of all joints.
    pub(in crate::system::chain) fn components(&self) -> &[usize] {
        &self.components
    }

    /// Returns the component ranges of the joints.
    pub(in crate::system::chain) fn joints(&self) -> &[Range<usize>] {
        &self.joints
    }

    /// Returns the components of the joints that rows act on; `has_more` includes the ancestors of the frame where all
    /// paths meet.
    #[inline]
    pub(in crate::system::chain) fn components_within(&self, has_more: bool) -> &[usize] {
        if has_more { &self.components } else { &self.components[..self.before_meeting] }
    }

    /// Runs the backward pass; `take` returns false after a meeting if the sum has vanished.
    #[inline]
    pub(in crate::system::chain) fn visit_backward(&self, mut take: impl FnMut(PathEvent) -> bool) {
        let (mut gone, mut left) = (0_u64, self.slots);
        for &step in &self.steps {
            let is_gone = |slot: usize| gone >> slot & 1 == 1;
            let step = match step {
                PathEvent::Joint(slot, place) if is_gone(slot) => PathEvent::Nothing(place),
                PathEvent::Together(slot) if is_gone(slot) => continue,
                step => step,
            };
            // A single call, so that it is inlined.
            let is_there = take(step);
            if let PathEvent::Meeting(slot, other) = step {
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
