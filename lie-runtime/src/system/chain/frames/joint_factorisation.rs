//! The elimination of one member: L Δ Lᵀ of its small matrix D, and what is left of the frame before it.
//!
//! Where rows of constraints have been eliminated further outwards, with other forces than rows, D is not symmetric: L Δ U, and what stands
//! for Z on the right of D⁻¹ is not what stands on its left.
//!
//! Loops run over sizes known at compile time, in indices, so that they are unrolled: of every number of components that a joint is eliminated
//! with, in matrices of the largest size. What stands beyond these is that of the identity, and of G zero; of the spins of points of the
//! sphere it is their inertia, each by itself.

#![allow(clippy::needless_range_loop)]

use super::Frames;
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::ElementSystem;

/// What is left of a joint that has been eliminated.
pub(super) struct EliminatedJoint<M: ElementSystem, F: Frames<M>> {
    /// What is kept of [A J].
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

/// Calls what is written for joints of so many components: those of the largest are 0.
macro_rules! by_width {
    ($width:expr, $function:ident($($argument:expr),*)) => {
        match $width {
            1 if F::MEMBER > 1 => $function::<M, F, 1>($($argument),*),
            2 if F::MEMBER > 2 => $function::<M, F, 2>($($argument),*),
            3 if F::MEMBER > 3 => $function::<M, F, 3>($($argument),*),
            _ => $function::<M, F, 0>($($argument),*),
        }
    };
}

/// How many that are.
#[inline]
fn count<M: ElementSystem, F: Frames<M>, const W: usize>() -> usize {
    if W == 0 { F::MEMBER } else { W }
}

/// True if a pivot is above 0, and its inverse a number, by more than what has been subtracted from it may be rounded by.
#[inline]
fn is_safe<S: Scalar>(n: usize, pivot: S, inverse: S, scale: f64) -> bool {
    let is_known = inverse.value() > 0.0 && (!S::HAS_DERIVATIVES || inverse.is_finite());
    is_known && pivot.value() > 4.0 * n as f64 * f64::EPSILON * scale
}

/// L below the diagonal, Δ⁻¹ on it, Lᵀ above, of a joint that is eliminated with `width` of its components; `Err` with the component that has
/// no pivot.
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

/// A joint waits for that of the one behind it, and this for its divisions: pivots are found two at a time, the second as the quotient of
/// the determinant of both and the first, which is as near to it.
#[inline]
fn factor_leading<M: ElementSystem, F: Frames<M>, const W: usize>(matrix: &mut F::MemberMatrix) -> Result<(), usize> {
    let (n, width) = (F::MEMBER, count::<M, F, W>());
    let a = &mut matrix.as_mut_slice()[..n * n];
    let one = M::Scalar::from_f64(1.0);
    // What has been subtracted from a pivot, of absolute values `scale`, is at most its diagonal entry, in a definite matrix. The inverse of
    // what is no number, or too large for one, is not above 0.
    let is_safe = |pivot, inverse, scale| is_safe::<M::Scalar>(width, pivot, inverse, scale);
    // Above the diagonal stands Δ Lᵀ.
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

/// L below the diagonal, Δ⁻¹ on it, U above; false if a pivot is lost.
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
        // L Δ stands below the diagonal so far, and U above it; what is definite keeps more of its diagonal than this.
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

/// G = H D⁻¹ with H = Aᵀ I J, and the upper triangle of I − H D⁻¹ Hᵀ, of a joint that is eliminated with so many components.
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

/// Z L⁻¹ in the place of the rows of Z, `size` of n numbers, with L of `width` rows given below its diagonal of ones.
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

/// A pivot has to be this part of its diagonal entry where there are no interchanges: S is rounded to ε of that, so that half of the digits of λ are left
/// whatever the order is, and no factor is so large that it takes more.
pub(super) const SAFE_PIVOT: f64 = 1e-8;

/// D⁻¹ r of a joint that is eliminated with `width` of its components, and G r added to what the frame before needs: that does not wait for the
/// former.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn backward_pass<M: ElementSystem, F: Frames<M>>(
    factors: &F::MemberMatrix,
    gains: &F::Mixed,
    rest: &F::Member,
    above: &mut F::Vector,
    [width, components]: [usize; 2],
) -> F::Member {
    let mut solved = by_width!(width, inwards_leading(factors, gains, rest, above));
    for k in width..components {
        solved.as_mut_slice()[k] *= factors.as_slice()[k * (F::MEMBER + 1)];
    }
    solved
}

#[inline]
fn inwards_leading<M: ElementSystem, F: Frames<M>, const W: usize>(
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

/// G b added to what a row, or a force, asks of the frame before.
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

/// v' = s − Gᵀ u' in the place of s, of a joint that is eliminated with so many components.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn forward_pass<M: ElementSystem, F: Frames<M>>(
    gains: &F::Mixed,
    u: &F::Vector,
    own: &mut F::Member,
    width: usize,
) {
    by_width!(width, outwards_leading(gains, u, own));
}

#[inline]
fn outwards_leading<M: ElementSystem, F: Frames<M>, const W: usize>(
    gains: &F::Mixed,
    u: &F::Vector,
    own: &mut F::Member,
) {
    let (size, n) = (F::FRAME, F::MEMBER);
    let (gains, u) = (&gains.as_slice()[..size * n], &u.as_slice()[..size]);
    let own = &mut own.as_mut_slice()[..n];
    // In two sums: a joint waits for the acceleration of the frame before it, and the next one for that.
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
