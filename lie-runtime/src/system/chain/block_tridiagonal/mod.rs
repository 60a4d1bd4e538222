//! The block-tridiagonal KKT system of elements in a row, each of which shares its last member with the next element.
//!
//! The Schur complement B₂ M⁻¹ B₁ᵀ is block-tridiagonal. One pass over the elements forms, eliminates and discards its
//! blocks (block Thomas algorithm). A second pass computes the multipliers and their contributions to the
//! accelerations. Rows are not interchanged: a system that needs pivoting is solved with a band.

mod block_row;
mod blocks;

use core::any::Any;

use super::Layout;
use super::element_shape::{ElementShape, FreeMember};
use super::inverse_mass::InverseMass;
use super::layout::CLAMPED;
use crate::scalar::Scalar;
use block_row::{BlockRow, stored};
use blocks::{
    BlockInverse, DiagonalInverse, ElementJacobians, MemberInverse, add_transposed, apply_to_rows, components, product,
};

/// The elements with constraints, if they form a row.
#[derive(Clone, Debug)]
pub(super) struct BlockTridiagonal {
    /// The constraint rows of an element.
    rows: usize,
    /// The dimension of a member.
    dimension: usize,
    /// The first component of the first slot of the first element, and of the second slots of all elements, in 32 bits
    /// because both passes read them.
    offsets: (u32, Vec<u32>),
    /// The global rows, element by element.
    global_rows: Vec<u32>,
    /// The start of the Jacobians.
    start: usize,
    /// True if all free members belong to the row of elements.
    pub(super) is_all: bool,
}

/// The data of the linear system.
pub(super) struct KktBlocks<'a, S> {
    pub inverse: &'a InverseMass<S>,
    pub members: &'a [FreeMember],
    pub member_of: &'a [usize],
    /// B₁.
    pub force_jacobian: &'a [S],
    /// B₂.
    pub constraint_jacobian: &'a [S],
    /// f; empty for zero.
    pub force: &'a [S],
    /// c, or b.
    pub constraint: &'a [S],
    /// w and 1/h of B₂ (w + h v') + b = 0, which replaces B₂ v' = c.
    pub ahead: Option<(&'a [S], S)>,
}

impl<'a, S: Scalar> KktBlocks<'a, S> {
    /// Returns the system, if its scalar is `f64`.
    fn in_f64(&self) -> Option<KktBlocks<'a, f64>> {
        let inverse: &dyn Any = self.inverse;
        Some(KktBlocks {
            inverse: inverse.downcast_ref()?,
            members: self.members,
            member_of: self.member_of,
            force_jacobian: S::as_f64(self.force_jacobian),
            constraint_jacobian: S::as_f64(self.constraint_jacobian),
            force: S::as_f64(self.force),
            constraint: S::as_f64(self.constraint),
            ahead: self.ahead.map(|(velocity, factor)| (S::as_f64(velocity), factor.value())),
        })
    }

    /// Returns the contribution of a member to the right-hand sides: its acceleration without reactions, and w / h.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn known<I: MemberInverse<S>, const D: usize>(&self, inverse: &I, offset: usize) -> [S; D] {
        let free = inverse.apply(offset, &components(self.force, offset));
        let Some((velocity, factor)) = self.ahead else { return free };
        let velocity: [S; D] = components(velocity, offset);
        core::array::from_fn(|i| free[i] + factor * velocity[i])
    }

    /// Sets the acceleration of a free member due to the force minus its reactions Bᵀ λ.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn accelerate<I: MemberInverse<S>, const D: usize>(
        &self,
        inverse: &I,
        offset: usize,
        reaction: &[S; D],
        acceleration: &mut [S],
    ) {
        if offset == CLAMPED {
            return;
        }
        let rest = match self.force {
            [] => reaction.map(|reaction| -reaction),
            force => {
                let force: [S; D] = components(force, offset);
                core::array::from_fn(|i| force[i] - reaction[i])
            }
        };
        acceleration[offset..offset + D].copy_from_slice(&inverse.apply(offset, &rest));
    }
}

/// The task of the first pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Eliminate the matrix and its right-hand side.
    Elimination,
    /// Eliminate another right-hand side with the stored factors.
    RightHandSide,
}

impl BlockTridiagonal {
    /// Returns the block-tridiagonal form, if the elements with constraints form a row.
    pub(super) fn find(layout: &Layout, shapes: &[ElementShape], starts: &[usize]) -> Option<BlockTridiagonal> {
        let mut constrained = (0..shapes.len()).filter(|&kind| shapes[kind].rows > 0 && layout.kinds[kind].count > 0);
        let (Some(number), None) = (constrained.next(), constrained.next()) else { return None };
        let (kind, shape) = (&layout.kinds[number], &shapes[number]);
        let &[dimension, other] = shape.slots else { return None };
        if dimension != other || !is_instantiated(shape.rows, dimension) {
            return None;
        }
        let narrow = |number: usize| u32::try_from(number).unwrap_or(CLAMPED_U32);
        let offsets: Vec<[usize; 2]> = kind.places().map(|place| [place.offsets[0], place.offsets[1]]).collect();
        let follows = offsets.windows(2).all(|pair| pair[0][1] == pair[1][0] && pair[0][1] != CLAMPED);
        // The order of the components is ascending, so that no member occurs twice.
        let members = offsets.iter().map(|&[first, _]| first).chain(offsets.last().map(|&[_, last]| last));
        let free = members.filter(|&offset| offset != CLAMPED);
        let ascends = free.clone().is_sorted_by(|a, b| a < b);
        let is_all = free.count() * dimension == layout.dof;
        let mut global_rows = Vec::with_capacity(offsets.len() * shape.rows);
        for place in kind.places() {
            global_rows.extend(shape.global_rows(&place).map(narrow));
        }
        let first = offsets.first().map_or(CLAMPED_U32, |&[first, _]| narrow(first));
        (follows && ascends).then_some(BlockTridiagonal {
            rows: shape.rows,
            dimension,
            global_rows,
            offsets: (first, offsets.iter().map(|&[_, second]| narrow(second)).collect()),
            start: starts[number],
            is_all,
        })
    }

    /// Returns the number of scalars that [`solve`](Self::solve) stores.
    pub(super) fn factor_length(&self) -> usize {
        self.offsets.1.len() * self.rows * stored(self.rows)
    }

    /// Solves for the multipliers and the accelerations of the members of the row. Returns false, with undefined
    /// results, if a pivot is not safe or a number is not finite.
    pub(super) fn solve<S: Scalar>(
        &self,
        system: &KktBlocks<'_, S>,
        factors: &mut [S],
        acceleration: &mut [S],
        multipliers: &mut [S],
    ) -> bool {
        self.solve_by(Pass::Elimination, system, factors, acceleration, multipliers)
    }

    /// Solves with the factors of the last solution, for equal Jacobians and zero f.
    pub(super) fn solve_again<S: Scalar>(
        &self,
        system: &KktBlocks<'_, S>,
        factors: &mut [S],
        acceleration: &mut [S],
        multipliers: &mut [S],
    ) -> bool {
        self.solve_by(Pass::RightHandSide, system, factors, acceleration, multipliers)
    }

    fn solve_by<S: Scalar>(
        &self,
        pass: Pass,
        system: &KktBlocks<'_, S>,
        factors: &mut [S],
        acceleration: &mut [S],
        multipliers: &mut [S],
    ) -> bool {
        if const { S::IS_F64 } {
            let [factors, acceleration, multipliers] = [factors, acceleration, multipliers].map(S::as_f64_mut);
            let system = system.in_f64();
            return system.is_some_and(|system| self.solve_in_f64(pass, &system, [factors, acceleration, multipliers]));
        }
        self.solve_any(pass, system, factors, acceleration, multipliers)
    }

    /// Solves on `f64`. The function is not generic, so that this crate contains its code.
    #[inline(never)]
    fn solve_in_f64(&self, pass: Pass, system: &KktBlocks<'_, f64>, out: [&mut [f64]; 3]) -> bool {
        let [factors, acceleration, multipliers] = out;
        self.solve_any(pass, system, factors, acceleration, multipliers)
    }

    fn solve_any<S: Scalar>(
        &self,
        pass: Pass,
        system: &KktBlocks<'_, S>,
        factors: &mut [S],
        acceleration: &mut [S],
        multipliers: &mut [S],
    ) -> bool {
        match (self.rows, self.dimension) {
            (1, 3) => self.solve_blocks::<S, 1, 3>(pass, system, factors, acceleration, multipliers),
            (1, 6) => self.solve_blocks::<S, 1, 6>(pass, system, factors, acceleration, multipliers),
            (2, 6) => self.solve_blocks::<S, 2, 6>(pass, system, factors, acceleration, multipliers),
            (3, 3) => self.solve_blocks::<S, 3, 3>(pass, system, factors, acceleration, multipliers),
            (3, 6) => self.solve_blocks::<S, 3, 6>(pass, system, factors, acceleration, multipliers),
            (5, 6) => self.solve_blocks::<S, 5, 6>(pass, system, factors, acceleration, multipliers),
            _ => false,
        }
    }

    fn solve_blocks<S: Scalar, const R: usize, const D: usize>(
        &self,
        pass: Pass,
        system: &KktBlocks<'_, S>,
        factors: &mut [S],
        acceleration: &mut [S],
        multipliers: &mut [S],
    ) -> bool {
        match system.inverse {
            InverseMass::Diagonal(inverse) => self.both_passes::<S, _, R, D>(
                pass,
                system,
                &DiagonalInverse(inverse),
                factors,
                acceleration,
                multipliers,
            ),
            InverseMass::Blocks(blocks) => {
                let inverse = BlockInverse { entries: blocks, members: system.members, member_of: system.member_of };
                self.both_passes::<S, _, R, D>(pass, system, &inverse, factors, acceleration, multipliers)
            }
        }
    }

    #[inline]
    fn both_passes<S: Scalar, I: MemberInverse<S>, const R: usize, const D: usize>(
        &self,
        pass: Pass,
        system: &KktBlocks<'_, S>,
        inverse: &I,
        factors: &mut [S],
        acceleration: &mut [S],
        multipliers: &mut [S],
    ) -> bool {
        let is_safe = match pass {
            Pass::Elimination => self.eliminate::<S, _, R, D>(system, inverse, factors),
            Pass::RightHandSide => {
                self.eliminate_right_hand_side::<S, R>(system.constraint, factors);
                true
            }
        };
        is_safe && self.substitute::<S, _, R, D>(system, inverse, factors, acceleration, multipliers)
    }

    /// The first pass. It stores for each row the entries above the diagonal, the inverse pivot and the right-hand
    /// side.
    #[inline]
    fn eliminate<S: Scalar, I: MemberInverse<S>, const R: usize, const D: usize>(
        &self,
        system: &KktBlocks<'_, S>,
        inverse: &I,
        factors: &mut [S],
    ) -> bool {
        let first = ElementJacobians::<S, R, D>::new(&system.force_jacobian[self.start..]);
        let second = ElementJacobians::<S, R, D>::new(&system.constraint_jacobian[self.start..]);
        let factor = system.ahead.map_or(-S::one(), |(_, factor)| factor);
        let right_hand_side = |element: usize| self.right_hand_side::<S, R>(factor, system.constraint, element);
        let mut row = BlockRow::<S, R>::new(right_hand_side(0));
        let left = widen(self.offsets.0);
        if left != CLAMPED {
            let weighted = apply_to_rows(inverse, left, &first.block(0, 0));
            row.add(&second.block(0, 0), &weighted, system.known(inverse, left));
        }
        let last = self.offsets.1.len() - 1;
        let stored = factors.chunks_exact_mut(R * stored(R));
        for ((element, &offset), stored) in self.offsets.1.iter().enumerate().zip(stored) {
            let offset = widen(offset);
            let mut lower = [[S::zero(); R]; R];
            let mut next = BlockRow::new([S::zero(); R]);
            if offset != CLAMPED {
                let known = system.known(inverse, offset);
                let own = second.block(element, 1);
                let weighted = apply_to_rows(inverse, offset, &first.block(element, 1));
                row.add(&own, &weighted, known);
                if element < last {
                    let other = second.block(element + 1, 0);
                    lower = product(&other, &weighted);
                    let weighted = apply_to_rows(inverse, offset, &first.block(element + 1, 0));
                    row.upper = product(&own, &weighted);
                    next.right_hand_side = right_hand_side(element + 1);
                    next.add(&other, &weighted, known);
                }
            }
            if !row.eliminate(&mut lower, &mut next) {
                return false;
            }
            row.store(stored);
            row = next;
        }
        true
    }

    /// Returns `factor` c of an element.
    #[inline]
    fn right_hand_side<S: Scalar, const R: usize>(&self, factor: S, constraint: &[S], element: usize) -> [S; R] {
        core::array::from_fn(|i| factor * constraint[self.global_rows[element * R + i] as usize])
    }

    /// The first pass for another right-hand side without a force. With a single Jacobian the matrix is symmetric, so
    /// that the entries below the diagonal follow from the pivots and the entries above.
    #[inline]
    fn eliminate_right_hand_side<S: Scalar, const R: usize>(&self, constraint: &[S], factors: &mut [S]) {
        let mut from_before = [S::zero(); R];
        for (element, factors) in factors.chunks_exact_mut(R * stored(R)).enumerate() {
            let mut own = self.right_hand_side::<S, R>(-S::one(), constraint, element);
            let mut next = [S::zero(); R];
            for (own, term) in own.iter_mut().zip(from_before) {
                *own -= term;
            }
            for k in 0..R {
                let row = &mut factors[k * stored(R)..][..stored(R)];
                row[1] = own[k];
                let factor = own[k] * row[0];
                for i in k + 1..R {
                    own[i] -= factor * row[2 + i];
                }
                for (next, &entry) in next.iter_mut().zip(&row[2 + R..]) {
                    *next += factor * entry;
                }
            }
            from_before = next;
        }
    }

    /// The second pass, a back substitution.
    #[inline]
    fn substitute<S: Scalar, I: MemberInverse<S>, const R: usize, const D: usize>(
        &self,
        system: &KktBlocks<'_, S>,
        inverse: &I,
        factors: &[S],
        acceleration: &mut [S],
        multipliers: &mut [S],
    ) -> bool {
        let first = ElementJacobians::<S, R, D>::new(&system.force_jacobian[self.start..]);
        let mut probe = S::zero();
        let mut next = [S::zero(); R];
        // B₁ᵀ λ at the member that is shared with the next element.
        let mut reaction = [S::zero(); D];
        let elements = self.offsets.1.iter().zip(self.global_rows.chunks_exact(R)).enumerate();
        for ((element, (&offset, rows)), factors) in elements.zip(factors.chunks_exact(R * stored(R))).rev() {
            let mut own = [S::zero(); R];
            for i in (0..R).rev() {
                let row = &factors[i * stored(R)..][..stored(R)];
                let mut sum = row[1];
                for j in i + 1..R {
                    sum -= row[2 + j] * own[j];
                }
                for j in 0..R {
                    sum -= row[2 + R + j] * next[j];
                }
                own[i] = sum * row[0];
                multipliers[rows[i] as usize] = own[i];
                probe += own[i] * S::zero();
            }
            add_transposed(&mut reaction, &first.block(element, 1), &own);
            system.accelerate(inverse, widen(offset), &reaction, acceleration);
            reaction = [S::zero(); D];
            add_transposed(&mut reaction, &first.block(element, 0), &own);
            next = own;
        }
        system.accelerate(inverse, widen(self.offsets.0), &reaction, acceleration);
        probe.is_finite()
    }
}

/// [`CLAMPED`] in 32 bits.
const CLAMPED_U32: u32 = u32::MAX;

/// Converts an offset.
#[inline]
fn widen(offset: u32) -> usize {
    if offset == CLAMPED_U32 { CLAMPED } else { offset as usize }
}

/// Returns true if blocks of that size are instantiated.
fn is_instantiated(rows: usize, dimension: usize) -> bool {
    matches!((rows, dimension), (1 | 3, 3) | (1 | 2 | 3 | 5, 6))
}
