//! Slots are entered without an impact, the wheel rotates by exact quarters, speeds agree with the energy.

use std::f64::consts::FRAC_PI_2;

use crate::geneva_drive::{error, ratio, run};

#[test]
fn the_wheel_turns_by_quarters() {
    for (torque, method, tolerance) in
        [(0.0, "hedop5", 1e-9), (2e-3, "hedop5", 1e-9), (0.0, "lie_alpha_stab2", 2e-4), (0.0, "rattlie", 2e-4)]
    {
        let run = run(torque, method, (1e-3, 1.9)).unwrap();
        assert_eq!(run.events_called("enters").count(), 3, "{method}");
        for (turns, event) in run.events_called("leaves").enumerate() {
            let wheel = event.before.configuration.wheel;
            assert!((wheel + FRAC_PI_2 * (turns + 1) as f64).abs() < 1e-8, "{method}: {wheel}");
        }
        assert!(error(torque, &run) < tolerance, "{method}: {:e}", error(torque, &run));
    }
}

/// At its ends the wheel is at rest, in the middle it rotates back with the ratio (1 − √2) / (3 − 2√2).
#[test]
fn the_ratio_is_that_of_the_slot() {
    assert!(ratio(-std::f64::consts::FRAC_PI_4).abs() < 1e-15 && ratio(3.0) == 0.0);
    assert!((ratio(0.0) + 1.0 + std::f64::consts::SQRT_2).abs() < 1e-14);
    // By the mean of the ratio over the slot the wheel has turned by a quarter.
    let count = 1000;
    let sum: f64 = (0..count).map(|at| ratio(FRAC_PI_2 * ((f64::from(at) + 0.5) / f64::from(count) - 0.5))).sum();
    assert!((sum / f64::from(count) + 1.0).abs() < 1e-6, "{sum}");
}
