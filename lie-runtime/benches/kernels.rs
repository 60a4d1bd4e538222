//! Measures the kernels of the heavy top on SE(3): `cargo bench -p lie-runtime --bench kernels`.

mod heavy_top;

use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use heavy_top::runs::{self, Kernel};
use heavy_top::{Top, block_matrices, duals, generated, straight};

fn measure(criterion: &mut Criterion, group: &str, name: &str, mut run: Box<dyn FnMut(u64)>) {
    criterion.benchmark_group(group).bench_function(name, |bencher| {
        bencher.iter_custom(|times| {
            let clock = Instant::now();
            run(times);
            clock.elapsed()
        });
    });
}

fn of<M: Top + 'static>(criterion: &mut Criterion, kernel: Kernel) {
    measure(criterion, kernel.name(), M::NAME, runs::kernel::<M>(kernel));
}

fn kernels(criterion: &mut Criterion) {
    heavy_top::assert_agreement();
    for kernel in Kernel::ALL {
        of::<generated::principal::System>(criterion, kernel);
        of::<straight::HeavyTop>(criterion, kernel);
        of::<generated::full::System>(criterion, kernel);
        of::<block_matrices::HeavyTop>(criterion, kernel);
        of::<duals::HeavyTop>(criterion, kernel);
    }
    measure(criterion, Kernel::SolveSaddle.name(), "block_matrices, nine equations", runs::solve_whole());
}

criterion_group!(benches, kernels);
criterion_main!(benches);
