//! γ(z) = (1 − (x/2) cot(x/2)) / x² = Σ_m 2 / (4π²m² − z) and its derivatives.
//!
//! All terms of the partial fractions, of their derivatives and of the power series are positive: no evaluation under
//! 2π cancels.

use super::polynomial::MAX_ORDER;
use super::polynomial::{eight, falling, sixteen};
use super::stumpff::distance;
use crate::scalar::Scalar;

/// Below this limit eight terms of the power series suffice, x < ½.
const SMALL: f64 = 0.25;
/// Below this limit, slightly above (2π)², the first two poles and sixteen terms for the others suffice.
const MIDDLE: f64 = 40.0;

/// The power series: 2 ζ(2j + 2) / (2π)^(2j+2).
const FULL: [f64; 16] = [
    0.083_333_333_333_333_33,
    0.001_388_888_888_888_889,
    3.306_878_306_878_307e-5,
    8.267_195_767_195_768e-7,
    2.087_675_698_786_81e-8,
    5.284_190_138_687_493e-10,
    1.338_253_653_068_467_9e-11,
    3.389_680_296_322_582_7e-13,
    8.586_062_056_277_845e-15,
    2.174_868_698_558_062e-16,
    5.509_002_828_360_229_5e-18,
    1.395_446_468_581_252_2e-19,
    3.534_707_039_629_467e-21,
    8.953_517_427_037_546e-23,
    2.267_952_452_337_683e-24,
    5.744_790_668_872_202e-26,
];
/// The power series without the poles at (2π)² and (4π)²: 2 (ζ(2j + 2) − 1 − 2^−(2j+2)) / (2π)^(2j+2).
const TAIL: [f64; 24] = [
    0.020_007_593_556_872_226,
    2.543_812_068_862_562e-5,
    5.584_568_390_494_415e-8,
    1.408_824_157_476_104_8e-10,
    3.756_716_200_215_798e-13,
    1.028_012_537_536_046e-15,
    2.850_022_129_213_791e-18,
    7.955_575_410_719_845e-21,
    2.228_932_664_553_701_2e-23,
    6.257_471_150_805_773e-26,
    1.758_673_049_290_968e-28,
    4.945_846_950_057_938e-31,
    1.391_382_678_908_088e-33,
    3.915_044_252_645_314_5e-36,
    1.101_726_891_467_141_9e-38,
    3.100_542_691_770_737_3e-41,
    8.726_023_181_210_764e-44,
    2.455_858_682_907_356e-46,
    6.911_862_416_306_981e-49,
    1.945_312_783_014_237e-51,
    5.475_014_621_430_454e-54,
    1.540_926_635_684_348_3e-56,
    4.336_897_035_244_724_5e-59,
    1.220_608_880_100_691_9e-61,
];

/// The coefficients of all derivatives.
const fn derivatives<const LENGTH: usize>(series: &[f64]) -> [[f64; LENGTH]; MAX_ORDER + 1] {
    let mut table = [[0.0; LENGTH]; MAX_ORDER + 1];
    let mut n = 0;
    while n <= MAX_ORDER {
        let mut j = 0;
        while j < LENGTH {
            table[n][j] = falling(j, n) * series[j + n];
            j += 1;
        }
        n += 1;
    }
    table
}

// A constant, as in `stumpff`.
const SHORT: [[f64; 8]; MAX_ORDER + 1] = derivatives(&FULL);
static REST: [[f64; 16]; MAX_ORDER + 1] = derivatives(&TAIL);

/// (2π)² and its rounding error.
const FIRST_POLE: (f64, f64) = (39.478_417_604_357_43, 2.506_118_203_495_884_5e-15);

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn evaluate<S: Scalar>(n: usize, z: S) -> S {
    let short = &SHORT[n];
    S::choose(z.lt(S::from_f64(SMALL)), || eight(short, z), || large(n, z))
}

/// Not inlined: rarely used, and the fast path stays small.
#[inline(never)]
fn large<S: Scalar>(n: usize, z: S) -> S {
    S::choose(z.lt(S::from_f64(MIDDLE)), || middle(n, z), || far(n, z))
}

fn middle<S: Scalar>(n: usize, z: S) -> S {
    let (high, low) = FIRST_POLE;
    let mut first = distance(FIRST_POLE, z).recip();
    let mut second = distance((4.0 * high, 4.0 * low), z).recip();
    let (one, other) = (first, second);
    for _ in 0..n {
        first *= one;
        second *= other;
    }
    S::from_f64(2.0 * falling(0, n)) * (first + second) + sixteen(&REST[n], z)
}

/// The closed form, and its derivatives from z γ' = (z γ² − 3γ + ¼) / 2, differentiated m times:
/// z γ⁽ᵐ⁺¹⁾ = ½ z (γ²)⁽ᵐ⁾ + ½ m (γ²)⁽ᵐ⁻¹⁾ − (m + 3/2) γ⁽ᵐ⁾ + ⅛ [m = 0].
fn far<S: Scalar>(n: usize, z: S) -> S {
    let c = S::from_f64;
    let half_angle = c(0.5) * z.sqrt();
    let mut gamma = [S::zero(); MAX_ORDER + 1];
    let mut square = [S::zero(); MAX_ORDER + 1];
    gamma[0] = (S::one() - half_angle / half_angle.tan()) / z;
    for m in 0..n {
        // Leibniz: (γ²)⁽ᵐ⁾ = Σ_i binomial(m, i) γ⁽ⁱ⁾ γ⁽ᵐ⁻ⁱ⁾.
        let mut binomial = 1.0;
        for i in 0..=m {
            square[m] += c(binomial) * gamma[i] * gamma[m - i];
            binomial *= (m - i) as f64 / (i + 1) as f64;
        }
        let previous = if m == 0 { c(0.125) } else { c(0.5 * m as f64) * square[m - 1] };
        gamma[m + 1] = c(0.5) * square[m] + (previous - c(m as f64 + 1.5) * gamma[m]) / z;
    }
    gamma[n]
}
