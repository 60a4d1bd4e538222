//! Orders of the unknowns of a chain in which its matrices are bands, if they can be.

use super::element_shape::{ElementShape, FreeMember, free_members, graph};
use super::layout::CLAMPED;
use super::panels::Panels;
use super::system_matrix::MatrixPattern;
use super::{KinematicTree, Layout};
use crate::solve::reverse_cuthill_mckee;

/// What an unknown stands for, and which equation stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// A component of the velocity, or y of the stabilised formulation.
    Component(usize),
    /// A multiplier, or the constraint row that goes with it.
    Row(usize),
    /// x of the stabilised formulation.
    Acceleration(usize),
    /// η̂ of the stabilised formulation.
    Projection(usize),
}

/// Which unknowns there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownSet {
    /// The components of inertial elements.
    Inertia,
    /// Components and multipliers.
    Kkt,
    /// y and x, λ̂ and η̂ of the stabilised formulation, side by side.
    Stabilised,
}

/// Where the unknowns stand.
#[derive(Clone, Debug, Default)]
pub(super) struct EliminationOrder {
    /// The first position of each free member.
    pub members: Vec<usize>,
    /// The first position of each slot, kind by kind, element after element; [`CLAMPED`] if it has none.
    pub slots: Vec<Vec<usize>>,
    /// The first position of the rows of each element, kind by kind.
    pub rows: Vec<Vec<usize>>,
    /// What stands at each position.
    pub unknowns: Vec<Unknown>,
    /// Where the matrix has entries.
    pub pattern: MatrixPattern,
    /// What comes to it together.
    pub panels: Panels,
}

impl EliminationOrder {
    /// Members in reverse Cuthill-McKee order; the multipliers of an element follow the first of its members that
    /// together have as many components, so that elimination leaves them a pivot: −B A⁻¹ Bᵀ. A matrix that may be
    /// sparse is made so if that is less work than within the band of this order. Joints of frames have to do with those on the way
    /// to the root of `tree`, if there is one.
    pub(super) fn new(
        layout: &Layout,
        tree: Option<&KinematicTree>,
        shapes: &[ElementShape],
        members: &[FreeMember],
        member_of: &[usize],
        which: UnknownSet,
        may_be_sparse: bool,
    ) -> Self {
        let couples = |shape: &ElementShape| which != UnknownSet::Inertia || shape.terms.inertia;
        let kinds = || layout.kinds.iter().zip(shapes).filter(|(_, shape)| couples(shape));
        let cliques =
            kinds().flat_map(|(kind, _)| kind.places().map(|place| free_members(&place, member_of).collect()));
        let paths = || {
            let paths = tree.into_iter().flat_map(KinematicTree::paths);
            paths.map(|way| way.iter().map(|&component| member_of[component]).collect::<Vec<usize>>())
        };
        let sequence = reverse_cuthill_mckee(&graph(members.len(), cliques.chain(paths())));
        let mut rank = vec![0; members.len()];
        for (position, &member) in sequence.iter().enumerate() {
            rank[member] = position;
        }

        // The elements whose multipliers follow each member, by its rank; those without any member come last.
        let mut following: Vec<Vec<(usize, usize)>> = vec![Vec::new(); members.len() + 1];
        if which != UnknownSet::Inertia {
            for (number, (kind, shape)) in layout.kinds.iter().zip(shapes).enumerate() {
                for place in kind.places().filter(|_| shape.rows > 0) {
                    let mut own: Vec<usize> = free_members(&place, member_of).collect();
                    own.sort_unstable_by_key(|&member| rank[member]);
                    let mut components = 0;
                    let enough = own.iter().find(|&&member| {
                        components += members[member].dimension;
                        components >= shape.rows
                    });
                    let after = enough.or(own.last()).map_or(members.len(), |&member| rank[member]);
                    following[after].push((number, place.element));
                }
            }
        }

        let copies = if which == UnknownSet::Stabilised { 2 } else { 1 };
        let mut order = EliminationOrder {
            members: vec![0; members.len()],
            slots: Vec::new(),
            rows: layout
                .kinds
                .iter()
                .zip(shapes)
                .map(|(kind, shape)| if shape.rows > 0 { vec![0; kind.count] } else { Vec::new() })
                .collect(),
            unknowns: Vec::new(),
            pattern: MatrixPattern::default(),
            panels: Panels::default(),
        };
        for (position, elements) in following.iter().enumerate() {
            if let Some(&member) = sequence.get(position) {
                order.members[member] = order.unknowns.len();
                let FreeMember { offset, dimension, .. } = members[member];
                if copies == 2 {
                    order.unknowns.extend((offset..offset + dimension).map(Unknown::Acceleration));
                }
                order.unknowns.extend((offset..offset + dimension).map(Unknown::Component));
            }
            for &(number, element) in elements {
                order.rows[number][element] = order.unknowns.len();
                let rows = shapes[number].global_rows(&layout.kinds[number].place(element));
                order.unknowns.extend(rows.clone().map(Unknown::Row));
                if copies == 2 {
                    order.unknowns.extend(rows.take(shapes[number].holonomic).map(Unknown::Projection));
                }
            }
        }
        for kind in &layout.kinds {
            let position = |offset: &usize| {
                if *offset == CLAMPED { CLAMPED } else { order.members[member_of[*offset]] }
            };
            order.slots.push(kind.places().flat_map(|place| place.offsets.iter().map(position)).collect());
        }

        let mut cliques: Vec<Vec<(usize, usize)>> = members
            .iter()
            .zip(&order.members)
            .map(|(member, &start)| vec![(start, copies * member.dimension)])
            .collect();
        let block = |member: usize| (order.members[member], copies * members[member].dimension);
        cliques.extend(paths().map(|way| way.into_iter().map(block).collect()));
        for (number, (kind, shape)) in
            layout.kinds.iter().zip(shapes).enumerate().filter(|(_, (_, shape))| couples(shape))
        {
            for place in kind.places() {
                let mut blocks: Vec<(usize, usize)> = free_members(&place, member_of).map(block).collect();
                if which != UnknownSet::Inertia && shape.rows > 0 {
                    let size = shape.rows + (copies - 1) * shape.holonomic;
                    blocks.push((order.rows[number][place.element], size));
                }
                cliques.push(blocks);
            }
        }
        order.pattern = MatrixPattern::new(order.unknowns.len(), &cliques, may_be_sparse);
        order.panels = if tree.is_some() {
            Panels::whole(layout, members.len(), order.unknowns.len())
        } else {
            Panels::new(layout, &order.slots, &order.rows, &order.members, order.pattern.reach())
        };
        order
    }

    /// Shows the constraint rows that stand together: the first position of those of a function of an element, the first global row of them, and
    /// how many there are; for holonomic ones with `are_projections` those of η̂ as well, and true with these.
    #[inline]
    pub(super) fn each_rows(
        &self,
        layout: &Layout,
        shapes: &[ElementShape],
        are_projections: bool,
        mut visit: impl FnMut(usize, usize, usize, bool),
    ) {
        for ((kind, shape), rows) in layout.kinds.iter().zip(shapes).zip(&self.rows) {
            for (element, &first) in rows.iter().enumerate() {
                let mut before = 0;
                for (function, &count) in shape.segments.iter().enumerate() {
                    let global = kind.start(function) + element * count;
                    visit(first + before, global, count, false);
                    if are_projections && before < shape.holonomic {
                        visit(first + shape.rows + before, global, count, true);
                    }
                    before += count;
                }
            }
        }
    }

    /// The same where the matrix is looked at as a whole.
    #[must_use]
    pub(super) fn in_one_panel(mut self, layout: &Layout) -> Self {
        self.panels = Panels::whole(layout, self.members.len(), self.unknowns.len());
        self
    }
}
