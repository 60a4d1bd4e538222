//! [`EliminationOrder`]: the order of the unknowns of a linear system over a chain, chosen for a small bandwidth.

use super::element_shape::{ElementShape, FreeMember, free_members, graph};
use super::layout::CLAMPED;
use super::panels::MatrixPanels;
use super::system_matrix::MatrixPattern;
use super::{KinematicTree, Layout};
use crate::solve::reverse_cuthill_mckee;

/// The meaning of an unknown and of the equation in the same row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// A velocity component; y in the stabilised formulation.
    Component(usize),
    /// A multiplier, with its constraint row.
    Row(usize),
    /// x of the stabilised formulation.
    Acceleration(usize),
    /// η̂ of the stabilised formulation.
    Projection(usize),
}

/// A set of unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownSet {
    /// The components of inertial elements.
    Inertia,
    /// Components and multipliers.
    Kkt,
    /// y and x, λ̂ and η̂ of the stabilised formulation, in pairs.
    Stabilised,
}

/// The positions of the unknowns.
#[derive(Clone, Debug, Default)]
pub(super) struct EliminationOrder {
    /// The first position of each free member.
    pub members: Vec<usize>,
    /// The first position of each slot, kind by kind, element after element; [`CLAMPED`] for a slot without unknowns.
    pub slots: Vec<Vec<usize>>,
    /// The first position of the rows of each element, kind by kind.
    pub rows: Vec<Vec<usize>>,
    /// The unknown at each position.
    pub unknowns: Vec<Unknown>,
    /// The sparsity pattern of the matrix.
    pub pattern: MatrixPattern,
    /// The panels of the matrix.
    pub panels: MatrixPanels,
}

impl EliminationOrder {
    /// Orders the members by reverse Cuthill-McKee.
    ///
    /// The multipliers of an element follow the first of its members that together have as many components: then the
    /// elimination leaves them a pivot, −B A⁻¹ Bᵀ. With `may_be_sparse` the matrix is sparse if that is cheaper than
    /// the band of this order. The joints of `tree` are coupled with all joints on the path to the root.
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

        // The elements whose multipliers follow each member, by its rank; elements without free members come last.
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
            panels: MatrixPanels::default(),
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
            MatrixPanels::whole(layout, members.len(), order.unknowns.len())
        } else {
            MatrixPanels::new(layout, &order.slots, &order.rows, &order.members, order.pattern.reach())
        };
        order
    }

    /// Calls `visit` with every group of constraint rows: the first position of the rows of one function of an element,
    /// their first global row and their number. With `are_projections` it visits the η̂ of holonomic rows as well, with
    /// `true` as last argument.
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

    /// Returns the order with one panel, for algorithms that need the whole matrix.
    #[must_use]
    pub(super) fn in_one_panel(mut self, layout: &Layout) -> Self {
        self.panels = MatrixPanels::whole(layout, self.members.len(), self.unknowns.len());
        self
    }
}
