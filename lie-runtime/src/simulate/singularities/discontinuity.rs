//! Where a force jumps between the two states of a step.
//!
//! A force with a derivative changes by 2⁻ⁿ of its change over the step in the 2⁻ⁿ-th part of it; a jump stays as it is in the part that
//! it falls into.

use crate::group::TangentVector;
use crate::scalar::Scalar;

/// Halvings of a step: a change that is left is a jump.
const HALVINGS: u32 = 24;
/// Parts of a step that are near a jump.
const NEAR: [f64; 3] = [1e-3, 3e-4, 1e-4];
/// A change by a smaller part of the force itself is round-off, or none that small steps are due to.
const CHANGED: f64 = 1e-3;
/// Components that are looked at, those first that change most.
const COMPONENTS: usize = 8;

/// A jump that was crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discontinuity {
    /// The component of the force.
    pub component: usize,
    /// By how much it jumps, seen in the direction of the motion.
    pub size: f64,
}

/// The components of a force as numbers.
pub(in crate::simulate) fn components<V: TangentVector>(force: &V) -> Vec<f64> {
    (0..force.component_count()).map(|component| force.component(component).value()).collect()
}

/// Where a force, by its components, jumps along a segment, s from 0 to 1; `None` if it does not.
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
        // Near the jump the force is what it is next to it, on either side: round-off jumps everywhere.
        let mut is_calm = |side: f64, s: f64| at(s).is_some_and(|force| (force - side).abs() < 0.25 * size.abs());
        let is_jump = size.abs() > 0.5 * (stop - start).abs()
            && NEAR
                .into_iter()
                .all(|near| is_calm(below, (low - near).max(0.0)) && is_calm(above, (high + near).min(1.0)));
        is_jump.then_some(Discontinuity { component, size })
    })
}
