//! Derivatives by finite differences with error estimates.

/// The step sizes in units of the finest step.
const STEPS: [f64; 3] = [4.0, 2.0, 1.0];

/// f'(0) of one component of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Derivative {
    /// The derivative.
    pub value: f64,
    /// The estimated error.
    pub error: f64,
}

impl Derivative {
    /// Returns true if `generated` differs from the derivative by more than `errors` times the estimated error plus
    /// `allowed`.
    pub fn excludes(&self, generated: f64, errors: f64, allowed: f64) -> bool {
        let is_known = self.value.is_finite() && self.error.is_finite();
        is_known && (!generated.is_finite() || (self.value - generated).abs() > errors * self.error + allowed)
    }
}

/// Returns the derivatives of a function at 0, by central differences with `finest` and with two and four times this
/// step; `None` if the function has no value there.
pub(super) fn derivatives(finest: f64, evaluate: &dyn Fn(f64) -> Option<Vec<f64>>) -> Option<Vec<Derivative>> {
    let here = evaluate(0.0)?;
    let mut nearby_states = Vec::with_capacity(STEPS.len());
    for step in STEPS.map(|times| times * finest) {
        nearby_states.push((step, evaluate(step)?, evaluate(-step)?));
    }
    let size = here.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    let derivative = |at: usize| {
        let slope = |(step, after, before): &(f64, Vec<f64>, Vec<f64>)| (after[at] - before[at]) / (2.0 * step);
        // The difference between the forward and the backward difference.
        let bend = |(step, after, before): &(f64, Vec<f64>, Vec<f64>)| (after[at] - 2.0 * here[at] + before[at]) / step;
        let [coarse, middle, fine] = [0, 1, 2].map(|number: usize| slope(&nearby_states[number]));
        // For a smooth function, halving the step removes three quarters of the error of the central difference and
        // half of the difference between forward and backward differences. The latter does not decrease at a kink,
        // where central differences may agree.
        let changed = (fine - middle).abs().max((middle - coarse).abs() / 4.0);
        let kinked = (bend(&nearby_states[2]) - bend(&nearby_states[0]) / 4.0).abs();
        let rounded = f64::EPSILON * size / finest;
        Derivative { value: fine + (fine - middle) / 3.0, error: changed + kinked + rounded }
    };
    Some((0..here.len()).map(derivative).collect())
}
