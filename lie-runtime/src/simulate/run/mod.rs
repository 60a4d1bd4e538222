//! A run on its way, of any kind of problem, by any method.
//!
//! It is [launched](launch) from a description: that is checked, the first state is made consistent and prepared by the method. The loops
//! over the steps, of one size or controlled by the error, set its [pace], and what is [under way](under_way) makes each step by the
//! [stepper], which holds the system as it is [given], the method, and who looks after the motion; shows it to the [lookout] for events;
//! and lets the recorder [keep](record) of it what is asked for.

mod brake;
mod given;
mod launch;
mod locate;
mod lookout;
mod pace;
mod progress;
mod record;
mod stall;
mod stepper;
mod under_way;
mod warnings;
mod watched;

pub(super) use given::Given;
pub(super) use launch::Described;
pub(crate) use pace::FixedSteps;

/// Times that are as near to one another, as parts of a step, are one.
const COINCIDE: f64 = 1e-9;

/// Times that differ by less are the same: late ones have few digits behind the point.
fn round_off(time: f64) -> f64 {
    2.0 * f64::EPSILON * time.abs()
}
