//! [`EliminationPlan`]: the order in which a backward pass eliminates constraint rows, and where it stores them.

use core::ops::Range;

use super::super::joint_terms::members_without_frames;
use super::constraint_rows::{ElementRows, rows_of};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, reverse_cuthill_mckee};
use crate::system::chain::{Link, ROOT, Structure};

/// The constraint rows of one element, which are eliminated together.
#[derive(Clone, Debug)]
pub(in super::super) struct Loop {
    /// The range of its rows among all rows of the plan.
    pub rows: Range<usize>,
    /// The start of its rows in the list of Jacobians.
    pub jacobian: usize,
    /// The length of a row in the list of Jacobians.
    pub stride: usize,
    /// The columns of ancestors of the closing frame, which the rows act on through that frame only.
    pub ancestor_columns: Range<usize>,
    /// The position of each row's covector at the closing frame in the list of Jacobians; empty without such columns.
    pub reaches: Vec<usize>,
    /// The components of all columns, if there are such columns.
    pub components: Vec<usize>,
    /// The closing frame where the paths of the rows meet, by its position; [`ROOT`] for the base.
    pub closing_frame: usize,
    /// The start of the covectors at the closing frame.
    pub sums: usize,
    /// The start of the diagonal block.
    pub block: usize,
    /// The start of S⁻¹ vᵀ, one vector a row.
    pub solved: usize,
    /// The start of S⁻¹ times the off-diagonal blocks, column by column.
    pub off_diagonal: usize,
    /// The loops whose rows are updated by the elimination of this loop.
    pub neighbours: Vec<Neighbour>,
}

/// A loop that shares joints with another loop and is eliminated after it.
#[derive(Clone, Debug)]
pub(in super::super) struct Neighbour {
    /// Its number.
    pub index: usize,
    /// The start of the blocks of S: in the rows of the other loop, and in its own rows.
    pub blocks: [usize; 2],
    /// The start of its covectors at the closing frame of the other loop.
    pub sums: usize,
    /// The blocks in its rows that are updated, in the order of the other loop's list.
    pub updates: Vec<usize>,
}

/// The rows of a loop at a joint on the paths to its closing frame.
#[derive(Clone, Debug)]
pub(in super::super) struct RowIncidence {
    /// The number of the loop.
    pub index: usize,
    /// Copies of the loop's rows, their length in the list of Jacobians, and the diagonal block.
    pub rows: Range<usize>,
    pub stride: usize,
    pub block: usize,
    /// The start of the joint's entries in the first row in the list of Jacobians; `None` without entries.
    pub column: Option<usize>,
    /// Further starts, if a member is in several slots.
    pub others: Vec<usize>,
    /// The start of the covectors from descendants, if there are any.
    pub sums: usize,
    /// The start of the covectors at the parent; `None` for the base.
    pub target: Option<usize>,
    /// True for the first joint that adds to these covectors.
    pub is_first: bool,
    /// The start of D⁻¹ b₁ and b₂, as many scalars a row as the largest joint has components.
    pub entries: usize,
    /// True if there are no covectors from descendants.
    pub is_end: bool,
}

/// The rows at a frame, or at a member without a frame.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Stop {
    /// The loops that are eliminated at the frame.
    pub closing: Vec<usize>,
    /// True if the frame is on the path from a closing frame to the root.
    pub is_augmented: bool,
    /// The rows that cross its joint.
    pub incidences: Vec<RowIncidence>,
    /// The blocks of all pairs of these rows.
    pub pairs: Vec<usize>,
}

/// The plan of the elimination, in the order of the forward pass.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct EliminationPlan {
    pub loops: Vec<Loop>,
    /// The global rows.
    pub rows: Vec<usize>,
    /// One entry for each frame, then one for each member without a frame.
    pub stops: Vec<Stop>,
    /// The positions of frames on the path from a closing frame to the root, leaves first.
    pub augmented: Vec<usize>,
    /// The loops that are eliminated at the base, and the first row of each there.
    pub base: Vec<(usize, usize)>,
    /// Pairs of these loops: their numbers, their first rows, and the block.
    pub base_blocks: Vec<([usize; 2], [usize; 2], usize)>,
    /// The envelope of the matrix at the base.
    pub reach: Vec<usize>,
    /// The sizes of the memory: covectors, entries, blocks, solved vectors and solved columns.
    pub lengths: [usize; 5],
}

impl EliminationPlan {
    /// Creates the plan. Loops are eliminated where they close; the loops with `is_open` at the base. Joints have at
    /// most `largest` components.
    pub(in super::super) fn new<S: Scalar>(
        structure: &Structure<S>,
        largest: usize,
        is_open: &dyn Fn(usize) -> bool,
    ) -> Self {
        let tree = structure.tree();
        let links = tree.links();
        let mut all = rows_of(structure);
        for (number, rows) in all.iter_mut().enumerate() {
            if is_open(number) {
                rows.closing_frame = ROOT;
            }
        }
        // Loops close to the leaves first, loops at the base last.
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&number| core::cmp::Reverse(all[number].closing_frame.checked_add(1).unwrap_or(0)));
        let of_others: Vec<usize> = members_without_frames(structure).map(|other| other.dimension).collect();
        let places = links.len() + of_others.len();
        let mut plan = EliminationPlan { stops: vec![Stop::default(); places], ..EliminationPlan::default() };
        plan.loops = all.iter().map(|rows| plan_loop(structure, rows, &mut plan.rows)).collect();
        let [sums, entries, ..] = &mut plan.lengths;
        for (index, rows) in all.iter().enumerate() {
            let count = 2 * rows.global.len();
            plan.loops[index].sums = *sums;
            *sums += count;
            let paths: Vec<usize> = tree.paths_from(&rows.ends, rows.closing_frame).collect();
            let single = rows.ends.iter().copied().filter(|&end| end >= links.len());
            let mut seen: Vec<usize> = Vec::new();
            for place in paths.into_iter().chain(single) {
                if seen.contains(&place) {
                    continue;
                }
                seen.push(place);
                let own = rows.columns.iter().filter(|&&(at, _)| at == place);
                let mut columns = own.map(|&(_, column)| rows.jacobian + column);
                let stride = if place < links.len() { largest } else { of_others[place - links.len()] };
                plan.stops[place].incidences.push(RowIncidence {
                    index,
                    rows: plan.loops[index].rows.clone(),
                    stride: rows.stride,
                    block: 0,
                    column: columns.next(),
                    others: columns.collect(),
                    sums: usize::MAX,
                    target: None,
                    is_first: false,
                    entries: *entries,
                    is_end: true,
                });
                *entries += count * stride;
            }
        }
        plan.connect_sums(links.iter().map(|link| link.parent));
        plan.couple(&order, links);
        plan
    }

    /// Returns the start of the covectors of a loop at a frame on its paths, or at its closing frame.
    fn sums_at(&self, index: usize, place: usize) -> Option<usize> {
        if self.loops[index].closing_frame == place {
            return (place != ROOT).then(|| self.loops[index].sums);
        }
        let own = self.stops.get(place)?.incidences.iter().find(|incidence| incidence.index == index);
        own.map(|incidence| incidence.sums)
    }

    /// Sets where the covectors of each joint are summed, and where they continue.
    fn connect_sums(&mut self, parents: impl Iterator<Item = usize> + Clone) {
        let EliminationPlan { stops, loops, lengths: [sums, ..], .. } = self;
        for (place, parent) in parents.clone().enumerate() {
            for at in 0..stops[place].incidences.len() {
                let index = stops[place].incidences[at].index;
                let next = stops.get_mut(parent).filter(|_| loops[index].closing_frame != parent);
                let passing = next.into_iter().flat_map(|next| &mut next.incidences);
                passing.filter(|own| own.index == index).for_each(|own| own.is_end = false);
            }
        }
        for passing in stops.iter_mut().flat_map(|stop| &mut stop.incidences).filter(|own| !own.is_end) {
            passing.sums = *sums;
            *sums += 2 * passing.rows.len();
        }
        for (place, parent) in parents.enumerate() {
            for at in 0..self.stops[place].incidences.len() {
                self.stops[place].incidences[at].target = self.sums_at(self.stops[place].incidences[at].index, parent);
            }
        }
        let mut reached = vec![false; self.lengths[0]];
        for own in self.stops.iter_mut().rev().flat_map(|stop| &mut stop.incidences) {
            own.is_first = own.target.is_some_and(|target| !core::mem::replace(&mut reached[target], true));
        }
    }

    /// Computes the couplings of loops: loops that share a joint, and the fill-in of the elimination.
    fn couple(&mut self, order: &[usize], links: &[Link]) {
        let count = self.loops.len();
        let mut block_of = vec![usize::MAX; count * count];
        let mut rank = vec![0; count];
        order.iter().enumerate().for_each(|(rank_of, &index)| rank[index] = rank_of);
        let sizes: Vec<usize> = self.loops.iter().map(|one| one.rows.len()).collect();
        let mut blocks = 0;
        let mut block = |a: usize, b: usize| {
            let at = &mut block_of[a * count + b];
            if *at == usize::MAX {
                *at = blocks;
                blocks += sizes[a] * sizes[b];
            }
            *at
        };
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); count];
        let join = |one: usize, other: usize, neighbours: &mut Vec<Vec<usize>>| {
            let (first, last) = if rank[one] < rank[other] { (one, other) } else { (other, one) };
            if first != last && !neighbours[first].contains(&last) {
                neighbours[first].push(last);
            }
        };
        for Stop { incidences, pairs, .. } in &mut self.stops {
            for one in &mut *incidences {
                one.block = block(one.index, one.index);
            }
            for one in &*incidences {
                for other in &*incidences {
                    pairs.push(block(one.index, other.index));
                    join(one.index, other.index, &mut neighbours);
                }
            }
        }
        let mut base = Vec::new();
        for &index in order {
            self.loops[index].block = block(index, index);
            let closing_frame = self.loops[index].closing_frame;
            if closing_frame == ROOT {
                base.push(index);
                continue;
            }
            self.stops[closing_frame].closing.push(index);
            let mut place = closing_frame;
            while let Some(link) = links.get(place) {
                self.stops[place].is_augmented = true;
                place = link.parent;
            }
            let own = neighbours[index].clone();
            let columns: usize = own.iter().map(|&other| self.loops[other].rows.len()).sum();
            let rows = self.loops[index].rows.len();
            let [.., solved, off_diagonal] = &mut self.lengths;
            (self.loops[index].solved, self.loops[index].off_diagonal) = (*solved, *off_diagonal);
            *solved += rows;
            *off_diagonal += rows * columns;
            for &other in &own {
                let updates = own.iter().map(|&third| block(other, third)).collect();
                for &third in &own {
                    join(other, third, &mut neighbours);
                }
                let blocks = [block(index, other), block(other, index)];
                let sums = self.sums_at(other, closing_frame).unwrap_or(usize::MAX);
                self.loops[index].neighbours.push(Neighbour { index: other, blocks, sums, updates });
            }
        }
        self.order_base(&base, &neighbours, block);
        self.lengths[2] = blocks;
        self.augmented = (0..links.len()).rev().filter(|&place| self.stops[place].is_augmented).collect();
    }

    /// Orders the loops at the base for a narrow band.
    fn order_base(&mut self, base: &[usize], neighbours: &[Vec<usize>], mut block: impl FnMut(usize, usize) -> usize) {
        let place = |index: usize| base.iter().position(|&other| other == index);
        let mut graph = vec![Vec::new(); base.len()];
        for (at, &index) in base.iter().enumerate() {
            for other in neighbours[index].iter().filter_map(|&other| place(other)) {
                graph[at].push(other);
                graph[other].push(at);
            }
        }
        let (mut row, mut firsts) = (0, vec![0; base.len()]);
        for at in reverse_cuthill_mckee(&graph) {
            self.base.push((base[at], row));
            firsts[at] = row;
            row += self.loops[base[at]].rows.len();
        }
        self.reach = vec![0; row];
        for (at, &index) in base.iter().enumerate() {
            for &other in graph[at].iter().chain([&at]) {
                let end = firsts[other] + self.loops[base[other]].rows.len();
                for row in firsts[at]..firsts[at] + self.loops[index].rows.len() {
                    self.reach[row] = self.reach[row].max(end.saturating_sub(1 + row));
                }
                let pair = [at, other];
                self.base_blocks.push((pair.map(|at| base[at]), pair.map(|at| firsts[at]), block(index, base[other])));
            }
        }
    }

    /// Returns the columns of a neighbour's blocks.
    pub(super) fn columns(&self, neighbour: &Neighbour) -> Range<usize> {
        0..self.loops[neighbour.index].rows.len()
    }

    /// Returns the global row of a row at the base.
    pub(in super::super) fn row_at_base(&self, row: usize) -> usize {
        let own = self.base.iter().rev().find(|&&(_, first)| first <= row);
        own.map_or(0, |&(index, first)| self.rows[self.loops[index].rows.start + row - first])
    }

    /// Returns the number of loops that are eliminated where they close.
    pub(in super::super) fn closed(&self) -> usize {
        self.loops.len() - self.base.len()
    }
}

/// Creates the loop of an element; positions in memory are set later.
fn plan_loop<S: Scalar>(structure: &Structure<S>, rows: &ElementRows, all: &mut Vec<usize>) -> Loop {
    let first = all.len();
    all.extend(&rows.global);
    // Positions of joints are in descending order, leaves first.
    let is_beyond = |&&(place, _): &&(usize, usize)| rows.closing_frame != ROOT && place <= rows.closing_frame;
    let ancestor_columns = rows.columns.iter().find(is_beyond).map_or(rows.length, |&(_, column)| column)..rows.length;
    let reaches =
        rows.global.iter().filter(|_| !ancestor_columns.is_empty()).map(|&row| structure.reach_of(row)).collect();
    let links = structure.tree().links();
    let places = rows.columns.iter().filter(|_| !ancestor_columns.is_empty());
    let components = places.filter_map(|&(place, _)| links[place].components()).flatten().collect();
    Loop {
        rows: first..all.len(),
        jacobian: rows.jacobian,
        stride: rows.stride,
        ancestor_columns,
        reaches,
        components,
        closing_frame: rows.closing_frame,
        sums: 0,
        block: 0,
        solved: 0,
        off_diagonal: 0,
        neighbours: Vec::new(),
    }
}

/// Returns the number of loops that are eliminated where they close, if no pivot fails, and the bandwidth of the other
/// rows at the base.
pub(in crate::system::chain) fn loop_counts<S: Scalar>(structure: &Structure<S>) -> (usize, usize) {
    let plan = EliminationPlan::new(structure, 0, &|_| false);
    (plan.closed(), BandedLu::<S>::new(&plan.reach).bandwidth())
}
