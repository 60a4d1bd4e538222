//! The mass matrix of a system of elements, and the factors for M v' = f and for the KKT system.

use super::Structure;
use super::block_tridiagonal::BlockTridiagonal;
use super::elimination_order::{EliminationOrder, Unknown};
use super::inverse_mass::{InverseMass, multiply};
use super::layout::CLAMPED;
use super::system_matrix::{BlockPosition, MatrixEntries, SystemMatrix};
use crate::scalar::Scalar;
use crate::solve::BandedLu;
use crate::system::KktError;

/// The factorised mass matrix of a chain, with the memory of its solvers.
#[derive(Clone, Debug)]
pub struct ChainMass<S> {
    /// M⁻¹ by blocks; `None` if it is constant and stored in the structure, or if M couples members.
    pub(super) inverse: Option<InverseMass<S>>,
    /// M, if it couples members.
    pub(super) coupled: Option<BandedLu<S>>,
    /// [M B₁ᵀ; B₂ 0], if it is eliminated as a whole.
    pub(super) kkt: Option<KktMatrix<S>>,
    /// The factors of the block-tridiagonal elimination.
    pub(super) factors: Vec<S>,
    /// True if the last solution used them.
    pub(super) used_block_tridiagonal: bool,
    /// B₁ M⁻¹, element by element.
    pub(super) weighted: Vec<S>,
    /// B₂ M⁻¹ B₁ᵀ.
    pub(super) schur: BandedLu<S>,
    /// A right-hand side in the elimination order.
    pub(super) unknowns: Vec<S>,
}

/// A KKT matrix.
#[derive(Clone, Debug)]
pub(super) struct KktMatrix<S> {
    /// The mass matrices of the elements.
    pub elements: Vec<S>,
    pub matrix: SystemMatrix<S>,
}

impl<S: Scalar> ChainMass<S> {
    #[inline(never)]
    pub(super) fn zeros(structure: &Structure<S>) -> Self {
        let zeros = |length: usize| vec![S::zero(); length];
        let eliminates_jointly = structure.eliminates_jointly;
        let own = !structure.is_coupled && structure.inverse_mass.is_none();
        ChainMass {
            inverse: own.then(|| InverseMass::Blocks(zeros(structure.blocks_length()))),
            coupled: structure.is_coupled.then(|| structure.inertia.pattern.band()),
            kkt: eliminates_jointly.then(|| KktMatrix {
                elements: zeros(structure.matrix_length()),
                matrix: structure.kkt.pattern.matrix(),
            }),
            factors: zeros(structure.block_tridiagonal.as_ref().map_or(0, BlockTridiagonal::factor_length)),
            used_block_tridiagonal: false,
            weighted: zeros(if eliminates_jointly { 0 } else { structure.jacobian_length() }),
            schur: BandedLu::new(&structure.schur.reach),
            unknowns: zeros(if eliminates_jointly { structure.kkt.unknowns.len() } else { structure.schur.rows.len() }),
        }
    }
}

/// Factorises a mass matrix with coupling between members.
#[inline(never)]
pub(super) fn factorise_mass<S: Scalar>(
    structure: &Structure<S>,
    elements: &[S],
    band: &mut BandedLu<S>,
) -> Result<(), KktError> {
    let assemble =
        |band: &mut BandedLu<S>| add_matrices(structure, elements, &structure.inertia, &mut MatrixEntries::Band(band));
    band.factorise_definite(assemble).map_err(|position| match structure.inertia.unknowns[position] {
        Unknown::Component(component) => KktError::MassNotPositiveDefinite { component },
        _ => KktError::NotFinite,
    })
}

/// Adds the mass matrices of the elements.
pub(super) fn add_matrices<S: Scalar>(
    structure: &Structure<S>,
    elements: &[S],
    order: &EliminationOrder,
    entries: &mut MatrixEntries<'_, S>,
) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.matrix_starts);
    for (((kind, shape), &start), slots) in kinds.zip(&order.slots).filter(|(((_, shape), _), _)| shape.terms.inertia) {
        let n = shape.components;
        for index in 0..kind.count {
            let matrix = &elements[start + index * n * n..][..n * n];
            let slots = &slots[index * kind.slots..][..kind.slots];
            let mut row = 0;
            for (&row_position, &rows) in slots.iter().zip(shape.slots) {
                let mut column = 0;
                for (&column_position, &columns) in slots.iter().zip(shape.slots) {
                    if row_position != CLAMPED && column_position != CLAMPED {
                        let at = BlockPosition { row: row_position, column: column_position, rows, columns };
                        entries.add_block(at, |i, j| matrix[(row + i) * n + column + j]);
                    }
                    column += columns;
                }
                row += rows;
            }
        }
    }
}

/// Adds M v', element by element.
pub(super) fn add_mass_times<S: Scalar>(structure: &Structure<S>, elements: &[S], v: &[S], out: &mut [S]) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.matrix_starts);
    for ((kind, shape), &start) in kinds.filter(|((_, shape), _)| shape.terms.inertia) {
        let n = shape.components;
        for index in 0..kind.count {
            let matrix = &elements[start + index * n * n..][..n * n];
            let offsets = kind.place(index).offsets;
            // The positions of the free components of the element.
            let free = || {
                let slots = offsets.iter().zip(shape.slots);
                let all = slots
                    .flat_map(|(&offset, &size)| (0..size).map(move |at| (offset != CLAMPED).then(|| offset + at)));
                all.enumerate().filter_map(|(local, at)| Some((local, at?)))
            };
            for (row, at) in free() {
                out[at] += free().fold(S::zero(), |sum, (column, from)| sum + matrix[row * n + column] * v[from]);
            }
        }
    }
}

/// Solves M v' = f.
#[inline(never)]
pub(super) fn solve_mass<S: Scalar>(
    structure: &Structure<S>,
    mass: &mut ChainMass<S>,
    force: &[S],
    acceleration: &mut [S],
) {
    if let Some(coupled) = &mass.coupled {
        let unknowns = &mut mass.unknowns[..force.len()];
        for (unknown, label) in unknowns.iter_mut().zip(&structure.inertia.unknowns) {
            if let Unknown::Component(component) = label {
                *unknown = force[*component];
            }
        }
        coupled.solve(unknowns);
        for (&unknown, label) in unknowns.iter().zip(&structure.inertia.unknowns) {
            if let Unknown::Component(component) = label {
                acceleration[*component] = unknown;
            }
        }
    } else {
        multiply(&structure.members, inverse_of(structure, mass.inverse.as_ref()), force, acceleration);
    }
}

pub(super) fn inverse_of<'a, S>(
    structure: &'a Structure<S>,
    own: Option<&'a InverseMass<S>>,
) -> Option<&'a InverseMass<S>> {
    own.or(structure.inverse_mass.as_ref())
}
