//! Location of a force discontinuity between the two states of a step.
//!
//! A differentiable force changes by 2⁻ⁿ of its total change in the 2⁻ⁿ-th part of the step. A discontinuity keeps its size in the part
//! that contains it.

use crate::group::TangentVector;
use crate::scalar::Scalar;

/// Number of bisections. The remaining change is a discontinuity.
const HALVINGS: u32 = 24;
/// Distances from the discontinuity, in parts of a step, at which the force is compared.
const NEAR: [f64; 3] = [1e-3, 3e-4, 1e-4];
/// Smaller relative changes of the force are round-off, or they do not cause small steps.
const CHANGED: f64 = 1e-3;
/// Number of components that are examined, in the order of their changes.
const COMPONENTS: usize = 8;

/// A discontinuity of a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discontinuity {
    /// The component of the force.
    pub component: usize,
    /// The size of the discontinuity in the direction of the motion.
    pub size: f64,
}

/// Returns the components of a force as `f64` values.
pub(in crate::simulate) fn components<V: TangentVector>(force: &V) -> Vec<f64> {
    (0..force.component_count()).map(|component| force.component(component).value()).collect()
}

/// Returns a discontinuity of a force along a segment, s from 0 to 1, if there is one. The function returns the components of the force.
pub(in crate::simulate) fn find_discontinuity(force: &mut dyn FnMut(f64) -> Option<Vec<f64>>) -> Option<Discontinuity> {
    let (starts, stops) = (force(0.0)?, force(1.0)?);
    let change = |component: usize| {
        let (a, b) = (starts[component], stops[component]);
        (b - a).abs() / (a.abs() + b.abs()).max(f64::MIN_POSITIVE)
    };
    let mut changed: Vec<usize> = (0..starts.len()).filter(|&c| change(c) > CHANGED).collect();
    changed.sort_by(|&a, &b| change(b).total_cmp(&change(a)));
    changed.into_iter().take(COMPONENTS).find_map(|component| {
        let mut at = |s: f64| force(s).map(|force| force[component]).filter(|force| force.is_finite());
        let (start, stop) = (starts[component], stops[component]);
        let ([mut low, mut high], [mut below, mut above]) = ([0.0, 1.0], [start, stop]);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let between = at(middle)?;
            if (between - below).abs() > (above - between).abs() {
                (high, above) = (middle, between);
            } else {
                (low, below) = (middle, between);
            }
        }
        let size = above - below;
        // Close to the discontinuity, the force has a constant value on either side. This excludes round-off.
        let mut is_calm = |side: f64, s: f64| at(s).is_some_and(|force| (force - side).abs() < 0.25 * size.abs());
        let is_jump = size.abs() > 0.5 * (stop - start).abs()
            && NEAR
                .into_iter()
                .all(|near| is_calm(below, (low - near).max(0.0)) && is_calm(above, (high + near).min(1.0)));
        is_jump.then_some(Discontinuity { component, size })
    })
}
