//! The linear systems of the Newton iteration over chains.
//!
//! Let y = T ζ be the change of the increment in coordinates at the end of the step. Then the equations of
//! [`iteration`](crate::system::IterationPoint) contain T⁻¹ only as a factor of matrices of one member, and blocks of
//! adjacent members do not change. Without stabilisation x = ζ = T⁻¹ y:
//!
//! ```text
//! ((c_M M + c_C C) T⁻¹ + c_K K) y + Bᵀ λ̂ = −h² r,
//! B y = −Φ   or, of velocity constraints,   (c_B B T⁻¹ + c_H H) y = −h (B v + b).
//! ```
//!
//! With stabilisation x = T⁻¹ y + B₀ᵀ η̂ is a separate unknown, so that no product of Jacobians widens the band:
//!
//! ```text
//! (c_M M + c_C C) x + c_K K y + Bᵀ λ̂ = −h² r,      x − T⁻¹ y − B₀ᵀ η̂ = 0,
//! c_B B x + c_H H y = −h (B v + b),                 B y = −Φ.
//! ```
//!
//! In local coordinates, which have no stabilisation, M, C and ζ have separate blocks in place of T⁻¹: see
//! [`ChainBlocks`].
//!
//! The elimination order is x, y, λ̂ and η̂ of each member and of the constraints that follow it, with the equations as
//! above. Their diagonal blocks are c_M M and −T⁻¹, and the blocks of the constraints become −B (c_M M)⁻¹ Bᵀ. T(θ) is
//! regular for rotations by less than 2π in a step.

pub(super) mod element_equations;
pub(super) mod frame_blocks;
mod transposed;

use std::sync::Arc;

use nalgebra::DVector;

use super::assembly::{AddResidual, EvaluationPoint, Matrices, Matrix};
use super::elimination_order::EliminationOrder;
use super::equations_of_motion::{JacobianOf, cleared};
use super::kkt::to_kkt_error;
use super::layout::CLAMPED;
use super::regularisation::{is_redundant, relax_jointly};
use super::system_matrix::SystemMatrix;
use super::{ChainBlocks, Dynamics, ElementAssembly, ElementSystem, FrameMatrices, Structure};
use crate::scalar::Scalar;
use crate::solve::relaxation;
use crate::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, LinearisedAssembly,
};
use element_equations::{ElementEquations, add_definitions};
pub(super) use transposed::solve_transposed;

/// The factorised linear system of an iteration over a chain.
#[derive(Clone, Debug)]
pub struct ChainIteration<S, L> {
    /// The orders without and with stabilisation.
    orders: [Arc<EliminationOrder>; 2],
    matrices: [SystemMatrix<S>; 2],
    /// The linearisation of the frames.
    frames: L,
    is_stabilised: bool,
    blocks: ChainBlocks<S>,
    /// B₀.
    projection: Vec<S>,
    /// A right-hand side in the elimination order.
    unknowns: Vec<S>,
}

/// A matrix that is the sum of the matrices of elements and frames.
#[derive(Clone, Debug)]
pub struct AssembledMatrix<S, L> {
    elements: Vec<S>,
    /// The matrix of the frames, by blocks.
    of_frames: Vec<S>,
    /// The memory to compute it.
    frames: L,
    /// A velocity of zeros, if there are frames.
    rest: Vec<S>,
}

/// Calls `visit` with every entry of the elements' matrices: row, column, value.
#[inline]
fn each_entry<S: Scalar>(structure: &Structure<S>, elements: &[S], mut visit: impl FnMut(usize, usize, S)) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.matrix_starts);
    for ((kind, shape), &start) in kinds {
        let n: usize = shape.slots.iter().sum();
        if n == 0 {
            continue;
        }
        for (place, block) in kind.places().zip(elements[start..].chunks_exact(n * n)) {
            // The global component of each local component.
            let components = || {
                let slots = place.offsets.iter().zip(shape.slots);
                let free = slots.scan(0, |first, (&offset, &size)| {
                    let at = *first;
                    *first += size;
                    Some((at, offset, size))
                });
                free.filter(|&(_, offset, _)| offset != CLAMPED)
                    .flat_map(|(at, offset, size)| (0..size).map(move |i| (at + i, offset + i)))
            };
            for (row, global_row) in components() {
                for (column, global_column) in components() {
                    visit(global_row, global_column, block[row * n + column]);
                }
            }
        }
    }
}

/// The linearisation of the frames of a system.
type OfFrames<M> = <<M as ElementSystem>::Dynamics as Dynamics<M>>::Linearisation;

impl<M: ElementSystem> LinearisedAssembly<M> for ElementAssembly {
    type Matrix = AssembledMatrix<M::Scalar, OfFrames<M>>;
    type Factorisation = ChainIteration<M::Scalar, OfFrames<M>>;

    fn zero_matrix(system: &M) -> Self::Matrix {
        let frames = M::Dynamics::zero_linearisation(system);
        let zeros = |length| vec![M::Scalar::from_f64(0.0); length];
        let of_frames = zeros(frames.matrices()[0].len());
        let rest = zeros(if M::Dynamics::HAS_FRAMES { system.structure().layout().dof } else { 0 });
        AssembledMatrix { elements: zeros(system.structure().matrix_length()), of_frames, frames, rest }
    }

    fn matrix_entry(system: &M, matrix: &Self::Matrix, row: usize, column: usize) -> M::Scalar {
        let structure = system.structure();
        let mut sum = M::Scalar::from_f64(0.0);
        if M::Dynamics::HAS_FRAMES {
            sum = frame_blocks::entry(structure.tree(), &matrix.of_frames, row, column);
        }
        let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.matrix_starts);
        for ((kind, shape), &start) in kinds {
            for place in kind.places() {
                // The local components of a global component.
                let local = |component: usize| {
                    let mut first = 0;
                    place.offsets.iter().zip(shape.slots).filter_map(move |(&offset, &size)| {
                        let at = first;
                        first += size;
                        (offset != CLAMPED && (offset..offset + size).contains(&component))
                            .then(|| at + component - offset)
                    })
                };
                for i in local(row) {
                    for j in local(column) {
                        let n = shape.components;
                        sum += matrix.elements[start + place.element * n * n + i * n + j];
                    }
                }
            }
        }
        sum
    }

    fn matrix_times(system: &M, matrix: &Self::Matrix, x: &DVector<M::Scalar>, out: &mut DVector<M::Scalar>) {
        let (structure, out) = (system.structure(), cleared(out));
        frame_blocks::add_times(structure.tree(), &matrix.of_frames, x.as_slice(), out);
        each_entry(structure, &matrix.elements, |row, column, entry| out[row] += entry * x[column]);
    }
    fn matrix_transpose_times(system: &M, matrix: &Self::Matrix, x: &DVector<M::Scalar>, out: &mut DVector<M::Scalar>) {
        let (structure, out) = (system.structure(), cleared(out));
        frame_blocks::add_transpose_times(structure.tree(), &matrix.of_frames, x.as_slice(), out);
        each_entry(structure, &matrix.elements, |row, column, entry| out[column] += entry * x[row]);
    }

    #[inline]
    fn residual(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        acceleration: &DVector<M::Scalar>,
        multipliers: &DVector<M::Scalar>,
        out: &mut DVector<M::Scalar>,
    ) {
        let here = system.in_state(t, q, v);
        let (here, v, acceleration) = (here.as_ref().unwrap_or(system), v.as_slice(), acceleration.as_slice());
        let (multipliers, out) = (multipliers.as_slice(), cleared(out));
        let point = EvaluationPoint { system: here, t, q };
        system.visit(&mut AddResidual { point, v, acceleration, multipliers, out: &mut *out, constraint: None });
        M::Dynamics::add_residual(here, t, q, v, acceleration, multipliers, out);
    }

    #[inline]
    fn residual_and_constraint(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        acceleration: &DVector<M::Scalar>,
        multipliers: &DVector<M::Scalar>,
        residual: &mut DVector<M::Scalar>,
        constraint: &mut DVector<M::Scalar>,
    ) {
        let here = system.in_state(t, q, v);
        let (here, v, acceleration) = (here.as_ref().unwrap_or(system), v.as_slice(), acceleration.as_slice());
        let (multipliers, out, constraint) = (multipliers.as_slice(), cleared(residual), constraint.as_mut_slice());
        let point = EvaluationPoint { system: here, t, q };
        let wanted = Some(&mut *constraint);
        system.visit(&mut AddResidual { point, v, acceleration, multipliers, out: &mut *out, constraint: wanted });
        M::Dynamics::add_residual(here, t, q, v, acceleration, multipliers, out);
        M::Dynamics::set_constraint(system, t, q, constraint);
    }

    fn mass_matrix(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut Self::Matrix) {
        super::assembly::mass(system, system.structure(), t, q, &mut out.elements);
        if M::Dynamics::HAS_FRAMES {
            M::Dynamics::linearise(system, t, q, &out.rest, &out.rest, &[], &mut out.frames);
            out.of_frames.copy_from_slice(out.frames.matrices()[0]);
        }
    }

    fn tangent_stiffness(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        acceleration: &DVector<M::Scalar>,
        multipliers: &DVector<M::Scalar>,
        out: &mut Self::Matrix,
    ) {
        let here = system.in_state(t, q, v);
        let here = here.as_ref().unwrap_or(system);
        let (v, acceleration, multipliers) = (v.as_slice(), acceleration.as_slice(), multipliers.as_slice());
        let matrix = Matrix::Stiffness { v, acceleration, multipliers };
        let starts = &system.structure().matrix_starts;
        system.visit(&mut Matrices {
            point: EvaluationPoint { system: here, t, q },
            matrix,
            starts,
            out: &mut out.elements,
        });
        M::Dynamics::linearise(here, t, q, v, acceleration, multipliers, &mut out.frames);
        out.of_frames.copy_from_slice(out.frames.matrices()[2]);
    }

    fn tangent_damping(system: &M, t: M::Scalar, q: &M::Configuration, v: &DVector<M::Scalar>, out: &mut Self::Matrix) {
        let here = system.in_state(t, q, v);
        let here = here.as_ref().unwrap_or(system);
        let v = v.as_slice();
        let matrix = Matrix::Damping { v };
        let starts = &system.structure().matrix_starts;
        system.visit(&mut Matrices {
            point: EvaluationPoint { system: here, t, q },
            matrix,
            starts,
            out: &mut out.elements,
        });
        // C_t does not depend on v' and λ.
        M::Dynamics::linearise(here, t, q, v, v, &[], &mut out.frames);
        out.of_frames.copy_from_slice(out.frames.matrices()[1]);
    }

    fn zero_factorisation(system: &M) -> Self::Factorisation {
        let structure = system.structure();
        let orders = structure.iteration_orders();
        let zeros = |length| vec![M::Scalar::from_f64(0.0); length];
        ChainIteration {
            matrices: orders.each_ref().map(|order| order.pattern.matrix()),
            frames: M::Dynamics::zero_linearisation(system),
            is_stabilised: false,
            blocks: ChainBlocks {
                position: zeros(structure.blocks_length()),
                velocity: zeros(structure.blocks_length()),
                acceleration: zeros(structure.blocks_length()),
            },
            projection: zeros(structure.jacobian_length()),
            unknowns: zeros(orders[1].unknowns.len()),
            orders,
        }
    }

    fn factorise_iteration(
        system: &M,
        point: &IterationPoint<'_, M>,
        coefficients: &IterationCoefficients<M::Scalar>,
        projection: Option<&JacobianOf<M>>,
        out: &mut Self::Factorisation,
    ) -> Result<(), KktError> {
        let projection = projection.map(|jacobian| &*jacobian.entries);
        let here = system.in_state(point.t, point.q, point.v);
        let here = here.as_ref().unwrap_or(system);
        let structure = system.structure();
        let ChainIteration { orders, matrices, frames, is_stabilised, blocks, projection: start, .. } = out;
        *is_stabilised = projection.is_some();
        let (order, matrix) = (&*orders[usize::from(*is_stabilised)], &mut matrices[usize::from(*is_stabilised)]);
        let (v, acceleration, multipliers) =
            (point.v.as_slice(), point.acceleration.as_slice(), point.multipliers.as_slice());
        M::Dynamics::linearise(here, point.t, point.q, v, acceleration, multipliers, frames);
        if let Some(projection) = projection {
            start.copy_from_slice(projection);
        }
        matrix
            .factorise_in_panels(&order.panels, |panel, matrix| {
                let new = panel.new_members();
                if let Some(local) = &point.local {
                    let c = coefficients;
                    let scales = [c.rate_gradient / c.rate, c.rate / c.rate_gradient, c.stiffness / c.mass];
                    blocks.set_local(system.chain_space(), local, scales, new);
                } else {
                    blocks.set_tangent_inverse(system.chain_space(), point.theta.as_slice(), new);
                }
                let blocks = &*blocks;
                if projection.is_some() {
                    add_definitions(structure, order, panel.members(), &blocks.position, matrix);
                }
                system.visit(&mut ElementEquations {
                    panel,
                    at: EvaluationPoint { system: here, t: point.t, q: point.q },
                    v,
                    acceleration,
                    multipliers,
                    coefficients,
                    blocks,
                    order,
                    is_local: point.local.is_some(),
                    projection,
                    reactions: point.reactions.map(|jacobian| &*jacobian.entries),
                    matrix: &mut *matrix,
                });
                if M::Dynamics::HAS_FRAMES {
                    let tangents = match (&point.local, projection) {
                        (Some(_), _) => Some([&*blocks.acceleration, &*blocks.velocity]),
                        (None, None) => Some([&*blocks.position; 2]),
                        (None, Some(_)) => None,
                    };
                    frame_blocks::add_equations(structure, order, frames.matrices(), coefficients, tangents, matrix);
                    frame_blocks::FrameRows {
                        structure,
                        order,
                        jacobians: frames.jacobians(),
                        coefficients,
                        tangents: if point.local.is_some() { &blocks.velocity } else { &blocks.position },
                        projection,
                        reactions: point.reactions.map(|jacobian| &*jacobian.entries),
                    }
                    .add(matrix);
                }
                if is_redundant::<M>() {
                    relax_jointly(structure, order, projection.is_some(), relaxation::<M::Scalar>(), matrix);
                }
            })
            .map_err(|error| to_kkt_error(error, &order.unknowns))
    }

    fn solve_iteration(
        system: &M,
        factorisation: &mut Self::Factorisation,
        residual: &IterationResidual<M>,
        correction: &mut IterationCorrection<M>,
    ) {
        let structure = system.structure();
        let ChainIteration { orders, matrices, is_stabilised, blocks, unknowns, .. } = factorisation;
        let (order, matrix) = (&*orders[usize::from(*is_stabilised)], &mut matrices[usize::from(*is_stabilised)]);
        // With stabilisation η̂ belongs to the residuals of holonomic rows, without it λ̂.
        let positions = if *is_stabilised { 0 } else { structure.layout().holonomic_rows };
        let zero = M::Scalar::from_f64(0.0);
        let balance = residual.balance.as_slice();
        let (position, velocity) = (residual.position.as_slice(), residual.velocity.as_slice());
        let unknowns = &mut unknowns[..order.unknowns.len()];
        let negated = |out: &mut [M::Scalar], of: &[M::Scalar]| {
            out.iter_mut().zip(of).for_each(|(out, &residual)| *out = -residual);
        };
        for (member, &at) in structure.members.iter().zip(&order.members) {
            let n = member.dimension;
            negated(&mut unknowns[at..at + n], &balance[member.offset..]);
            if *is_stabilised {
                unknowns[at + n..at + 2 * n].fill(zero);
            }
        }
        let (layout, shapes) = (structure.layout(), &structure.shapes);
        order.each_rows(layout, shapes, *is_stabilised, |at, row, count, is_projection| {
            let of = if row >= positions && !is_projection { velocity } else { position };
            negated(&mut unknowns[at..at + count], &of[row..]);
        });
        matrix.solve(unknowns);
        let (increment, accelerations) = (correction.increment.as_mut_slice(), correction.acceleration.as_mut_slice());
        for (member, &at) in structure.members.iter().zip(&order.members) {
            let (n, components) = (member.dimension, member.offset..member.offset + member.dimension);
            // y follows x, if x is an unknown.
            let y = &unknowns[if *is_stabilised { at + n..at + 2 * n } else { at..at + n }];
            // ζ = T⁻¹ y.
            let tangent = blocks.position[member.block..member.block + n * n].chunks_exact(n);
            let zeta = &mut increment[components.clone()];
            for (out, row) in zeta.iter_mut().zip(tangent) {
                *out = row.iter().zip(y).fold(zero, |sum, (&a, &b)| sum + a * b);
            }
            accelerations[components].copy_from_slice(if *is_stabilised { &unknowns[at..at + n] } else { zeta });
        }
        let (multipliers, projections) = (correction.multipliers.as_mut_slice(), cleared(&mut correction.projection));
        order.each_rows(layout, shapes, *is_stabilised, |at, row, count, is_projection| {
            let out = if is_projection { &mut *projections } else { &mut *multipliers };
            out[row..row + count].copy_from_slice(&unknowns[at..at + count]);
        });
    }

    fn correct_iteration(
        _: &M,
        _: &IterationPoint<'_, M>,
        _: &IterationCoefficients<M::Scalar>,
        _: &IterationResidual<M>,
        _: &mut IterationCorrection<M>,
    ) -> bool {
        false
    }
}
