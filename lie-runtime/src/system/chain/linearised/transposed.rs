//! The transpose of the solution of an iteration, for reverse-mode differentiation.

use super::super::{ElementSystem, equations_of_motion::cleared};
use super::{ChainIteration, OfFrames};
use crate::scalar::Scalar;
use crate::system::{IterationCorrection, IterationResidual};

/// Transposes [`solve_iteration`](crate::system::Linearised::solve_iteration) line by line, last line first: ζ = T⁻¹ y
/// contributes T⁻ᵀ to y, the factors are transposed, and every residual gets a minus sign.
pub(in crate::system::chain) fn solve_transposed<M: ElementSystem>(
    system: &M,
    factorisation: &mut ChainIteration<M::Scalar, OfFrames<M>>,
    correction: &IterationCorrection<M>,
    residual: &mut IterationResidual<M>,
) {
    let structure = system.structure();
    let ChainIteration { orders, matrices, is_stabilised, blocks, unknowns, .. } = factorisation;
    let is_stabilised = *is_stabilised;
    let (order, matrix) = (&*orders[usize::from(is_stabilised)], &mut matrices[usize::from(is_stabilised)]);
    let positions = if is_stabilised { 0 } else { structure.layout().holonomic_rows };
    let zero = M::Scalar::from_f64(0.0);
    // The cotangent of y; the memory receives the residuals of the balance afterwards.
    let of_y = residual.balance.as_mut_slice();
    for member in &structure.members {
        let (n, start) = (member.dimension, member.offset);
        let tangent = &blocks.position[member.block..member.block + n * n];
        for column in 0..n {
            of_y[start + column] = (0..n).fold(zero, |sum, row| {
                // Without stabilisation x is ζ.
                let of_x = if is_stabilised { zero } else { correction.acceleration[start + row] };
                sum + tangent[row * n + column] * (correction.increment[start + row] + of_x)
            });
        }
    }
    let unknowns = &mut unknowns[..order.unknowns.len()];
    for (member, &at) in structure.members.iter().zip(&order.members) {
        let (n, components) = (member.dimension, member.offset..member.offset + member.dimension);
        let mut at = at;
        if is_stabilised {
            unknowns[at..at + n].copy_from_slice(&correction.acceleration.as_slice()[components.clone()]);
            at += n;
        }
        unknowns[at..at + n].copy_from_slice(&of_y[components]);
    }
    let (layout, shapes) = (structure.layout(), &structure.shapes);
    order.each_rows(layout, shapes, is_stabilised, |at, row, count, is_projection| {
        let of = if is_projection { &correction.projection } else { &correction.multipliers };
        unknowns[at..at + count].copy_from_slice(&of.as_slice()[row..row + count]);
    });
    matrix.solve_transposed(unknowns);
    let balance = residual.balance.as_mut_slice();
    let (position, velocity) = (cleared(&mut residual.position), cleared(&mut residual.velocity));
    let negated = |out: &mut [M::Scalar], of: &[M::Scalar]| {
        out.iter_mut().zip(of).for_each(|(out, &unknown)| *out = -unknown);
    };
    for (member, &at) in structure.members.iter().zip(&order.members) {
        negated(&mut balance[member.offset..member.offset + member.dimension], &unknowns[at..]);
    }
    order.each_rows(layout, shapes, is_stabilised, |at, row, count, is_projection| {
        let out = if row >= positions && !is_projection { &mut *velocity } else { &mut *position };
        negated(&mut out[row..row + count], &unknowns[at..]);
    });
}
