//! The joints and frames that the constraint rows of each element act on.

use super::super::joint_terms::members_without_frames;
use crate::scalar::Scalar;
use crate::system::ElementLocation;
use crate::system::chain::element_shape::ElementShape;
use crate::system::chain::layout::CLAMPED;
use crate::system::chain::{KinematicTree, ROOT, Structure};

/// The constraint rows of an element.
pub(super) struct ElementRows {
    /// Their global numbers.
    pub global: Vec<usize>,
    pub jacobian: usize,
    pub stride: usize,
    /// The positions where its paths to the root start.
    pub ends: Vec<usize>,
    /// The positions of joints, and the column of each.
    pub columns: Vec<(usize, usize)>,
    /// The number of columns; the rows of the element with the largest number fill the stride.
    pub length: usize,
    pub closing_frame: usize,
}

/// Returns the last common ancestor of these positions, themselves included.
fn common(tree: &KinematicTree, places: impl Iterator<Item = usize>) -> usize {
    let parent = |place: usize| tree.links()[place].parent;
    let both = |mut a: usize, mut b: usize| {
        while a != b {
            match (a, b) {
                (ROOT, _) | (_, ROOT) => return ROOT,
                _ if a > b => a = parent(a),
                _ => b = parent(b),
            }
        }
        a
    };
    places.reduce(both).unwrap_or(ROOT)
}

/// Returns the elements with constraint rows.
pub(super) fn rows_of<S: Scalar>(structure: &Structure<S>) -> Vec<ElementRows> {
    let (tree, layout) = (structure.tree(), structure.layout());
    let links = tree.links();
    let mut place_of = vec![ROOT; layout.dof];
    for (place, link) in links.iter().enumerate() {
        link.components().into_iter().flatten().for_each(|component| place_of[component] = place);
    }
    for (number, other) in members_without_frames(structure).enumerate() {
        place_of[other.offset..other.offset + other.dimension].fill(links.len() + number);
    }
    let mut all = Vec::new();
    let kinds = layout.kinds.iter().zip(&structure.shapes).zip(&structure.jacobian_starts);
    for ((kind, shape), &first) in kinds.filter(|((_, shape), _)| shape.rows > 0) {
        for place in kind.places() {
            let of = if kind.over_frames { of_frames } else { of_members };
            let (ends, columns, length, closing_frame) = of(tree, &place, shape, &place_of);
            let global = shape.global_rows(&place).collect();
            let jacobian = first + place.element * shape.rows * shape.components;
            all.push(ElementRows { global, jacobian, stride: shape.components, ends, columns, length, closing_frame });
        }
    }
    all
}

/// Start positions, columns and their number, and closing frame.
type RowExtent = (Vec<usize>, Vec<(usize, usize)>, usize, usize);

/// Returns the extent of an element over frames: usually common ancestors do not change its constraints.
fn of_frames(tree: &KinematicTree, place: &ElementLocation<'_>, _: &ElementShape, _: &[usize]) -> RowExtent {
    let (mut column, mut columns) = (0, Vec::new());
    for at in tree.paths_from(place.members, ROOT) {
        if let Some(own) = tree.links()[at].components() {
            columns.push((at, column));
            column += own.len();
        }
    }
    let closing_frame = if place.members.len() > 1 { common(tree, place.members.iter().copied()) } else { ROOT };
    (place.members.to_vec(), columns, column, closing_frame)
}

/// Returns the extent of an element over members.
fn of_members(
    tree: &KinematicTree,
    place: &ElementLocation<'_>,
    shape: &ElementShape,
    place_of: &[usize],
) -> RowExtent {
    let mut column = 0;
    let mut columns = Vec::new();
    for (&offset, &size) in place.offsets.iter().zip(shape.slots) {
        if offset != CLAMPED {
            columns.push((place_of[offset], column));
        }
        column += size;
    }
    let ends: Vec<usize> = columns.iter().map(|&(place, _)| place).collect();
    // A member without a frame is attached to the base.
    let above = ends.iter().map(|&end| tree.links().get(end).map_or(ROOT, |link| link.parent));
    let closing_frame = common(tree, above);
    (ends, columns, column, closing_frame)
}
