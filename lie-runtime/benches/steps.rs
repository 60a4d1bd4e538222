//! Measures a step of the heavy top on SE(3) for each method: `cargo bench -p lie-runtime --bench steps`.

mod heavy_top;

use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use heavy_top::{Top, block_matrices, duals, generated, runs, straight};
use lie_runtime::integrator::HalfExplicit;
use lie_runtime::integrator::generalized_alpha::{METHODS, NewtonUpdate};

fn of<M: Top + 'static>(criterion: &mut Criterion, method: HalfExplicit, estimate: bool) {
    let id = method.tableau().id;
    let group = if estimate { format!("{id}_with_estimate") } else { id.to_owned() };
    let mut run = runs::steps::<M>(method, estimate);
    criterion.benchmark_group(group).bench_function(M::NAME, |bencher| {
        bencher.iter_custom(|times| {
            let clock = Instant::now();
            run(times);
            clock.elapsed()
        });
    });
}

fn all(criterion: &mut Criterion, method: HalfExplicit, estimate: bool) {
    of::<generated::principal::System>(criterion, method, estimate);
    of::<straight::HeavyTop>(criterion, method, estimate);
    of::<generated::full::System>(criterion, method, estimate);
    of::<block_matrices::HeavyTop>(criterion, method, estimate);
    of::<duals::HeavyTop>(criterion, method, estimate);
}

fn steps(criterion: &mut Criterion) {
    heavy_top::assert_agreement();
    for method in HalfExplicit::all() {
        all(criterion, method, false);
        if method.tableau().embedded.is_some() {
            all(criterion, method, true);
        }
    }
}

/// Generalized-α: the exact, the simplified and the modified iteration, and the estimate.
fn implicit_steps(criterion: &mut Criterion) {
    type Generated = generated::principal::System;
    for method in METHODS {
        for (newton, estimate, suffix) in [
            (NewtonUpdate::Exact, false, ""),
            (NewtonUpdate::Simplified, false, "_simplified"),
            (NewtonUpdate::Modified, false, "_modified"),
            (NewtonUpdate::Exact, true, "_with_estimate"),
        ] {
            let iterations = runs::iterations::<Generated>(method.id, newton);
            println!("{}{suffix}: {iterations:.2} iterations a step", method.id);
            let mut run = runs::implicit_steps::<Generated>(method.id, newton, estimate);
            criterion.benchmark_group(format!("{}{suffix}", method.id)).bench_function(Generated::NAME, |bencher| {
                bencher.iter_custom(|times| {
                    let clock = Instant::now();
                    run(times);
                    clock.elapsed()
                });
            });
        }
    }
}

criterion_group!(benches, steps, implicit_steps);
criterion_main!(benches);
