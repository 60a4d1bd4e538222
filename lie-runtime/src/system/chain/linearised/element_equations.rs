//! The equations of an iteration, element by element.

use core::ops::Range;

use crate::scalar::Scalar;
use crate::system::chain::assembly::{ElementSizes, EvaluationPoint, gather, gather_rows, jacobian_of};
use crate::system::chain::elimination_order::EliminationOrder;
use crate::system::chain::layout::CLAMPED;
use crate::system::chain::panels::MatrixPanel;
use crate::system::chain::system_matrix::{BlockPosition, MatrixEntries};
use crate::system::chain::{ChainBlocks, ElementSystem, ElementVisitor, Structure};
use crate::system::{Block, IterationCoefficients, Term};

/// Adds the equations of the elements to the matrix.
pub(super) struct ElementEquations<'a, 'b, M: ElementSystem> {
    pub(super) panel: MatrixPanel<'a>,
    pub(super) at: EvaluationPoint<'a, M>,
    pub(super) v: &'a [M::Scalar],
    pub(super) acceleration: &'a [M::Scalar],
    pub(super) multipliers: &'a [M::Scalar],
    pub(super) coefficients: &'a IterationCoefficients<M::Scalar>,
    pub(super) blocks: &'a ChainBlocks<M::Scalar>,
    pub(super) order: &'a EliminationOrder,
    /// True if M and C have separate blocks.
    pub(super) is_local: bool,
    /// B₀ of the stabilised formulation.
    pub(super) projection: Option<&'a [M::Scalar]>,
    /// The Jacobian of the reactions, if it is not B.
    pub(super) reactions: Option<&'a [M::Scalar]>,
    pub(super) matrix: &'a mut MatrixEntries<'b, M::Scalar>,
}

impl<M: ElementSystem> ElementEquations<'_, '_, M> {
    /// Adds a local matrix of slots by slots; `copy` is 1 for the columns of y, which follow those of x.
    #[inline]
    fn add_matrix<E: Term<M>>(&mut self, positions: &[usize], copy: usize, matrix: &[M::Scalar]) {
        let components = ElementSizes::<M, E>::COMPONENTS;
        let mut row = 0;
        for (&rows, &row_position) in E::SLOTS.iter().zip(positions) {
            let mut column = 0;
            for (&columns, &column_position) in E::SLOTS.iter().zip(positions) {
                if row_position != CLAMPED && column_position != CLAMPED {
                    let block = &matrix[row * components + column..];
                    let at =
                        BlockPosition { row: row_position, column: column_position + copy * columns, rows, columns };
                    self.matrix.add_block(at, |i, j| block[i * components + j]);
                }
                column += columns;
            }
            row += rows;
        }
    }

    /// Adds some rows of a local Jacobian.
    #[inline]
    fn add_rows<E: Term<M>>(
        &mut self,
        positions: &[usize],
        copy: usize,
        row_position: usize,
        range: core::ops::Range<usize>,
        jacobian: &[M::Scalar],
    ) {
        let components = ElementSizes::<M, E>::COMPONENTS;
        let mut column = 0;
        for (&columns, &position) in E::SLOTS.iter().zip(positions) {
            if position != CLAMPED {
                let entries = &jacobian[range.start * components + column..];
                let at =
                    BlockPosition { row: row_position, column: position + copy * columns, rows: range.len(), columns };
                self.matrix.add_block(at, |i, j| entries[i * components + j]);
            }
            column += columns;
        }
    }

    /// Adds the transpose of some rows of a local Jacobian.
    #[inline]
    fn add_transposed<E: Term<M>>(
        &mut self,
        positions: &[usize],
        copy: usize,
        column_position: usize,
        rows: usize,
        sign: M::Scalar,
        jacobian: &[M::Scalar],
    ) {
        let components = ElementSizes::<M, E>::COMPONENTS;
        let mut component = 0;
        for (&size, &position) in E::SLOTS.iter().zip(positions) {
            if position != CLAMPED {
                let at =
                    BlockPosition { row: position + copy * size, column: column_position, rows: size, columns: rows };
                self.matrix.add_block(at, |i, j| sign * jacobian[j * components + component + i]);
            }
            component += size;
        }
    }
}

impl<M: ElementSystem> ElementVisitor<M> for ElementEquations<'_, '_, M> {
    #[inline]
    #[allow(clippy::too_many_lines)] // The terms of the equations, in order.
    fn element<E: Term<M>>(&mut self) {
        // The code of constant conditions that are false is not compiled.
        if const { !(E::CONTRIBUTIONS.inertia || E::CONTRIBUTIONS.damping || E::CONTRIBUTIONS.stiffness) }
            && const { ElementSizes::<M, E>::ROWS == 0 }
        {
            return;
        }
        let EvaluationPoint { system, t, q } = self.at;
        let structure = system.structure();
        let (kind, rows) = (E::KIND, ElementSizes::<M, E>::ROWS);
        let is_stabilised = self.projection.is_some();
        let order = self.order;
        let slots = E::SLOTS.len();
        let c = *self.coefficients;
        let (mut v, mut acceleration, mut multipliers) = (E::Vector::zeros(), E::Vector::zeros(), E::Rows::zeros());
        let (mut mass, mut damping, mut stiffness) = (E::Matrix::zeros(), E::Matrix::zeros(), E::Matrix::zeros());
        let (mut jacobian, mut gradient) = (E::Jacobian::zeros(), E::Jacobian::zeros());
        let has_x = E::CONTRIBUTIONS.inertia || E::CONTRIBUTIONS.damping;
        let needs_rates = is_stabilised || E::HOLONOMIC_ROWS < rows;
        for place in self.at.places_within::<E>(self.panel.elements(kind)) {
            let positions = &order.slots[kind][place.element * slots..][..slots];
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            if const { E::CONTRIBUTIONS.stiffness } {
                gather::<M, E>(&place, self.acceleration, acceleration.as_mut_slice());
                gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut_slice());
            }
            let out = (&mut stiffness, &mut damping, &mut jacobian);
            E::linearise(system, &place, t, q, &v, &acceleration, &multipliers, out.0, out.1, out.2);
            for entry in stiffness.as_mut_slice().iter_mut().filter(|_| E::CONTRIBUTIONS.stiffness) {
                *entry *= c.stiffness;
            }
            // The matrix that multiplies x: c_C C, then c_M M as well.
            let of_x = &mut damping;
            if const { E::CONTRIBUTIONS.damping } {
                if self.is_local {
                    times_tangents::<M, E>(structure, place.offsets, &self.blocks.velocity, of_x.as_mut_slice());
                }
                for entry in of_x.as_mut_slice() {
                    *entry *= c.damping;
                }
            }
            if const { E::CONTRIBUTIONS.inertia } {
                E::mass_matrix(system, &place, t, q, &mut mass);
                if self.is_local {
                    times_tangents::<M, E>(structure, place.offsets, &self.blocks.acceleration, mass.as_mut_slice());
                }
                for (sum, &term) in of_x.as_mut_slice().iter_mut().zip(mass.as_slice()) {
                    *sum = if const { E::CONTRIBUTIONS.damping } { *sum + c.mass * term } else { c.mass * term };
                }
            }
            if is_stabilised {
                if has_x {
                    self.add_matrix::<E>(positions, 0, of_x.as_slice());
                }
                if const { E::CONTRIBUTIONS.stiffness } {
                    self.add_matrix::<E>(positions, 1, stiffness.as_slice());
                }
            } else if has_x {
                if !self.is_local {
                    times_tangents::<M, E>(structure, place.offsets, &self.blocks.position, of_x.as_mut_slice());
                }
                for (sum, &term) in
                    of_x.as_mut_slice().iter_mut().zip(stiffness.as_slice()).filter(|_| E::CONTRIBUTIONS.stiffness)
                {
                    *sum += term;
                }
                self.add_matrix::<E>(positions, 0, of_x.as_slice());
            } else if const { E::CONTRIBUTIONS.stiffness } {
                self.add_matrix::<E>(positions, 0, stiffness.as_slice());
            }
            if const { ElementSizes::<M, E>::ROWS == 0 } {
                continue;
            }
            let row = order.rows[kind][place.element];
            let one = M::Scalar::from_f64(1.0);
            if needs_rates {
                E::rate_gradient(system, &place, t, q, &v, &mut gradient);
                for entry in gradient.as_mut_slice() {
                    *entry *= c.rate_gradient;
                }
            }
            match self.reactions {
                Some(list) => {
                    let own = jacobian_of::<M, E>(structure, list, place.element);
                    self.add_transposed::<E>(positions, 0, row, rows, one, own);
                }
                None => self.add_transposed::<E>(positions, 0, row, rows, one, jacobian.as_slice()),
            }
            if let Some(projection) = self.projection {
                self.add_rows::<E>(positions, 1, row, 0..rows, gradient.as_slice());
                self.add_rows::<E>(positions, 1, row + rows, 0..E::HOLONOMIC_ROWS, jacobian.as_slice());
                let size = rows * ElementSizes::<M, E>::COMPONENTS;
                let start = &projection[structure.jacobian_starts[kind] + place.element * size..][..size];
                self.add_transposed::<E>(positions, 1, row + rows, E::HOLONOMIC_ROWS, -one, start);
                for entry in jacobian.as_mut_slice() {
                    *entry *= c.rate;
                }
                self.add_rows::<E>(positions, 0, row, 0..rows, jacobian.as_slice());
            } else {
                self.add_rows::<E>(positions, 0, row, 0..E::HOLONOMIC_ROWS, jacobian.as_slice());
                if needs_rates {
                    let range = E::HOLONOMIC_ROWS..rows;
                    let first = row + E::HOLONOMIC_ROWS;
                    let blocks = if self.is_local { &self.blocks.velocity } else { &self.blocks.position };
                    times_tangents::<M, E>(structure, place.offsets, blocks, jacobian.as_mut_slice());
                    for (sum, &term) in gradient.as_mut_slice().iter_mut().zip(jacobian.as_slice()) {
                        *sum += c.rate * term;
                    }
                    self.add_rows::<E>(positions, 0, first, range, gradient.as_slice());
                }
            }
        }
    }
}

/// Adds x − T⁻¹ y of some members, in the rows of y.
#[inline(never)]
pub(in crate::system::chain) fn add_definitions<S: Scalar>(
    structure: &Structure<S>,
    order: &EliminationOrder,
    members: Range<usize>,
    tangents: &[S],
    matrix: &mut MatrixEntries<'_, S>,
) {
    for (member, &position) in structure.members[members.clone()].iter().zip(&order.members[members]) {
        let n = member.dimension;
        let tangent = &tangents[member.block..member.block + n * n];
        for i in 0..n {
            matrix.add(position + n + i, position + i, S::one());
        }
        let at = BlockPosition { row: position + n, column: position + n, rows: n, columns: n };
        matrix.add_block(at, |i, j| -tangent[i * n + j]);
    }
}

/// Multiplies a local matrix by T⁻¹ of the slots of its columns: `matrix = matrix T⁻¹`.
#[inline]
fn times_tangents<M: ElementSystem, E: Term<M>>(
    structure: &Structure<M::Scalar>,
    offsets: &[usize],
    tangents: &[M::Scalar],
    matrix: &mut [M::Scalar],
) {
    let components = ElementSizes::<M, E>::COMPONENTS;
    let mut start = 0;
    for (&size, &offset) in E::SLOTS.iter().zip(offsets) {
        if offset != CLAMPED {
            let block = structure.members[structure.member_of[offset]].block;
            let tangent = &tangents[block..block + size * size];
            for row in matrix.chunks_exact_mut(components) {
                let row = &mut row[start..start + size];
                let mut product = E::Vector::zeros();
                let product = &mut product.as_mut_slice()[..size];
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
