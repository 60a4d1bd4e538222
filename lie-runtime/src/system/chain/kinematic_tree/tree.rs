//! Which frame hangs on which: the tree that sweeps go along.
//!
//! A joint is a member of one of the fields that frames follow; it carries one frame. Frames are numbered field by field; sweeps
//! pass them in an order in which each comes after the one it hangs on.

use core::ops::Range;

use super::ancestor_paths::AncestorPaths;
use super::link::{Link, ROOT};
use crate::system::ModelError;
use crate::system::chain::Layout;
use crate::system::chain::layout::offset_of;

/// All frames.
#[derive(Clone, Debug, Default)]
pub struct KinematicTree {
    /// In the order of sweeps.
    links: Vec<Link>,
    /// The place of each frame in that order.
    places: Vec<usize>,
    /// The components of the fields that frames follow.
    own: Vec<Range<usize>>,
    /// True if each frame hangs on the one before it.
    is_chain: bool,
    /// How many joints are free.
    free: usize,
    /// The place of the joint of each component; [`ROOT`] of those of other members.
    place_of: Vec<usize>,
    /// Where the blocks of each joint start in a flat list, and those of each element that sees frames.
    pub(in crate::system::chain) block_starts: [Vec<usize>; 2],
    /// The ways of each element that sees several frames, or constrains one, kind by kind.
    pub(in crate::system::chain) joined: Vec<AncestorPaths>,
    /// Where those of each kind start.
    joined_starts: Vec<usize>,
}

impl KinematicTree {
    /// The frames that follow these fields; `parents` are a list of `Lengths` by its name, each the frame that a frame hangs on. Without
    /// it each hangs on the one before it.
    ///
    /// # Errors
    /// [`ModelError::ParentCount`], [`ModelError::ParentMissing`] and [`ModelError::ParentCircle`], which name frame and list.
    pub fn new(
        layout: &Layout,
        fields: &[usize],
        parents: Option<(&'static str, &[Option<usize>])>,
    ) -> Result<Self, ModelError> {
        let spans = || fields.iter().map(|&field| &layout.spans[field]);
        let length = spans().map(|span| span.length).sum();
        let by_chain: Vec<Option<usize>> = (0..length).map(|index: usize| index.checked_sub(1)).collect();
        let (list, parents) = parents.unwrap_or(("", &by_chain));
        if parents.len() != length {
            return Err(ModelError::ParentCount { list, given: parents.len(), frames: length });
        }
        if let Some((frame, &parent)) = parents
            .iter()
            .enumerate()
            .find_map(|(frame, parent)| Some((frame, parent.as_ref().filter(|&&at| at >= length)?)))
        {
            return Err(ModelError::ParentMissing { list, frame, parent, frames: length });
        }
        let order = ordered(parents).map_err(|frame| ModelError::ParentCircle { list, frame })?;
        let mut places = vec![0; length];
        for (place, &frame) in order.iter().enumerate() {
            places[frame] = place;
        }
        let joints: Vec<Link> = spans()
            .enumerate()
            .flat_map(|(kind, span)| {
                (0..span.length).map(move |member| Link {
                    index: 0,
                    length,
                    kind,
                    member,
                    members: span.length,
                    parent: ROOT,
                    carries_several: false,
                    offset: offset_of(span, member),
                    dimension: if span.free().contains(&member) { span.dimension } else { 0 },
                })
            })
            .collect();
        let link = |&frame: &usize| {
            let parent = parents[frame].map_or(ROOT, |parent| places[parent]);
            Link { index: frame, parent, ..joints[frame] }
        };
        let mut links: Vec<Link> = order.iter().map(link).collect();
        for place in 0..length {
            let (follows, parent) = (links[place].follows(place), links[place].parent);
            links.get_mut(parent).into_iter().for_each(|parent| parent.carries_several |= !follows);
        }
        let is_chain =
            links.iter().enumerate().all(|(place, link)| link.parent == place.checked_sub(1).unwrap_or(ROOT));
        let own = spans().map(|span| span.offset..span.end()).collect();
        let mut place_of = vec![ROOT; layout.dof];
        for (place, link) in links.iter().enumerate() {
            link.components().into_iter().flatten().for_each(|component| place_of[component] = place);
        }
        let free = links.iter().filter(|link| link.is_free()).count();
        Ok(KinematicTree {
            links,
            places,
            own,
            is_chain,
            free,
            place_of,
            block_starts: Default::default(),
            joined: Vec::new(),
            joined_starts: Vec::new(),
        })
    }

    /// The same once the elements of `layout` that see frames know the joints that move them.
    #[must_use]
    pub(in crate::system::chain) fn joining(mut self, layout: &mut Layout) -> Self {
        for kind in &mut layout.kinds {
            self.joined_starts.push(self.joined.len());
            if kind.over_frames {
                kind.follow(|number| self.places[number], |places| self.movers(places).map(|own| own.start).collect());
                self.joined.extend(kind.places().map(|place| AncestorPaths::new(&self.links, place.members)));
            }
        }
        self.block_starts = self.starts_of_blocks();
        self
    }

    /// The ways of an element that sees frames, by its kind and its number.
    #[inline]
    pub(in crate::system::chain) fn paths_of_element(&self, kind: usize, element: usize) -> &AncestorPaths {
        &self.joined[self.joined_starts[kind] + element]
    }

    /// The components of the free joints on the ways from these places to the root, each once, from the ends inwards.
    fn movers(&self, places: &[usize]) -> impl Iterator<Item = Range<usize>> {
        self.paths_from(places, ROOT).filter_map(|place| self.links[place].components())
    }

    /// The places on the ways from these, which are shown too, to a frame that all of them hang on, or to the root: each once, from the
    /// ends inwards. What is not in the tree has no way.
    pub(in crate::system::chain) fn paths_from(&self, places: &[usize], last: usize) -> impl Iterator<Item = usize> {
        let in_tree = |&place: &usize| place < self.links.len();
        let mut heads: Vec<usize> = places.iter().copied().filter(in_tree).collect();
        core::iter::from_fn(move || {
            let outermost = heads.iter().copied().filter(|&place| place != ROOT && place != last).max()?;
            let parent = self.links[outermost].parent;
            heads.iter_mut().filter(|place| **place == outermost).for_each(|place| *place = parent);
            Some(outermost)
        })
    }

    /// The frames in the order of sweeps.
    #[inline]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// True if each frame hangs on the one before it.
    #[inline]
    pub(in crate::system::chain) fn is_chain(&self) -> bool {
        self.is_chain
    }

    /// How many joints are free.
    #[inline]
    pub(in crate::system::chain) fn free(&self) -> usize {
        self.free
    }

    /// The place of the joint that a component is of.
    pub(in crate::system::chain) fn place_of(&self, component: usize) -> Option<usize> {
        self.place_of.get(component).copied().filter(|&place| place != ROOT)
    }

    /// True of a component of a joint.
    #[inline]
    pub(in crate::system::chain) fn moves_with(&self, component: usize) -> bool {
        self.own.iter().any(|range| range.contains(&component))
    }

    /// A frame by its number, and those that it hangs on, from it to the root.
    pub(in crate::system::chain) fn path(&self, index: usize) -> impl Iterator<Item = &Link> {
        let first = self.places.get(index).and_then(|&place| self.links.get(place));
        core::iter::successors(first, |link| self.links.get(link.parent))
    }

    /// A joint and those on the way from it to the root, by its place in the order of sweeps.
    pub(in crate::system::chain) fn way(&self, place: usize) -> impl Iterator<Item = &Link> {
        core::iter::successors(self.links.get(place), |link| self.links.get(link.parent))
    }

    /// The joints of every way from a frame on which nothing hangs to the root: their first components.
    pub(in crate::system::chain) fn paths(&self) -> impl Iterator<Item = Vec<usize>> {
        let mut is_above = vec![false; self.links.len()];
        for link in &self.links {
            if let Some(above) = is_above.get_mut(link.parent) {
                *above = true;
            }
        }
        let ends = (0..self.links.len()).filter(move |&place| !is_above[place]);
        ends.map(|place| self.way(place).filter_map(Link::components).map(|own| own.start).collect())
    }

    /// What is listed in the order of sweeps, by the numbers of the frames.
    pub(in crate::system::chain) fn numbered<T: Copy>(&self, by_place: &[T]) -> Vec<T> {
        self.places.iter().map(|&place| by_place[place]).collect()
    }
}

/// Copies the components of a joint. Most joints are as large as the largest, which is known at compile time: then that is no call.
#[inline]
pub(in crate::system::chain) fn copy<S: Copy>(from: &[S], to: &mut [S], count: usize, largest: usize) {
    if count == largest {
        // By numbers: what is written as in the other branch would become one call for both.
        to[..largest].iter_mut().zip(&from[..largest]).for_each(|(to, &from)| *to = from);
    } else {
        to[..count].copy_from_slice(&from[..count]);
    }
}

/// The frames so that each comes after the one it hangs on, as near to their numbers as that goes; `Err` with one that hangs on itself.
fn ordered(parents: &[Option<usize>]) -> Result<Vec<usize>, usize> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut order = Vec::with_capacity(parents.len());
    let mut state = vec![NEW; parents.len()];
    let mut path = Vec::new();
    for frame in 0..parents.len() {
        let mut next = Some(frame);
        while let Some(at) = next.filter(|&at| state[at] != DONE) {
            if state[at] == OPEN {
                return Err(at);
            }
            state[at] = OPEN;
            path.push(at);
            next = parents[at];
        }
        while let Some(at) = path.pop() {
            state[at] = DONE;
            order.push(at);
        }
    }
    Ok(order)
}

/// Checks that there are as many frames as these functions need; `member` is the field that they follow.
///
/// # Errors
/// [`ModelError::ChainTooShort`].
pub fn ensure_frames(
    tree: &KinematicTree,
    member: &'static str,
    needed: usize,
    functions: &'static [&'static str],
) -> Result<(), ModelError> {
    match tree.links().len() {
        length if length >= needed => Ok(()),
        length => Err(ModelError::ChainTooShort { member, length, needed, functions }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Span;

    fn tree(parents: &[Option<usize>]) -> Result<KinematicTree, ModelError> {
        let spans = vec![Span::new("hinges", 1, 3, [false; 2]), Span::new("balls", 3, 2, [true, false])];
        let layout = Layout::new(spans, &[], &[]).unwrap();
        KinematicTree::new(&layout, &[0, 1], Some(("parents", parents)))
    }

    #[test]
    fn parents_come_first() {
        // Two trees: 3 - 0 - 1, and 2 - 4.
        let tree = tree(&[Some(3), Some(0), None, None, Some(2)]).unwrap();
        let order: Vec<usize> = tree.links().iter().map(|link| link.index).collect();
        assert_eq!(order, [3, 0, 1, 2, 4]);
        let parents: Vec<usize> = tree.links().iter().map(|link| link.parent).collect();
        assert_eq!(parents, [ROOT, 0, 1, ROOT, 3]);
        let path: Vec<usize> = tree.path(1).map(|link| link.index).collect();
        assert_eq!(path, [1, 0, 3]);
        // The first ball is clamped.
        let components: Vec<_> = tree.links().iter().map(Link::components).collect();
        assert_eq!(components, [None, Some(0..1), Some(1..2), Some(2..3), Some(3..6)]);
        assert_eq!(tree.numbered(&[30, 0, 10, 20, 40]), [0, 10, 20, 30, 40]);
        assert!(!tree.is_chain());
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let text = |parents: &[Option<usize>]| tree(parents).unwrap_err().to_string();
        assert_eq!(
            text(&[None; 3]),
            "`parents` has 3 items, and there are 5 frames: give the frame that each hangs on, `None` for the base"
        );
        assert_eq!(
            text(&[None, Some(7), None, None, None]),
            "`parents[1]` is frame 7, but there are 5, numbered from 0 on"
        );
        assert_eq!(
            text(&[Some(1), Some(4), None, None, Some(0)]),
            "`parents` lead from frame 0 back to itself: one of the frames on that way hangs on another one, or on the base, `None`"
        );
    }
}
