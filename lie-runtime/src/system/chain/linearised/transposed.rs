//! From the cotangents of the changes of an iteration to those of its residuals.

use super::super::order::Unknown;
use super::super::{ElementSystem, mechanical::cleared};
use super::{ChainIteration, OfFrames};
use crate::scalar::Scalar;
use crate::system::{IterationCorrection, IterationResidual};

/// [`solve_iteration`](crate::system::Linearised::solve_iteration) line by line from its end: ζ = T⁻¹ y hands T⁻ᵀ back to y, the
/// matrix is that of the factors, transposed, and every residual stands with a minus where it was taken from.
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
    // That of y, where the residuals of the balance go afterwards.
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
    for (unknown, label) in unknowns.iter_mut().zip(&order.unknowns) {
        *unknown = match *label {
            Unknown::Component(component) => of_y[component],
            Unknown::Acceleration(component) => correction.acceleration[component],
            Unknown::Row(row) => correction.multipliers[row],
            Unknown::Projection(row) => correction.projection[row],
        };
    }
    matrix.solve_transposed(unknowns);
    let balance = residual.balance.as_mut_slice();
    let (position, velocity) = (cleared(&mut residual.position), cleared(&mut residual.velocity));
    for (&unknown, label) in unknowns.iter().zip(&order.unknowns) {
        match *label {
            Unknown::Component(_) if is_stabilised => {}
            Unknown::Component(component) | Unknown::Acceleration(component) => balance[component] = -unknown,
            Unknown::Row(row) if row >= positions => velocity[row] = -unknown,
            Unknown::Row(row) | Unknown::Projection(row) => position[row] = -unknown,
        }
    }
}
