//! Sizes of a kind of elements, the free members of a system, and the graph of elements that share members.

use super::layout::CLAMPED;
use crate::system::{Contributions, ElementLocation};

/// A free member.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeMember {
    /// Its first component in a velocity.
    pub offset: usize,
    /// The dimension of its group.
    pub dimension: usize,
    /// The start of its block in a list of dimension × dimension blocks.
    pub block: usize,
}

/// Sizes of a kind of elements that are known at compile time.
#[derive(Clone, Debug)]
pub struct ElementShape {
    /// The dimension of each slot; empty for frames, whose joints differ.
    pub slots: &'static [usize],
    /// The rows of each constraint function.
    pub segments: &'static [usize],
    /// The number of components of a local velocity; over frames, the maximum number of components of the joints that
    /// move them.
    pub components: usize,
    /// Constraint rows.
    pub rows: usize,
    /// The number of holonomic rows.
    pub holonomic: usize,
    /// The number of velocity components of a frame, if the slots are frames and there are rows; otherwise 0.
    pub reach: usize,
    /// The contributions of the elements.
    pub terms: Contributions,
}

impl ElementShape {
    /// Returns the global numbers of the constraint rows of an element.
    pub(super) fn global_rows<'a>(&self, place: &ElementLocation<'a>) -> impl Iterator<Item = usize> + Clone + 'a {
        global_rows(place, self.segments)
    }
}

/// Returns the global numbers of the constraint rows of an element; `segments` are the rows of each function.
pub(super) fn global_rows<'a>(
    place: &ElementLocation<'a>,
    segments: &'static [usize],
) -> impl Iterator<Item = usize> + Clone + 'a {
    let (starts, index) = (place.starts, place.element);
    starts.iter().zip(segments).flat_map(move |(&start, &rows)| {
        let first = start + index * rows;
        first..first + rows
    })
}

/// Returns the free members of an element, each once.
pub(super) fn free_members<'a>(
    place: &ElementLocation<'a>,
    member_of: &'a [usize],
) -> impl Iterator<Item = usize> + 'a {
    let offsets = place.offsets;
    offsets
        .iter()
        .enumerate()
        .filter(|&(at, &offset)| offset != CLAMPED && !offsets[..at].contains(&offset))
        .map(|(_, &offset)| member_of[offset])
}

/// Returns the adjacency lists of the graph in which the vertices of each clique are connected.
pub(super) fn graph(size: usize, cliques: impl Iterator<Item = Vec<usize>>) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); size];
    for clique in cliques {
        for &vertex in &clique {
            neighbours[vertex].extend(clique.iter().copied().filter(|&other| other != vertex));
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}
