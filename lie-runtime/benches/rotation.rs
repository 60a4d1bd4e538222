//! Measures a step of the slow Lagrangian top (paper 5, section 5.2), method by method: `cargo bench -p lie-runtime --bench rotation`.

use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use lie_runtime::integrator::rotation::METHODS;
use lie_runtime::integrator::{Integrator, Rotation, TrBdf2};
use lie_runtime::prelude::*;

use models::rotating_bodies::lagrangian_top::{MOMENTS, WEIGHT, so3, start};

/// Steps of one motion.
const RESTART: u64 = 256;

/// Repeats steps from the start, because a long run of forward Euler overflows.
fn of(criterion: &mut Criterion, id: &str, method: &impl Integrator<so3::System>) {
    let [turn, velocity] = start(false);
    let (system, body) = so3::Data { moments: MOMENTS, weight: WEIGHT }.turned(&turn).unwrap();
    let mut start = State::at_rest(&system, 0.0, body);
    start.velocity = velocity;
    let mut workspace = method.workspace(&system, &start);
    method.start(&system, &mut start, &mut workspace).unwrap();
    let (mut from, mut to) = (start.clone(), start.clone());
    criterion.benchmark_group("slow_top").bench_function(id, |bencher| {
        bencher.iter_custom(|times| {
            let clock = Instant::now();
            for step in 0..times {
                if step % RESTART == 0 {
                    from.clone_from(&start);
                }
                method.step(&system, &from, 0.01, &mut to, &mut workspace).unwrap();
                core::mem::swap(&mut from, &mut to);
            }
            clock.elapsed()
        });
    });
    let iterations = method.newton_iterations(&workspace).unwrap_or(0.0);
    println!("{id}: {iterations:.2} Newton iterations a step");
}

fn steps(criterion: &mut Criterion) {
    for method in &METHODS {
        of(criterion, method.id, &Rotation::by_id(method.id).unwrap());
    }
    of(criterion, "tr_bdf2_third_order", &TrBdf2::third_order());
}

criterion_group!(benches, steps);
criterion_main!(benches);
