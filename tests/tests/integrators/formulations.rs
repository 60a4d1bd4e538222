//! The formulations of one motion agree, and each of them agrees with the reference's energy.

use fixtures::measure::energy;
use fixtures::reference;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{dq, s3r3, s3xr3, se3, so3xr3};
use lie_runtime::prelude::*;

/// The common interface of formulations.
struct Sample {
    attitude: Matrix3<f64>,
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    multipliers: Vector3<f64>,
    energy: f64,
}

const TIMES: [f64; 6] = [0.0, 0.113, 0.25, 0.5, 0.777, 1.0];

fn samples<M: HeavyTop>(method: HalfExplicit, steps: f64) -> Vec<Sample> {
    let top = M::of_the_paper();
    let (q, v) = M::initial();
    let run = Simulation::of(&top).initial(q, v).method(method).step(1.0 / steps).end_time(1.0).output_times(&TIMES);
    let trajectory = run.full_order_multipliers().run().unwrap();
    assert_eq!(trajectory.times().collect::<Vec<_>>(), TIMES);
    let sample = |state: &State<M>| Sample {
        attitude: M::attitude(&state.configuration),
        position: M::position(&state.configuration),
        velocity: M::linear_velocity(&state.configuration, &state.velocity),
        multipliers: state.multipliers,
        energy: energy(&top, state),
    };
    trajectory.states.iter().map(sample).collect()
}

/// The largest differences of attitude, position, velocity, λ (relative) and energy (relative).
fn difference(a: &[Sample], b: &[Sample]) -> [f64; 5] {
    a.iter().zip(b).fold([0.0; 5], |largest, (a, b)| {
        let differences = [
            (a.attitude - b.attitude).amax(),
            (a.position - b.position).amax(),
            (a.velocity - b.velocity).amax(),
            (a.multipliers - b.multipliers).amax() / 1000.0,
            (a.energy - b.energy).abs() / b.energy.abs(),
        ];
        [0, 1, 2, 3, 4].map(|i| largest[i].max(differences[i]))
    })
}

/// Different groups make different errors: they agree as well as each of them agrees with the motion.
#[test]
fn formulations_agree_to_the_accuracy_of_the_method() {
    for (method, steps, tolerance) in [
        // Errors of q at t = 1 are 2e-11 for order 5 with 1/10000 on SE(3), those of the others are smaller; v and λ
        // (of full order here) are 5 to 30 times as sensitive.
        (HalfExplicit::hedop5(), 10_000.0, [1e-10, 1e-10, 3e-10, 3e-9, 1e-11]),
        (HalfExplicit::herk4(), 10_000.0, [1e-7, 1e-7, 3e-7, 3e-6, 1e-8]),
    ] {
        let first = samples::<so3xr3::System>(method, steps);
        for (name, other) in [
            (se3::System::GROUP, samples::<se3::System>(method, steps)),
            (s3xr3::System::GROUP, samples::<s3xr3::System>(method, steps)),
            (s3r3::System::GROUP, samples::<s3r3::System>(method, steps)),
            (dq::System::GROUP, samples::<dq::System>(method, steps)),
        ] {
            let differences = difference(&first, &other);
            println!("{} {name}: {differences:?}", method.tableau().id);
            for (difference, tolerance) in differences.into_iter().zip(tolerance) {
                assert!(difference < tolerance, "{} {name}: {differences:?}", method.tableau().id);
            }
        }
    }
}

#[test]
fn every_formulation_keeps_the_energy_of_the_reference() {
    let exact = reference::heavy_top().total_energy;
    for run in [
        samples::<so3xr3::System>(HalfExplicit::hedop5(), 4000.0),
        samples::<se3::System>(HalfExplicit::hedop5(), 4000.0),
        samples::<s3xr3::System>(HalfExplicit::hedop5(), 4000.0),
        samples::<s3r3::System>(HalfExplicit::hedop5(), 4000.0),
        samples::<dq::System>(HalfExplicit::hedop5(), 4000.0),
    ] {
        for sample in run {
            // The error of q is 2e-9 there.
            let error = (sample.energy / exact - 1.0).abs();
            assert!(error < 1e-9, "{error:e}");
        }
    }
}

/// λ of Φ = Rᵀ x − X belongs to the constraint, not to the group: it is equal in all formulations, and at t = 1 equal to the reference.
/// Taken from the index-1 system, it has the accuracy of q and v.
#[test]
fn multipliers_are_those_of_the_reference() {
    let exact = reference::heavy_top().multipliers;
    for run in [
        samples::<so3xr3::System>(HalfExplicit::hedop5(), 10_000.0),
        samples::<se3::System>(HalfExplicit::hedop5(), 10_000.0),
        samples::<s3xr3::System>(HalfExplicit::hedop5(), 10_000.0),
        samples::<s3r3::System>(HalfExplicit::hedop5(), 10_000.0),
        samples::<dq::System>(HalfExplicit::hedop5(), 10_000.0),
    ] {
        let error = (run.last().unwrap().multipliers - exact).norm() / exact.norm();
        assert!(error < 1e-9, "{error:e}");
    }
}
