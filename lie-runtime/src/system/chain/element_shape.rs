//! Sizes that the compiler knows of a kind of elements, the free members of a system, and the graph of elements that share members.

use super::layout::CLAMPED;
use crate::system::{Contributions, ElementLocation};

/// A free member.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeMember {
    /// Its first component in a velocity.
    pub offset: usize,
    /// The dimension of its group.
    pub dimension: usize,
    /// Where its block stands among blocks of dimension × dimension numbers.
    pub block: usize,
}

/// What is known of a kind of elements at compile time.
#[derive(Clone, Debug)]
pub struct ElementShape {
    /// The dimension of each slot; of frames none, for their joints differ.
    pub slots: &'static [usize],
    /// The rows of each constraint function.
    pub segments: &'static [usize],
    /// Components of a local velocity; where slots are frames, of the joints that move them, of the element that has most.
    pub components: usize,
    /// Constraint rows.
    pub rows: usize,
    /// How many of them are holonomic.
    pub holonomic: usize,
    /// Components of the velocity of a frame, if its slots are frames and there are rows; 0 otherwise.
    pub reach: usize,
    /// What is there.
    pub terms: Contributions,
}

impl ElementShape {
    /// The global numbers of the local constraint rows of an element.
    pub(super) fn global_rows<'a>(&self, place: &ElementLocation<'a>) -> impl Iterator<Item = usize> + Clone + 'a {
        global_rows(place, self.segments)
    }
}

/// The global numbers of the constraint rows of an element, of functions with so many rows each.
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

/// The free members of an element, each once.
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

/// Neighbours of vertices that share an element; `cliques` shows each element's vertices.
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
