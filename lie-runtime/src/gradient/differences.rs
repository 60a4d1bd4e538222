//! Derivatives of declared functions without dual numbers: extrapolated finite differences.

use nalgebra::DVector;

use crate::scalar::difference::central;

/// The first step in each direction.
const FIRST: f64 = 0.1;
/// The ratio of successive steps; its powers are exact.
const SHORTER: f64 = 0.5;
/// The largest number of steps.
const STEPS: usize = 14;
/// The second difference of |x| divided by the step is constant; for a smooth function it is proportional to the step.
const KINK: f64 = 0.6;

/// The step of differences without extrapolation.
const STEP: f64 = 1e-3;

/// Computes f'(0) by central differences of fourth order, for a function that is smooth on the scale of one; `None` if f is undefined.
#[inline]
pub(crate) fn difference(f: &dyn Fn(f64) -> Option<DVector<f64>>) -> Option<DVector<f64>> {
    let [one, two] = [STEP, 2.0 * STEP].map(|step| Some(f(step)? - f(-step)?));
    Some(central(one?, two?, STEP))
}

/// A derivative and an estimate of its error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    pub value: f64,
    /// Infinite if there is no derivative.
    pub error: f64,
    /// The error by round-off in the values.
    pub noise: f64,
}

/// Computes f'(0) of each component of f. Central differences with steps h, h/2, … are extrapolated to zero (Ridders' scheme). The result
/// of each component is the entry of the scheme whose adjacent entries differ least.
///
/// Components that are not finite, or have a kink at 0, have no derivative.
#[inline]
pub(crate) fn slopes(f: &mut dyn FnMut(f64) -> Vec<f64>) -> Vec<Slope> {
    let middle = f(0.0);
    let count = middle.len();
    let noise = |value: f64, h: f64| 16.0 * f64::EPSILON * value.abs() / h;
    let mut found: Vec<Slope> = middle
        .iter()
        .map(|&value| Slope { value: f64::NAN, error: f64::INFINITY, noise: noise(value, SHORTER * FIRST) })
        .collect();
    let mut last: Vec<Vec<f64>> = Vec::new();
    // |f(h) + f(−h) − 2 f(0)| / h at the last step, and the largest value so far.
    let (mut bends, mut largest) = (vec![0.0_f64; count], vec![0.0_f64; count]);
    let mut h = FIRST;
    for step in 0..STEPS {
        let (ahead, behind) = (f(h), f(-h));
        let of = |value: &dyn Fn(f64, f64, f64) -> f64| -> Vec<f64> {
            (0..count).map(|at| value(ahead[at], behind[at], middle[at])).collect()
        };
        let mut row = vec![of(&|a, b, _| (a - b) / (2.0 * h))];
        bends = of(&|a, b, m| ((a - m) + (b - m)).abs() / h);
        for (largest, bend) in largest.iter_mut().zip(&bends) {
            *largest = largest.max(*bend);
        }
        let mut factor = 1.0;
        for column in 1..=step {
            factor /= SHORTER * SHORTER;
            let next: Vec<f64> = (0..count)
                .map(|at| row[column - 1][at] + (row[column - 1][at] - last[column - 1][at]) / (factor - 1.0))
                .collect();
            for at in 0..count {
                let change = (next[at] - row[column - 1][at]).abs().max((next[at] - last[column - 1][at]).abs());
                if change < found[at].error {
                    (found[at].value, found[at].error) = (next[at], change);
                }
            }
            row.push(next);
        }
        last = row;
        h *= SHORTER;
        // Constant and linear functions need no further steps.
        if step >= 2 && found.iter().zip(&bends).all(|(slope, bend)| slope.error == 0.0 && *bend == 0.0) {
            break;
        }
    }
    for (at, slope) in found.iter_mut().enumerate() {
        if !middle[at].is_finite() {
            (slope.value, slope.error) = (f64::NAN, f64::INFINITY);
        }
        if bends[at] > KINK * largest[at] && bends[at] > 1e-6 * slope.value.abs() + noise(middle[at], h) {
            slope.error = f64::INFINITY;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::slopes;

    #[test]
    fn smooth_functions_have_their_derivatives_and_others_none() {
        let mut f = |x: f64| {
            vec![(3.0 * x).exp(), (1.0 + x).sqrt() * 1e6, 2.0 - 5.0 * x, 7.0, x.abs(), 1.0 / x, (20.0 * x).sin()]
        };
        let found = slopes(&mut f);
        for (at, expected) in [(0, 3.0), (1, 5e5), (2, -5.0), (3, 0.0), (6, 20.0)] {
            let slope = found[at];
            assert!((slope.value - expected).abs() < 1e-10 * (1.0 + expected.abs()), "{at}: {slope:?}");
            assert!(slope.error < 1e-8 * (1.0 + expected.abs()), "{at}: {slope:?}");
        }
        assert_eq!([4, 5].map(|at| found[at].error), [f64::INFINITY; 2]);
    }

    /// A second derivative that dominates at all steps is not a kink: half the step gives half the second difference.
    #[test]
    fn what_is_curved_is_smooth() {
        let slope = slopes(&mut |x| vec![1e4 * x * x + 1e-3 * x])[0];
        assert!((slope.value - 1e-3).abs() < 1e-9 && slope.error < 1e-8, "{slope:?}");
    }
}
