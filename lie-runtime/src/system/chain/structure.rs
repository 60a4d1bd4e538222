//! What is computed once of a system over chains: where everything stands and, if it is constant, the mass.

use std::sync::Arc;

use super::assembly::{Sizes, member_mass};
use super::layout::{CLAMPED, offset_of};
use super::matrix::{band_work, is_real};
use super::order::{Order, Unknowns, free_members};
use super::path::Path;
use super::redundant::is_redundant;
use super::schur::SchurPlan;
use super::{Dynamics, ElementSystem, Layout, Place, Tree, Visitor};
use crate::scalar::{Dual, Scalar};
use crate::solve::BandedLu;
use crate::system::lift::Lift;
use crate::system::{Contributions, Term};
use crate::system::{ModelError, SaddleError};

/// A free member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Its first component in a velocity.
    pub offset: usize,
    /// The dimension of its group.
    pub dimension: usize,
    /// Where its block stands among blocks of dimension × dimension numbers.
    pub block: usize,
}

/// What is known of a kind of elements at compile time.
#[derive(Clone, Debug)]
pub struct Shape {
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

impl Shape {
    /// The global numbers of the local constraint rows of an element.
    pub(super) fn global_rows<'a>(&self, place: &Place<'a>) -> impl Iterator<Item = usize> + Clone + 'a {
        global_rows(place, self.segments)
    }
}

/// The global numbers of the constraint rows of an element, of functions with so many rows each.
pub(super) fn global_rows<'a>(
    place: &Place<'a>,
    segments: &'static [usize],
) -> impl Iterator<Item = usize> + Clone + 'a {
    let (starts, index) = (place.starts, place.element);
    starts.iter().zip(segments).flat_map(move |(&start, &rows)| {
        let first = start + index * rows;
        first..first + rows
    })
}

/// M⁻¹ where the mass couples no two members.
#[derive(Clone, Debug)]
pub(super) enum InverseMass<S> {
    /// Every block is diagonal: one number a component.
    Diagonal(Vec<S>),
    /// A block a member, by rows.
    Blocks(Vec<S>),
}

/// Where members, elements, rows and unknowns stand, and what else is computed once.
///
/// Which linear algebra a system gets follows from its declaration and the lengths of its chains;
/// [`eliminations`](Self::eliminations) tells. With M v' + B₁ᵀ λ = f, B₂ v' = c:
///
/// * M that couples no two members is inverted block by block. The multipliers are those of B₂ M⁻¹ B₁ᵀ, with as many unknowns as
///   rows: [`Path`](super::Elimination::Path) if the elements with constraints follow one another, each sharing its last
///   member with the next one, a [`Band`](super::Elimination::Band) otherwise.
/// * If M couples members, components and multipliers are eliminated together from [M B₁ᵀ; B₂ 0]; also if that is sparse
///   and less work than the band of the multipliers, as for a member that many constraints share.
/// * Frames make a [`Tree`](super::Elimination::Tree): joints are eliminated from the ends inwards, and with them the rows of loops at the frame
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
    layout: Layout,
    pub(super) members: Vec<Member>,
    /// The member of each component.
    pub(super) member_of: Vec<usize>,
    pub(super) shapes: Vec<Shape>,
    /// Where the Jacobians of each kind start in a flat list, and its length at the end.
    pub(super) jacobian_starts: Vec<usize>,
    /// How many numbers there are for each row behind the Jacobians: what it asks of the frame where its ways meet.
    pub(super) reach: usize,
    /// Where the matrices of each kind start in a flat list, and its length at the end.
    pub(super) matrix_starts: Vec<usize>,
    /// True if some inertia couples two members.
    pub(super) is_coupled: bool,
    /// True if components and multipliers are eliminated together.
    pub(super) is_joint: bool,
    /// M⁻¹ if it is constant and couples no members.
    pub(super) inverse_mass: Option<InverseMass<S>>,
    /// The components, if the mass couples them.
    pub(super) inertia: Order,
    /// Components and multipliers.
    pub(super) saddle: Arc<Order>,
    /// The unknowns of the stabilised formulation.
    pub(super) stabilised: Arc<Order>,
    /// How the Schur complement of an uncoupled mass is put together.
    pub(super) schur: SchurPlan,
    /// The elements with constraints, if they make up a path and the mass is uncoupled.
    pub(super) path: Option<Path>,
    /// The inertia of spheres about their directions, where frames run along them.
    pub(super) axial: Vec<S>,
    /// What frames hang on, if there are any.
    tree: Tree,
}

/// Collects the shapes.
struct Shapes(Vec<Shape>);

impl<M: ElementSystem> Visitor<M> for Shapes {
    fn element<E: Term<M>>(&mut self) {
        self.0.push(Shape {
            slots: E::SLOTS,
            segments: E::SEGMENTS,
            components: Sizes::<M, E>::COMPONENTS,
            rows: Sizes::<M, E>::ROWS,
            holonomic: E::HOLONOMIC_ROWS,
            reach: 0,
            terms: E::CONTRIBUTIONS,
        });
    }
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
            is_joint: false,
            inverse_mass: None,
            inertia: Order::default(),
            saddle: Arc::default(),
            stabilised: Arc::default(),
            schur: SchurPlan::default(),
            path: None,
            axial: Vec::new(),
            tree: Tree::default(),
        }
    }

    /// The same with frames along a tree.
    #[must_use]
    pub fn along(mut self, tree: Tree) -> Self {
        self.tree = tree.joining(&mut self.layout);
        self
    }

    /// The structure of `system`, which need not have more than a layout yet, with all that is computed once.
    ///
    /// # Errors
    /// [`ModelError::MassNotPositiveDefinite`] if the mass is constant and not positive definite.
    pub fn prepared<M: ElementSystem<Scalar = S>>(system: &M) -> Result<Self, ModelError> {
        let mut structure = Structure::new(system.structure().layout.clone());
        structure.tree = system.structure().tree.clone();
        let layout = &structure.layout;
        let mut block = 0;
        for span in &layout.spans {
            for index in span.free() {
                let (offset, dimension) = (offset_of(span, index), span.dimension);
                structure.member_of.extend(core::iter::repeat_n(structure.members.len(), dimension));
                structure.members.push(Member { offset, dimension, block });
                block += dimension * dimension;
            }
        }
        let mut shapes = Shapes(Vec::new());
        system.visit(&mut shapes);
        let mut shapes = shapes.0;
        M::Dynamics::add_shapes(system, &mut shapes);
        for (kind, shape) in layout.kinds.iter().zip(&mut shapes).filter(|(kind, _)| kind.sees_frames) {
            let components = kind.places().map(|place| structure.joints(&place).map(|(_, size)| size).sum());
            shape.components = components.max().unwrap_or(0);
        }
        let starts = |size: fn(&Shape) -> usize| {
            let mut starts = vec![0];
            for (kind, shape) in layout.kinds.iter().zip(&shapes) {
                starts.push(starts[starts.len() - 1] + kind.count * size(shape));
            }
            starts
        };
        structure.jacobian_starts = starts(|shape| shape.rows * shape.components);
        structure.reach = shapes.iter().map(|shape| shape.reach).max().unwrap_or(0);
        // The matrices of what sees frames stand with those of the frames.
        structure.matrix_starts = starts(|shape| shape.slots.iter().sum::<usize>().pow(2));
        let member_of = &structure.member_of;
        structure.is_coupled = layout.kinds.iter().zip(&shapes).any(|(kind, shape)| {
            shape.terms.inertia && kind.places().any(|place| free_members(&place, member_of).count() > 1)
        });
        let order = |which| {
            let may_be_sparse = is_real::<S>() && which != Unknowns::Inertia;
            let order = Order::new(layout, None, &shapes, &structure.members, member_of, which, may_be_sparse);
            // What relaxes rows looks at the whole matrix.
            if is_redundant::<M>() { order.in_one_stretch(layout) } else { order }
        };
        structure.saddle = Arc::new(order(Unknowns::Saddle));
        structure.stabilised = Arc::new(order(Unknowns::Stabilised));
        if structure.is_coupled {
            structure.inertia = order(Unknowns::Inertia);
            structure.is_joint = true;
        } else if layout.kinds.iter().all(|kind| !kind.sees_frames) {
            let saddle = &structure.saddle.pattern;
            let is_less = |work: f64| saddle.sparse_entries().is_some() && saddle.work() < work;
            // Found before the Schur complement, which is full where many constraints share a member.
            structure.is_joint = is_less(least_schur_work(layout, &shapes, member_of));
            if !structure.is_joint {
                let schur = SchurPlan::new(layout, &shapes, member_of, &structure.jacobian_starts);
                structure.is_joint = is_less(band_work(&schur.reach));
                if !structure.is_joint {
                    structure.schur = schur;
                    structure.path = Path::find(layout, &shapes, &structure.jacobian_starts);
                }
            }
        }
        structure.shapes = shapes;
        if M::Dynamics::HAS_FRAMES {
            structure.axial = M::Dynamics::axial_inertia(system, &structure);
        } else {
            structure.prepare_mass(system)?;
        }
        Ok(structure)
    }

    fn prepare_mass<M: ElementSystem<Scalar = S>>(&mut self, system: &M) -> Result<(), ModelError> {
        if self.shapes.iter().any(|shape| shape.terms.inertia && !shape.terms.inertia_is_constant) {
            return Ok(());
        }
        let named = |error| match error {
            SaddleError::MassNotPositiveDefinite { component } => {
                ModelError::MassNotPositiveDefinite { member: self.name_of(component) }
            }
            _ => ModelError::MassNotPositiveDefinite { member: self.name_of(0) },
        };
        let (t, q) = (S::zero(), system.chain_space().origin());
        if self.is_coupled {
            let mut elements = vec![S::zero(); self.matrix_length()];
            super::assembly::mass(system, self, t, &q, &mut elements);
            let mut band: BandedLu<S> = self.inertia.pattern.band();
            return super::mass::factorise_mass(self, &elements, &mut band).map_err(named);
        }
        let mut blocks = vec![S::zero(); self.blocks_length()];
        member_mass(system, self, t, &q, &mut blocks);
        super::mass::invert_blocks(self, &mut blocks).map_err(named)?;
        let is_diagonal = self.members.iter().all(|member| {
            let n = member.dimension;
            (0..n * n).all(|at| at / n == at % n || blocks[member.block + at] == S::zero())
        });
        self.inverse_mass = Some(if is_diagonal {
            let diagonal = |member: &Member| {
                let (block, n) = (member.block, member.dimension);
                (0..n).map(move |i| block + i * n + i)
            };
            InverseMass::Diagonal(self.members.iter().flat_map(diagonal).map(|at| blocks[at]).collect())
        } else {
            InverseMass::Blocks(blocks)
        });
        Ok(())
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
            is_joint: self.is_joint,
            inverse_mass: self.inverse_mass.as_ref().map(|inverse| match inverse {
                InverseMass::Diagonal(entries) => InverseMass::Diagonal(lifted(entries)),
                InverseMass::Blocks(entries) => InverseMass::Blocks(lifted(entries)),
            }),
            inertia: self.inertia.clone(),
            saddle: self.saddle.clone(),
            stabilised: self.stabilised.clone(),
            schur: self.schur.clone(),
            path: self.path.clone(),
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
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The unknowns of an iteration, and of a stabilised one. Frames couple all joints on the way to the root, which elements do
    /// not know and explicit methods do not need: their orders are made here.
    pub(super) fn of_iterations(&self) -> [Arc<Order>; 2] {
        if self.tree.links().is_empty() {
            return [self.saddle.clone(), self.stabilised.clone()];
        }
        let order = |which| {
            let (layout, tree) = (&self.layout, Some(&self.tree));
            Arc::new(Order::new(layout, tree, &self.shapes, &self.members, &self.member_of, which, is_real::<S>()))
        };
        [order(Unknowns::Saddle), order(Unknowns::Stabilised)]
    }

    /// The name of the field that a component of a velocity belongs to.
    fn name_of(&self, component: usize) -> &'static str {
        let within =
            |span: &&super::Span| (span.offset..span.offset + span.free().len() * span.dimension).contains(&component);
        self.layout.spans.iter().find(within).map_or("configuration", |span| span.name)
    }

    /// The free joints that move the frames of an element, from the ends inwards: first components and sizes.
    #[inline]
    pub(super) fn joints<'a>(&'a self, place: &Place<'a>) -> impl Iterator<Item = (usize, usize)> + use<'a, S> {
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

/// Multiplications that eliminating B M⁻¹ Bᵀ takes at least: its rows at a member all stand beside one another.
fn least_schur_work(layout: &Layout, shapes: &[Shape], member_of: &[usize]) -> f64 {
    let mut rows = vec![0; member_of.last().map_or(0, |last| last + 1)];
    for (kind, shape) in layout.kinds.iter().zip(shapes).filter(|(_, shape)| shape.rows > 0) {
        for place in kind.places() {
            for member in free_members(&place, member_of) {
                rows[member] += shape.rows;
            }
        }
    }
    rows.iter().map(|&rows| (rows as f64).powi(3) / 3.0).fold(0.0, f64::max)
}
