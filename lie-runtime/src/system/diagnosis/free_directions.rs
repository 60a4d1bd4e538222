//! Mobility: the free directions of each member.

use nalgebra::DMatrix;

use super::super::MechanicalSystem;
use super::constraint_rows::ConstraintRows;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::solve::{dependent_rows, lost_pivot};

/// The largest number of degrees of freedom for which members are analysed one by one.
const LARGEST: usize = 512;

/// The number of independent directions in which a member can move while the other members follow the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "mobility")]
#[doc(alias = "degrees of freedom")]
pub struct FreeDirections {
    /// The member's name.
    pub member: &'static str,
    /// The dimension of its group.
    pub dof: usize,
    /// The dimension of the admissible velocities of the member.
    pub free: usize,
}

/// Returns the dimension of the admissible velocities of each member: the rank of its block of
///
/// ```text
/// P M⁻¹ = M⁻¹ − M⁻¹ Bᵀ (B M⁻¹ Bᵀ)⁺ B M⁻¹,
/// ```
///
/// where P projects onto the null space of B, in the metric of M.
pub(super) fn of_members<M: MechanicalSystem + ?Sized>(system: &M, rows: ConstraintRows<M>) -> Vec<FreeDirections> {
    let dof = system.dof();
    if dof > LARGEST {
        return Vec::new();
    }
    let ConstraintRows { mut mass, columns, lengths, gram, .. } = rows;
    let lost = lost_pivot::<M::Scalar>();
    // M⁻¹ Bᵀ in orthonormal directions: the scaled columns times the eigenvectors, divided by the singular values.
    let count = lengths.len();
    let scaled = DMatrix::from_fn(dof, count, |component, row| {
        let length = if lengths[row] > 0.0 { lengths[row] } else { 1.0 };
        columns[row].component(component).value() / length
    });
    let eigen = gram.symmetric_eigen();
    let kept: Vec<usize> = (0..count).filter(|&at| eigen.eigenvalues[at] > lost).collect();
    let directions = DMatrix::from_fn(dof, kept.len(), |component, at| {
        let vector = eigen.eigenvectors.column(kept[at]);
        (scaled.row(component) * vector)[0] / eigen.eigenvalues[kept[at]].sqrt()
    });
    let (mut unit, mut column) = (system.zero_velocity(), system.zero_velocity());
    let mut of_member = |offset: usize, size: usize| {
        let mut inverse = DMatrix::zeros(size, size);
        for at in 0..size {
            unit.fill(num_traits::Zero::zero());
            unit.set_component(offset + at, num_traits::One::one());
            system.solve_mass(&mut mass, &unit, &mut column);
            for row in 0..size {
                inverse[(row, at)] = column.component(offset + row).value();
            }
        }
        let bound = directions.rows(offset, size);
        let free = &inverse - bound * bound.transpose();
        // The projected block is compared with the block of M⁻¹.
        let scale = |at: usize| inverse[(at, at)].sqrt();
        let free = DMatrix::from_fn(size, size, |i, k| free[(i, k)] / (scale(i) * scale(k)));
        size - dependent_rows(&free, lost.sqrt()).len()
    };
    let members = system.description().members.iter();
    members
        .map(|member| FreeDirections {
            member: member.name,
            dof: member.dof,
            free: of_member(member.offset, member.dof),
        })
        .collect()
}
