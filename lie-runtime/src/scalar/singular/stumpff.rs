//! c_k(z) = Σ_j (−z)^j / (2j + k)! and its derivatives.

use super::polynomial::{MAX_INDEX, MAX_ORDER};
use super::polynomial::{eight, factorial, falling, sixteen};
use crate::scalar::Scalar;

/// Below this limit eight terms of the power series suffice, x < ½. The steps of integrators are small rotations.
const SMALL: f64 = 0.25;
/// Below this limit, slightly above π², sixteen terms suffice. Above it the closed forms lose one or two digits.
const MIDDLE: f64 = 10.0;

/// The coefficients of dⁿ/dzⁿ c_k: (−1)^(j+n) (j + n)! / j! / (2j + 2n + k)!.
const fn series<const LENGTH: usize>() -> [[[f64; LENGTH]; MAX_ORDER + 1]; MAX_INDEX + 1] {
    let mut table = [[[0.0; LENGTH]; MAX_ORDER + 1]; MAX_INDEX + 1];
    let mut k = 0;
    while k <= MAX_INDEX {
        let mut n = 0;
        while n <= MAX_ORDER {
            let mut j = 0;
            while j < LENGTH {
                let sign = if (j + n) % 2 == 0 { 1.0 } else { -1.0 };
                table[k][n][j] = sign * falling(j, n) / factorial(2 * (j + n) + k);
                j += 1;
            }
            n += 1;
        }
        k += 1;
    }
    table
}

// A constant, whose numbers are seen wherever the evaluation is inlined: those of a static of another crate are read from memory,
// and on wide registers eight at a time, to be picked out one by one.
const SHORT: [[[f64; 8]; MAX_ORDER + 1]; MAX_INDEX + 1] = series();
static LONG: [[[f64; 16]; MAX_ORDER + 1]; MAX_INDEX + 1] = series();

/// cos(x) / (π²/4 − z): without its first zero the cosine is a sum that cancels little.
static COSINE: [f64; 16] = [
    0.405_284_734_569_351_1,
    -0.038_386_651_209_726_18,
    0.001_329_340_193_849_494,
    -2.413_417_706_299_238_7e-5,
    2.704_911_813_978_072_5e-7,
    -2.059_661_415_199_472_6e-9,
    1.135_376_148_784_444_4e-11,
    -4.741_187_392_368_806e-14,
    1.551_832_817_710_638_4e-16,
    -4.088_463_422_858_478e-19,
    8.857_173_830_097_717e-22,
    -1.605_639_324_246_240_4e-24,
    2.471_526_355_891_183_2e-27,
    -3.270_610_251_703_125e-30,
    3.760_631_121_421_057e-33,
    -3.792_049_616_017_505e-36,
];
/// sin(x) / x / (π² − z).
static SINE: [f64; 16] = [
    0.101_321_183_642_337_78,
    -0.006_620_881_685_705_293,
    0.000_173_507_627_867_944_53,
    -2.523_411_226_290_386e-6,
    2.353_900_791_429_502e-8,
    -1.533_091_307_063_625e-10,
    7.377_507_107_630_339e-13,
    -2.732_192_833_987_491e-15,
    8.031_164_891_399_394e-18,
    -1.919_736_065_652_471e-20,
    3.805_425_137_658_989e-23,
    -6.357_401_008_369_676e-26,
    9.073_238_640_133_752e-29,
    -1.119_104_871_615_755_8e-31,
    1.204_852_448_564_539_6e-34,
    -1.142_152_464_361_596_6e-37,
];
/// π² and its rounding error.
const PI_SQUARE: (f64, f64) = (9.869_604_401_089_358, 6.265_295_508_739_711e-16);

/// (`high` + `low`) − z with one rounding, also for z close to the constant; `high` may be rounded to S.
#[inline]
pub(super) fn distance<S: Scalar>((high, low): (f64, f64), z: S) -> S {
    let rounded = S::from_f64(high);
    (rounded - z) + S::from_f64((high - rounded.value()) + low)
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn evaluate<S: Scalar>(k: usize, n: usize, z: S) -> S {
    let short = &SHORT[k][n];
    S::choose(z.lt(S::from_f64(SMALL)), || eight(short, z), || large(k, n, z))
}

/// Not inlined: rarely used, and the fast path stays small.
#[inline(never)]
fn large<S: Scalar>(k: usize, n: usize, z: S) -> S {
    S::choose(z.lt(S::from_f64(MIDDLE)), || middle(k, n, z), || far(k, n, z))
}

fn middle<S: Scalar>(k: usize, n: usize, z: S) -> S {
    let (high, low) = PI_SQUARE;
    match (k, n) {
        (0, 0) => distance((0.25 * high, 0.25 * low), z) * sixteen(&COSINE, z),
        (1, 0) => distance(PI_SQUARE, z) * sixteen(&SINE, z),
        // c_0' = -c_1 / 2 has a zero at π².
        (0, _) => S::from_f64(-0.5) * middle(1, n - 1, z),
        _ => sixteen(&LONG[k][n], z),
    }
}

/// Closed forms, c_{k+2} = (1/k! − c_k) / z and 2 c_k' = k c_{k+2} − c_{k+1}.
fn far<S: Scalar>(k: usize, n: usize, z: S) -> S {
    let half = S::from_f64(0.5);
    match (k, n) {
        (0, 0) => z.sqrt().cos(),
        (1, 0) => {
            let x = z.sqrt();
            x.sin() / x
        }
        (2, 0) => {
            let sine = (half * z.sqrt()).sin();
            (sine * sine + sine * sine) / z
        }
        (_, 0) => (S::from_f64(1.0 / factorial(k - 2)) - far(k - 2, 0, z)) / z,
        (0, _) => -half * far(1, n - 1, z),
        _ => half * (S::from_f64(k as f64) * far(k + 2, n - 1, z) - far(k + 1, n - 1, z)),
    }
}
