//! Time of a step of the heavy top on SE(3), method by method: `cargo bench -p lie-runtime --bench steps`.

mod heavy_top;

use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use heavy_top::{Top, duals, generated, natural, runs, straight};
use lie_runtime::integrator::HalfExplicit;

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
    of::<natural::HeavyTop>(criterion, method, estimate);
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

criterion_group!(benches, steps);
criterion_main!(benches);
