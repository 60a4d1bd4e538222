//! The positions of the blocks of M, C_t and K_t of frames in a flat list.

use core::ops::Range;

use super::link::Link;
use super::tree::KinematicTree;

impl KinematicTree {
    /// Calls `visit` with the rows and columns of every block: for each free joint its own block and, for each free
    /// ancestor, its rows and its columns; then for each element over frames the blocks of all pairs of joints.
    pub(in crate::system::chain) fn each_block(&self, mut visit: impl FnMut(Range<usize>, Range<usize>)) {
        for place in 0..self.links().len() {
            let Some(own) = self.links()[place].components() else { continue };
            visit(own.clone(), own.clone());
            for above in self.ancestors(place).skip(1).filter_map(Link::components) {
                visit(own.clone(), above.clone());
                visit(above, own.clone());
            }
        }
        for paths in &self.element_paths {
            for row in paths.joints() {
                for column in paths.joints() {
                    visit(row.clone(), column.clone());
                }
            }
        }
    }

    /// Returns the start of the blocks of each joint, and then of each element over frames.
    pub(in crate::system::chain) fn starts_of_blocks(&self) -> [Vec<usize>; 2] {
        let mut start = 0;
        let mut before = |size: usize| {
            let own = start;
            start += size;
            own
        };
        let mut of_way = vec![0; self.links().len()];
        let mut joints = Vec::with_capacity(of_way.len());
        for (place, link) in self.links().iter().enumerate() {
            let own = link.components().map_or(0, |own| own.len());
            let above = of_way.get(link.parent).copied().unwrap_or(0);
            of_way[place] = above + own;
            joints.push(before(own * (own + 2 * above)));
        }
        let elements = self.element_paths.iter().map(|paths| before(paths.components().len().pow(2))).collect();
        [joints, elements]
    }

    /// Returns the positions of an entry, in each block that contains it.
    pub(in crate::system::chain) fn entries_at(&self, row: usize, column: usize) -> impl Iterator<Item = usize> {
        let [joints, elements] = &self.block_starts;
        let of_elements = self.element_paths.iter().zip(elements).filter_map(move |(paths, start)| {
            // Blocks are ordered by joints, each by rows.
            let joint = |component: usize| {
                let mut before = 0;
                for joint in paths.joints() {
                    if joint.contains(&component) {
                        return Some((before, joint));
                    }
                    before += joint.len();
                }
                None
            };
            let ((above, rows), (left, columns)) = (joint(row)?, joint(column)?);
            let within = (row - rows.start) * columns.len() + column - columns.start;
            Some(start + above * paths.components().len() + rows.len() * left + within)
        });
        self.along_way(joints, row, column).into_iter().chain(of_elements)
    }

    /// Returns the position of an entry of a joint, or of a joint and its ancestor.
    fn along_way(&self, starts: &[usize], row: usize, column: usize) -> Option<usize> {
        let (of_row, of_column) = (self.place_of(row)?, self.place_of(column)?);
        let (outer, inner) = (of_row.max(of_column), of_row.min(of_column));
        let [own, other] = [outer, inner].map(|place| self.links()[place].components());
        let (own, other) = (own?, other?);
        let entry =
            |rows: &Range<usize>, columns: &Range<usize>| (row - rows.start) * columns.len() + column - columns.start;
        let mut start = starts[outer];
        if outer == inner {
            return Some(start + entry(&own, &own));
        }
        start += own.len() * own.len();
        for above in self.ancestors(outer).skip(1).filter_map(Link::components) {
            let size = own.len() * above.len();
            if above == other {
                return Some(start + if of_row == outer { entry(&own, &above) } else { size + entry(&above, &own) });
            }
            start += 2 * size;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::space::Span;
    use crate::system::chain::{KinematicTree, Layout};

    #[test]
    fn every_entry_is_where_its_block_says() {
        let spans = vec![Span::new("hinges", 1, 4, [false; 2]), Span::new("balls", 3, 3, [true, false])];
        let mut layout = Layout::new(spans, &[], &[]).unwrap();
        let parents = [Some(4), Some(0), None, Some(5), None, Some(1), Some(5)];
        let tree =
            KinematicTree::new(&layout, &[0, 1], Some(("parents", &parents))).unwrap().with_elements(&mut layout);
        let mut expected = vec![Vec::new(); layout.dof * layout.dof];
        let mut at = 0;
        tree.each_block(|rows, columns| {
            for row in rows {
                for column in columns.clone() {
                    expected[row * layout.dof + column].push(at);
                    at += 1;
                }
            }
        });
        assert!(expected.iter().any(Vec::is_empty) && !expected.iter().all(Vec::is_empty));
        for (entry, expected) in expected.iter().enumerate() {
            let (row, column) = (entry / layout.dof, entry % layout.dof);
            assert_eq!(tree.entries_at(row, column).collect::<Vec<_>>(), *expected, "{row}, {column}");
        }
    }
}
