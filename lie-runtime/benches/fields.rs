//! Time of a step of the methods for equations of first order: `cargo bench -p lie-runtime --bench fields`.
//!
//! The heavy top about its fixed point on SO(3), read in two ways: as declared, in (R, Ω), and as a Hamiltonian system in
//! (Q, π).

#[allow(dead_code)] // The tests use more of it.
#[path = "../tests/support/top_hamiltonian.rs"]
mod top_hamiltonian;

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use lie_runtime::field::{Canonical, FirstOrder, Mechanical};
use lie_runtime::integrator::symplectic::METHODS;
use lie_runtime::integrator::{CommutatorFree, FieldIntegrator, FieldState, MuntheKaas};
use lie_runtime::prelude::*;
use lie_runtime::space::Cotangent;
use top_hamiltonian::TopHamiltonian;

/// The heavy top about its fixed point.
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    /// Body to space.
    #[configuration]
    pub struct Attitude {
        /// The rotation.
        pub attitude: SO3,
    }

    /// Data of the top.
    #[parameters]
    pub struct Top {
        /// Principal moments about the fixed point.
        pub moments: Vector3<f64>,
        /// M l Γ₀.
        pub weight: Vector3<f64>,
        /// The direction of the centre of mass in the body.
        pub axis: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Attitude) -> f64 {
        top.weight.dot(&(q.attitude * top.axis))
    }
}

/// Steps of 1e-3 over one second, again and again.
fn measure<F: FirstOrder, I: FieldIntegrator<F>>(
    criterion: &mut Criterion,
    group: &str,
    system: &F::System,
    start: F::Point,
    method: &I,
) {
    let mut first = FieldState::<F>::at(system, 0.0, start);
    let mut workspace = method.workspace(system, &first);
    method.start(system, &mut first, &mut workspace).expect("the field is defined");
    let mut states = [first.clone(), first.clone()];
    criterion.benchmark_group(group).bench_function(method.id(), |bencher| {
        bencher.iter_custom(|times| {
            // References take turns, so that it is the step that is measured and not the exchange of the states.
            let [from, to] = &mut states;
            let (mut from, mut to) = (from, to);
            let clock = Instant::now();
            for _ in 0..times {
                if from.time > 0.9995 {
                    from.clone_from(&first);
                }
                method.step(system, from, black_box(1e-3), to, &mut workspace).expect("no step fails");
                core::mem::swap(&mut from, &mut to);
            }
            black_box(from);
            clock.elapsed()
        });
    });
}

/// More steps than these to the error that all are to have are not made.
const MOST_STEPS: u32 = 1 << 17;
/// That error, of Q and π (relative) at t = 1.
const ERROR: f64 = 1e-6;

/// (Q, π) at t = 1 after so many steps.
fn run<I: FieldIntegrator<Canonical<TopHamiltonian>>>(method: &I, steps: u32) -> Cotangent<SO3> {
    let top = TopHamiltonian::of_the_paper();
    let momentum = Vector3::new(0.0, 150.0, -4.615_38).component_mul(&top.moments);
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

/// One second of motion with as many steps as this method needs for the error.
fn at_equal_error<I: FieldIntegrator<Canonical<TopHamiltonian>>>(
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
    while error(steps) > ERROR {
        steps *= 2;
        if steps > MOST_STEPS {
            return;
        }
    }
    // Between the powers of two by the order.
    let excess = (error(steps) / ERROR).powf(1.0 / method.order() as f64);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Under MOST_STEPS.
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

fn steps(criterion: &mut Criterion) {
    let hamiltonian = TopHamiltonian::of_the_paper();
    let omega = Vector3::new(0.0, 150.0, -4.615_38);
    let momentum = omega.component_mul(&hamiltonian.moments);
    let TopHamiltonian { moments, weight, axis } = hamiltonian;
    let declared = top::System::new(top::Top { moments, weight, axis }).expect("positive moments");
    let point = || (top::Attitude { attitude: SO3::identity() }, omega);
    let cotangent = || Cotangent { configuration: SO3::identity(), momentum };
    for method in MuntheKaas::all() {
        measure::<Mechanical<top::System>, _>(criterion, "declared", &declared, point(), &method);
        measure::<Canonical<TopHamiltonian>, _>(criterion, "hamiltonian", &hamiltonian, cotangent(), &method);
    }
    for method in CommutatorFree::all() {
        measure::<Mechanical<top::System>, _>(criterion, "declared", &declared, point(), &method);
        measure::<Canonical<TopHamiltonian>, _>(criterion, "hamiltonian", &hamiltonian, cotangent(), &method);
    }
    for method in METHODS {
        measure::<Canonical<TopHamiltonian>, _>(criterion, "hamiltonian", &hamiltonian, cotangent(), &method);
    }
}

criterion_group!(benches, steps, equal_errors);
criterion_main!(benches);
