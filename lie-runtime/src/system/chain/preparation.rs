//! [`Structure::prepared`]: computes all data of a system that does not change, a constant mass matrix included.

use std::sync::Arc;

use super::assembly::{self, ElementSizes, member_mass};
use super::block_tridiagonal::BlockTridiagonal;
use super::element_shape::{ElementShape, FreeMember, free_members};
use super::elimination_order::{EliminationOrder, UnknownSet};
use super::inverse_mass::{InverseMass, invert_blocks};
use super::layout::offset_of;
use super::mass_matrix::factorise_mass;
use super::regularisation::is_redundant;
use super::schur_complement::SchurPlan;
use super::system_matrix::{band_work, is_real};
use super::{Dynamics, ElementSystem, ElementVisitor, Layout, Structure};
use crate::scalar::Scalar;
use crate::solve::BandedLu;
use crate::system::{KktError, ModelError, Term};

/// Collects the shapes.
struct ShapeCollector(Vec<ElementShape>);

impl<M: ElementSystem> ElementVisitor<M> for ShapeCollector {
    fn element<E: Term<M>>(&mut self) {
        self.0.push(ElementShape {
            slots: E::SLOTS,
            segments: E::SEGMENTS,
            components: ElementSizes::<M, E>::COMPONENTS,
            rows: ElementSizes::<M, E>::ROWS,
            holonomic: E::HOLONOMIC_ROWS,
            reach: 0,
            terms: E::CONTRIBUTIONS,
        });
    }
}

impl<S: Scalar> Structure<S> {
    /// Computes the structure of `system`, whose current structure needs a layout only.
    ///
    /// # Errors
    /// [`ModelError::MassNotPositiveDefinite`] if the mass is constant and not positive definite.
    #[doc(hidden)]
    pub fn prepared<M: ElementSystem<Scalar = S>>(system: &M) -> Result<Self, ModelError> {
        let mut shapes = ShapeCollector(Vec::new());
        system.visit(&mut shapes);
        M::Dynamics::add_shapes(system, &mut shapes.0);
        let mut structure = system.structure().with_shapes(shapes.0, is_redundant::<M>());
        if M::Dynamics::HAS_FRAMES {
            structure.spin_inertia = M::Dynamics::spin_inertia(system, &structure);
        } else {
            structure.prepare_mass(system)?;
        }
        Ok(structure)
    }

    /// Returns the structure with this layout for elements of these shapes, without the data of the mass matrix.
    #[inline(never)]
    pub(super) fn with_shapes(&self, mut shapes: Vec<ElementShape>, may_be_redundant: bool) -> Self {
        let mut structure = Structure::new(self.layout.clone());
        structure.tree = self.tree.clone();
        let layout = &structure.layout;
        let mut block = 0;
        for span in &layout.spans {
            for index in span.free() {
                let (offset, dimension) = (offset_of(span, index), span.dimension);
                structure.member_of.extend(core::iter::repeat_n(structure.members.len(), dimension));
                structure.members.push(FreeMember { offset, dimension, block });
                block += dimension * dimension;
            }
        }
        for (kind, shape) in layout.kinds.iter().zip(&mut shapes).filter(|(kind, _)| kind.over_frames) {
            let components = kind.places().map(|place| structure.joints(&place).map(|(_, size)| size).sum());
            shape.components = components.max().unwrap_or(0);
        }
        let starts = |size: fn(&ElementShape) -> usize| {
            let mut starts = vec![0];
            for (kind, shape) in layout.kinds.iter().zip(&shapes) {
                starts.push(starts[starts.len() - 1] + kind.count * size(shape));
            }
            starts
        };
        structure.jacobian_starts = starts(|shape| shape.rows * shape.components);
        structure.reach = shapes.iter().map(|shape| shape.reach).max().unwrap_or(0);
        // The matrices of elements over frames are part of the matrices of the frames.
        structure.matrix_starts = starts(|shape| shape.slots.iter().sum::<usize>().pow(2));
        let member_of = &structure.member_of;
        structure.is_coupled = layout.kinds.iter().zip(&shapes).any(|(kind, shape)| {
            shape.terms.inertia && kind.places().any(|place| free_members(&place, member_of).count() > 1)
        });
        let order = |which| {
            let may_be_sparse = is_real::<S>() && which != UnknownSet::Inertia;
            let order =
                EliminationOrder::new(layout, None, &shapes, &structure.members, member_of, which, may_be_sparse);
            // The regularisation needs the whole matrix.
            if may_be_redundant { order.in_one_panel(layout) } else { order }
        };
        structure.kkt = Arc::new(order(UnknownSet::Kkt));
        structure.stabilised = Arc::new(order(UnknownSet::Stabilised));
        if structure.is_coupled {
            structure.inertia = order(UnknownSet::Inertia);
            structure.eliminates_jointly = true;
        } else if layout.kinds.iter().all(|kind| !kind.over_frames) {
            let kkt = &structure.kkt.pattern;
            let is_less = |work: f64| kkt.sparse_entries().is_some() && kkt.work() < work;
            // Tested before the Schur complement is planned, which is full if many constraints share a member.
            structure.eliminates_jointly = is_less(least_schur_work(layout, &shapes, member_of));
            if !structure.eliminates_jointly {
                let schur = SchurPlan::new(layout, &shapes, member_of, &structure.jacobian_starts);
                structure.eliminates_jointly = is_less(band_work(&schur.reach));
                if !structure.eliminates_jointly {
                    structure.schur = schur;
                    structure.block_tridiagonal = BlockTridiagonal::find(layout, &shapes, &structure.jacobian_starts);
                }
            }
        }
        structure.shapes = shapes;
        structure
    }

    fn prepare_mass<M: ElementSystem<Scalar = S>>(&mut self, system: &M) -> Result<(), ModelError> {
        if self.shapes.iter().any(|shape| shape.terms.inertia && !shape.terms.inertia_is_constant) {
            return Ok(());
        }
        let (t, q) = (S::zero(), system.chain_space().origin());
        let mut mass = vec![S::zero(); if self.is_coupled { self.matrix_length() } else { self.blocks_length() }];
        if self.is_coupled {
            assembly::mass(system, self, t, &q, &mut mass);
        } else {
            member_mass(system, self, t, &q, &mut mass);
        }
        self.set_constant_mass(mass)
    }

    /// Checks a constant mass matrix, and inverts its blocks if it does not couple members.
    #[inline(never)]
    pub(super) fn set_constant_mass(&mut self, mut mass: Vec<S>) -> Result<(), ModelError> {
        let named = |error| match error {
            KktError::MassNotPositiveDefinite { component } => {
                ModelError::MassNotPositiveDefinite { member: self.name_of(component) }
            }
            _ => ModelError::MassNotPositiveDefinite { member: self.name_of(0) },
        };
        if self.is_coupled {
            let mut band: BandedLu<S> = self.inertia.pattern.band();
            return factorise_mass(self, &mass, &mut band).map_err(named);
        }
        invert_blocks(&self.members, &mut mass).map_err(named)?;
        let is_diagonal = self.members.iter().all(|member| {
            let n = member.dimension;
            (0..n * n).all(|at| at / n == at % n || mass[member.block + at].is_zero())
        });
        self.inverse_mass = Some(if is_diagonal {
            let diagonal = |member: &FreeMember| {
                let (block, n) = (member.block, member.dimension);
                (0..n).map(move |i| block + i * n + i)
            };
            InverseMass::Diagonal(self.members.iter().flat_map(diagonal).map(|at| mass[at]).collect())
        } else {
            InverseMass::Blocks(mass)
        });
        Ok(())
    }
}

/// Returns a lower bound for the multiplications of the elimination of B M⁻¹ Bᵀ: the rows at one member form a full
/// block.
fn least_schur_work(layout: &Layout, shapes: &[ElementShape], member_of: &[usize]) -> f64 {
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
