//! Measures the factorisation of the iteration matrix of a lattice of springs or links, n × n: `cargo bench -p lie-runtime --features
//! sparse --bench lattices`.
//!
//! Compares sparse factors with the band of reverse Cuthill-McKee order, which systems of dual numbers use. The time includes their
//! derivatives; the band of `f64` is about three times as fast as printed.

use std::time::{Duration, Instant};

use hand_written::particles::Particles;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::{Dual, Scalar};
use lie_runtime::system::chain::{ElementSystem, Elimination};
use lie_runtime::system::{IterationCoefficients, IterationPoint, Linearised};

/// The minimum duration of a measurement.
const SPAN: Duration = Duration::from_millis(300);

/// Returns the microseconds of a factorisation and its method.
fn time<S: Scalar, const RIGID: bool>(n: usize) -> (f64, Elimination) {
    let mut pairs = Vec::new();
    for node in 0..n * n {
        if node % n > 0 {
            pairs.push([node - 1, node]);
        }
        if node >= n {
            pairs.push([node - n, node]);
        }
    }
    let number = S::from_f64;
    let system =
        Particles::<S, RIGID, false>::net(n * n, [true, false], &pairs, number(40.0), number(9.81)).expect("a lattice");
    let place = |node: usize| {
        let (x, y) = ((node / n) as f64, (node % n) as f64);
        Vector3::new(x, y, 0.3 * (1.3 * x + 0.7 * y).sin()).map(number)
    };
    let q: Vec<_> = (0..n * n).map(place).collect();
    let v: DVector<S> = system.zero_velocity();
    let multipliers = DVector::from_fn(system.constraint_rows(), |row, _| number((row as f64).sin()));
    let point = IterationPoint {
        t: S::zero(),
        q: &q,
        v: &v,
        acceleration: &v,
        multipliers: &multipliers,
        theta: &v,
        local: None,
        reactions: None,
    };
    let c = IterationCoefficients {
        mass: number(4.1),
        damping: number(0.2),
        stiffness: number(0.01),
        rate: number(1.9),
        rate_gradient: number(0.1),
    };
    let mut factorisation = system.zero_factorisation();
    let (mut best, clock) = (f64::INFINITY, Instant::now());
    while clock.elapsed() < SPAN || best.is_infinite() {
        let one = Instant::now();
        system.factorise_iteration(&point, &c, None, &mut factorisation).expect("factors");
        best = best.min(one.elapsed().as_secs_f64());
    }
    (1e6 * best, system.structure().eliminations()[1])
}

fn rows<const RIGID: bool>(name: &str) {
    println!("{name}: µs a factorisation of the iteration matrix\n{:>4} {:>10} {:>10}", "n", "f64", "band, dual");
    for n in [8, 12, 16, 24, 32, 40] {
        let ((own, elimination), (band, _)) = (time::<f64, RIGID>(n), time::<Dual<f64>, RIGID>(n));
        println!("{n:>4} {own:>10.0} {band:>10.0}   {elimination:?}");
    }
}

fn main() {
    rows::<false>("springs");
    rows::<true>("links");
}
