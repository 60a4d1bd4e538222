//! What is computed once of a system over chains: where everything stands and, if it is constant, the mass.

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
use crate::system::dual_values::Lift;

/// Where members, elements, rows and unknowns stand, and what else is computed once.
///
/// Which linear algebra a system gets follows from its declaration and the lengths of its chains;
/// [`eliminations`](Self::eliminations) tells. With M v' + B₁ᵀ λ = f, B₂ v' = c:
///
/// * M that couples no two members is inverted block by block. The multipliers are those of B₂ M⁻¹ B₁ᵀ, with as many unknowns as
///   rows: [`BlockTridiagonal`](super::Elimination::BlockTridiagonal) if the elements with constraints follow one another, each sharing its last
///   member with the next one, a [`Band`](super::Elimination::Band) otherwise.
/// * If M couples members, components and multipliers are eliminated together from [M B₁ᵀ; B₂ 0]; also if that is sparse
///   and less work than the band of the multipliers, as for a member that many constraints share.
/// * Frames make a [`KinematicTree`](super::Elimination::Tree): joints are eliminated from the ends inwards, and with them the rows of loops at the frame
///   where they close, through which alone joints further inwards are felt. Rows that see a single frame are left at the base, as are those that
///   may be redundant.
/// * Implicit methods always eliminate them together, with their iteration matrix in the place of M.
///
/// Members are ordered by reverse Cuthill-McKee, so that the bands of open, closed and joined chains and of trees with few
/// branches are narrow: O(N) in time and memory. With the feature `sparse`, a system of `f64` or `f32` whose band is wider than
/// 48 unknowns gets [`Sparse`](super::Elimination::Sparse) factors, if elimination in a minimum degree order takes less than
/// a tenth of the multiplications within the band (what one of them costs there): bushy trees, lattices, meshes. Their symbolic
/// factorisation is part of this type. Without the feature everything stays a band.
#[derive(Clone, Debug)]
pub struct Structure<S> {
    pub(super) layout: Layout,
    pub(super) members: Vec<FreeMember>,
    /// The member of each component.
    pub(super) member_of: Vec<usize>,
    pub(super) shapes: Vec<ElementShape>,
    /// Where the Jacobians of each kind start in a flat list, and its length at the end.
    pub(super) jacobian_starts: Vec<usize>,
    /// How many numbers there are for each row behind the Jacobians: what it asks of the frame where its ways meet.
    pub(super) reach: usize,
    /// Where the matrices of each kind start in a flat list, and its length at the end.
    pub(super) matrix_starts: Vec<usize>,
    /// True if some inertia couples two members.
    pub(super) is_coupled: bool,
    /// True if components and multipliers are eliminated together.
    pub(super) eliminates_jointly: bool,
    /// M⁻¹ if it is constant and couples no members.
    pub(super) inverse_mass: Option<InverseMass<S>>,
    /// The components, if the mass couples them.
    pub(super) inertia: EliminationOrder,
    /// Components and multipliers.
    pub(super) kkt: Arc<EliminationOrder>,
    /// The unknowns of the stabilised formulation.
    pub(super) stabilised: Arc<EliminationOrder>,
    /// How the Schur complement of an uncoupled mass is put together.
    pub(super) schur: SchurPlan,
    /// The elements with constraints, if they make up a path and the mass is uncoupled.
    pub(super) block_tridiagonal: Option<BlockTridiagonal>,
    /// The inertia of spheres about their directions, where frames run along them.
    pub(super) axial: Vec<S>,
    /// What frames hang on, if there are any.
    pub(super) tree: KinematicTree,
}

impl<S: Scalar> Structure<S> {
    /// A structure of which only the layout is known; a system needs [`prepared`](Structure::prepared) ones.
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
            axial: Vec::new(),
            tree: KinematicTree::default(),
        }
    }

    /// The same with frames along a tree.
    #[must_use]
    pub fn along(mut self, tree: KinematicTree) -> Self {
        self.tree = tree.joining(&mut self.layout);
        self
    }

    /// The same structure of the system on dual numbers.
    pub fn lift(&self) -> Structure<Dual<S>> {
        let lifted = |values: &Vec<S>| values.iter().map(|&value| Lift::<S>::lift(value)).collect();
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
            axial: lifted(&self.axial),
            tree: self.tree.clone(),
        }
    }

    /// Where members, elements and rows stand.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What frames hang on; empty without frames.
    #[inline]
    pub fn tree(&self) -> &KinematicTree {
        &self.tree
    }

    /// The unknowns of an iteration, and of a stabilised one. Frames couple all joints on the way to the root, which elements do
    /// not know and explicit methods do not need: their orders are made here.
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

    /// The name of the field that a component of a velocity belongs to.
    pub(super) fn name_of(&self, component: usize) -> &'static str {
        let within =
            |span: &&super::Span| (span.offset..span.offset + span.free().len() * span.dimension).contains(&component);
        self.layout.spans.iter().find(within).map_or("configuration", |span| span.name)
    }

    /// The free joints that move the frames of an element, from the ends inwards: first components and sizes.
    #[inline]
    pub(super) fn joints<'a>(
        &'a self,
        place: &ElementLocation<'a>,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a, S> {
        let free = place.offsets.iter().take_while(|&&offset| offset != CLAMPED);
        free.map(|&offset| (offset, self.members[self.member_of[offset]].dimension))
    }

    /// Where what each row asks of the frame where its ways meet stands in the list of Jacobians, behind them.
    pub(super) fn reach_of(&self, row: usize) -> usize {
        self.jacobian_starts.last().copied().unwrap_or(0) + row * self.reach
    }

    pub(super) fn jacobian_length(&self) -> usize {
        self.reach_of(self.layout.rows)
    }

    pub(super) fn matrix_length(&self) -> usize {
        self.matrix_starts.last().copied().unwrap_or(0)
    }

    /// The numbers of a block for each member.
    pub(super) fn blocks_length(&self) -> usize {
        self.members.last().map_or(0, |member| member.block + member.dimension * member.dimension)
    }
}
