//! What the search for the least effort finds.

use crate::swing_up::{BOUND, Plan, data, search};

/// By itself the motion ends upright, and no force that is within its bounds betters it.
#[test]
fn the_pole_is_swung_up_with_the_least_effort() {
    let plan = search(&data()).unwrap();
    let flown = plan.flown(&data()).unwrap();
    let missed = Plan::missed(flown.last().unwrap());
    assert!(missed < 1e-6, "{missed:e}");
    let slope = plan.slope(&data()).unwrap();
    assert!(slope < 1e-4 * plan.steepness(), "{slope:e} {:e}", plan.steepness());
    // It hangs at first, and no motion at all is guessed.
    assert!(plan.progress[0].effort == 0.0 && plan.progress[0].defect > 0.1);
    let bound = plan.forces.iter().filter(|force| force.abs() > BOUND - 1e-6).count();
    assert!(bound >= 8, "{bound}");
    assert!(plan.forces.iter().all(|force| force.abs() < BOUND + 1e-9));
    // Without bounds it is 59.13.
    assert!((plan.effort() - 62.595).abs() < 0.01, "{}", plan.effort());
}
