//! Root finding for a function of time within a step.

/// An interval with a sign change: its ends in units of the step, and the values at the ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bracket {
    pub ends: [f64; 2],
    pub values: [f64; 2],
}

/// Roots are located to this part of a step.
pub(super) const RESOLUTION: f64 = 1e-13;
/// Limit of iterations. Bisection alone needs fewer than 50.
const MOST: usize = 100;

impl Bracket {
    /// True if the values at the ends have different signs.
    pub fn holds_a_root(&self) -> bool {
        self.values[0] * self.values[1] < 0.0
    }

    /// Returns the root in the bracket and the value there. The method is inverse quadratic interpolation if three points determine a
    /// monotone function, and bisection otherwise (Chandrupatla 1997). A root of a smooth function takes about six evaluations.
    ///
    /// # Errors
    /// Errors of the function.
    pub fn root<E>(&self, function: &mut dyn FnMut(f64) -> Result<f64, E>) -> Result<(f64, f64), E> {
        let ([mut a, mut b], [mut at_a, mut at_b]) = (self.ends, self.values);
        let mut part = 0.5;
        for _ in 0..MOST {
            let x = a + part * (b - a);
            let value = function(x)?;
            // The remaining bracket is between x and one end; the other end is the third point.
            let (c, at_c) = if (value > 0.0) == (at_a > 0.0) {
                (a, at_a)
            } else {
                let third = (b, at_b);
                (b, at_b) = (a, at_a);
                third
            };
            (a, at_a) = (x, value);
            let (best, at_best) = if at_a.abs() < at_b.abs() { (a, at_a) } else { (b, at_b) };
            let narrow = RESOLUTION / (b - a).abs();
            if at_best == 0.0 || narrow > 0.5 {
                return Ok((best, at_best));
            }
            let (xi, phi) = ((a - b) / (c - b), (at_a - at_b) / (at_c - at_b));
            let is_monotone = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
            part = if is_monotone {
                at_a / (at_b - at_a) * at_c / (at_b - at_c)
                    + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
            } else {
                0.5
            };
            part = part.clamp(narrow, 1.0 - narrow);
        }
        Ok(if at_a.abs() < at_b.abs() { (a, at_a) } else { (b, at_b) })
    }
}

/// Returns the position in a step at which a cubic interpolant is closest to zero, if it is closer there than at both ends. The arguments
/// are the non-negative values and the derivatives (with respect to the relative step) at the ends. A function with equal signs at the ends
/// may have changed its sign twice there.
pub(super) fn nearest_to_zero([from, to]: [f64; 2], [slope, slope_after]: [f64; 2]) -> Option<f64> {
    // p(s) = from + slope s + second s² + third s³.
    let second = 3.0 * (to - from) - 2.0 * slope - slope_after;
    let third = 2.0 * (from - to) + slope + slope_after;
    let cubic = |s: f64| from + s * (slope + s * (second + s * third));
    // p'(s) = slope + 2 second s + 3 third s², its roots without cancellation.
    let discriminant = second * second - 3.0 * third * slope;
    let root = -(second + second.signum() * discriminant.max(0.0).sqrt());
    let extrema = [root / (3.0 * third), slope / root];
    let inside = extrema.into_iter().filter(|s| discriminant >= 0.0 && *s > 0.0 && *s < 1.0);
    inside.filter(|s| cubic(*s) < 0.25 * from.min(to)).min_by(|first, second| cubic(*first).total_cmp(&cubic(*second)))
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use super::{Bracket, nearest_to_zero};

    fn root(function: impl Fn(f64) -> f64) -> (f64, usize) {
        let mut count = 0;
        let bracket = Bracket { ends: [0.0, 1.0], values: [function(0.0), function(1.0)] };
        let found = bracket.root(&mut |s| {
            count += 1;
            Ok::<_, Infallible>(function(s))
        });
        (found.map_or_else(|never| match never {}, |(root, _)| root), count)
    }

    #[test]
    fn roots_are_found_to_round_off_by_few_evaluations() {
        for at in [1e-9, 0.1, 0.3, 0.777, 1.0 - 1e-9] {
            for (function, most) in [
                (&(|s: f64| s - at) as &dyn Fn(f64) -> f64, 8),
                (&|s: f64| (3.0 * s).exp() - (3.0 * at).exp(), 12),
                (&|s: f64| (at - s) * 1e-200, 8),
                (&|s: f64| (s - at).powi(3), 100),
                (&|s: f64| if s > at { 1.0 } else { -1.0 }, 60),
            ] {
                let (found, count) = root(function);
                assert!((found - at).abs() < 2e-13 || function(found).abs() < 1e-30, "{found} instead of {at}");
                assert!(count <= most, "{count} evaluations for {at}");
            }
        }
    }

    #[test]
    fn minima_of_cubics() {
        // (s − 0.4)² − 0.01 and its derivatives.
        let dips = nearest_to_zero([0.15, 0.35], [-0.8, 1.2]);
        assert!((dips.unwrap() - 0.4).abs() < 1e-14);
        assert_eq!(nearest_to_zero([0.15, 0.35], [0.2, 0.2]), None);
        assert_eq!(nearest_to_zero([1.0, 1.0], [0.0, 0.0]), None);
        // With a third power: s³ − s + 0.38 is lowest at 1/√3, just under zero.
        assert!((nearest_to_zero([0.38, 0.38], [-1.0, 2.0]).unwrap() - 3f64.sqrt().recip()).abs() < 1e-14);
    }
}
