//! [`MatrixPanels`]: assembly and elimination of a matrix panel by panel, so that the entries stay in the cache.
//!
//! Consecutive elements in the order of the unknowns do not add to rows that later elements have left. Therefore the
//! elements are divided into panels, and each panel completes some more rows. All elements are one panel if their order
//! is not monotone, or if an algorithm needs the whole matrix.

use core::ops::Range;

use super::Layout;
use super::layout::CLAMPED;

/// The number of rows of a panel, such that the elimination stays in the first-level cache.
const ROWS: usize = 128;
/// The least length of a panel in bandwidths: rows within one bandwidth of its end are begun in it and completed in the
/// next panel.
const BANDS: usize = 8;

/// The division of elements and members into panels.
#[derive(Clone, Debug, Default)]
pub(super) struct MatrixPanels {
    /// The number of complete rows after each panel; all rows after the last one.
    pub ends: Vec<usize>,
    /// For each panel the range of every kind of elements, the range of the members, and the range of the members that
    /// its elements may touch first.
    ranges: Vec<Range<usize>>,
}

/// One panel.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatrixPanel<'a> {
    ranges: &'a [Range<usize>],
}

impl MatrixPanel<'_> {
    /// Returns the elements of a kind.
    #[inline]
    pub fn elements(&self, kind: usize) -> Range<usize> {
        self.ranges[kind].clone()
    }

    /// Returns the free members whose unknowns begin in the panel.
    #[inline]
    pub fn members(&self) -> Range<usize> {
        self.ranges[self.ranges.len() - 2].clone()
    }

    /// Returns the free members that elements of this panel may touch, and elements of earlier panels do not.
    #[inline]
    pub fn new_members(&self) -> Range<usize> {
        self.ranges[self.ranges.len() - 1].clone()
    }
}

/// The first rows of the items of one kind, in their own order; an item without rows has the first row of its
/// predecessor.
struct Sort {
    firsts: Vec<usize>,
    descends: bool,
}

impl Sort {
    /// Returns `None` if the first rows are not monotone.
    fn of(firsts: impl Iterator<Item = Option<usize>>) -> Option<Self> {
        let mut firsts: Vec<Option<usize>> = firsts.collect();
        let mut before = firsts.iter().find_map(|&first| first);
        for first in &mut firsts {
            before = first.or(before);
            *first = before;
        }
        let firsts: Vec<usize> = firsts.into_iter().map(|first| first.unwrap_or(0)).collect();
        if firsts.is_sorted() {
            return Some(Sort { firsts, descends: false });
        }
        firsts.is_sorted_by(|a, b| a >= b).then_some(Sort { firsts, descends: true })
    }

    /// Returns the items whose first rows are in this range.
    fn within(&self, rows: &Range<usize>) -> Range<usize> {
        if self.descends {
            self.firsts.partition_point(|&first| first >= rows.end)
                ..self.firsts.partition_point(|&first| first >= rows.start)
        } else {
            self.firsts.partition_point(|&first| first < rows.start)
                ..self.firsts.partition_point(|&first| first < rows.end)
        }
    }
}

impl MatrixPanels {
    /// Creates one panel with all elements.
    pub fn whole(layout: &Layout, members: usize, rows: usize) -> Self {
        let counts = layout.kinds.iter().map(|kind| kind.count).chain([members; 2]);
        MatrixPanels { ends: vec![rows], ranges: counts.map(|count| 0..count).collect() }
    }

    /// Creates the panels of a band; `slots` and `rows` are the first positions of the elements' slots and rows,
    /// `members` those of the members.
    pub fn new(layout: &Layout, slots: &[Vec<usize>], rows: &[Vec<usize>], members: &[usize], reach: &[usize]) -> Self {
        let size = reach.len();
        let whole = || Self::whole(layout, members.len(), size);
        if layout.kinds.iter().any(|kind| kind.over_frames) {
            return whole();
        }
        let kinds = layout.kinds.iter().zip(slots).zip(rows).map(|((kind, slots), rows)| {
            Sort::of((0..kind.count).map(|element| {
                let own = &slots[element * kind.slots..][..kind.slots];
                let own = own.iter().filter(|&&position| position != CLAMPED).chain(rows.get(element));
                own.copied().min()
            }))
        });
        let sorts = kinds.chain([Sort::of(members.iter().map(|&position| Some(position)))]);
        let Some(sorts): Option<Vec<Sort>> = sorts.collect() else { return whole() };
        let band = reach.iter().copied().max().unwrap_or(0);
        let length = ROWS.max(BANDS * band);
        let mut panels = MatrixPanels::default();
        let (mut rows, mut met) = (0..0, 0);
        while rows.end < size || panels.ends.is_empty() {
            // The last panel is not short.
            rows = rows.end..if rows.end + 2 * length > size { size } else { rows.end + length };
            panels.ends.push(rows.end);
            panels.ranges.extend(sorts.iter().map(|sort| sort.within(&rows)));
            let end = size.min(rows.end + band);
            panels.ranges.extend(sorts.last().map(|members| members.within(&(met..end))));
            met = end;
        }
        panels
    }

    /// Returns a panel by its number.
    #[inline]
    pub fn at(&self, number: usize) -> MatrixPanel<'_> {
        let sorts = self.ranges.len() / self.ends.len();
        MatrixPanel { ranges: &self.ranges[number * sorts..][..sorts] }
    }

    /// Iterates over all panels.
    #[cfg(feature = "sparse")]
    pub fn each(&self) -> impl Iterator<Item = MatrixPanel<'_>> {
        (0..self.ends.len()).map(|number| self.at(number))
    }
}

#[cfg(test)]
mod tests {
    use super::super::element_shape::{ElementShape, FreeMember};
    use super::super::elimination_order::{EliminationOrder, UnknownSet};
    use super::super::layout::ElementDeclaration;
    use super::super::selection::{MemberRange, Selection};
    use super::*;
    use crate::space::Span;
    use crate::system::Contributions;

    fn kind(part: MemberRange, segments: &'static [usize]) -> ElementDeclaration {
        let selections = Box::leak(Box::new([Selection { field: 0, part }]));
        ElementDeclaration { functions: &["term"], selections, segments, holonomic: &[true] }
    }

    fn shape(slots: &'static [usize], segments: &'static [usize]) -> ElementShape {
        let (components, rows) = (slots.iter().sum(), segments.iter().sum());
        let (inertia, force) = (slots.len() == 1, true);
        let terms = Contributions { inertia, inertia_is_constant: true, force, stiffness: true, damping: false };
        ElementShape { slots, segments, components, rows, holonomic: rows, reach: 0, terms }
    }

    /// Every element occurs once, adds to rows that are not complete yet and within one bandwidth after them, and comes
    /// after its members.
    #[test]
    fn rows_are_complete_where_a_panel_ends() {
        let declared = [
            kind(MemberRange::Each, &[]),
            kind(MemberRange::Windows { size: 2, stride: 1 }, &[2]),
            kind(MemberRange::Windows { size: 3, stride: 1 }, &[]),
            kind(MemberRange::Last, &[3]),
        ];
        let shapes = [shape(&[6], &[]), shape(&[6, 6], &[2]), shape(&[6, 6, 6], &[]), shape(&[6], &[3])];
        for (clamped, which) in [([true, false], UnknownSet::Kkt), ([false, true], UnknownSet::Stabilised)] {
            let layout = Layout::new(vec![Span::new("nodes", 6, 150, clamped)], &declared, &[]).unwrap();
            let members: Vec<FreeMember> =
                (0..149).map(|number| FreeMember { offset: 6 * number, dimension: 6, block: 36 * number }).collect();
            let member_of: Vec<usize> = (0..6 * 149).map(|component| component / 6).collect();
            let order = EliminationOrder::new(&layout, None, &shapes, &members, &member_of, which, false);
            let (panels, size) = (&order.panels, order.unknowns.len());
            assert!(panels.ends.len() > 3, "{:?}", panels.ends);
            let (band, copies) = (order.pattern.bandwidth(), if which == UnknownSet::Stabilised { 2 } else { 1 });
            let mut seen: Vec<Vec<usize>> = vec![Vec::new(); declared.len() + 2];
            let mut complete = 0;
            for (number, &end) in panels.ends.iter().enumerate() {
                let panel = panels.at(number);
                seen[4].extend(panel.members());
                seen[5].extend(panel.new_members());
                for kind in 0..declared.len() {
                    for element in panel.elements(kind) {
                        seen[kind].push(element);
                        let slots = shapes[kind].slots.len();
                        let own = order.slots[kind][element * slots..][..slots].iter().copied();
                        let own = own.filter(|&position| position != CLAMPED);
                        own.clone().for_each(|position| {
                            assert!(seen[5].iter().any(|&member| order.members[member] == position));
                        });
                        let rows = order.rows[kind].get(element).map(|&first| (first, copies * shapes[kind].rows));
                        for (first, length) in own.map(|position| (position, 6 * copies)).chain(rows) {
                            assert!(first >= complete && first + length <= size.min(end + band), "{kind} {element}");
                        }
                    }
                }
                complete = end;
            }
            assert_eq!(complete, size);
            let counts = layout.kinds.iter().map(|kind| kind.count).chain([149; 2]);
            for (mut seen, count) in seen.into_iter().zip(counts) {
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..count));
            }
        }
    }
}
