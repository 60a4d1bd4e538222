//! Cubic splines: twice continuously differentiable, with "not-a-knot" conditions at both ends (de Boor 1978, chapter IV). Cubics are
//! reproduced, and the error is O(h⁴) up to the ends.

/// Returns the second derivatives of the spline through `values` at `times`, which must have at least two entries.
pub(super) fn second_derivatives(times: &[f64], values: &[f64]) -> Vec<f64> {
    let n = times.len();
    let h: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let slope: Vec<f64> = values.windows(2).zip(&h).map(|(pair, h)| (pair[1] - pair[0]) / h).collect();
    match n {
        0..=2 => return vec![0.0; n],
        3 => return vec![2.0 * (slope[1] - slope[0]) / (h[0] + h[1]); 3],
        _ => {}
    }
    // Rows 1 … n − 2 of h₋ m₋ + 2 (h₋ + h) m + h m₊ = 6 (s − s₋). The third derivative is continuous at the second and the second last
    // knot: m₀ = (1 + r) m₁ − r m₂ with r = h₀ / h₁, and symmetrically at the end.
    let (first, last) = (h[0] / h[1], h[n - 2] / h[n - 3]);
    let mut diagonal: Vec<f64> = (1..n - 1).map(|i| 2.0 * (h[i - 1] + h[i])).collect();
    let mut lower: Vec<f64> = (1..n - 1).map(|i| h[i - 1]).collect();
    let mut upper: Vec<f64> = (1..n - 1).map(|i| h[i]).collect();
    let mut m: Vec<f64> = (1..n - 1).map(|i| 6.0 * (slope[i] - slope[i - 1])).collect();
    let end = m.len() - 1;
    diagonal[0] += h[0] * (1.0 + first);
    upper[0] -= h[0] * first;
    diagonal[end] += h[n - 2] * (1.0 + last);
    lower[end] -= h[n - 2] * last;
    for row in 1..=end {
        let factor = lower[row] / diagonal[row - 1];
        diagonal[row] -= factor * upper[row - 1];
        m[row] -= factor * m[row - 1];
    }
    m[end] /= diagonal[end];
    for row in (0..end).rev() {
        m[row] = (m[row] - upper[row] * m[row + 1]) / diagonal[row];
    }
    let (before, behind) = ((1.0 + first) * m[0] - first * m[1], (1.0 + last) * m[end] - last * m[end - 1]);
    m.insert(0, before);
    m.push(behind);
    m
}

#[cfg(test)]
mod tests {
    use super::second_derivatives;

    #[test]
    fn a_cubic_is_reproduced() {
        let times = [0.0, 0.3, 1.0, 1.1, 2.0, 2.5];
        let cubic = |t: f64| 1.0 - t + 0.5 * t * t - 2.0 * t * t * t;
        for n in 4..=6 {
            let values: Vec<f64> = times[..n].iter().map(|&t| cubic(t)).collect();
            for (m, t) in second_derivatives(&times[..n], &values).iter().zip(times) {
                assert!((m - (1.0 - 12.0 * t)).abs() < 1e-11, "{n} knots: {m} at {t}");
            }
        }
    }

    #[test]
    fn three_knots_are_a_parabola() {
        let m = second_derivatives(&[0.0, 1.0, 3.0], &[0.0, 1.0, 9.0]);
        assert!(m.iter().all(|m| (m - 2.0).abs() < 1e-14), "{m:?}");
    }
}
