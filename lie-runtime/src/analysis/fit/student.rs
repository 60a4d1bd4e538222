//! Quantiles of Student's t distribution.

use core::f64::consts::{FRAC_2_PI, FRAC_2_SQRT_PI, SQRT_2};

/// Above this number of degrees of freedom, the expansion in 1/ν is exact to 1e-10.
const EXPANDED: usize = 200;

/// Returns t such that a variable with Student's distribution is in [−t, t] with this probability. `None` stands for infinitely many
/// degrees of freedom, the normal distribution.
pub(super) fn quantile(probability: f64, degrees_of_freedom: Option<usize>) -> f64 {
    match degrees_of_freedom {
        Some(count) if count <= EXPANDED => solve(probability, |t| student(t, count)),
        Some(count) => expanded(solve(probability, normal), count as f64),
        None => solve(probability, normal),
    }
}

/// Solves `distribution(t)` = `probability` for an increasing function by bisection.
fn solve(probability: f64, distribution: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while distribution(high) < probability && high < 1e12 {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if distribution(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// P(|T| ≤ t) for ν degrees of freedom, a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn student(t: f64, count: usize) -> f64 {
    let angle = (t / (count as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    // The terms have the factors (k − 1)/k cos², from cos for odd ν and from 1 for even ν.
    let is_odd = count % 2 == 1;
    let (mut term, mut sum) = if is_odd { (cos, cos) } else { (1.0, 1.0) };
    let mut k = if is_odd { 3 } else { 2 };
    while k < count {
        term *= (k - 1) as f64 / k as f64 * cos * cos;
        sum += term;
        k += 2;
    }
    match count {
        1 => FRAC_2_PI * angle,
        _ if is_odd => FRAC_2_PI * (angle + sin * sum),
        _ => sin * sum,
    }
}

/// P(|Z| ≤ z) for the normal distribution: erf(z/√2) by its series with positive terms (Abramowitz and Stegun, 7.1.6).
fn normal(z: f64) -> f64 {
    let x = z / SQRT_2;
    if x > 6.0 {
        return 1.0;
    }
    let (mut term, mut sum, mut n) = (x, 0.0, 0.0);
    while term > sum * f64::EPSILON {
        sum += term;
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
    }
    FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// The quantile of Student's distribution from the quantile z of the normal distribution (Abramowitz and Stegun, 26.7.5).
fn expanded(z: f64, count: f64) -> f64 {
    let square = z * z;
    let terms = [
        (square + 1.0) / 4.0,
        ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
        ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92160.0,
    ];
    z + z * terms.iter().rev().fold(0.0, |sum, term| (sum + term) / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table of Student's distribution, two-sided.
    #[test]
    fn quantiles_are_those_of_tables() {
        for (probability, count, expected) in [
            (0.95, Some(1), 12.706_204_736),
            (0.95, Some(2), 4.302_652_730),
            (0.95, Some(3), 3.182_446_305),
            (0.95, Some(10), 2.228_138_852),
            (0.99, Some(5), 4.032_142_984),
            (0.95, Some(30), 2.042_272_456),
            (0.95, Some(120), 1.979_930_405),
            (0.95, None, 1.959_963_985),
            (0.682_689_492_137, None, 1.0),
            (0.999, None, 3.290_526_731),
        ] {
            let found = quantile(probability, count);
            assert!((found - expected).abs() < 1e-8 * expected, "{probability} {count:?}: {found}");
        }
    }

    /// Both formulas agree where they meet.
    #[test]
    fn the_expansion_continues_the_sum() {
        for probability in [0.5, 0.95, 0.999] {
            let (exact, expanded) =
                (solve(probability, |t| student(t, EXPANDED)), expanded(solve(probability, normal), EXPANDED as f64));
            assert!((exact - expanded).abs() < 1e-8, "{probability}: {exact} {expanded}");
        }
    }
}
