//! The linear systems of implicit methods over chains.
//!
//! With y = T ζ, the change of the increment of the step seen from the end of the step, the equations of
//! [`iteration`](crate::system::IterationPoint) need T⁻¹ where a matrix of one member stands and leave those of
//! neighbours alone. Without stabilisation x = ζ = T⁻¹ y:
//!
//! ```text
//! ((c_M M + c_C C) T⁻¹ + c_K K) y + Bᵀ λ̂ = −h² r,
//! B y = −Φ   or, of velocity constraints,   (c_B B T⁻¹ + c_H H) y = −h (B v + b).
//! ```
//!
//! With it x = T⁻¹ y + B₀ᵀ η̂ is an unknown of its own, so that no product of Jacobians widens the band:
//!
//! ```text
//! (c_M M + c_C C) x + c_K K y + Bᵀ λ̂ = −h² r,      x − T⁻¹ y − B₀ᵀ η̂ = 0,
//! c_B B x + c_H H y = −h (B v + b),                 B y = −Φ.
//! ```
//!
//! In local coordinates, which are never stabilised, M, C and ζ have blocks of their own where T⁻¹ stands: see
//! [`ChainBlocks`].
//!
//! Elimination goes from x to y to λ̂ and η̂ of each member and of the constraints that follow it, with the equations as
//! they stand above: their diagonal blocks are c_M M and −T⁻¹, and those of the constraints become −B (c_M M)⁻¹ Bᵀ. T(θ)
//! is regular for rotations of less than a turn a step.

mod equations;

use nalgebra::DVector;

use super::assembly::{Matrices, Matrix, Point, Residual};
use super::layout::CLAMPED;
use super::matrix::ChainMatrix;
use super::mechanical::cleared;
use super::order::Unknown;
use super::redundant::{is_redundant, relax_jointly};
use super::saddle::explain;
use super::{ChainBlocks, ElementSystem, Linearisable};
use crate::scalar::Scalar;
use crate::solve::relaxation;
use crate::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, Linearised, SaddleError,
};
use equations::{Equations, add_definitions};

/// The eliminated linear system of an iteration over a chain.
#[derive(Clone, Debug)]
pub struct ChainIteration<S> {
    plain: ChainMatrix<S>,
    stabilised: ChainMatrix<S>,
    is_stabilised: bool,
    blocks: ChainBlocks<S>,
    /// B₀.
    projection: Vec<S>,
    /// A right-hand side in the order of the matrix.
    unknowns: Vec<S>,
}

impl<M: ElementSystem<Dynamics: Linearisable>> Linearised for M {
    type Matrix = Vec<Self::Scalar>;
    type Factorisation = ChainIteration<Self::Scalar>;

    fn zero_matrix(&self) -> Vec<Self::Scalar> {
        vec![Self::Scalar::from_f64(0.0); self.structure().matrix_length()]
    }

    fn matrix_entry(&self, matrix: &Vec<Self::Scalar>, row: usize, column: usize) -> Self::Scalar {
        let structure = self.structure();
        let mut sum = Self::Scalar::from_f64(0.0);
        let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.matrix_starts);
        for ((kind, shape), &start) in kinds {
            for place in kind.places() {
                // The local components that stand for a global one.
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
                        sum += matrix[start + place.element * n * n + i * n + j];
                    }
                }
            }
        }
        sum
    }

    fn matrix_times(&self, matrix: &Vec<Self::Scalar>, x: &DVector<Self::Scalar>, out: &mut DVector<Self::Scalar>) {
        let structure = self.structure();
        let (x, out) = (x.as_slice(), cleared(out));
        let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.matrix_starts);
        for ((kind, shape), &start) in kinds {
            let n = shape.components;
            if n == 0 {
                continue;
            }
            for (place, block) in kind.places().zip(matrix[start..].chunks_exact(n * n)) {
                // The global components that the local ones stand for.
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
                        out[global_row] += block[row * n + column] * x[global_column];
                    }
                }
            }
        }
    }

    #[inline]
    fn residual(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        acceleration: &DVector<Self::Scalar>,
        multipliers: &DVector<Self::Scalar>,
        out: &mut DVector<Self::Scalar>,
    ) {
        let here = self.in_state(t, q, v);
        self.visit(&mut Residual {
            point: Point { system: here.as_ref().unwrap_or(self), t, q },
            v: v.as_slice(),
            acceleration: acceleration.as_slice(),
            multipliers: multipliers.as_slice(),
            out: cleared(out),
            constraint: None,
        });
    }

    #[inline]
    fn residual_and_constraint(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        acceleration: &DVector<Self::Scalar>,
        multipliers: &DVector<Self::Scalar>,
        residual: &mut DVector<Self::Scalar>,
        constraint: &mut DVector<Self::Scalar>,
    ) {
        let here = self.in_state(t, q, v);
        self.visit(&mut Residual {
            point: Point { system: here.as_ref().unwrap_or(self), t, q },
            v: v.as_slice(),
            acceleration: acceleration.as_slice(),
            multipliers: multipliers.as_slice(),
            out: cleared(residual),
            constraint: Some(constraint.as_mut_slice()),
        });
    }

    fn mass_matrix(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Vec<Self::Scalar>) {
        super::assembly::mass(self, self.structure(), t, q, out);
    }

    fn tangent_stiffness(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        acceleration: &DVector<Self::Scalar>,
        multipliers: &DVector<Self::Scalar>,
        out: &mut Vec<Self::Scalar>,
    ) {
        let here = self.in_state(t, q, v);
        let system = here.as_ref().unwrap_or(self);
        let (v, acceleration, multipliers) = (v.as_slice(), acceleration.as_slice(), multipliers.as_slice());
        let matrix = Matrix::Stiffness { v, acceleration, multipliers };
        let starts = &self.structure().matrix_starts;
        self.visit(&mut Matrices { point: Point { system, t, q }, matrix, starts, out });
    }

    fn tangent_damping(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        out: &mut Vec<Self::Scalar>,
    ) {
        let here = self.in_state(t, q, v);
        let system = here.as_ref().unwrap_or(self);
        let matrix = Matrix::Damping { v: v.as_slice() };
        let starts = &self.structure().matrix_starts;
        self.visit(&mut Matrices { point: Point { system, t, q }, matrix, starts, out });
    }

    fn zero_factorisation(&self) -> ChainIteration<Self::Scalar> {
        let structure = self.structure();
        let zeros = |length| vec![Self::Scalar::from_f64(0.0); length];
        ChainIteration {
            plain: structure.saddle.pattern.matrix(),
            stabilised: structure.stabilised.pattern.matrix(),
            is_stabilised: false,
            blocks: ChainBlocks {
                position: zeros(structure.blocks_length()),
                velocity: zeros(structure.blocks_length()),
                acceleration: zeros(structure.blocks_length()),
            },
            projection: zeros(structure.jacobian_length()),
            unknowns: zeros(structure.stabilised.unknowns.len()),
        }
    }

    fn factorise_iteration(
        &self,
        point: &IterationPoint<'_, Self>,
        coefficients: &IterationCoefficients<Self::Scalar>,
        projection: Option<&Vec<Self::Scalar>>,
        out: &mut ChainIteration<Self::Scalar>,
    ) -> Result<(), SaddleError> {
        let here = self.in_state(point.t, point.q, point.v);
        let system = here.as_ref().unwrap_or(self);
        let structure = self.structure();
        let ChainIteration { plain, stabilised, is_stabilised, blocks, projection: start, .. } = out;
        if let Some(local) = &point.local {
            let c = coefficients;
            let scales = [c.rate_gradient / c.rate, c.rate / c.rate_gradient, c.stiffness / c.mass];
            blocks.set_local(self.chain_space(), local, scales);
        } else {
            blocks.set_tangent_inverse(self.chain_space(), point.theta.as_slice());
        }
        let blocks = &*blocks;
        *is_stabilised = projection.is_some();
        let order = if *is_stabilised { &structure.stabilised } else { &structure.saddle };
        let matrix = if *is_stabilised { stabilised } else { plain };
        if let Some(projection) = projection {
            start.copy_from_slice(projection);
        }
        matrix
            .factorise(|matrix| {
                if projection.is_some() {
                    add_definitions(structure, &blocks.position, matrix);
                }
                self.visit(&mut Equations {
                    at: Point { system, t: point.t, q: point.q },
                    v: point.v.as_slice(),
                    acceleration: point.acceleration.as_slice(),
                    multipliers: point.multipliers.as_slice(),
                    coefficients,
                    blocks,
                    is_local: point.local.is_some(),
                    projection: projection.map(Vec::as_slice),
                    reactions: point.reactions.map(Vec::as_slice),
                    matrix,
                });
                if is_redundant::<M>() {
                    relax_jointly(structure, order, projection.is_some(), relaxation::<M::Scalar>(), matrix);
                }
            })
            .map_err(|error| explain(error, &order.unknowns))
    }

    fn solve_iteration(
        &self,
        factorisation: &mut ChainIteration<Self::Scalar>,
        residual: &IterationResidual<Self>,
        correction: &mut IterationCorrection<Self>,
    ) {
        let structure = self.structure();
        let ChainIteration { plain, stabilised, is_stabilised, blocks, unknowns, .. } = factorisation;
        let (matrix, order) =
            if *is_stabilised { (stabilised, &structure.stabilised) } else { (plain, &structure.saddle) };
        // Positions of holonomic rows are asked for by η̂ where there is one, by λ̂ where there is none.
        let positions = if *is_stabilised { 0 } else { structure.layout().holonomic_rows };
        let zero = Self::Scalar::from_f64(0.0);
        let balance = residual.balance.as_slice();
        let (position, velocity) = (residual.position.as_slice(), residual.velocity.as_slice());
        let unknowns = &mut unknowns[..order.unknowns.len()];
        for (unknown, label) in unknowns.iter_mut().zip(&order.unknowns) {
            *unknown = match *label {
                Unknown::Component(_) if *is_stabilised => zero,
                Unknown::Component(component) | Unknown::Acceleration(component) => -balance[component],
                Unknown::Row(row) if row >= positions => -velocity[row],
                Unknown::Row(row) | Unknown::Projection(row) => -position[row],
            };
        }
        matrix.solve(unknowns);
        let increment = correction.increment.as_mut_slice();
        let multipliers = correction.multipliers.as_mut_slice();
        let accelerations = correction.acceleration.as_mut_slice();
        let projections = cleared(&mut correction.projection);
        for (&unknown, label) in unknowns.iter().zip(&order.unknowns) {
            match *label {
                Unknown::Component(component) => accelerations[component] = unknown,
                Unknown::Row(row) => multipliers[row] = unknown,
                Unknown::Projection(row) => projections[row] = unknown,
                Unknown::Acceleration(_) => {}
            }
        }
        // ζ = T⁻¹ y.
        for member in &structure.members {
            let (n, components) = (member.dimension, member.offset..member.offset + member.dimension);
            let y = &accelerations[components.clone()];
            let tangent = blocks.position[member.block..member.block + n * n].chunks_exact(n);
            for (out, row) in increment[components].iter_mut().zip(tangent) {
                *out = row.iter().zip(y).fold(zero, |sum, (&a, &b)| sum + a * b);
            }
        }
        if *is_stabilised {
            for (&unknown, label) in unknowns.iter().zip(&order.unknowns) {
                if let Unknown::Acceleration(component) = *label {
                    accelerations[component] = unknown;
                }
            }
        } else {
            accelerations.copy_from_slice(increment);
        }
    }
}
