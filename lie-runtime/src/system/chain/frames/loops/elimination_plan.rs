//! Where the rows of constraints go along a tree, and where they are eliminated.

use core::ops::Range;

use super::super::joint_terms::others;
use super::constraint_rows::{ElementRows, rows_of};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, reverse_cuthill_mckee};
use crate::system::chain::{Link, ROOT, Structure};

/// The constraint rows of one element, which are eliminated together.
#[derive(Clone, Debug)]
pub(in super::super) struct Loop {
    /// Where its rows stand among all rows of the plan.
    pub rows: Range<usize>,
    /// Where its rows start in the list of Jacobians.
    pub jacobian: usize,
    /// The length of a row there.
    pub stride: usize,
    /// The columns of joints beyond the site, which the rows act on through its frame alone.
    pub beyond: Range<usize>,
    /// Where what each row asks of that frame stands in the list of Jacobians; nowhere, if there are no such joints.
    pub reaches: Vec<usize>,
    /// The components of all columns then.
    pub components: Vec<usize>,
    /// The frame where all that the rows act on comes together, by its place; [`ROOT`] for the base.
    pub site: usize,
    /// Where the covectors that have come to the site are summed up.
    pub sums: usize,
    /// Where the block of the rows themselves stands.
    pub block: usize,
    /// Where S⁻¹ vᵀ stands, a vector a row.
    pub solved: usize,
    /// Where S⁻¹ times the blocks of the neighbours stand, a column after the other.
    pub beside: usize,
    /// The other ones that are changed when this one is eliminated.
    pub neighbours: Vec<Neighbour>,
}

/// A loop that is eliminated after another one that it shares joints with.
#[derive(Clone, Debug)]
pub(in super::super) struct Neighbour {
    /// Its number.
    pub index: usize,
    /// Where the blocks of S stand: in the rows of the other one, and in its own.
    pub blocks: [usize; 2],
    /// Where its covectors at the site of the other one are summed up.
    pub sums: usize,
    /// The blocks of it and of all neighbours, of the other one too, in its rows.
    pub updates: Vec<usize>,
}

/// The rows of a loop at a joint on the ways to its site.
#[derive(Clone, Debug)]
pub(in super::super) struct RowIncidence {
    /// The number of the loop.
    pub index: usize,
    /// What else of the loop is needed here: its rows, their length in the list of Jacobians, and its block.
    pub rows: Range<usize>,
    pub stride: usize,
    pub block: usize,
    /// Where the joint's entries start in the first row, in the list of Jacobians; nowhere, if it has none.
    pub column: Option<usize>,
    /// Where they start once more: of members as often as they are slots.
    pub others: Vec<usize>,
    /// Where what comes from further outwards is summed up, if anything does.
    pub sums: usize,
    /// Where that goes on to; none to the base.
    pub target: Option<usize>,
    /// True of the first that comes there.
    pub is_first: bool,
    /// Where D⁻¹ b₁ and b₂ stand: as many numbers a row as the largest joint has components.
    pub entries: usize,
    /// True if nothing comes from further outwards.
    pub is_end: bool,
}

/// What there is to be done with rows at a frame, or at another member.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Stop {
    /// The loops that are eliminated at the frame.
    pub closing: Vec<usize>,
    /// True if the frame is on the way from a site to the root.
    pub is_augmented: bool,
    /// The rows that pass its joint.
    pub incidences: Vec<RowIncidence>,
    /// The blocks of all pairs of them.
    pub pairs: Vec<usize>,
}

/// What there is to be done with rows, in the order of sweeps inwards.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct EliminationPlan {
    pub loops: Vec<Loop>,
    /// The global rows.
    pub rows: Vec<usize>,
    /// At each place, and after the frames at each member that carries none.
    pub stops: Vec<Stop>,
    /// The places of frames on the way from a site to the root, from the ends inwards.
    pub augmented: Vec<usize>,
    /// Those that are eliminated at the base, and the first row of each there.
    pub base: Vec<(usize, usize)>,
    /// Pairs of them: their numbers, their first rows there, and the block.
    pub base_blocks: Vec<([usize; 2], [usize; 2], usize)>,
    /// The envelope of their matrix.
    pub reach: Vec<usize>,
    /// How much is kept: covectors, numbers of entries and blocks, and vectors and numbers of what is solved.
    pub lengths: [usize; 5],
}

impl EliminationPlan {
    /// Rows are eliminated where they close, or all at the base; `is_open` are those of which this is known not to do. Joints have up to
    /// `largest` components.
    pub(in super::super) fn new<S: Scalar>(
        structure: &Structure<S>,
        largest: usize,
        is_open: impl Fn(usize) -> bool,
    ) -> Self {
        let tree = structure.tree();
        let links = tree.links();
        let mut all = rows_of(structure);
        for (number, rows) in all.iter_mut().enumerate() {
            if is_open(number) {
                rows.site = ROOT;
            }
        }
        // Inner ones first, and those at the base last.
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&number| core::cmp::Reverse(all[number].site.checked_add(1).unwrap_or(0)));
        let of_others: Vec<usize> = others(structure).map(|other| other.dimension).collect();
        let places = links.len() + of_others.len();
        let mut plan = EliminationPlan { stops: vec![Stop::default(); places], ..EliminationPlan::default() };
        plan.loops = all.iter().map(|rows| plan_loop(structure, rows, &mut plan.rows)).collect();
        let [sums, entries, ..] = &mut plan.lengths;
        for (index, rows) in all.iter().enumerate() {
            let count = 2 * rows.global.len();
            plan.loops[index].sums = *sums;
            *sums += count;
            let paths: Vec<usize> = tree.paths_from(&rows.ends, rows.site).collect();
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
        plan.lead_on(links.iter().map(|link| link.parent));
        plan.couple(&order, links);
        plan
    }

    /// Sums of a loop at a frame: on its way through, or at its site.
    fn sums_at(&self, index: usize, place: usize) -> Option<usize> {
        if self.loops[index].site == place {
            return (place != ROOT).then(|| self.loops[index].sums);
        }
        let own = self.stops.get(place)?.incidences.iter().find(|incidence| incidence.index == index);
        own.map(|incidence| incidence.sums)
    }

    /// Says where the covectors that come to each joint are summed up, and where they go on to.
    fn lead_on(&mut self, parents: impl Iterator<Item = usize> + Clone) {
        let EliminationPlan { stops, loops, lengths: [sums, ..], .. } = self;
        for (place, parent) in parents.clone().enumerate() {
            for at in 0..stops[place].incidences.len() {
                let index = stops[place].incidences[at].index;
                let next = stops.get_mut(parent).filter(|_| loops[index].site != parent);
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

    /// Which loops have to do with which: those that share a joint, and then the neighbours of each that is eliminated.
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
            let site = self.loops[index].site;
            if site == ROOT {
                base.push(index);
                continue;
            }
            self.stops[site].closing.push(index);
            let mut place = site;
            while let Some(link) = links.get(place) {
                self.stops[place].is_augmented = true;
                place = link.parent;
            }
            let own = neighbours[index].clone();
            let columns: usize = own.iter().map(|&other| self.loops[other].rows.len()).sum();
            let rows = self.loops[index].rows.len();
            let [.., solved, beside] = &mut self.lengths;
            (self.loops[index].solved, self.loops[index].beside) = (*solved, *beside);
            *solved += rows;
            *beside += rows * columns;
            for &other in &own {
                let updates = own.iter().map(|&third| block(other, third)).collect();
                for &third in &own {
                    join(other, third, &mut neighbours);
                }
                let blocks = [block(index, other), block(other, index)];
                let sums = self.sums_at(other, site).unwrap_or(usize::MAX);
                self.loops[index].neighbours.push(Neighbour { index: other, blocks, sums, updates });
            }
        }
        self.order_base(&base, &neighbours, block);
        self.lengths[2] = blocks;
        self.augmented = (0..links.len()).rev().filter(|&place| self.stops[place].is_augmented).collect();
    }

    /// A narrow band for those at the base.
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

    /// The columns of a neighbour's blocks.
    pub(super) fn columns(&self, neighbour: &Neighbour) -> Range<usize> {
        0..self.loops[neighbour.index].rows.len()
    }

    /// The global row of one at the base.
    pub(in super::super) fn row_at_base(&self, row: usize) -> usize {
        let own = self.base.iter().rev().find(|&&(_, first)| first <= row);
        own.map_or(0, |&(index, first)| self.rows[self.loops[index].rows.start + row - first])
    }

    /// How many loops are eliminated where they close.
    pub(in super::super) fn closed(&self) -> usize {
        self.loops.len() - self.base.len()
    }
}

/// The element as a loop; what comes later is zero.
fn plan_loop<S: Scalar>(structure: &Structure<S>, rows: &ElementRows, all: &mut Vec<usize>) -> Loop {
    let first = all.len();
    all.extend(&rows.global);
    // Places of joints come from the ends inwards.
    let is_beyond = |&&(place, _): &&(usize, usize)| rows.site != ROOT && place <= rows.site;
    let beyond = rows.columns.iter().find(is_beyond).map_or(rows.length, |&(_, column)| column)..rows.length;
    let reaches = rows.global.iter().filter(|_| !beyond.is_empty()).map(|&row| structure.reach_of(row)).collect();
    let links = structure.tree().links();
    let places = rows.columns.iter().filter(|_| !beyond.is_empty());
    let components = places.filter_map(|&(place, _)| links[place].components()).flatten().collect();
    Loop {
        rows: first..all.len(),
        jacobian: rows.jacobian,
        stride: rows.stride,
        beyond,
        reaches,
        components,
        site: rows.site,
        sums: 0,
        block: 0,
        solved: 0,
        beside: 0,
        neighbours: Vec::new(),
    }
}

/// How many loops are eliminated where they close, as a rule, and the bandwidth of the rows that are left at the base.
pub(in crate::system::chain) fn closing<S: Scalar>(structure: &Structure<S>) -> (usize, usize) {
    let plan = EliminationPlan::new(structure, 0, |_| false);
    (plan.closed(), BandedLu::<S>::new(&plan.reach).bandwidth())
}
