//! Through singular configurations: the N-four-bar mechanism is flat some fifteen times in ten seconds.

use lie_runtime::prelude::*;
use tests::systems::redundant::four_bar::{self, REFERENCE};

/// Methods, steps, and errors of twice those that were found: of the order of each method, as without a singular configuration.
const FOUR_BAR: [(&str, f64, f64); 7] = [
    ("herk4", 1e-3, 2e-9),
    ("hedop5", 1e-3, 1e-6),
    ("lie_alpha", 1e-3, 1e-3),
    ("lie_alpha", 5e-4, 2.5e-4),
    ("lie_alpha_stab2", 1e-3, 6e-4),
    ("tr_bdf2_third_order", 1e-3, 1e-4),
    ("rattlie", 1e-3, 4e-4),
];

/// The largest error of position and velocity of B₀ at the times of the reference.
fn error(method: &str, h: f64) -> f64 {
    let system = four_bar::System::new().unwrap();
    let (q, v) = four_bar::start();
    let times: Vec<f64> = REFERENCE.iter().map(|(time, _)| *time).collect();
    let run =
        Simulation::of(&system).starting_at(q, v).with_method(method).unwrap().step(h).until(10.0).sample_at(&times);
    let run = run.run().unwrap_or_else(|error| panic!("{method} {h}: {error}"));
    let mut largest = 0.0_f64;
    for (state, (_, reference)) in run.states.iter().zip(REFERENCE) {
        assert!(state.multipliers.amax() < 1e3, "{method} {h}: {}", state.multipliers);
        largest = four_bar::top(state).iter().zip(reference).map(|(a, b)| (a - b).abs()).fold(largest, f64::max);
    }
    largest
}

#[test]
fn branches_are_kept() {
    for (method, h, bound) in FOUR_BAR {
        let error = error(method, h);
        assert!(error < bound, "{method} {h}: {error:e}");
    }
}

#[test]
fn the_smallest_singular_value_of_a_run_is_told_with_its_time() {
    let system = four_bar::System::new().unwrap();
    let (q, v) = four_bar::start();
    let run = || Simulation::of(&system).starting_at(q, v).step(1e-3).until(0.9);
    assert_eq!(run().run().unwrap().statistics.smallest_singular_value, None);
    let seen = run().watching_rank().run().unwrap().statistics.smallest_singular_value.expect("was asked for");
    // The first passage, where θ = 0.
    let flat = run().run().unwrap();
    let angle = |state: &State<four_bar::System>| state.configuration.uprights[0].rotation.angle().abs();
    let nearest = flat.states.iter().min_by(|a, b| angle(a).total_cmp(&angle(b))).unwrap();
    assert!(seen.time == nearest.time && seen.value < 1e-2, "{seen:?} {}", nearest.time);
}
