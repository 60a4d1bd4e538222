//! Nanoseconds for exp, log and T⁻¹ v: `cargo bench -p lie-runtime --bench groups`.

use std::hint::black_box;
use std::time::Instant;

use lie_runtime::group::{LieGroup, S3, S3R3, SE3, SO3, TangentVector};

/// Returns the minimum of several rounds, in nanoseconds per call.
fn nanoseconds<T>(mut call: impl FnMut() -> T) -> f64 {
    const CALLS: u32 = 200_000;
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box(call());
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(CALLS) * 1e9);
    }
    best
}

fn report<G: LieGroup<Scalar = f64>>(name: &str, identity: &G) {
    for angle in [0.15, 1.5] {
        let mut theta = identity.log();
        for i in 0..theta.component_count() {
            theta.set_component(i, angle * [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0][i % 3]);
        }
        let v = theta.clone();
        let element = G::exp(&theta);
        println!(
            "{name:5} angle {angle:4}: exp {:5.1}  log {:5.1}  T v {:5.1}  T^-1 v {:5.1}  compose {:5.1}",
            nanoseconds(|| G::exp(black_box(&theta))),
            nanoseconds(|| black_box(&element).log()),
            nanoseconds(|| G::tangent(black_box(&theta), black_box(&v))),
            nanoseconds(|| G::tangent_inverse(black_box(&theta), black_box(&v))),
            nanoseconds(|| black_box(&element).compose(black_box(&element))),
        );
    }
}

fn main() {
    report("SO3", &SO3::<f64>::identity());
    report("S3", &S3::<f64>::identity());
    report("SE3", &SE3::<f64>::identity());
    report("S3R3", &S3R3::<f64>::identity());
}
