//! The matrices of frames: one block for each joint, and two blocks for each joint and ancestor.

use core::ops::Range;

use crate::scalar::Scalar;
use crate::system::IterationCoefficients;
use crate::system::chain::elimination_order::EliminationOrder;
use crate::system::chain::system_matrix::{BlockPosition, MatrixEntries};
use crate::system::chain::{KinematicTree, Structure};

/// Calls `visit` with every block: rows, columns, and range in the list.
fn each_block(tree: &KinematicTree, mut visit: impl FnMut(Range<usize>, Range<usize>, Range<usize>)) {
    let mut start = 0;
    tree.each_block(|rows, columns| {
        let end = start + rows.len() * columns.len();
        visit(rows, columns, start..end);
        start = end;
    });
}

/// Returns an entry.
#[inline(never)]
pub(in crate::system::chain) fn entry<S: Scalar>(tree: &KinematicTree, matrix: &[S], row: usize, column: usize) -> S {
    tree.entries_at(row, column).fold(S::zero(), |sum, at| sum + matrix[at])
}

/// Adds the product with a vector.
pub(super) fn add_times<S: Scalar>(tree: &KinematicTree, matrix: &[S], x: &[S], out: &mut [S]) {
    each_block(tree, |rows, columns, at| {
        for (out, row) in out[rows].iter_mut().zip(matrix[at].chunks_exact(columns.len())) {
            for (&entry, &x) in row.iter().zip(&x[columns.clone()]) {
                *out += entry * x;
            }
        }
    });
}

/// Adds the product of the transposed matrix with a vector.
pub(super) fn add_transpose_times<S: Scalar>(tree: &KinematicTree, matrix: &[S], x: &[S], out: &mut [S]) {
    each_block(tree, |rows, columns, at| {
        for (&x, row) in x[rows].iter().zip(matrix[at].chunks_exact(columns.len())) {
            for (&entry, out) in row.iter().zip(&mut out[columns.clone()]) {
                *out += entry * x;
            }
        }
    });
}

/// Adds (c_M M + c_C C) x + c_K K y to the balance, with x = T⁻¹ y and separate blocks for M and C. Without such blocks
/// x are separate unknowns, before y.
#[inline(never)]
pub(in crate::system::chain) fn add_equations<S: Scalar>(
    structure: &Structure<S>,
    order: &EliminationOrder,
    [mass, damping, stiffness]: [&[S]; 3],
    c: &IterationCoefficients<S>,
    tangents: Option<[&[S]; 2]>,
    matrix: &mut MatrixEntries<'_, S>,
) {
    each_block(structure.tree(), |rows, columns, at| {
        let [row, column] = [&rows, &columns].map(|range| structure.member_of[range.start]);
        let (member, size) = (&structure.members[column], columns.len());
        let [row, column] = [row, column].map(|member| order.members[member]);
        let place = BlockPosition { row, column, rows: rows.len(), columns: size };
        let (mass, damping, stiffness) = (&mass[at.clone()], &damping[at.clone()], &stiffness[at]);
        match tangents {
            Some([of_mass, of_damping]) => matrix.add_block(place, |i, j| {
                let times = |matrix: &[S], tangent: &[S]| {
                    let tangent = &tangent[member.block..];
                    (0..size).fold(S::zero(), |sum, k| sum + matrix[i * size + k] * tangent[k * size + j])
                };
                c.mass * times(mass, of_mass)
                    + c.damping * times(damping, of_damping)
                    + c.stiffness * stiffness[i * size + j]
            }),
            None => {
                matrix.add_block(place, |i, j| c.mass * mass[i * size + j] + c.damping * damping[i * size + j]);
                let beside = BlockPosition { column: column + size, ..place };
                matrix.add_block(beside, |i, j| c.stiffness * stiffness[i * size + j]);
            }
        }
    });
}

/// The constraint rows of elements over frames.
pub(in crate::system::chain) struct FrameRows<'a, S> {
    pub structure: &'a Structure<S>,
    pub order: &'a EliminationOrder,
    /// B, and the derivatives of B v + b along q.
    pub jacobians: [&'a [S]; 2],
    pub coefficients: &'a IterationCoefficients<S>,
    /// The blocks that convert the unknowns to changes of v.
    pub tangents: &'a [S],
    /// B₀ of the stabilised formulation.
    pub projection: Option<&'a [S]>,
    /// The Jacobian of the reactions, if it is not B.
    pub reactions: Option<&'a [S]>,
}

impl<S: Scalar> FrameRows<'_, S> {
    /// Adds the rows, and their transposes for the reactions.
    #[inline(never)]
    pub fn add(&self, matrix: &mut MatrixEntries<'_, S>) {
        let FrameRows { structure, order, jacobians: [jacobian, gradient], coefficients: c, tangents, .. } = *self;
        let kinds = structure.layout().kinds.iter().zip(&structure.shapes).enumerate();
        for (number, (kind, shape)) in kinds.filter(|(_, (kind, shape))| kind.over_frames && shape.rows > 0) {
            let (rows, holonomic, stride) = (shape.rows, shape.holonomic, shape.components);
            for place in kind.places() {
                let row = order.rows[number][place.element];
                let mut start = structure.jacobian_starts[number] + place.element * rows * stride;
                for (offset, size) in structure.joints(&place) {
                    let member = structure.member_of[offset];
                    let (column, at) = (order.members[member], |i: usize, j: usize| start + i * stride + j);
                    let block =
                        |row: usize, column: usize, rows: usize| BlockPosition { row, column, rows, columns: size };
                    let transposed =
                        |column: usize, row: usize, columns: usize| BlockPosition { row, column, rows: size, columns };
                    let reactions = self.reactions.unwrap_or(jacobian);
                    matrix.add_block(transposed(row, column, rows), |i, j| reactions[at(j, i)]);
                    if let Some(projection) = self.projection {
                        let beside = column + size;
                        matrix.add_block(block(row, beside, rows), |i, j| c.rate_gradient * gradient[at(i, j)]);
                        matrix.add_block(block(row + rows, beside, holonomic), |i, j| jacobian[at(i, j)]);
                        matrix.add_block(transposed(row + rows, beside, holonomic), |i, j| -projection[at(j, i)]);
                        matrix.add_block(block(row, column, rows), |i, j| c.rate * jacobian[at(i, j)]);
                    } else {
                        matrix.add_block(block(row, column, holonomic), |i, j| jacobian[at(i, j)]);
                        let tangent = &tangents[structure.members[member].block..];
                        matrix.add_block(block(row + holonomic, column, rows - holonomic), |i, j| {
                            let i = i + holonomic;
                            let rates =
                                (0..size).fold(S::zero(), |sum, k| sum + jacobian[at(i, k)] * tangent[k * size + j]);
                            c.rate_gradient * gradient[at(i, j)] + c.rate * rates
                        });
                    }
                    start += size;
                }
            }
        }
    }
}
