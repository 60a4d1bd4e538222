//! Polynomials by Estrin's scheme: the terms are summed in pairs, which keeps the chain of dependent operations short.

use crate::scalar::Scalar;

/// The largest k of c_k.
pub const MAX_INDEX: usize = 7;
/// The largest order of a derivative.
pub const MAX_ORDER: usize = 8;

/// Σ_j a_j z^j, j = 0..8.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn eight<S: Scalar>(a: &[f64; 8], z: S) -> S {
    let c = S::from_f64;
    let square = z * z;
    let pair = |j: usize| S::mul_add(c(a[j + 1]), z, c(a[j]));
    let low = S::mul_add(pair(2), square, pair(0));
    let high = S::mul_add(pair(6), square, pair(4));
    S::mul_add(high, square * square, low)
}

/// Σ_j a_j z^j, j = 0..16.
#[inline]
pub(super) fn sixteen<S: Scalar>(a: &[f64; 16], z: S) -> S {
    let (low, high) = a.split_at(8);
    let (low, high) = (low.first_chunk(), high.first_chunk());
    let (Some(low), Some(high)) = (low, high) else { unreachable!("sixteen is twice eight") };
    let square = z * z;
    let fourth = square * square;
    S::mul_add(eight(high, z), fourth * fourth, eight(low, z))
}

/// m!, the nearest number (exact sums of products in integers as far as they go, to 34!).
pub(super) const fn factorial(m: usize) -> f64 {
    let mut exact: u128 = 1;
    let mut i = 2;
    while i <= m && i <= 34 {
        exact *= i as u128;
        i += 1;
    }
    let mut value = exact as f64;
    while i <= m {
        value *= i as f64;
        i += 1;
    }
    value
}

/// (j + n)! / j!, the factor of the coefficient of z^(j + n) in derivative n.
pub(super) const fn falling(j: usize, n: usize) -> f64 {
    let mut value = 1.0;
    let mut i = 1;
    while i <= n {
        value *= (j + i) as f64;
        i += 1;
    }
    value
}
