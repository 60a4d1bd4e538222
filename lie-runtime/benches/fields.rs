//! Measures a step of the methods for equations of first order: `cargo bench -p lie-runtime --bench fields`.
//!
//! The system is the heavy top about its fixed point in two formulations. The benchmark also measures one second of motion with each method
//! at the same error.

mod fixed_point_top;

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};

use fixed_point_top::{OMEGA, canonical, declared};
use hand_written::top_hamiltonian::TopHamiltonian;
use lie_runtime::field::HamiltonianProblem;
use lie_runtime::integrator::CommutatorFree;
use lie_runtime::integrator::symplectic::METHODS;
use lie_runtime::integrator::{FieldState, Integrator};
use lie_runtime::prelude::*;
use lie_runtime::space::Cotangent;

/// Repeats steps of 1e-3 s over one second.
fn measure(criterion: &mut Criterion, group: &str, id: &str, mut run: Box<dyn FnMut(u64)>) {
    criterion.benchmark_group(group).bench_function(id, |bencher| {
        bencher.iter_custom(|times| {
            let clock = Instant::now();
            run(times);
            clock.elapsed()
        });
    });
}

fn steps(criterion: &mut Criterion) {
    for method in MuntheKaas::all() {
        let id = method.method().id;
        measure(criterion, "declared", id, declared(method));
        measure(criterion, "hamiltonian", id, canonical(method));
    }
    for method in CommutatorFree::all() {
        let id = method.method().id;
        measure(criterion, "declared", id, declared(method));
        measure(criterion, "hamiltonian", id, canonical(method));
    }
    for method in METHODS {
        measure(criterion, "hamiltonian", method.id(), canonical(method));
    }
}

/// The maximum number of steps for the common error.
const MOST_STEPS: u32 = 1 << 17;
/// The common relative error of Q and π at t = 1.
const ERROR: f64 = 1e-6;

/// Returns (Q, π) at t = 1 after this number of steps.
fn run<I: Integrator<HamiltonianProblem<TopHamiltonian>>>(method: &I, steps: u32) -> Cotangent<SO3> {
    let top = TopHamiltonian::of_the_paper();
    let momentum = OMEGA.component_mul(&top.moments);
    let mut from = FieldState::at(&top, 0.0, Cotangent { configuration: SO3::identity(), momentum });
    let mut workspace = method.workspace(&top, &from);
    method.start(&top, &mut from, &mut workspace).expect("the field is defined");
    let mut to = from.clone();
    for _ in 0..steps {
        method.step(&top, &from, 1.0 / f64::from(steps), &mut to, &mut workspace).expect("no step fails");
        core::mem::swap(&mut from, &mut to);
    }
    from.point
}

/// Measures one second of motion with the number of steps that this method needs for the error.
fn at_equal_error<I: Integrator<HamiltonianProblem<TopHamiltonian>>>(
    criterion: &mut Criterion,
    exact: &Cotangent<SO3>,
    method: &I,
) {
    let error = |steps| {
        let end = run(method, steps);
        let angle = (end.configuration.inverse() * exact.configuration).log().norm();
        angle.max((end.momentum - exact.momentum).norm() / exact.momentum.norm())
    };
    let mut steps = 256;
    let mut reached = error(steps);
    while reached > ERROR {
        if 2 * steps > MOST_STEPS {
            // A method of order 1 would need about 1e9 steps.
            println!("{}: an error of {reached:.1e} with {steps} steps", method.id());
            return;
        }
        steps *= 2;
        reached = error(steps);
    }
    // Interpolates between powers of two by the order.
    let excess = (reached / ERROR).powf(1.0 / method.order() as f64);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Below MOST_STEPS.
    let steps = (f64::from(steps) * excess).ceil() as u32;
    let name = format!("{} ({steps} steps)", method.id());
    criterion.benchmark_group("one second at an error of 1e-6").bench_function(name, |bencher| {
        bencher.iter(|| run(method, black_box(steps)));
    });
}

fn equal_errors(criterion: &mut Criterion) {
    let exact = run(&MuntheKaas::rkmk54(), 1 << 14);
    for method in MuntheKaas::all() {
        at_equal_error(criterion, &exact, &method);
    }
    for method in CommutatorFree::all() {
        at_equal_error(criterion, &exact, &method);
    }
    for method in METHODS {
        at_equal_error(criterion, &exact, &method);
    }
}

criterion_group!(benches, steps, equal_errors);
criterion_main!(benches);
