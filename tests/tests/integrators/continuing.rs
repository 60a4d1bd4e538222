//! A run that goes on from a recorded state goes on as if there had been no stop.

use fixtures::systems::driven::driven_pendulum_example;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::free_body::free_body_example;
use fixtures::systems::heavy_tops::{s3r3, so3xr3};
use lie_runtime::integrator::CommutatorFree;
use lie_runtime::integrator::collocation::Level;
use lie_runtime::integrator::generalized_alpha::{self, NewtonUpdate, Parameters};
use lie_runtime::integrator::{BLieDF, Integrator, Rattlie, Rotation, commutator_free, munthe_kaas, tr_bdf2};
use lie_runtime::prelude::*;

/// Times are multiples of a power of two, and so without rounding.
const STEP: f64 = 1.0 / 512.0;
/// Fewer than after which round-off is removed, which a run counts from its start.
const STEPS: usize = 30;

/// The largest differences in q and v, and in λ, relative to their sizes, between a run without a stop and one that goes on
/// from the `stop`-th state.
fn difference<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    (q, v): &(M::Configuration, M::Velocity),
    method: impl Integrator<M> + Copy,
    stop: usize,
) -> [f64; 2] {
    let end = STEPS as f64 * STEP;
    // The driven pendulum is given a velocity without that of its pivot.
    let whole = Simulation::of(system).initial(q.clone(), v.clone()).max_initial_correction(10.0);
    let whole = whole.constraint_tolerance(f64::INFINITY).method(method).step(STEP).end_time(end).run();
    let whole = whole.unwrap_or_else(|error| panic!("{error}"));
    let rest = Simulation::of(system).restart_from(whole.states[stop].clone()).method(method).step(STEP).end_time(end);
    let rest = rest.constraint_tolerance(f64::INFINITY).run().unwrap_or_else(|error| panic!("{error}"));
    let [mut motion, mut force] = [0.0_f64; 2];
    for (a, b) in whole.states[stop..].iter().zip(&rest.states) {
        assert_eq!(a.time, b.time);
        let mut theta = system.zero_velocity();
        system.space().log_difference(&a.configuration, &b.configuration, &mut theta);
        let relative = |a: &dyn Fn(usize) -> f64, b: &dyn Fn(usize) -> f64, count: usize| {
            let size = (0..count).fold(1.0_f64, |size, i| size.max(a(i).abs()));
            (0..count).fold(0.0_f64, |largest, i| largest.max((a(i) - b(i)).abs() / size))
        };
        let (rows, dof) = (system.constraint_rows(), system.dof());
        motion = motion.max(theta.max_norm());
        motion = motion.max(relative(&|i| a.velocity.component(i), &|i| b.velocity.component(i), dof));
        force = force.max(relative(&|i| a.multipliers.component(i), &|i| b.multipliers.component(i), rows));
    }
    [motion, force]
}

/// From states within the start of k-step methods, and after it.
fn check<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    initial: &(M::Configuration, M::Velocity),
    method: impl Integrator<M> + Copy,
    tolerance: f64,
) {
    for stop in [1, 2, 3, 7, 20] {
        let [motion, force] = difference(system, initial, method, stop);
        assert!(
            motion <= tolerance && force <= tolerance,
            "{} from state {stop}: {motion:.1e}, {force:.1e}",
            method.id()
        );
    }
}

fn every_method<M>(system: &M, initial: &(M::Configuration, M::Velocity))
where
    M: lie_runtime::system::Linearised<Scalar = f64> + lie_runtime::system::MomentumRate,
{
    // v' is formed anew where a run begins: by the same equations, but in another order, and λ with it.
    const ROUND_OFF: f64 = 1e-11;
    for method in HalfExplicit::all() {
        check(system, initial, method, ROUND_OFF);
    }
    for method in generalized_alpha::METHODS {
        let parameters = Parameters::chung_hulbert(0.8).unwrap();
        check(system, initial, GeneralizedAlpha::by_id(method.id, parameters).unwrap(), 0.0);
    }
    for method in BLieDF::all() {
        check(system, initial, method, if method.steps() > 1 { ROUND_OFF } else { 0.0 });
    }
    for method in tr_bdf2::METHODS {
        check(system, initial, TrBdf2::by_id(method.id).unwrap(), 0.0);
    }
    let applies = |method: &Collocation| method.method().level != Level::Unconstrained || system.constraint_rows() == 0;
    for method in Collocation::all().filter(applies) {
        check(system, initial, method, ROUND_OFF);
    }
    check(system, initial, Rattlie::new(), ROUND_OFF);
    for method in munthe_kaas::METHODS {
        check(system, initial, OnMechanical(MuntheKaas::by_id(method.id).unwrap()), ROUND_OFF);
    }
    for method in commutator_free::METHODS {
        check(system, initial, OnMechanical(CommutatorFree::by_id(method.id).unwrap()), ROUND_OFF);
    }
}

/// The solution does not depend on factors reused between steps; a continued run recomputes them. The difference is the residual error of
/// iterations: with a tolerance of 1e-12 round-off in the motion, and in λ of index 3 round-off over h².
#[test]
fn kept_factors_do_not_change_where_a_run_goes() {
    let (system, initial) = (so3xr3::System::of_the_paper(), <so3xr3::System as HeavyTop>::initial());
    for method in generalized_alpha::METHODS {
        let parameters = Parameters::chung_hulbert(0.8).unwrap();
        let exact = GeneralizedAlpha::by_id(method.id, parameters).unwrap();
        let options = exact.options().newton(NewtonUpdate::Modified).tolerance(1e-12);
        let modified = GeneralizedAlpha::new(parameters, options).unwrap();
        for stop in [1, 2, 3, 7, 20] {
            let [motion, force] = difference(&system, &initial, modified, stop);
            assert!(motion <= 1e-12 && force <= 1e-9, "{} from state {stop}: {motion:.1e}, {force:.1e}", method.id);
        }
    }
}

#[test]
fn every_method_goes_on_as_if_there_had_been_no_stop() {
    let (system, q, v) = driven_pendulum_example();
    every_method(&system, &(q, v));
    every_method(&s3r3::System::of_the_paper(), &<s3r3::System as HeavyTop>::initial());
    every_method(&so3xr3::System::of_the_paper(), &<so3xr3::System as HeavyTop>::initial());
    let (system, q, v) = free_body_example();
    every_method(&system, &(q, v));
    for method in Rotation::all() {
        check(&system, &(q, v), method, 1e-11);
    }
}

/// Stored values of another method, or of the same method with other parameters, are not used.
#[test]
fn what_another_method_remembers_is_not_read() {
    let (system, initial) = (so3xr3::System::of_the_paper(), <so3xr3::System as HeavyTop>::initial());
    let alpha = |rho| GeneralizedAlpha::chung_hulbert(rho).unwrap();
    let first =
        Simulation::of(&system).initial(initial.0, initial.1).method(alpha(0.2)).step(STEP).end_time(8.0 * STEP);
    let state = first.run().unwrap().last().clone();
    let mut plain = state.clone();
    plain.memory.forget();
    let ends = [state.clone(), plain.clone()].map(|state| {
        let run = Simulation::of(&system).restart_from(state).method(alpha(0.9)).step(STEP).end_time(16.0 * STEP);
        run.run().unwrap().last().clone().velocity
    });
    assert_eq!(ends[0], ends[1]);
    // Its own it does read.
    let ends = [state, plain].map(|state| {
        let run = Simulation::of(&system).restart_from(state).method(alpha(0.2)).step(STEP).end_time(16.0 * STEP);
        run.run().unwrap().last().clone().velocity
    });
    assert_ne!(ends[0], ends[1]);
}

/// The method restarts after an impact and at another position.
#[test]
fn a_state_that_was_changed_remembers_nothing() {
    let (system, initial) = (so3xr3::System::of_the_paper(), <so3xr3::System as HeavyTop>::initial());
    let bdf = BLieDF::by_id("bliedf4").unwrap();
    let run = Simulation::of(&system).initial(initial.0, initial.1).method(bdf).step(STEP).end_time(8.0 * STEP);
    let run = run.constraint_tolerance(f64::INFINITY).run();
    let state = run.unwrap().last().clone();
    let mut turned = state.clone();
    turned.velocity = -state.velocity;
    let mut moved = state.clone();
    system.space().compose_exp(
        &state.configuration,
        &Vector6::new(1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        &mut moved.configuration,
    );
    moved.configuration.pose.translation = moved.configuration.pose.rotation * Vector3::y();
    let mut later = state.clone();
    later.time += 1.0;
    for changed in [turned, moved, later] {
        let mut plain = changed.clone();
        plain.memory.forget();
        let end = changed.time + 8.0 * STEP;
        let ends = [changed, plain].map(|state| {
            // A start with such steps costs some of the constraint.
            let run = Simulation::of(&system).restart_from(state).constraint_tolerance(f64::INFINITY);
            let run = run.method(bdf).step(STEP);
            let run = run.end_time(end).run().unwrap();
            run.states.last().unwrap().velocity
        });
        assert_eq!(ends[0], ends[1]);
    }
}
