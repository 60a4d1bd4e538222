//! Generalized-α with steps controlled by their errors: the estimates, and the error for a given tolerance.

use fixtures::systems::{driven, free_body, top_in_space};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::generalized_alpha::{GeneralizedAlpha, METHODS, Parameters};
use lie_runtime::integrator::{Integrator, LocalError};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::Linearised;

fn methods() -> impl Iterator<Item = GeneralizedAlpha> {
    let parameters = Parameters::chung_hulbert(0.5).unwrap();
    METHODS.into_iter().map(move |method| GeneralizedAlpha::by_id(method.id, parameters).unwrap())
}

/// The error of one step after fifty, against its estimate: in θ, and in the components of v that the constraints admit at the end of the
/// step. The rest of it is how much normals turn along the error of θ.
fn assert_estimates<M>(system: &M, (q, v): (M::Configuration, M::Velocity), h: f64)
where
    M: Linearised<Scalar = f64>,
{
    let mut consistent = ConsistentValues::of(system);
    for method in methods() {
        let (mut from, _) = consistent.state(system, 0.0, q.clone(), v.clone()).unwrap();
        let mut workspace = Integrator::<M>::workspace(&method, system, &from);
        method.start(system, &mut from, &mut workspace).unwrap();
        let (mut to, mut estimate) = (from.clone(), LocalError::of(system));
        for _ in 0..50 {
            method.step(system, &from, h, &mut to, &mut workspace).unwrap();
            core::mem::swap(&mut from, &mut to);
        }
        method.step_with_estimate(system, &from, h, &mut to, &mut estimate, &mut workspace).unwrap();

        consistent.project_velocity(system, from.time, &from.configuration, &mut from.velocity).unwrap();
        consistent.project_velocity(system, to.time, &to.configuration, &mut to.velocity).unwrap();
        let exact = Simulation::of(system).initial(from.configuration, from.velocity).start_time(from.time);
        let exact = exact.step(0.25 * h).end_time(to.time).run().unwrap().last().clone();
        let mut theta = system.zero_velocity();
        system.space().log_difference(&to.configuration, &exact.configuration, &mut theta);
        let mut velocity = exact.velocity;
        consistent.project_velocity(system, to.time, &to.configuration, &mut velocity).unwrap();
        velocity.axpy(-1.0, &to.velocity);
        for (error, estimate) in [(theta, estimate.increment_error), (velocity, estimate.velocity_error)] {
            let mut difference = estimate.clone();
            difference.axpy(-1.0, &error);
            let relative = difference.max_norm() / error.max_norm();
            println!("{}: {:.2e}, estimate off by {relative:.3}", method.id(), error.max_norm());
            assert!(relative < 0.1, "{}: {estimate:?} instead of {error:?}", method.id());
        }
    }
}

#[test]
fn estimates_are_the_errors() {
    let (system, q, v) = free_body::free_body_example();
    assert_estimates(&system, (q, v), 1e-3);
    let (system, q, v) = top_in_space::of_the_paper();
    assert_estimates(&system, (q, v), 2.5e-4);
    let (system, q, v) = driven::driven_pendulum_example();
    assert_estimates(&system, (q, v), 1e-3);
}

/// Largest errors of x and λ at eight times, relative, steps and rejections of a run to t = 0.4.
fn controlled(method: GeneralizedAlpha, tolerance: f64) -> (f64, f64, usize, usize) {
    let (system, q, v) = top_in_space::of_the_paper();
    let times: Vec<f64> = (1..=8).map(|k| 0.05 * f64::from(k)).collect();
    let start = || Simulation::of(&system).initial(q, v).end_time(0.4).output_times(&times);
    let exact = start().step(1.25e-4).full_order_multipliers().run().unwrap();
    let run = start().method(method).rtol(tolerance).atol(tolerance).run().unwrap();
    let (mut position, mut multipliers) = (0.0_f64, 0.0_f64);
    for (state, exact) in run.states.iter().zip(&exact.states) {
        position = position.max((state.configuration.position - exact.configuration.position).norm());
        multipliers = multipliers.max((state.multipliers - exact.multipliers).norm() / exact.multipliers.norm());
    }
    (position, multipliers, run.statistics.accepted, run.statistics.rejected)
}

#[test]
fn tolerances_are_followed() {
    for method in methods() {
        let runs = [1e-3, 1e-5].map(|tolerance| controlled(method, tolerance));
        println!("{}: {runs:?}", method.id());
        let [coarse, fine] = runs;
        // Errors fall as tolerance^(2/3), by a factor of 21.5, and steps grow as its cube root, by 4.6.
        assert!(fine.0 < coarse.0 / 15.0 && fine.1 < coarse.1 / 15.0, "{}: {runs:?}", method.id());
        let growth = fine.2 as f64 / coarse.2 as f64;
        assert!((4.0..5.2).contains(&growth), "{}: {growth}", method.id());
        assert!(runs.iter().all(|run| run.3 * 10 < run.2), "{}: {runs:?}", method.id());
    }
}
