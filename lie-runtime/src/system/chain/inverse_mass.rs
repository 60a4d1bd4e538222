//! M⁻¹ of a mass matrix without coupling between members: one block a member.

use super::element_shape::FreeMember;
use crate::scalar::Scalar;
use crate::system::KktError;

/// M⁻¹ of a mass matrix without coupling between members.
#[derive(Clone, Debug)]
pub(super) enum InverseMass<S> {
    /// All blocks are diagonal: one scalar a component.
    Diagonal(Vec<S>),
    /// One block a member, by rows.
    Blocks(Vec<S>),
}

/// Inverts the symmetric positive definite block of every member in place.
#[inline(never)]
pub(super) fn invert_blocks<S: Scalar>(members: &[FreeMember], blocks: &mut [S]) -> Result<(), KktError> {
    for member in members {
        let n = member.dimension;
        invert_block(&mut blocks[member.block..member.block + n * n], n)
            .map_err(|at| KktError::MassNotPositiveDefinite { component: member.offset + at })?;
    }
    Ok(())
}

/// Gauss-Jordan elimination of a symmetric positive definite matrix in place.
#[inline(never)]
pub(super) fn invert_block<S: Scalar>(a: &mut [S], n: usize) -> Result<(), usize> {
    for k in 0..n {
        let mut scale = 0.0;
        // In a definite matrix the sum of the subtracted terms is at most the diagonal entry.
        for j in 0..k {
            scale += (a[k * n + j] * a[j * n + k]).value().abs();
        }
        let pivot = a[k * n + k];
        if !(pivot.is_finite() && pivot.value() > 4.0 * n as f64 * f64::EPSILON * scale && pivot.value() > 0.0) {
            return Err(k);
        }
        let inverse = S::one() / pivot;
        a[k * n + k] = S::one();
        for j in 0..n {
            a[k * n + j] *= inverse;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i * n + k];
            a[i * n + k] = S::zero();
            for j in 0..n {
                let update = factor * a[k * n + j];
                a[i * n + j] -= update;
            }
        }
    }
    Ok(())
}

/// Computes M⁻¹ f.
pub(super) fn multiply<S: Scalar>(
    members: &[FreeMember],
    inverse: Option<&InverseMass<S>>,
    force: &[S],
    out: &mut [S],
) {
    match inverse {
        Some(InverseMass::Diagonal(inverse)) => {
            for ((out, &force), &inverse) in out.iter_mut().zip(force).zip(inverse) {
                *out = force * inverse;
            }
        }
        Some(InverseMass::Blocks(blocks)) => {
            for member in members {
                let n = member.dimension;
                let force = &force[member.offset..member.offset + n];
                let rows = blocks[member.block..member.block + n * n].chunks_exact(n);
                for (out, row) in out[member.offset..member.offset + n].iter_mut().zip(rows) {
                    *out = row.iter().zip(force).fold(S::zero(), |sum, (&a, &b)| sum + a * b);
                }
            }
        }
        None => {}
    }
}
