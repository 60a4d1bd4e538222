//! The linear systems of implicit methods over chains, as bands.
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
//! x − T⁻¹ y − B₀ᵀ η̂ = 0,                  (c_M M + c_C C) x + c_K K y + Bᵀ λ̂ = −h² r,
//! B y = −Φ,                               c_B B x + c_H H y = −h (B v + b).
//! ```
//!
//! In local coordinates, which are never stabilised, M, C and ζ have blocks of their own where T⁻¹ stands: see
//! [`ChainBlocks`].
//!
//! Elimination goes from x to y to λ̂ and η̂ of each member and of the constraints that follow it. T(θ) is regular for
//! rotations of less than a turn a step.

use nalgebra::DVector;

use super::assembly::{Matrices, Matrix, Point, Residual, Sizes, gather, gather_rows, jacobian_of};
use super::layout::CLAMPED;
use super::mechanical::cleared;
use super::order::Unknown;
use super::saddle::explain;
use super::{Block, ChainBlocks, ChainCoordinates, Element, ElementSystem, Linearisable, Structure, Visitor};
use crate::scalar::Scalar;
use crate::solve::BandedLu;
use crate::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, Linearised, LocalPoint, SaddleError,
};

/// The eliminated linear system of an iteration over a chain.
#[derive(Clone, Debug)]
pub struct ChainIteration<S> {
    plain: BandedLu<S>,
    stabilised: BandedLu<S>,
    is_stabilised: bool,
    blocks: ChainBlocks<S>,
    /// B₀.
    projection: Vec<S>,
    /// A right-hand side in the order of the band.
    unknowns: Vec<S>,
}

/// A local matrix multiplied by T⁻¹ of the slots of its columns: `out = matrix T⁻¹`.
#[inline]
fn times_tangents<M: ElementSystem, E: Element<M>>(
    structure: &Structure<M::Scalar>,
    offsets: &[usize],
    tangents: &[M::Scalar],
    matrix: &mut [M::Scalar],
) {
    let components = Sizes::<M, E>::COMPONENTS;
    let mut start = 0;
    for (&size, &offset) in E::SLOTS.iter().zip(offsets) {
        if offset != CLAMPED {
            let block = structure.members[structure.member_of[offset]].block;
            let tangent = &tangents[block..block + size * size];
            for row in matrix.chunks_exact_mut(components) {
                let row = &mut row[start..start + size];
                let mut product = E::Vector::zeros();
                let product = &mut product.as_mut()[..size];
                for (&entry, tangent) in row.iter().zip(tangent.chunks_exact(size)) {
                    for (sum, &tangent) in product.iter_mut().zip(tangent) {
                        *sum += entry * tangent;
                    }
                }
                row.copy_from_slice(product);
            }
        }
        start += size;
    }
}

/// Adds the equations of the elements to the band.
struct Equations<'a, M: ElementSystem> {
    at: Point<'a, M>,
    v: &'a [M::Scalar],
    acceleration: &'a [M::Scalar],
    multipliers: &'a [M::Scalar],
    coefficients: &'a IterationCoefficients<M::Scalar>,
    blocks: &'a ChainBlocks<M::Scalar>,
    /// True if M and C have blocks of their own.
    is_local: bool,
    /// B₀ of the stabilised formulation.
    projection: Option<&'a [M::Scalar]>,
    /// The Jacobian of the reactions, if it is not B.
    reactions: Option<&'a [M::Scalar]>,
    band: &'a mut BandedLu<M::Scalar>,
}

/// Adds a block of a local matrix to the band.
#[inline]
fn add_block<S: Scalar>(
    band: &mut BandedLu<S>,
    (row, column): (usize, usize),
    (rows, columns): (usize, usize),
    entries: &[S],
    stride: usize,
) {
    let (step, position) = (band.stride(), band.position(row, column));
    let out = &mut band.values_mut()[position..];
    for i in 0..rows {
        let out = &mut out[i * step..][..columns];
        for (sum, &entry) in out.iter_mut().zip(&entries[i * stride..][..columns]) {
            *sum += entry;
        }
    }
}

impl<M: ElementSystem> Equations<'_, M> {
    /// Adds a local matrix of slots by slots; `rows` and `columns` are 1 where the copies beside the first are meant.
    #[inline]
    fn add_matrix<E: Element<M>>(&mut self, positions: &[usize], copies: [usize; 2], matrix: &[M::Scalar]) {
        let components = Sizes::<M, E>::COMPONENTS;
        let mut row = 0;
        for (&rows, &row_position) in E::SLOTS.iter().zip(positions) {
            let mut column = 0;
            for (&columns, &column_position) in E::SLOTS.iter().zip(positions) {
                if row_position != CLAMPED && column_position != CLAMPED {
                    let at = (row_position + copies[0] * rows, column_position + copies[1] * columns);
                    add_block(self.band, at, (rows, columns), &matrix[row * components + column..], components);
                }
                column += columns;
            }
            row += rows;
        }
    }

    /// Adds some rows of a local Jacobian.
    #[inline]
    fn add_rows<E: Element<M>>(
        &mut self,
        positions: &[usize],
        copy: usize,
        row_position: usize,
        range: core::ops::Range<usize>,
        jacobian: &[M::Scalar],
    ) {
        let components = Sizes::<M, E>::COMPONENTS;
        let mut column = 0;
        for (&columns, &position) in E::SLOTS.iter().zip(positions) {
            if position != CLAMPED {
                let at = (row_position, position + copy * columns);
                let entries = &jacobian[range.start * components + column..];
                add_block(self.band, at, (range.len(), columns), entries, components);
            }
            column += columns;
        }
    }

    /// Adds the transpose of some rows of a local Jacobian.
    #[inline]
    fn add_transposed<E: Element<M>>(
        &mut self,
        positions: &[usize],
        copy: usize,
        column_position: usize,
        rows: usize,
        sign: M::Scalar,
        jacobian: &[M::Scalar],
    ) {
        let components = Sizes::<M, E>::COMPONENTS;
        let mut component = 0;
        for (&size, &position) in E::SLOTS.iter().zip(positions) {
            if position != CLAMPED {
                for i in 0..size {
                    for row in 0..rows {
                        let entry = jacobian[row * components + component + i];
                        self.band.add(position + copy * size + i, column_position + row, sign * entry);
                    }
                }
            }
            component += size;
        }
    }
}

impl<M: ElementSystem> Visitor<M> for Equations<'_, M> {
    #[inline]
    #[allow(clippy::too_many_lines)] // The terms of the equations, in order.
    fn element<E: Element<M>>(&mut self) {
        let Point { system, t, q } = self.at;
        let structure = system.structure();
        let (kind, rows) = (E::KIND, Sizes::<M, E>::ROWS);
        let is_stabilised = self.projection.is_some();
        let order = if is_stabilised { &structure.stabilised } else { &structure.saddle };
        let slots = E::SLOTS.len();
        let c = *self.coefficients;
        let (mut v, mut acceleration, mut multipliers) = (E::Vector::zeros(), E::Vector::zeros(), E::Rows::zeros());
        let mut local = E::Matrix::zeros();
        let (mut jacobian, mut gradient) = (E::Jacobian::zeros(), E::Jacobian::zeros());
        let has_matrix = E::TERMS.inertia || E::TERMS.damping || E::TERMS.stiffness;
        let needs_rates = is_stabilised || E::HOLONOMIC_ROWS < rows;
        for place in self.at.places::<E>() {
            let positions = &order.slots[kind][place.index * slots..][..slots];
            gather::<M, E>(&place, self.v, v.as_mut());
            if has_matrix {
                let mut of_x = E::Matrix::zeros();
                if E::TERMS.inertia {
                    E::mass(system, &place, t, q, &mut local);
                    for (sum, &term) in of_x.as_mut().iter_mut().zip(local.as_ref()) {
                        *sum = c.mass * term;
                    }
                    if self.is_local {
                        let blocks = &self.blocks.acceleration;
                        times_tangents::<M, E>(structure, place.offsets, blocks, of_x.as_mut());
                    }
                }
                if E::TERMS.damping {
                    E::damping(system, &place, t, q, &v, &mut local);
                    if self.is_local {
                        let blocks = &self.blocks.velocity;
                        times_tangents::<M, E>(structure, place.offsets, blocks, local.as_mut());
                    }
                    for (sum, &term) in of_x.as_mut().iter_mut().zip(local.as_ref()) {
                        *sum += c.damping * term;
                    }
                }
                let mut of_y = E::Matrix::zeros();
                if E::TERMS.stiffness {
                    gather::<M, E>(&place, self.acceleration, acceleration.as_mut());
                    gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut());
                    E::stiffness(system, &place, t, q, &v, &acceleration, &multipliers, &mut local);
                    for (sum, &term) in of_y.as_mut().iter_mut().zip(local.as_ref()) {
                        *sum = c.stiffness * term;
                    }
                }
                if is_stabilised {
                    // Rows of the balance are those of y.
                    self.add_matrix::<E>(positions, [1, 0], of_x.as_ref());
                    if E::TERMS.stiffness {
                        self.add_matrix::<E>(positions, [1, 1], of_y.as_ref());
                    }
                } else {
                    if E::TERMS.inertia || E::TERMS.damping {
                        if !self.is_local {
                            times_tangents::<M, E>(structure, place.offsets, &self.blocks.position, of_x.as_mut());
                        }
                        for (sum, &term) in of_y.as_mut().iter_mut().zip(of_x.as_ref()) {
                            *sum += term;
                        }
                    }
                    self.add_matrix::<E>(positions, [0, 0], of_y.as_ref());
                }
            }
            if rows == 0 {
                continue;
            }
            let row = order.rows[kind][place.index];
            let one = M::Scalar::from_f64(1.0);
            E::constraint_jacobian(system, &place, t, q, &mut jacobian);
            if needs_rates {
                E::rate_gradient(system, &place, t, q, &v, &mut gradient);
                for entry in gradient.as_mut() {
                    *entry *= c.rate_gradient;
                }
            }
            let copy = usize::from(is_stabilised);
            match self.reactions {
                Some(list) => {
                    let own = jacobian_of::<M, E>(structure, list, place.index);
                    self.add_transposed::<E>(positions, copy, row, rows, one, own);
                }
                None => self.add_transposed::<E>(positions, copy, row, rows, one, jacobian.as_ref()),
            }
            if let Some(projection) = self.projection {
                self.add_rows::<E>(positions, 1, row, 0..rows, gradient.as_ref());
                self.add_rows::<E>(positions, 1, row + rows, 0..E::HOLONOMIC_ROWS, jacobian.as_ref());
                let size = rows * Sizes::<M, E>::COMPONENTS;
                let start = &projection[structure.jacobian_starts[kind] + place.index * size..][..size];
                self.add_transposed::<E>(positions, 0, row + rows, E::HOLONOMIC_ROWS, -one, start);
                for entry in jacobian.as_mut() {
                    *entry *= c.rate;
                }
                self.add_rows::<E>(positions, 0, row, 0..rows, jacobian.as_ref());
            } else {
                self.add_rows::<E>(positions, 0, row, 0..E::HOLONOMIC_ROWS, jacobian.as_ref());
                if needs_rates {
                    let range = E::HOLONOMIC_ROWS..rows;
                    let first = row + E::HOLONOMIC_ROWS;
                    let blocks = if self.is_local { &self.blocks.velocity } else { &self.blocks.position };
                    times_tangents::<M, E>(structure, place.offsets, blocks, jacobian.as_mut());
                    for (sum, &term) in gradient.as_mut().iter_mut().zip(jacobian.as_ref()) {
                        *sum += c.rate * term;
                    }
                    self.add_rows::<E>(positions, 0, first, range, gradient.as_ref());
                }
            }
        }
    }
}

/// The components of a motion in local coordinates.
fn coordinates<'a, M: ElementSystem>(point: &LocalPoint<'a, M>) -> ChainCoordinates<'a, M::Scalar> {
    let LocalPoint { map, x, rate, second } = *point;
    ChainCoordinates { map, x: x.as_slice(), rate: rate.as_slice(), second: second.as_slice() }
}

/// Adds x − T⁻¹ y of every member.
fn add_definitions<S: Scalar>(structure: &Structure<S>, tangents: &[S], band: &mut BandedLu<S>) {
    for (member, &position) in structure.members.iter().zip(&structure.stabilised.members) {
        let n = member.dimension;
        for i in 0..n {
            band.add(position + i, position + i, S::one());
            for j in 0..n {
                band.add(position + i, position + n + j, -tangents[member.block + i * n + j]);
            }
        }
    }
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
                        sum += matrix[start + place.index * n * n + i * n + j];
                    }
                }
            }
        }
        sum
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
        self.visit(&mut Residual {
            point: Point { system: self, t, q },
            v: v.as_slice(),
            acceleration: acceleration.as_slice(),
            multipliers: multipliers.as_slice(),
            out: cleared(out),
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
        let (v, acceleration, multipliers) = (v.as_slice(), acceleration.as_slice(), multipliers.as_slice());
        let matrix = Matrix::Stiffness { v, acceleration, multipliers };
        let starts = &self.structure().matrix_starts;
        self.visit(&mut Matrices { point: Point { system: self, t, q }, matrix, starts, out });
    }

    fn tangent_damping(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        out: &mut Vec<Self::Scalar>,
    ) {
        let matrix = Matrix::Damping { v: v.as_slice() };
        let starts = &self.structure().matrix_starts;
        self.visit(&mut Matrices { point: Point { system: self, t, q }, matrix, starts, out });
    }

    fn local_motion(
        &self,
        point: &LocalPoint<'_, Self>,
        theta: &mut DVector<Self::Scalar>,
        velocity: &mut DVector<Self::Scalar>,
        acceleration: &mut DVector<Self::Scalar>,
    ) {
        let out = [theta.as_mut_slice(), velocity.as_mut_slice(), acceleration.as_mut_slice()];
        ElementSystem::local_motion(self, &coordinates(point), out);
    }

    fn zero_factorisation(&self) -> ChainIteration<Self::Scalar> {
        let structure = self.structure();
        let zeros = |length| vec![Self::Scalar::from_f64(0.0); length];
        ChainIteration {
            plain: structure.saddle.band(),
            stabilised: structure.stabilised.band(),
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
        let structure = self.structure();
        let ChainIteration { plain, stabilised, is_stabilised, blocks, projection: start, .. } = out;
        if let Some(local) = &point.local {
            let c = coefficients;
            let scales = [c.rate_gradient / c.rate, c.rate / c.rate_gradient, c.stiffness / c.mass];
            self.local_blocks(&coordinates(local), scales, blocks);
        } else {
            self.tangent_inverse_blocks(point.theta.as_slice(), &mut blocks.position);
        }
        let blocks = &*blocks;
        *is_stabilised = projection.is_some();
        let order = if *is_stabilised { &structure.stabilised } else { &structure.saddle };
        let band = if *is_stabilised { stabilised } else { plain };
        if let Some(projection) = projection {
            start.copy_from_slice(projection);
        }
        band.factorise(|band| {
            if projection.is_some() {
                add_definitions(structure, &blocks.position, band);
            }
            self.visit(&mut Equations {
                at: Point { system: self, t: point.t, q: point.q },
                v: point.v.as_slice(),
                acceleration: point.acceleration.as_slice(),
                multipliers: point.multipliers.as_slice(),
                coefficients,
                blocks,
                is_local: point.local.is_some(),
                projection: projection.map(Vec::as_slice),
                reactions: point.reactions.map(Vec::as_slice),
                band,
            });
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
        let (band, order) =
            if *is_stabilised { (stabilised, &structure.stabilised) } else { (plain, &structure.saddle) };
        // Positions of holonomic rows are asked for by η̂ where there is one, by λ̂ where there is none.
        let positions = if *is_stabilised { 0 } else { structure.layout().holonomic_rows };
        let zero = Self::Scalar::from_f64(0.0);
        let balance = residual.balance.as_slice();
        let (position, velocity) = (residual.position.as_slice(), residual.velocity.as_slice());
        let unknowns = &mut unknowns[..order.unknowns.len()];
        for (unknown, label) in unknowns.iter_mut().zip(&order.unknowns) {
            *unknown = match *label {
                Unknown::Component(component) => -balance[component],
                Unknown::Row(row) if row >= positions => -velocity[row],
                Unknown::Row(row) | Unknown::Projection(row) => -position[row],
                Unknown::Acceleration(_) => zero,
            };
        }
        band.solve(unknowns);
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
