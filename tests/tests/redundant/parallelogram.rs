//! A parallelogram in joint coordinates through its flat positions, where the rows of its loop depend on one another.
//!
//! As long as it is one, its coupler does not turn: it swings as a pendulum of one angle, J θ'' = −W cos θ, which is integrated here
//! separately. In a flat position it might become an antiparallelogram; during the passage only its velocities distinguish the two.

use fixtures::systems::redundant::passed_loops::{along, unrolled};
use lie_runtime::group::TangentVector;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::erased::Erasable;

/// Lengths of the cranks, and of the coupler and the ground; bars have a mass of 1 per length.
const CRANK: f64 = 1.0;
const COUPLER: f64 = 1.5;
const GRAVITY: f64 = 9.81;

/// Angles of the hinges where the cranks are at θ.
pub fn angles(theta: f64) -> [f64; 3] {
    [theta, -theta, theta + core::f64::consts::PI]
}

/// Steps between two of a tenth of a second: 2e-4 s.
const BETWEEN: u32 = 500;

/// θ and its rate at the times, by Runge and Kutta's method in steps that leave nothing of its error.
fn pendulum(mut theta: f64, mut rate: f64, times: &[f64]) -> Vec<[f64; 2]> {
    let inertia = 2.0 / 3.0 * CRANK.powi(3) + COUPLER * CRANK * CRANK;
    let weight = GRAVITY * CRANK * (CRANK + COUPLER);
    let slope = |[theta, rate]: [f64; 2]| [rate, -weight / inertia * theta.cos()];
    let mut time = 0.0;
    let mut found = vec![];
    for &end in times {
        let h = (end - time) / f64::from(BETWEEN);
        for _ in 0..BETWEEN {
            let at = [theta, rate];
            let moved = |k: [f64; 2], h: f64| [at[0] + h * k[0], at[1] + h * k[1]];
            let a = slope(at);
            let b = slope(moved(a, 0.5 * h));
            let c = slope(moved(b, 0.5 * h));
            let d = slope(moved(c, h));
            let sum = |i: usize| h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
            (theta, rate) = (theta + sum(0), rate + sum(1));
        }
        time = end;
        found.push([theta, rate]);
    }
    found
}

const END: f64 = 6.0;

fn times() -> Vec<f64> {
    (1..=60).map(|tenth| END * f64::from(tenth) / 60.0).collect()
}

/// The largest error of angles and rates at those times, of a run that begins at θ with a rate; the error, if it failed.
pub fn error<M: Erasable>(
    system: &M,
    start: (M::Configuration, M::Velocity),
    angles_of: impl Fn(&M::Configuration) -> [SO2; 3],
    (method, h): (&str, f64),
    (theta, rate): (f64, f64),
) -> Result<f64, String> {
    let run = Simulation::of(system).initial(start.0, start.1).step(h).end_time(END).output_times(&times());
    let run = run.run_precompiled(method).map_err(|error| error.to_string())?;
    let mut largest = 0.0_f64;
    for (state, [theta, rate]) in run.states.iter().zip(pendulum(theta, rate, &times())) {
        for (found, exact) in angles_of(&state.configuration).into_iter().zip(angles(theta)) {
            largest = largest.max((found.inverse() * SO2::from_angle(exact)).angle().abs());
        }
        for (at, exact) in [rate, -rate, rate].into_iter().enumerate() {
            largest = largest.max((state.velocity.component(at) - exact).abs());
        }
    }
    Ok(largest)
}

/// The errors of a run with frames and of a run with unrolled code.
fn errors(method: (&str, f64), motion: (f64, f64)) -> [Result<f64, String>; 2] {
    let (hinges, rates) = (angles(motion.0).map(SO2::from_angle), [motion.1, -motion.1, motion.1]);
    let system = along::System::new(along::Lengths { hinges: 3 }).unwrap();
    let start = (along::Bars { hinges: hinges.to_vec() }, DVector::from_row_slice(&rates));
    let one = error(&system, start, |q| [q.hinges[0], q.hinges[1], q.hinges[2]], method, motion);
    let system = unrolled::System::new().unwrap();
    let start = (unrolled::Bars { hinges }, Vector3::from(rates));
    [one, error(&system, start, |q| q.hinges, method, motion)]
}

/// Methods and twice the constant C of their errors C hᵖ. Before anything is passed through `herk2_heun` hands λ from step to step, and its
/// errors alternate: near to a flat position, at the distance θ, they are in velocities by 1 / θ larger than in λ.
const PARALLELOGRAM: [(&str, i32, f64); 11] = [
    ("herk2_heun", 2, 6e3),
    ("herk3", 3, 1.2e3),
    ("herk4", 4, 5e3),
    ("hedop5", 5, 1e3),
    ("lie_alpha", 2, 6e1),
    ("lie_alpha_stab2", 2, 6e1),
    ("bliedf2", 2, 2.4e2),
    ("bliedf3_stab2", 3, 1.7e4),
    ("tr_bdf2", 2, 3e1),
    ("tr_bdf2_third_order", 3, 7e2),
    ("rattlie", 2, 6e1),
];
/// The error of the passages in six seconds, for all steps: round-off over the distance of a recorded state from a flat position.
const PASSED: f64 = 5e-8;

fn assert_right(motion: (f64, f64)) {
    for (method, order, constant) in PARALLELOGRAM {
        for h in [4e-3, 2e-3] {
            let bound = constant * f64::powi(h, order) + PASSED;
            for (kind, outcome) in ["along frames", "written out"].into_iter().zip(errors((method, h), motion)) {
                println!("{motion:?} {method} {h} {kind}: {outcome:?} of {bound:.1e}");
                let error = outcome.unwrap_or_else(|told| panic!("{method} {h} {kind}: {told}"));
                assert!(error < bound, "{method} {h} {kind}: {error:e} of {bound:e}");
            }
        }
    }
}

/// From rest above a flat position through it and the other one, and back, nine times.
const SWINGING: (f64, f64) = (0.5, 0.0);

/// That, by one method.
pub fn assert_swings(method: (&str, f64), bound: f64) {
    for outcome in errors(method, SWINGING) {
        let error = outcome.unwrap_or_else(|told| panic!("{method:?}: {told}"));
        assert!(error < bound, "{method:?}: {error:e} of {bound:e}");
    }
}

#[test]
fn swinging() {
    assert_right(SWINGING);
}

/// Going round.
#[test]
fn turning() {
    assert_right((0.3, -8.0));
}
