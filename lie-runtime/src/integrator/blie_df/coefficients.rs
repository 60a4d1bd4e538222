//! The k-step formulas as data.

/// The backward differentiation formula of order k, h y'(t_{n+1}) = Σ α_i y_{n+1−i} + O(h^{k+1}). The weights extrapolate the increments of
/// the last k − 1 steps to the current one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct BdfCoefficients {
    /// The number of steps k, equal to the order.
    pub steps: usize,
    /// The identifiers of the index-3 and of the stabilised index-2 formulation.
    pub ids: [&'static str; 2],
    /// α_0 … α_k: the derivative at t_{n+1} of the polynomial through the k + 1 values.
    pub derivative: &'static [f64],
    /// The weights of extrapolation: the value at the next point of the polynomial through k − 1 equidistant values, the newest one first.
    pub extrapolation: &'static [f64],
}

/// The largest k.
pub const MAX_STEPS: usize = 4;

/// All formulas by k.
pub const FORMULAS: [BdfCoefficients; MAX_STEPS] = [
    BdfCoefficients { steps: 1, ids: ["bliedf1", "bliedf1_stab2"], derivative: &[1.0, -1.0], extrapolation: &[] },
    BdfCoefficients {
        steps: 2,
        ids: ["bliedf2", "bliedf2_stab2"],
        derivative: &[1.5, -2.0, 0.5],
        extrapolation: &[1.0],
    },
    BdfCoefficients {
        steps: 3,
        ids: ["bliedf3", "bliedf3_stab2"],
        derivative: &[11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0],
        extrapolation: &[2.0, -1.0],
    },
    BdfCoefficients {
        steps: 4,
        ids: ["bliedf4", "bliedf4_stab2"],
        derivative: &[25.0 / 12.0, -4.0, 3.0, -4.0 / 3.0, 0.25],
        extrapolation: &[3.0, -3.0, 1.0],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Polynomials tᵈ on the points 1, 0, −1, … are differentiated and extrapolated exactly.
    #[test]
    fn formulas_are_exact_for_polynomials() {
        for formula in FORMULAS {
            let point = |i: usize| 1.0 - i as f64;
            for degree in 0..=formula.steps {
                let power = i32::try_from(degree).unwrap();
                let sum: f64 = formula.derivative.iter().enumerate().map(|(i, a)| a * point(i).powi(power)).sum();
                assert!((sum - degree as f64).abs() < 1e-12, "{} {degree}", formula.steps);
            }
            for degree in 0..formula.steps - 1 {
                let power = i32::try_from(degree).unwrap();
                let sum: f64 =
                    formula.extrapolation.iter().enumerate().map(|(i, w)| w * point(i + 1).powi(power)).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{} {degree}", formula.steps);
            }
        }
    }
}
