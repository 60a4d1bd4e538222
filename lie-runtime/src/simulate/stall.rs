//! Whether error control has come to stand at a force that jumps.
//!
//! Dry friction at rest, a relay: the force jumps by Δ at a place that the motion is driven to from both sides. A step of size h
//! that crosses the jump has an error of about h Δ, of whatever order the method is, and a tolerance ε lets pass h = ε / Δ: the
//! run neither fails nor ends. Explicit methods take as small steps in stiff systems, honestly. What lies between the two
//! states of a step tells them apart. A force with a derivative changes by 2⁻ⁿ of its change over the step in the 2⁻ⁿ-th
//! part of it; a jump stays as it is in the part that it falls into. The time is held, so that inputs may jump, and the motion has
//! to have crossed the jump both ways: one that is passed costs some small steps, and no more.

use crate::group::TangentVector;
use crate::scalar::Scalar;

/// So many attempts are looked at as one.
const WINDOW: u32 = 1000;
/// At the pace of the last ones so many more to the end are a run that does not end.
const ENDLESS: f64 = 1e8;
/// Steps that are then looked at for a jump.
const LOOKS: u32 = 64;
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
pub struct Jump {
    /// The component of the force.
    pub component: usize,
    /// By how much it jumps, seen in the direction of the motion.
    pub size: f64,
}

/// The pace of an error-controlled run.
pub(super) struct Pace {
    attempts: u32,
    /// The time at which the last window has begun.
    since: f64,
    /// The attempts to the end at its pace.
    left: f64,
    looks: u32,
    jumps: Vec<Jump>,
}

impl Pace {
    pub fn from(time: f64) -> Self {
        Pace { attempts: 0, since: time, left: 0.0, looks: 0, jumps: Vec::new() }
    }

    /// Notes an attempt that has led to a time; true if the run does not come to its end and the step is to be looked at.
    pub fn creeps(&mut self, time: f64, end: f64) -> bool {
        self.attempts += 1;
        if self.attempts == WINDOW {
            self.left = f64::from(WINDOW) * (end - time) / (time - self.since);
            (self.attempts, self.since) = (0, time);
            self.jumps.clear();
            self.looks = if self.left > ENDLESS { LOOKS } else { 0 };
        }
        self.looks = self.looks.saturating_sub(1);
        self.looks > 0
    }

    /// Notes the jump of a step; the number of steps to the end and the jump if the motion has crossed it both ways.
    pub fn crosses(&mut self, jump: Jump) -> Option<(f64, Jump)> {
        let back = |other: &Jump| other.component == jump.component && (other.size < 0.0) != (jump.size < 0.0);
        let is_crossed_back = self.jumps.iter().any(back);
        self.jumps.push(jump);
        is_crossed_back.then_some((self.left, jump))
    }
}

/// The components of a force as numbers.
pub(super) fn components<V: TangentVector>(force: &V) -> Vec<f64> {
    (0..force.component_count()).map(|component| force.component(component).value()).collect()
}

/// Where a force, by its components, jumps along a segment, s from 0 to 1; `None` if it does not.
pub(super) fn find_jump(force: &mut dyn FnMut(f64) -> Option<Vec<f64>>) -> Option<Jump> {
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
        is_jump.then_some(Jump { component, size })
    })
}
