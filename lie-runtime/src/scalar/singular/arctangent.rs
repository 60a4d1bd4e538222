//! A(y) = arctan(√y) / √y and its derivatives, for logarithms.

use super::polynomial::MAX_ORDER;
use super::polynomial::{eight, falling};
use crate::scalar::Scalar;

/// Below this limit eight terms of the power series suffice: rotation angles up to 0.35.
const SMALL: f64 = 1.0 / 128.0;
/// Terms of Euler's series, whose ratio is under ½ for y ≤ 1.
const TERMS: usize = 52;

/// The coefficients of the derivatives of Σ_j (−y)^j / (2j + 1).
const fn series() -> [[f64; 8]; MAX_ORDER + 1] {
    let mut table = [[0.0; 8]; MAX_ORDER + 1];
    let mut n = 0;
    while n <= MAX_ORDER {
        let mut j = 0;
        while j < 8 {
            let sign = if (j + n) % 2 == 0 { 1.0 } else { -1.0 };
            table[n][j] = sign * falling(j, n) / (2 * (j + n) + 1) as f64;
            j += 1;
        }
        n += 1;
    }
    table
}

// A constant, as in `stumpff`.
const SHORT: [[f64; 8]; MAX_ORDER + 1] = series();

#[inline]
pub(super) fn evaluate<S: Scalar>(n: usize, y: S) -> S {
    let short = &SHORT[n];
    S::choose(y.lt(S::from_f64(SMALL)), || eight(short, y), || large(n, y))
}

/// Not inlined: rarely used, and the fast path stays small.
#[inline(never)]
fn large<S: Scalar>(n: usize, y: S) -> S {
    if n == 0 {
        let root = y.sqrt();
        return root.atan() / root;
    }
    S::choose(y.le(S::one()), || euler(n, y), || far(n, y))
}

/// n! (−1)ⁿ / (1 + y)^(n+1): derivative n of 1 / (1 + y).
fn kernel<S: Scalar>(n: usize, y: S) -> S {
    let inverse = (S::one() + y).recip();
    let mut value = inverse;
    for i in 1..=n {
        value *= S::from_f64(-(i as f64)) * inverse;
    }
    value
}

/// From (2n + 1) A⁽ⁿ⁾ = kernel⁽ⁿ⁾ − 2y A⁽ⁿ⁺¹⁾, applied again and again: with t = y / (1 + y), all terms of one sign,
/// A⁽ⁿ⁾ = kernel⁽ⁿ⁾ / (2n + 1) · Σ_j t^j Π_{i≤j} 2(n + i) / (2(n + i) + 1).
fn euler<S: Scalar>(n: usize, y: S) -> S {
    let t = y / (S::one() + y);
    let mut sum = S::one();
    for i in (1..=TERMS).rev() {
        let twice = (2 * (n + i)) as f64;
        sum = S::one() + S::from_f64(twice / (twice + 1.0)) * t * sum;
    }
    kernel(n, y) * sum / S::from_f64((2 * n + 1) as f64)
}

/// The same relation upwards: 2y A⁽ᵐ⁺¹⁾ = kernel⁽ᵐ⁾ − (2m + 1) A⁽ᵐ⁾ cancels little where y > 1.
fn far<S: Scalar>(n: usize, y: S) -> S {
    let mut value = large(0, y);
    for m in 0..n {
        value = (kernel(m, y) - S::from_f64((2 * m + 1) as f64) * value) / (y + y);
    }
    value
}
