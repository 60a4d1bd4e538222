//! Time intervals with smooth inputs.

/// A time interval with smooth inputs, see [`OverTime::smooth_until`](super::OverTime::smooth_until).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothStretch {
    /// The end of the interval.
    pub until: f64,
    /// False if a closure or a declared function of time may change at any time.
    pub is_known: bool,
}

impl SmoothStretch {
    /// Creates the interval of a system that does not depend on time.
    pub fn to(end: f64) -> Self {
        SmoothStretch { until: end, is_known: true }
    }
}

/// Relative tolerance for equal times, in units of round-off.
const SAME: f64 = 8.0 * f64::EPSILON;

/// Returns the absolute tolerance for equal times of this size.
pub(super) fn resolution(one: f64, other: f64) -> f64 {
    SAME * one.abs().max(other.abs())
}

/// Relative positions of the interpolation nodes.
const NODES: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

/// Evaluates the cubic polynomial in s ∈ [0, 1] with these values at [`NODES`].
fn cubic(values: &[f64; 4], s: f64) -> f64 {
    let weight = |i: usize| {
        let others = (0..4).filter(|j| *j != i);
        others.map(|j| (s - NODES[j]) / (NODES[i] - NODES[j])).product::<f64>()
    };
    (0..4).map(|i| weight(i) * values[i]).sum()
}

/// Returns true if a cubic polynomial approximates the values of `at` at `times` with a relative `tolerance` of their range. Deviations
/// that are small compared with the `ranges` over all times are also accepted.
pub(super) fn is_cubic(
    [start, end]: [f64; 2],
    times: impl Iterator<Item = f64>,
    (tolerance, ranges): (f64, &[f64]),
    mut at: impl FnMut(f64, &mut Vec<f64>),
) -> bool {
    let nodes: [Vec<f64>; 4] = NODES.map(|s| {
        let mut numbers = Vec::new();
        at(start + s * (end - start), &mut numbers);
        numbers
    });
    let columns = nodes[0].len();
    let fitted: Vec<[f64; 4]> = (0..columns).map(|c| core::array::from_fn(|i| nodes[i][c])).collect();
    let extreme = |pick: fn(f64, f64) -> f64, start| move |values: &[f64; 4]| values.iter().copied().fold(start, pick);
    let mut least: Vec<f64> = fitted.iter().map(extreme(f64::min, f64::INFINITY)).collect();
    let mut most: Vec<f64> = fitted.iter().map(extreme(f64::max, f64::NEG_INFINITY)).collect();
    let mut deviation = vec![0.0_f64; columns];
    let mut numbers = Vec::with_capacity(columns);
    for time in times {
        let s = (time - start) / (end - start);
        numbers.clear();
        at(time, &mut numbers);
        for column in 0..columns {
            let number = numbers[column];
            least[column] = least[column].min(number);
            most[column] = most[column].max(number);
            deviation[column] = deviation[column].max((number - cubic(&fitted[column], s)).abs());
            // No interval has a larger range than the complete table.
            let size = ranges[column] + fitted[column][0].abs();
            if deviation[column] > tolerance * (1.0 + SMALL) * ranges[column] + ROUND_OFF * size {
                return false;
            }
        }
    }
    (0..columns).all(|c| {
        let (range, size) = (most[c] - least[c], most[c].abs().max(least[c].abs()));
        deviation[c] <= tolerance * (range + SMALL * ranges[c]) + ROUND_OFF * size
    })
}

/// Accepted deviation relative to the range over all times, as a part of the tolerance.
const SMALL: f64 = 0.1;
/// Relative round-off of an interpolated value.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;
