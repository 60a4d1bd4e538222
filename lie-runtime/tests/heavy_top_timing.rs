//! How long a step takes: `cargo test --release -p lie-runtime --test heavy_top_timing -- --ignored --nocapture`.

mod support;

use std::hint::black_box;
use std::time::Instant;

use lie_runtime::integrator::{HalfExplicit, Integrator};
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::MechanicalSystem;
use support::heavy_top_se3::HeavyTop;
use support::heavy_top_so3r3::DirectTop;

fn nanoseconds<M: MechanicalSystem>(
    system: &M,
    method: HalfExplicit,
    initial: (M::Configuration, M::Velocity),
) -> f64 {
    let (state, _) = ConsistentValues::of(system)
        .state(system, 0.0, initial.0, initial.1)
        .unwrap();
    let mut workspace = Integrator::<M>::workspace(&method, system, &state);
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let (mut from, mut to) = (state.clone(), state.clone());
        let clock = Instant::now();
        for _ in 0..1000 {
            method
                .step(system, &from, black_box(1e-3), &mut to, &mut workspace)
                .unwrap();
            core::mem::swap(&mut from, &mut to);
        }
        best = best.min(clock.elapsed().as_secs_f64() * 1e6);
        black_box(&from);
    }
    best
}

#[test]
#[ignore = "a measurement"]
fn nanoseconds_a_step() {
    for method in HalfExplicit::all() {
        println!(
            "{:24} SE(3) {:7.0} ns   SO(3) x R3 {:7.0} ns",
            method.tableau().id,
            nanoseconds(&HeavyTop::of_the_paper(), method, HeavyTop::initial()),
            nanoseconds(&DirectTop::of_the_paper(), method, DirectTop::initial()),
        );
    }
}
