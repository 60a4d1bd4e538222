//! Through singular configurations: the N-four-bar mechanism is flat some fifteen times in ten seconds.

use fixtures::systems::redundant::four_bar::{self, REFERENCE};
use lie_runtime::gradient::{GradientError, Objective};
use lie_runtime::prelude::*;

/// Methods and twice the constant C of their errors C hᵖ, as without a singular configuration.
const FOUR_BAR: [(&str, i32, f64); 10] = [
    ("herk2_heun", 2, 8e3),
    ("herk2_midpoint", 2, 8e3),
    ("herk3_lambda3", 3, 5e4),
    ("herk4", 4, 1.6e4),
    ("hedop5", 5, 1e4),
    ("lie_alpha", 2, 9e2),
    ("lie_alpha_stab2", 2, 9e2),
    ("bliedf2", 2, 1e4),
    ("tr_bdf2_third_order", 3, 9e4),
    ("rattlie", 2, 4e2),
];
/// The error of the passages in ten seconds, for all steps.
const PASSED: f64 = 1e-7;

/// The largest error of position and velocity of B₀ at the times of the reference.
fn error(method: &str, h: f64) -> f64 {
    let system = four_bar::System::new().unwrap();
    let (q, v) = four_bar::start();
    let times: Vec<f64> = REFERENCE.iter().map(|(time, _)| *time).collect();
    let run = Simulation::of(&system).initial(q, v).step(h).end_time(10.0).output_times(&times);
    let run = run.run_precompiled(method).unwrap_or_else(|error| panic!("{method} {h}: {error}"));
    let mut largest = 0.0_f64;
    for (state, (_, reference)) in run.states.iter().zip(REFERENCE) {
        assert!(state.multipliers.amax() < 1e3, "{method} {h}: {}", state.multipliers);
        largest = four_bar::top(state).iter().zip(reference).map(|(a, b)| (a - b).abs()).fold(largest, f64::max);
    }
    largest
}

/// Stages come as near to a singular configuration as chance has it, the nearer the more there are: at no step does that matter.
#[test]
fn branches_are_kept_at_every_step() {
    let h = 4e-3;
    for (method, order, constant) in FOUR_BAR {
        let (error, bound) = (error(method, h), constant * f64::powi(h, order) + PASSED);
        assert!(error < bound, "{method}: {error:e} of {bound:e}");
    }
}

/// Shorter steps land in the neighbourhood itself, many of them one after the other.
#[test]
fn short_steps_pass_too() {
    let system = four_bar::System::new().unwrap();
    let start = four_bar::at(0.05, -6.0);
    for h in [1e-4, 1e-5] {
        for method in ["hedop5", "herk2_heun", "rattlie"] {
            let (q, v) = start;
            let run = Simulation::of(&system).initial(q, v).step(h).end_time(0.015);
            let run = run.run_precompiled(method).unwrap_or_else(|error| panic!("{method} {h}: {error}"));
            let [first, .., last] = run.last().configuration.uprights.map(|rod| rod.rotation.angle());
            // Through the horizontal, side by side.
            assert!(first < -0.03 && (first - last).abs() < 1e-9, "{method} {h}: {first} {last}");
            let energy = |state: &State<four_bar::System>| {
                system.kinetic_energy(0.0, &state.configuration, &state.velocity)
                    + system.potential_energy(0.0, &state.configuration)
            };
            let gain = energy(run.last()) / energy(&run.states[0]) - 1.0;
            assert!(gain.abs() < 1e-7, "{method} {h}: {gain:e}");
            assert!(method == "rattlie" || run.statistics.crossings > 0, "{method} {h}");
        }
    }
}

/// A point on two crossing lines, where the rows become parallel.
#[mechanical_system(redundant = minimum_norm, gradients)]
pub mod crossing {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    /// Across the line that it is on.
    #[potential]
    fn push(q: &Place) -> f64 {
        q.x.y
    }

    #[constraint]
    fn lines(q: &Place) -> Vector2<f64> {
        Vector2::new(q.x.z, q.x.z + q.x.x * q.x.y)
    }
}

/// Steps through the singularity are not steps of the method, so that a reverse pass does not exist.
#[test]
fn gradients_do_not_go_back_through_steps_of_another_method() {
    let system = crossing::System::new().unwrap();
    let objective = Objective::<crossing::System>::new().at_end(|state| state.configuration.x.x);
    let gradient = |until: f64| {
        Simulation::of(&system)
            .initial(crossing::Place { x: Vector3::new(-0.1, 0.0, 0.0) }, Vector3::new(1.0, 0.0, 0.0))
            .method(HalfExplicit::hedop5())
            .step(1e-3)
            .end_time(until)
            .gradient_of(&objective)
    };
    let before = gradient(0.05).unwrap();
    assert!((before.value + 0.05).abs() < 1e-12, "{}", before.value);
    let error = gradient(0.2).unwrap_err();
    assert!(matches!(*error, GradientError::Crossed { .. }), "{error}");
}

#[test]
fn the_smallest_singular_value_of_a_run_is_told_with_its_time() {
    let system = four_bar::System::new().unwrap();
    let (q, v) = four_bar::start();
    let run = || Simulation::of(&system).initial(q, v).step(1e-3).end_time(0.9);
    assert_eq!(run().run_precompiled("hedop5").unwrap().statistics.smallest_singular_value, None);
    let seen = run()
        .monitor_rank()
        .run_precompiled("hedop5")
        .unwrap()
        .statistics
        .smallest_singular_value
        .expect("was asked for");
    // The first passage, where θ = 0.
    let flat = run().run_precompiled("hedop5").unwrap();
    let angle = |state: &State<four_bar::System>| state.configuration.uprights[0].rotation.angle().abs();
    let nearest = flat.states.iter().min_by(|a, b| angle(a).total_cmp(&angle(b))).unwrap();
    assert!(seen.time == nearest.time && seen.value < 1e-2, "{seen:?} {}", nearest.time);
}
