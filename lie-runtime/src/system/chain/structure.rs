//! [`Structure`]: the data of a system over chains that is computed once.

use std::sync::Arc;

use super::block_tridiagonal::BlockTridiagonal;
use super::element_shape::{ElementShape, FreeMember};
use super::elimination_order::{EliminationOrder, UnknownSet};
use super::inverse_mass::InverseMass;
use super::layout::CLAMPED;
use super::schur_complement::SchurPlan;
use super::system_matrix::is_real;
use super::{KinematicTree, Layout};
use crate::scalar::{Dual, Scalar};
use crate::system::ElementLocation;

/// The positions of members, elements, rows and unknowns, and other data that is computed once.
///
/// The declaration and the lengths of the chains determine the linear algebra of a system;
/// [`eliminations`](Self::eliminations) returns it. For the KKT system M v' + B₁ᵀ λ = f, B₂ v' = c:
///
/// * An M without coupling between members is inverted block by block. The multipliers solve B₂ M⁻¹ B₁ᵀ, with as many
///   unknowns as rows. It is [`BlockTridiagonal`](super::Elimination::BlockTridiagonal) if the elements with
///   constraints form a row, each sharing its last member with the next one, and otherwise a
///   [`Band`](super::Elimination::Band).
/// * If M couples members, components and multipliers are eliminated together from [M B₁ᵀ; B₂ 0]. The same is done if
///   that matrix is sparse and cheaper than the band of the multipliers, for example for a member that many constraints
///   share.
/// * Frames form a [`Tree`](super::Elimination::Tree): a backward pass eliminates the joints, and the rows of loops at
///   the frame where the loop closes; ancestors depend on the loop through that frame only. Rows on a single frame and
///   rows that may be redundant are eliminated at the base.
/// * Implicit methods always eliminate components and multipliers together, with their iteration matrix in place of M.
///
/// Members are ordered by reverse Cuthill-McKee, so that the bands of open, closed and joined chains and of trees with
/// few branches are narrow: O(N) in time and memory. With the feature `sparse`, a system of `f64` or `f32` with a
/// bandwidth above 48 unknowns gets [`Sparse`](super::Elimination::Sparse) factors, if the elimination in a minimum
/// degree order takes less than a tenth of the multiplications of the band (the relative cost of one of them): bushy
/// trees, lattices, meshes. This type contains their symbolic factorisation. Without the feature all matrices are
/// banded.
#[derive(Clone, Debug)]
pub struct Structure<S> {
    pub(super) layout: Layout,
    pub(super) members: Vec<FreeMember>,
    /// The member of each component.
    pub(super) member_of: Vec<usize>,
    pub(super) shapes: Vec<ElementShape>,
    /// The start of the Jacobians of each kind in a flat list, with its length at the end.
    pub(super) jacobian_starts: Vec<usize>,
    /// The number of scalars for each row after the Jacobians: the covector of the row on the frame where its ancestor
    /// paths meet.
    pub(super) reach: usize,
    /// The start of the matrices of each kind in a flat list, with its length at the end.
    pub(super) matrix_starts: Vec<usize>,
    /// True if an inertia couples two members.
    pub(super) is_coupled: bool,
    /// True if components and multipliers are eliminated together.
    pub(super) eliminates_jointly: bool,
    /// M⁻¹, if it is constant and couples no members.
    pub(super) inverse_mass: Option<InverseMass<S>>,
    /// The order of the components, if the mass couples them.
    pub(super) inertia: EliminationOrder,
    /// The order of components and multipliers.
    pub(super) kkt: Arc<EliminationOrder>,
    /// The order of the unknowns of the stabilised formulation.
    pub(super) stabilised: Arc<EliminationOrder>,
    /// The plan of the Schur complement of an uncoupled mass.
    pub(super) schur: SchurPlan,
    /// The elements with constraints, if they form a row and the mass is uncoupled.
    pub(super) block_tridiagonal: Option<BlockTridiagonal>,
    /// The inertia of sphere joints about their directions.
    pub(super) spin_inertia: Vec<S>,
    /// The kinematic tree; empty without frames.
    pub(super) tree: KinematicTree,
}

impl<S: Scalar> Structure<S> {
    /// Creates a structure with a layout only; a system needs a [`prepared`](Structure::prepared) structure.
    #[doc(hidden)]
    #[inline(never)]
    pub fn new(layout: Layout) -> Self {
        Structure {
            layout,
            members: Vec::new(),
            member_of: Vec::new(),
            shapes: Vec::new(),
            jacobian_starts: Vec::new(),
            reach: 0,
            matrix_starts: Vec::new(),
            is_coupled: false,
            eliminates_jointly: false,
            inverse_mass: None,
            inertia: EliminationOrder::default(),
            kkt: Arc::default(),
            stabilised: Arc::default(),
            schur: SchurPlan::default(),
            block_tridiagonal: None,
            spin_inertia: Vec::new(),
            tree: KinematicTree::default(),
        }
    }

    /// Adds the kinematic tree of the frames.
    #[must_use]
    #[doc(hidden)]
    pub fn along(mut self, tree: KinematicTree) -> Self {
        self.tree = tree.with_elements(&mut self.layout);
        self
    }

    /// Returns the structure of the system on dual numbers.
    #[doc(hidden)]
    #[inline(never)]
    pub fn lift(&self) -> Structure<Dual<S>> {
        let lifted = |values: &Vec<S>| values.iter().copied().map(Dual::lift).collect();
        Structure {
            layout: self.layout.clone(),
            members: self.members.clone(),
            member_of: self.member_of.clone(),
            shapes: self.shapes.clone(),
            jacobian_starts: self.jacobian_starts.clone(),
            reach: self.reach,
            matrix_starts: self.matrix_starts.clone(),
            is_coupled: self.is_coupled,
            eliminates_jointly: self.eliminates_jointly,
            inverse_mass: self.inverse_mass.as_ref().map(|inverse| match inverse {
                InverseMass::Diagonal(entries) => InverseMass::Diagonal(lifted(entries)),
                InverseMass::Blocks(entries) => InverseMass::Blocks(lifted(entries)),
            }),
            inertia: self.inertia.clone(),
            kkt: self.kkt.clone(),
            stabilised: self.stabilised.clone(),
            schur: self.schur.clone(),
            block_tridiagonal: self.block_tridiagonal.clone(),
            spin_inertia: lifted(&self.spin_inertia),
            tree: self.tree.clone(),
        }
    }

    /// Returns the positions of members, elements and rows.
    #[doc(hidden)]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the kinematic tree; it is empty without frames.
    #[inline]
    #[doc(hidden)]
    pub fn tree(&self) -> &KinematicTree {
        &self.tree
    }

    /// Returns the orders of the unknowns of an iteration, without and with stabilisation. Frames couple all joints on
    /// the path to the root; only implicit methods need these orders, so they are computed here.
    pub(super) fn iteration_orders(&self) -> [Arc<EliminationOrder>; 2] {
        if self.tree.links().is_empty() {
            return [self.kkt.clone(), self.stabilised.clone()];
        }
        let order = |which| {
            let (layout, tree) = (&self.layout, Some(&self.tree));
            Arc::new(EliminationOrder::new(
                layout,
                tree,
                &self.shapes,
                &self.members,
                &self.member_of,
                which,
                is_real::<S>(),
            ))
        };
        [order(UnknownSet::Kkt), order(UnknownSet::Stabilised)]
    }

    /// Returns the name of the field that a velocity component belongs to.
    pub(super) fn name_of(&self, component: usize) -> &'static str {
        let within =
            |span: &&super::Span| (span.offset..span.offset + span.free().len() * span.dimension).contains(&component);
        self.layout.spans.iter().find(within).map_or("configuration", |span| span.name)
    }

    /// Returns the free joints that move the frames of an element, leaves first: first components and sizes.
    #[inline]
    pub(super) fn joints<'a>(
        &'a self,
        place: &ElementLocation<'a>,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a, S> {
        let free = place.offsets.iter().take_while(|&&offset| offset != CLAMPED);
        free.map(|&offset| (offset, self.members[self.member_of[offset]].dimension))
    }

    /// Returns the position of a row's covector on the frame where its ancestor paths meet; these covectors follow the
    /// Jacobians.
    pub(super) fn reach_of(&self, row: usize) -> usize {
        self.jacobian_starts.last().copied().unwrap_or(0) + row * self.reach
    }

    pub(super) fn jacobian_length(&self) -> usize {
        self.reach_of(self.layout.rows)
    }

    pub(super) fn matrix_length(&self) -> usize {
        self.matrix_starts.last().copied().unwrap_or(0)
    }

    /// The total size of the members' blocks.
    pub(super) fn blocks_length(&self) -> usize {
        self.members.last().map_or(0, |member| member.block + member.dimension * member.dimension)
    }
}
