//! The factorisation of one joint: L Δ Lᵀ of its small matrix D, and the Schur complement for the parent frame.
//!
//! If constraint rows of descendants have been eliminated and B₁ ≠ B₂, D is not symmetric: L Δ U, with different gains
//! for forces and for rows.
//!
//! Loops have sizes known at compile time and use indices, so that they are unrolled, for every number of components
//! that a joint is eliminated with, in matrices of the largest size. Unused entries are those of the identity, and zero
//! in G; unused components of sphere joints have the inertia of the spin.

#![allow(clippy::needless_range_loop)]

use super::Frames;
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::ElementSystem;

/// The factors of an eliminated joint.
pub(super) struct EliminatedJoint<M: ElementSystem, F: Frames<M>> {
    /// The stored entries of [A J].
    pub jacobian: F::Jacobian,
    /// G = Aᵀ I J D⁻¹.
    pub gains: F::Mixed,
    /// L and Δ⁻¹.
    pub factors: F::MemberMatrix,
}

impl<M: ElementSystem, F: Frames<M>> EliminatedJoint<M, F> {
    pub(super) fn zeros() -> Self {
        EliminatedJoint { jacobian: F::Jacobian::zeros(), gains: F::Mixed::zeros(), factors: F::MemberMatrix::zeros() }
    }
}

impl<M: ElementSystem, F: Frames<M>> Clone for EliminatedJoint<M, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: ElementSystem, F: Frames<M>> Copy for EliminatedJoint<M, F> {}

/// Calls the instance for a number of components; the largest number is 0. Conditions are constants: joints of one
/// component have one instance.
macro_rules! by_width {
    ($width:expr, $function:ident($($argument:expr),*)) => {
        match $width {
            1 if const { F::MEMBER > 1 } => $function::<M, F, 1>($($argument),*),
            2 if const { F::MEMBER > 2 } => $function::<M, F, 2>($($argument),*),
            3 if const { F::MEMBER > 3 } => $function::<M, F, 3>($($argument),*),
            _ => $function::<M, F, 0>($($argument),*),
        }
    };
}

/// Returns the number of components of an instance.
#[inline]
fn count<M: ElementSystem, F: Frames<M>, const W: usize>() -> usize {
    if W == 0 { F::MEMBER } else { W }
}

/// Returns true if a pivot is positive by more than the round-off of the subtracted terms, and its inverse is finite.
#[inline]
fn is_safe<S: Scalar>(n: usize, pivot: S, inverse: S, scale: f64) -> bool {
    let is_known = inverse.value() > 0.0 && (!S::HAS_DERIVATIVES || inverse.is_finite());
    is_known && pivot.value() > 4.0 * n as f64 * f64::EPSILON * scale
}

/// Factorises D: L below the diagonal, Δ⁻¹ on the diagonal, Lᵀ above it, for a joint that is eliminated with `width`
/// components. Returns the component without a pivot as error.
#[inline]
pub(super) fn factor<M: ElementSystem, F: Frames<M>>(
    matrix: &mut F::MemberMatrix,
    [width, components]: [usize; 2],
) -> Result<(), usize> {
    by_width!(width, factor_leading(matrix))?;
    for k in width..components {
        let entry = &mut matrix.as_mut_slice()[k * (F::MEMBER + 1)];
        let (pivot, inverse) = (*entry, M::Scalar::from_f64(1.0) / *entry);
        *entry = inverse;
        if !is_safe(1, pivot, inverse, 0.0) {
            return Err(k);
        }
    }
    Ok(())
}

/// Computes pivots in pairs to shorten the chain of dependent divisions: the second pivot is the determinant of both
/// divided by the first, with the same accuracy.
#[inline]
fn factor_leading<M: ElementSystem, F: Frames<M>, const W: usize>(matrix: &mut F::MemberMatrix) -> Result<(), usize> {
    let (n, width) = (F::MEMBER, count::<M, F, W>());
    let a = &mut matrix.as_mut_slice()[..n * n];
    let one = M::Scalar::from_f64(1.0);
    // In a definite matrix the sum `scale` of the absolute subtracted terms is at most the diagonal entry. The inverse
    // of NaN or of an overflow is not positive.
    let is_safe = |pivot, inverse, scale| is_safe::<M::Scalar>(width, pivot, inverse, scale);
    // Δ Lᵀ is above the diagonal.
    let rest = |a: &[M::Scalar], row: usize, column: usize, known: usize| {
        let (mut entry, mut scale) = (a[row * n + column], 0.0);
        for j in 0..known {
            let term = a[row * n + j] * a[j * n + column];
            entry -= term;
            scale += term.value().abs();
        }
        (entry, scale)
    };
    for k in (0..width).step_by(2) {
        let (pivot, scale) = rest(a, k, k, k);
        let inverse = one / pivot;
        if !is_safe(pivot, inverse, scale) {
            return Err(k);
        }
        a[k * n + k] = inverse;
        if k + 1 < width {
            let ((beside, _), (next, scale)) = (rest(a, k + 1, k, k), rest(a, k + 1, k + 1, k));
            let square = beside * beside;
            let second = pivot / (pivot * next - square);
            let term = square * inverse;
            if !is_safe(next - term, second, scale + term.value().abs()) {
                return Err(k + 1);
            }
            a[(k + 1) * n + k + 1] = second;
        }
        for column in k..(k + 2).min(width) {
            let inverse = a[column * n + column];
            for i in column + 1..width {
                let (entry, _) = rest(a, i, column, column);
                a[column * n + i] = entry;
                a[i * n + column] = entry * inverse;
            }
        }
    }
    for k in 0..width {
        for i in k + 1..width {
            a[k * n + i] = a[i * n + k];
        }
    }
    Ok(())
}

/// Factorises a general D: L below the diagonal, Δ⁻¹ on it, U above. Returns false without a safe pivot.
#[inline]
pub(super) fn factor_any<M: ElementSystem, F: Frames<M>>(matrix: &mut F::MemberMatrix) -> bool {
    let n = F::MEMBER;
    let a = &mut matrix.as_mut_slice()[..n * n];
    for k in 0..n {
        let size = a[k * n + k].value().abs();
        for j in 0..k {
            let term = a[k * n + j] * a[j * n + k];
            a[k * n + k] -= term;
        }
        // L Δ is below the diagonal so far, and U above it; a definite matrix keeps a larger part of its diagonal.
        let pivot = a[k * n + k];
        if !(pivot.is_finite() && pivot.value() > SAFE_PIVOT * size) {
            return false;
        }
        let inverse = M::Scalar::from_f64(1.0) / pivot;
        for i in k + 1..n {
            for j in 0..k {
                let (lower, upper) = (a[i * n + j] * a[j * n + k], a[k * n + j] * a[j * n + i]);
                a[i * n + k] -= lower;
                a[k * n + i] -= upper;
            }
            a[k * n + i] *= inverse;
        }
        a[k * n + k] = inverse;
    }
    for k in 0..n {
        for i in k + 1..n {
            let entry = a[i * n + k] * a[k * n + k];
            a[i * n + k] = entry;
        }
    }
    true
}

/// Computes G = H D⁻¹ with H = Aᵀ I J, and the upper triangle of I − H D⁻¹ Hᵀ, for a joint that is eliminated with
/// `width` components.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn eliminate<M: ElementSystem, F: Frames<M>>(
    inertia: &mut F::Matrix,
    mixed: &F::Mixed,
    factors: &F::MemberMatrix,
    width: usize,
) -> F::Mixed {
    by_width!(width, eliminate_leading(inertia, mixed, factors))
}

#[inline]
fn eliminate_leading<M: ElementSystem, F: Frames<M>, const W: usize>(
    inertia: &mut F::Matrix,
    mixed: &F::Mixed,
    factors: &F::MemberMatrix,
) -> F::Mixed {
    let (size, n, width) = (F::FRAME, F::MEMBER, count::<M, F, W>());
    let factors = &factors.as_slice()[..n * n];
    let (mut solved, mut result) = (*mixed, F::Mixed::zeros());
    let solved = &mut solved.as_mut_slice()[..size * n];
    let gains = &mut result.as_mut_slice()[..size * n];
    for row in 0..size {
        for k in 0..width {
            let mut entry = solved[row * n + k];
            for j in 0..k {
                entry -= factors[k * n + j] * solved[row * n + j];
            }
            solved[row * n + k] = entry;
            gains[row * n + k] = entry * factors[k * n + k];
        }
    }
    let inertia = &mut inertia.as_mut_slice()[..size * size];
    for row in 0..size {
        for column in row..size {
            let mut rest = inertia[row * size + column];
            for k in 0..width {
                rest -= gains[row * n + k] * solved[column * n + k];
            }
            inertia[row * size + column] = rest;
        }
    }
    times_lower_inverse(gains, (size, n), width, |j, k| factors[j * n + k]);
    result
}

/// Replaces Z by Z L⁻¹, by rows with `size` entries of n; L has `width` rows with a unit diagonal.
#[inline]
pub(super) fn times_lower_inverse<S: Scalar>(
    rows: &mut [S],
    (size, n): (usize, usize),
    width: usize,
    lower: impl Fn(usize, usize) -> S,
) {
    for row in 0..size {
        for k in (0..width).rev() {
            let mut entry = rows[row * n + k];
            for j in k + 1..width {
                entry -= rows[row * n + j] * lower(j, k);
            }
            rows[row * n + k] = entry;
        }
    }
}

/// The least ratio of a pivot to its diagonal entry without pivoting. S is rounded to ε of the diagonal entry, so that
/// λ keeps half of its digits in any order, and the factors are small enough not to lose more.
pub(super) const SAFE_PIVOT: f64 = 1e-8;

/// Computes D⁻¹ r for a joint that is eliminated with `width` components, and adds G r to the bias force of the parent;
/// the latter does not wait for the former.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn backward_pass<M: ElementSystem, F: Frames<M>>(
    factors: &F::MemberMatrix,
    gains: &F::Mixed,
    rest: &F::Member,
    above: &mut F::Vector,
    [width, components]: [usize; 2],
) -> F::Member {
    let mut solved = by_width!(width, backward_leading(factors, gains, rest, above));
    for k in width..components {
        solved.as_mut_slice()[k] *= factors.as_slice()[k * (F::MEMBER + 1)];
    }
    solved
}

#[inline]
fn backward_leading<M: ElementSystem, F: Frames<M>, const W: usize>(
    factors: &F::MemberMatrix,
    gains: &F::Mixed,
    rest: &F::Member,
    above: &mut F::Vector,
) -> F::Member {
    let (n, width) = (F::MEMBER, count::<M, F, W>());
    let (factors, mut solved) = (&factors.as_slice()[..n * n], *rest);
    let own = &mut solved.as_mut_slice()[..n];
    row_backward_pass::<M, F, W>(gains, rest, above);
    for k in 0..width {
        for j in 0..k {
            let product = factors[k * n + j] * own[j];
            own[k] -= product;
        }
    }
    for k in (0..width).rev() {
        own[k] *= factors[k * n + k];
        for j in k + 1..width {
            let product = factors[k * n + j] * own[j];
            own[k] -= product;
        }
    }
    solved
}

/// Adds G b to the covector of a row or force on the parent.
#[inline]
pub(super) fn row_backward_pass<M: ElementSystem, F: Frames<M>, const W: usize>(
    gains: &F::Mixed,
    rest: &F::Member,
    above: &mut F::Vector,
) {
    let (size, n) = (F::FRAME, F::MEMBER);
    let (gains, rest) = (&gains.as_slice()[..size * n], &rest.as_slice()[..n]);
    let above = &mut above.as_mut_slice()[..size];
    for row in 0..size {
        let mut sum = gains[row * n] * rest[0];
        for k in 1..count::<M, F, W>() {
            sum += gains[row * n + k] * rest[k];
        }
        above[row] += sum;
    }
}

/// Replaces s by v' = s − Gᵀ u', for a joint that is eliminated with `width` components.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn forward_pass<M: ElementSystem, F: Frames<M>>(
    gains: &F::Mixed,
    u: &F::Vector,
    own: &mut F::Member,
    width: usize,
) {
    by_width!(width, forward_leading(gains, u, own));
}

#[inline]
fn forward_leading<M: ElementSystem, F: Frames<M>, const W: usize>(
    gains: &F::Mixed,
    u: &F::Vector,
    own: &mut F::Member,
) {
    let (size, n) = (F::FRAME, F::MEMBER);
    let (gains, u) = (&gains.as_slice()[..size * n], &u.as_slice()[..size]);
    let own = &mut own.as_mut_slice()[..n];
    // Two sums: a joint waits for the acceleration of its parent, and the next joint for its acceleration.
    let first = size / 2;
    for k in 0..count::<M, F, W>() {
        let mut rest = gains[first * n + k] * u[first];
        for row in first + 1..size {
            rest += gains[row * n + k] * u[row];
        }
        for row in 0..first {
            own[k] -= gains[row * n + k] * u[row];
        }
        own[k] -= rest;
    }
}
