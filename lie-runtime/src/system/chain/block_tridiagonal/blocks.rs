//! Blocks of members and elements as arrays.

use crate::scalar::Scalar;
use crate::system::chain::element_shape::FreeMember;
use crate::system::chain::layout::CLAMPED;

/// The Jacobians of elements of two slots, by rows.
pub(super) struct ElementJacobians<'a, S, const R: usize, const D: usize>(&'a [[S; D]]);

impl<'a, S, const R: usize, const D: usize> ElementJacobians<'a, S, R, D> {
    #[inline]
    pub(super) fn new(jacobians: &'a [S]) -> Self {
        ElementJacobians(jacobians.as_chunks().0)
    }

    /// Returns the rows of an element at a slot.
    #[inline]
    pub(super) fn block(&self, element: usize, slot: usize) -> [&'a [S; D]; R] {
        let rows = &self.0[element * 2 * R..][..2 * R];
        core::array::from_fn(|row| &rows[2 * row + slot])
    }
}

/// M⁻¹, member by member.
pub(super) trait MemberInverse<S> {
    /// Returns M⁻¹ x at a member; zeros at a clamped member.
    fn apply<const D: usize>(&self, offset: usize, x: &[S; D]) -> [S; D];
}

/// M⁻¹ with one scalar a component.
pub(super) struct DiagonalInverse<'a, S>(pub(super) &'a [S]);

impl<S: Scalar> MemberInverse<S> for DiagonalInverse<'_, S> {
    #[inline]
    fn apply<const D: usize>(&self, offset: usize, x: &[S; D]) -> [S; D] {
        let inverse: [S; D] = components(self.0, offset);
        core::array::from_fn(|i| inverse[i] * x[i])
    }
}

/// M⁻¹ with one block a member.
pub(super) struct BlockInverse<'a, S> {
    pub(super) entries: &'a [S],
    pub(super) members: &'a [FreeMember],
    pub(super) member_of: &'a [usize],
}

impl<S: Scalar> MemberInverse<S> for BlockInverse<'_, S> {
    #[inline]
    fn apply<const D: usize>(&self, offset: usize, x: &[S; D]) -> [S; D] {
        let mut out = [S::zero(); D];
        if offset != CLAMPED {
            let block = &self.entries[self.members[self.member_of[offset]].block..][..D * D];
            for (out, row) in out.iter_mut().zip(block.as_chunks::<D>().0) {
                *out = dot(row, x);
            }
        }
        out
    }
}

/// Returns B M⁻¹ of some rows at a member.
#[inline]
pub(super) fn apply_to_rows<S: Scalar, const R: usize, const D: usize>(
    inverse: &impl MemberInverse<S>,
    offset: usize,
    rows: &[&[S; D]; R],
) -> [[S; D]; R] {
    let mut out = [[S::zero(); D]; R];
    for (out, row) in out.iter_mut().zip(rows) {
        *out = inverse.apply(offset, row);
    }
    out
}

/// Returns the components of a member; zeros for a clamped member.
#[inline]
pub(super) fn components<S: Scalar, const D: usize>(vector: &[S], offset: usize) -> [S; D] {
    let mut out = [S::zero(); D];
    if offset != CLAMPED {
        out.copy_from_slice(&vector[offset..offset + D]);
    }
    out
}

/// Adds Bᵀ λ.
#[inline]
pub(super) fn add_transposed<S: Scalar, const R: usize, const D: usize>(
    sum: &mut [S; D],
    rows: &[&[S; D]; R],
    factors: &[S; R],
) {
    for (row, &factor) in rows.iter().zip(factors) {
        for (sum, &entry) in sum.iter_mut().zip(*row) {
            *sum += factor * entry;
        }
    }
}

/// Returns A Bᵀ.
#[inline]
pub(super) fn product<S: Scalar, const R: usize, const D: usize>(a: &[&[S; D]; R], b: &[[S; D]; R]) -> [[S; R]; R] {
    core::array::from_fn(|i| core::array::from_fn(|j| dot(a[i], &b[j])))
}

/// Returns the inner product, in two independent sums.
#[inline]
pub(super) fn dot<S: Scalar, const D: usize>(a: &[S; D], b: &[S; D]) -> S {
    let mut sums = [a[0] * b[0], a[1] * b[1]];
    for k in 1..D / 2 {
        sums[0] += a[2 * k] * b[2 * k];
        sums[1] += a[2 * k + 1] * b[2 * k + 1];
    }
    let sum = sums[0] + sums[1];
    if D % 2 == 1 { sum + a[D - 1] * b[D - 1] } else { sum }
}
