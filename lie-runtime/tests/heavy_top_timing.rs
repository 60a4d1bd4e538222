//! How long a step takes: `cargo test --release -p lie-runtime --test heavy_top_timing -- --ignored --nocapture`.

mod support;

use std::hint::black_box;
use std::time::Instant;

use lie_runtime::integrator::{HalfExplicit, Integrator, LocalError};
use lie_runtime::prelude::Simulation;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::MechanicalSystem;
use support::heavy_top_se3::HeavyTop;
use support::heavy_top_so3r3::DirectTop;

/// The least time of a step in ns, over 200 runs of 1000 steps.
fn nanoseconds(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let clock = Instant::now();
        run();
        best = best.min(clock.elapsed().as_secs_f64() * 1e6);
    }
    best
}

/// A step, and a step with its error estimate where there is one.
fn of_steps<M: MechanicalSystem>(
    system: &M,
    method: HalfExplicit,
    (q, v): (M::Configuration, M::Velocity),
) -> (f64, Option<f64>) {
    let (state, _) = ConsistentValues::of(system).state(system, 0.0, q, v).unwrap();
    let mut workspace = Integrator::<M>::workspace(&method, system, &state);
    let (mut from, mut to, mut error) = (state.clone(), state.clone(), LocalError::of(system));
    let plain = nanoseconds(|| {
        from.clone_from(&state);
        for _ in 0..1000 {
            method.step(system, &from, black_box(1e-3), &mut to, &mut workspace).unwrap();
            core::mem::swap(&mut from, &mut to);
        }
        black_box(&from);
    });
    let estimated = method.tableau().embedded.map(|_| {
        nanoseconds(|| {
            from.clone_from(&state);
            for _ in 0..1000 {
                let h = black_box(1e-3);
                method.step_with_estimate(system, &from, h, &mut to, &mut error, &mut workspace).unwrap();
                core::mem::swap(&mut from, &mut to);
            }
            black_box(&error);
        })
    });
    (plain, estimated)
}

#[test]
#[ignore = "a measurement"]
fn nanoseconds_a_step() {
    let (semidirect, direct) = (HeavyTop::of_the_paper(), DirectTop::of_the_paper());
    for method in HalfExplicit::all() {
        let (first, first_estimated) = of_steps(&semidirect, method, HeavyTop::initial());
        let (second, _) = of_steps(&direct, method, DirectTop::initial());
        println!("{:24} SE(3) {first:5.0} ns   SO(3) x R3 {second:5.0} ns", method.tableau().id);
        if let Some(estimated) = first_estimated {
            println!("{:24} SE(3) {estimated:5.0} ns", "  with its estimate");
        }
    }
    let (q, v) = HeavyTop::initial();
    let whole = nanoseconds(|| {
        let run = Simulation::of(&semidirect).starting_at(q, v).step(1e-3).until(1.0).record_every(10);
        black_box(run.run().unwrap());
    });
    println!("{:24} SE(3) {whole:5.0} ns", "  as a simulation");
}
