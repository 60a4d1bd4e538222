//! Distributions of ensemble variables.

use core::ops::{Range, RangeInclusive};

use super::error::MOST;

/// Distribution of a variable.
///
/// A range is converted into a uniform distribution, a list into equally frequent values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "uncertainty")]
#[doc(alias = "random variable")]
pub enum Distribution {
    /// Uniform between two bounds.
    Uniform {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Uniform in the logarithm, between two positive bounds.
    LogUniform {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Normal (Gaussian).
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// These values with equal frequency. Grids require this distribution.
    Values(Vec<f64>),
}

impl Distribution {
    /// Creates `count` equidistant values, including both ends.
    pub fn linear(low: f64, high: f64, count: usize) -> Self {
        let last = count.saturating_sub(1).max(1) as f64;
        Distribution::Values((0..count.min(MOST + 1)).map(|k| low + (high - low) * (k as f64 / last)).collect())
    }

    /// Creates `count` values with equal ratios, including both ends.
    pub fn logarithmic(low: f64, high: f64, count: usize) -> Self {
        let last = count.saturating_sub(1).max(1) as f64;
        Distribution::Values((0..count.min(MOST + 1)).map(|k| low * (high / low).powf(k as f64 / last)).collect())
    }

    /// Returns the reason for an invalid distribution.
    pub(super) fn defect(&self) -> Option<String> {
        match self {
            Distribution::Uniform { low, high } | Distribution::LogUniform { low, high }
                if !(low.is_finite() && high.is_finite() && low < high) =>
            {
                Some(format!(
                    "the lower bound {low:?} is not below the upper bound {high:?}; set finite bounds in ascending order"
                ))
            }
            Distribution::LogUniform { low, .. } if *low <= 0.0 => {
                Some(format!("the lower bound {low:?} is not positive; set a positive bound"))
            }
            Distribution::Uniform { low, high } if !(high - low).is_finite() => {
                Some(format!("the difference of the bounds {low:?} and {high:?} is not finite; set closer bounds"))
            }
            Distribution::LogUniform { low, high } if !(high / low).is_finite() => {
                Some(format!("the ratio of the bounds {low:?} and {high:?} is not finite; set closer bounds"))
            }
            Distribution::Normal { mean, deviation }
                if !(mean.is_finite() && *deviation >= 0.0 && deviation.is_finite()) =>
            {
                Some(format!(
                    "invalid normal distribution with mean {mean} and standard deviation {deviation}; use finite values and a deviation of at least 0"
                ))
            }
            Distribution::Values(values) if values.is_empty() => {
                Some("the list of values is empty; set at least one value".to_owned())
            }
            Distribution::Values(values) => values
                .iter()
                .find(|value| !value.is_finite())
                .map(|value| format!("the value {value} is not finite; set finite values")),
            _ => None,
        }
    }

    /// Returns the `u`-quantile, 0 < u < 1.
    pub(super) fn quantile(&self, u: f64) -> f64 {
        match self {
            Distribution::Uniform { low, high } => low + (high - low) * u,
            Distribution::LogUniform { low, high } => low * (high / low).powf(u),
            Distribution::Normal { mean, deviation } => mean + deviation * standard_normal(u),
            Distribution::Values(values) => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                // In range: between 0 and the length.
                let index = (u * values.len() as f64) as usize;
                values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
            }
        }
    }
}

/// Returns the quantile of the standard normal distribution: Φ(x) = ½ erfc(−x/√2) = u.
///
/// A rational approximation (Hastings, error 5e-4) is the initial value of Halley's iteration on the tail below 1/2, which preserves
/// relative accuracy. Cubic convergence from 5e-4 to 1e-10 reaches round-off.
fn standard_normal(u: f64) -> f64 {
    if u > 0.5 {
        return -standard_normal(1.0 - u);
    }
    let s = (-2.0 * u.ln()).sqrt();
    let mut x =
        (2.515_517 + s * (0.802_853 + s * 0.010_328)) / (1.0 + s * (1.432_788 + s * (0.189_269 + s * 0.001_308))) - s;
    for _ in 0..3 {
        let error = 0.5 * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2) - u;
        let newton = error * (2.0 * core::f64::consts::PI).sqrt() * (0.5 * x * x).exp();
        x -= newton / (1.0 + 0.5 * x * newton);
    }
    x
}

impl From<Range<f64>> for Distribution {
    fn from(range: Range<f64>) -> Self {
        Distribution::Uniform { low: range.start, high: range.end }
    }
}

impl From<RangeInclusive<f64>> for Distribution {
    fn from(range: RangeInclusive<f64>) -> Self {
        Distribution::Uniform { low: *range.start(), high: *range.end() }
    }
}

impl From<Vec<f64>> for Distribution {
    fn from(values: Vec<f64>) -> Self {
        Distribution::Values(values)
    }
}

impl<const N: usize> From<[f64; N]> for Distribution {
    fn from(values: [f64; N]) -> Self {
        Distribution::Values(values.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tabulated values of the standard normal distribution.
    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (u, x) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.025, -1.959_963_984_540_054),
            (0.841_344_746_068_542_9, 1.0),
            (1e-10, -6.361_340_902_404_056),
            (0.99, 2.326_347_874_040_841),
        ] {
            assert!((standard_normal(u) - x).abs() < 1e-12 * (1.0 + x.abs()), "{u}: {} {x}", standard_normal(u));
        }
    }

    #[test]
    fn values_have_equal_frequency() {
        let values = Distribution::from([1.0, 2.0, 4.0, 8.0]);
        let taken: Vec<f64> = (0..8).map(|k| values.quantile((f64::from(k) + 0.5) / 8.0)).collect();
        assert_eq!(taken, [1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 8.0]);
        assert_eq!(Distribution::linear(0.0, 1.0, 3), Distribution::Values(vec![0.0, 0.5, 1.0]));
        assert_eq!(Distribution::linear(2.0, 3.0, 1), Distribution::Values(vec![2.0]));
    }

    #[test]
    fn invalid_distributions_are_errors() {
        for wrong in [
            Distribution::from(1.0..1.0),
            Distribution::from(f64::NAN..1.0),
            Distribution::LogUniform { low: 0.0, high: 1.0 },
            Distribution::LogUniform { low: 1e-300, high: 1e300 },
            Distribution::from(-1e308..1e308),
            Distribution::Normal { mean: 0.0, deviation: -1.0 },
            Distribution::from([]),
            Distribution::from([1.0, f64::INFINITY]),
        ] {
            assert!(wrong.defect().is_some(), "{wrong:?}");
        }
        assert_eq!(Distribution::from(0.0..=1.0).defect(), None);
    }
}
