//! The regularisation ε D of matrices whose constraint rows may be redundant.

use super::elimination_order::EliminationOrder;
use super::layout::CLAMPED;
use super::system_matrix::MatrixEntries;
use super::{ElementSystem, Structure};
use crate::scalar::{Scalar, larger};
use crate::solve::BandedLu;

/// Returns true for systems whose constraints may be redundant.
pub(super) fn is_redundant<M: ElementSystem>() -> bool {
    const { M::REDUNDANCY.is_minimum_norm() }
}

/// Returns the largest absolute value, and the largest derivative.
pub(super) fn largest<S: Scalar>(all: &[S]) -> [f64; 2] {
    let of = |size: fn(S) -> f64| all.iter().fold(0.0, |largest, &x| larger(largest, size(x)));
    [of(S::magnitude), of(S::variation)]
}

/// Adds ε D to a Schur complement S; zero rows get the diagonal entry of the largest row. D and with it the norm of λ
/// depend on S, which matters for scalars with derivatives.
pub(super) fn relax<S: Scalar>(matrix: &mut BandedLu<S>, epsilon: f64) {
    let size = |matrix: &mut BandedLu<S>, row: usize| {
        let at = matrix.position(row, row);
        matrix.values_mut()[at].abs()
    };
    let largest = (0..matrix.size()).fold(0.0_f64, |largest, row| largest.max(size(matrix, row).value()));
    let blank = S::from_f64(if largest > 0.0 { largest } else { 1.0 });
    for row in 0..matrix.size() {
        let own = size(matrix, row);
        let own = if own.value() > 0.0 { own } else { blank };
        matrix.add(row, row, S::from_f64(epsilon) * own);
    }
}

/// Adds −ε D to the block of the multipliers of a KKT matrix: D is the diagonal of B A⁻¹ Bᵀ with the diagonal of A.
pub(super) fn relax_jointly<S: Scalar>(
    structure: &Structure<S>,
    order: &EliminationOrder,
    is_stabilised: bool,
    epsilon: f64,
    matrix: &mut MatrixEntries<'_, S>,
) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&order.rows);
    for ((kind, shape), rows) in kinds {
        for (index, &first) in rows.iter().enumerate() {
            // λ̂ acts on the first copy of the components, η̂ on the second copy.
            let projections = if is_stabilised { shape.holonomic } else { 0 };
            for at in 0..shape.rows + projections {
                let (row, is_projection) = (first + at, at >= shape.rows);
                let mut length = S::zero();
                let place = kind.place(index);
                let free = place.offsets.iter().filter(|&&offset| offset != CLAMPED);
                for member in free.map(|&offset| structure.member_of[offset]) {
                    let (position, size) = (order.members[member], structure.members[member].dimension);
                    let start = position + if is_projection { size } else { 0 };
                    for component in start..start + size {
                        let weight = matrix.size_of(component, component);
                        let product = matrix.size_of(row, component) * matrix.size_of(component, row);
                        length += if weight.value() > 0.0 { product / weight } else { product };
                    }
                }
                let length = if length.value() > 0.0 { length } else { S::one() };
                matrix.add(row, row, S::from_f64(-epsilon) * length);
            }
        }
    }
}
