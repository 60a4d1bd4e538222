//! Impacts lose energy by the impact law, flight and rest conserve the energy, times are of the order of the method.

use crate::bouncing_top::{energy, losses, run, time_of_blow};

#[test]
fn energy_is_lost_in_blows_alone() {
    let (system, run) = run(2.5e-4, 1.5).unwrap();
    let blows: Vec<_> = run.events_called("strikes").collect();
    assert!(blows.len() > 8, "{} blows", blows.len());
    for blow in &blows {
        let [lost, expected] = losses(&system, blow).unwrap();
        // Of 8 J.
        assert!(expected > 0.0 && (lost - expected).abs() < 1e-12, "{lost:e} and {expected:e}");
    }
    let lost: f64 = blows.iter().map(|blow| losses(&system, blow).unwrap()[0]).sum();
    let change = energy(&system, run.last().unwrap()) - energy(&system, &run.states[0]);
    assert!((change + lost).abs() < 1e-9, "{change:e} in all, {lost:e} in impacts");
    // The tip is never under the plate by more than what a step's error is.
    let lowest = run
        .states
        .iter()
        .map(|state| crate::bouncing_top::model::so3xr3::tip(system.parameters(), &state.configuration).z);
    assert!(lowest.fold(0.0, f64::min) > -1e-9);
}

#[test]
fn times_of_blows_are_of_the_order_of_the_method() {
    let reference = time_of_blow(3, 1e-4).unwrap();
    let errors = [2e-3, 1e-3].map(|step| (time_of_blow(3, step).unwrap() - reference).abs());
    let order = (errors[0] / errors[1]).log2();
    assert!(order > 4.5, "{errors:?}, order {order:.2}");
}
