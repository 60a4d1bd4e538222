//! [`KinematicTree`]: the parents of all frames, and the order of the forward pass.
//!
//! A joint is a member of one of the fields of joints and carries one frame. Frames are numbered field by field. The
//! forward pass visits parents first.

use core::ops::Range;

use super::ancestor_paths::AncestorPaths;
use super::link::{Link, ROOT};
use crate::system::ModelError;
use crate::system::chain::Layout;
use crate::system::chain::layout::offset_of;

/// The kinematic tree of all frames.
#[derive(Clone, Debug, Default)]
#[doc(alias = "multibody tree")]
#[doc(alias = "parent array")]
pub struct KinematicTree {
    /// In the order of the forward pass.
    links: Vec<Link>,
    /// The position of each frame in that order.
    places: Vec<usize>,
    /// The components of the fields of joints.
    own: Vec<Range<usize>>,
    /// True if the parent of each frame is its predecessor.
    is_chain: bool,
    /// The number of free joints.
    free: usize,
    /// The position of the joint of each component; [`ROOT`] for components of other members.
    place_of: Vec<usize>,
    /// The start of the blocks of each joint in a flat list, and of each element over frames.
    pub(in crate::system::chain) block_starts: [Vec<usize>; 2],
    /// The paths of each element over frames, kind by kind.
    pub(in crate::system::chain) element_paths: Vec<AncestorPaths>,
    /// The first element of each kind.
    element_path_starts: Vec<usize>,
}

impl KinematicTree {
    /// Creates the tree of the frames of these fields. `parents` is the name and content of a list in `Lengths`: the
    /// parent of each frame. Without it, the parent of each frame is its predecessor.
    ///
    /// # Errors
    /// [`ModelError::ParentCount`], [`ModelError::ParentMissing`] and [`ModelError::ParentCircle`], which name frame
    /// and list.
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
                    has_other_children: false,
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
            let (follows, parent) = (links[place].is_child_of_previous(place), links[place].parent);
            links.get_mut(parent).into_iter().for_each(|parent| parent.has_other_children |= !follows);
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
            element_paths: Vec::new(),
            element_path_starts: Vec::new(),
        })
    }

    /// Adds the elements of `layout` over frames, and sets the joints that move them.
    #[must_use]
    pub(in crate::system::chain) fn with_elements(mut self, layout: &mut Layout) -> Self {
        for kind in &mut layout.kinds {
            self.element_path_starts.push(self.element_paths.len());
            if kind.over_frames {
                kind.set_frame_joints(
                    |number| self.places[number],
                    |places| self.moving_joints(places).map(|own| own.start).collect(),
                );
                self.element_paths.extend(kind.places().map(|place| AncestorPaths::new(&self.links, place.members)));
            }
        }
        self.block_starts = self.starts_of_blocks();
        self
    }

    /// Returns the paths of an element over frames, by its kind and number.
    #[inline]
    pub(in crate::system::chain) fn paths_of_element(&self, kind: usize, element: usize) -> &AncestorPaths {
        &self.element_paths[self.element_path_starts[kind] + element]
    }

    /// Iterates over the components of the free joints on the paths from these positions to the root, each once, leaves
    /// first.
    fn moving_joints(&self, places: &[usize]) -> impl Iterator<Item = Range<usize>> {
        self.paths_from(places, ROOT).filter_map(|place| self.links[place].components())
    }

    /// Iterates over the positions on the paths from these positions, inclusive, to a common ancestor, exclusive, or to
    /// the root: each once, leaves first. Positions outside the tree have no path.
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

    /// Returns the frames in the order of the forward pass.
    #[inline]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns true if the parent of each frame is its predecessor.
    #[inline]
    pub(in crate::system::chain) fn is_chain(&self) -> bool {
        self.is_chain
    }

    /// Returns the number of free joints.
    #[inline]
    pub(in crate::system::chain) fn free(&self) -> usize {
        self.free
    }

    /// Returns the position of the joint of a component.
    pub(in crate::system::chain) fn place_of(&self, component: usize) -> Option<usize> {
        self.place_of.get(component).copied().filter(|&place| place != ROOT)
    }

    /// Returns true for a component of a joint.
    #[inline]
    pub(in crate::system::chain) fn is_joint_component(&self, component: usize) -> bool {
        self.own.iter().any(|range| range.contains(&component))
    }

    /// Iterates over a frame, by its number, and its ancestors.
    pub(in crate::system::chain) fn path_to_root(&self, index: usize) -> impl Iterator<Item = &Link> {
        let first = self.places.get(index).and_then(|&place| self.links.get(place));
        core::iter::successors(first, |link| self.links.get(link.parent))
    }

    /// Iterates over a joint, by its position in the order of the forward pass, and its ancestors.
    pub(in crate::system::chain) fn ancestors(&self, place: usize) -> impl Iterator<Item = &Link> {
        core::iter::successors(self.links.get(place), |link| self.links.get(link.parent))
    }

    /// Iterates over the paths from the leaves to the root, as the first components of their joints.
    pub(in crate::system::chain) fn paths(&self) -> impl Iterator<Item = Vec<usize>> {
        let mut is_above = vec![false; self.links.len()];
        for link in &self.links {
            if let Some(above) = is_above.get_mut(link.parent) {
                *above = true;
            }
        }
        let ends = (0..self.links.len()).filter(move |&place| !is_above[place]);
        ends.map(|place| self.ancestors(place).filter_map(Link::components).map(|own| own.start).collect())
    }

    /// Reorders a list from the order of the forward pass to the numbers of the frames.
    pub(in crate::system::chain) fn numbered<T: Copy>(&self, by_place: &[T]) -> Vec<T> {
        self.places.iter().map(|&place| by_place[place]).collect()
    }
}

/// Copies the components of a joint. If the joint has the largest number of components, which is known at compile time,
/// this is not a call.
#[inline]
pub(in crate::system::chain) fn copy<S: Copy>(from: &[S], to: &mut [S], count: usize, largest: usize) {
    if count == largest {
        // Component by component: two equal branches would be merged to one call.
        to[..largest].iter_mut().zip(&from[..largest]).for_each(|(to, &from)| *to = from);
    } else {
        to[..count].copy_from_slice(&from[..count]);
    }
}

/// Returns the frames with parents first, close to the order of their numbers; a frame that is its own ancestor as
/// error.
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

/// Checks that there are as many frames as these functions need; `member` is the field of the joints.
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
        let path: Vec<usize> = tree.path_to_root(1).map(|link| link.index).collect();
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
        assert!(text(&[None; 3]).starts_with(
            "`parents` has 3 items, and there are 5 frames: set the parent of each frame, `None` for the base"
        ));
        assert!(
            text(&[None, Some(7), None, None, None])
                .starts_with("`parents[1]` is frame 7, but there are 5 frames, numbered from 0")
        );
        assert!(text(&[Some(1), Some(4), None, None, Some(0)]).starts_with(
            "frame 0 is its own ancestor in `parents`: change the parent of one of its ancestors, `None` for the base"
        ));
    }
}
