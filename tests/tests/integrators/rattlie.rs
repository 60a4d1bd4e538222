//! RATTLie: order, symmetry, long-time energy, and rejected systems.

use fixtures::measure::{
    energy, heavy_top_errors, order, position_residual, run, self_convergence, self_convergence_at, velocity_residual,
};
use fixtures::systems::driven::{driven_pendulum_example, knife_edge_example, rolling_disc_example, skate_example};
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::free_body::{carriages_example, free_body_example, motor_pendulum_example};
use fixtures::systems::heavy_tops::{s3r3, s3xr3, se3, so3xr3};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::rattlie::RattlieOptions;
use lie_runtime::integrator::{BLieDF, Integrator, Rattlie, StepFailure};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistentValues, Failure};
use lie_runtime::system::{Linearised, MomentumRate};

/// Orders of 2 within a tenth.
fn assert_order_two(label: &str, orders: &[f64]) {
    println!("{label}: orders {orders:.3?}");
    assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.1), "{label}: {orders:?}");
}

#[test]
fn order_two_on_the_heavy_top() {
    fn of<M: HeavyTop + Linearised + MomentumRate>() {
        let (coarse, fine) = (heavy_top_errors::<M>("rattlie", 2048), heavy_top_errors::<M>("rattlie", 4096));
        assert_order_two(M::GROUP, &[0, 1, 2].map(|i| order(coarse[i], fine[i])));
    }
    of::<so3xr3::System>();
    of::<s3xr3::System>();
    of::<se3::System>();
    of::<s3r3::System>();
}

/// Rheonomic, nonholonomic, damped and free. λ of unconstrained systems has no order; the velocities of the disc are linear
/// in time, and exact.
#[test]
fn order_two_elsewhere() {
    let (system, q, v) = driven_pendulum_example();
    assert_order_two("driven", &self_convergence(&system, &(q, v), "rattlie", [512, 4096], 2.0));
    let (system, q, v) = knife_edge_example();
    assert_order_two("knife edge", &self_convergence(&system, &(q, v), "rattlie", [256, 4096], 2.0));
    let (system, q, v) = skate_example();
    assert_order_two("skate", &self_convergence(&system, &(q, v), "rattlie", [256, 4096], 2.0));
    let (system, q, v) = rolling_disc_example();
    assert_order_two("disc", &self_convergence(&system, &(q, v), "rattlie", [256, 4096], 2.0)[..1]);
    let (system, q, v) = motor_pendulum_example();
    assert_order_two("damped", &self_convergence(&system, &(q, v), "rattlie", [512, 4096], 2.0)[..2]);
    let (system, q, v) = free_body_example();
    assert_order_two("free", &self_convergence(&system, &(q, v), "rattlie", [512, 4096], 2.0)[..2]);
}

#[test]
fn samples_between_steps_have_the_order() {
    let (system, q, v) = driven_pendulum_example();
    let times = [0.311, 0.777, 1.234, 1.901];
    let orders = self_convergence_at(&system, &(q, v), "rattlie", [512, 4096], 2.0, &times);
    assert_order_two("samples", &orders);
}

/// The distance between a state and the one that a step forth and a step back lead to, after a run of some steps.
fn there_and_back<M: Linearised<Scalar = f64>>(
    system: &M,
    (q, v): (M::Configuration, M::Velocity),
    method: &impl Integrator<M>,
    h: f64,
) -> f64 {
    let (mut start, _) = ConsistentValues::of(system).state(system, 0.3, q, v).unwrap();
    let mut workspace = method.workspace(system, &start);
    method.start(system, &mut start, &mut workspace).unwrap();
    let mut states = [start.clone(), start.clone(), start];
    for _ in 0..5 {
        let [from, to, _] = &mut states;
        method.step(system, from, h, to, &mut workspace).unwrap();
        states.rotate_left(1);
        let (first, rest) = states.split_at_mut(1);
        rest[0].clone_from(&first[0]);
    }
    let [from, to, back] = &mut states;
    method.step(system, from, h, to, &mut workspace).unwrap();
    method.step(system, to, -h, back, &mut workspace).unwrap();
    let mut theta = system.zero_velocity();
    system.space().log_difference(&from.configuration, &back.configuration, &mut theta);
    back.velocity.axpy(-1.0, &from.velocity);
    let moved = h.abs() * from.velocity.max_norm();
    assert!(moved > 1e-4, "a step that goes nowhere proves nothing");
    theta.max_norm().max(back.velocity.max_norm() / (1.0 + from.velocity.max_norm()))
}

#[test]
fn a_step_forth_and_a_step_back_cancel() {
    fn of<M: HeavyTop + Linearised + MomentumRate>() {
        let distance = there_and_back(&M::of_the_paper(), M::initial(), &Rattlie::new(), 2e-3);
        // That the method does it and not the test: a method of the same order that is not symmetric.
        let other = there_and_back(&M::of_the_paper(), M::initial(), &HalfExplicit::herk2_heun(), 2e-3);
        println!("{}: {distance:.1e}, herk2_heun {other:.1e}", M::GROUP);
        assert!(distance < 1e-13, "{}: {distance:e}", M::GROUP);
        assert!(other > 1e-5, "{other:e}");
    }
    of::<so3xr3::System>();
    of::<s3xr3::System>();
    of::<se3::System>();
    of::<s3r3::System>();
    // Constraints on time and on velocities, forces that depend on velocities.
    let (system, q, v) = driven_pendulum_example();
    let driven = there_and_back(&system, (q, v), &Rattlie::new(), 0.02);
    let (system, q, v) = knife_edge_example();
    let edge = there_and_back(&system, (q, v), &Rattlie::new(), 0.02);
    let (system, q, v) = skate_example();
    let skate = there_and_back(&system, (q, v), &Rattlie::new(), 0.02);
    let (system, q, v) = rolling_disc_example();
    let disc = there_and_back(&system, (q, v), &Rattlie::new(), 0.02);
    let (system, q, v) = motor_pendulum_example();
    let damped = there_and_back(&system, (q, v), &Rattlie::new(), 0.02);
    println!("driven {driven:.1e}, knife edge {edge:.1e}, skate {skate:.1e}, disc {disc:.1e}, damped {damped:.1e}");
    for distance in [driven, edge, skate, disc, damped] {
        assert!(distance < 1e-12, "{distance:e}");
    }
}

/// The largest energy errors, relative to the potential energy that the top exchanges, in each of four quarters.
fn energy_errors<M: HeavyTop>(method: impl Integrator<M>, steps: u32) -> [f64; 4] {
    let system = M::of_the_paper();
    let (q, v) = M::initial();
    let scale = 15.0 * 9.81;
    let h = 2e-3;
    let end = h * f64::from(steps);
    let (mut first, mut errors) = (None, [0.0_f64; 4]);
    let simulation = Simulation::of(&system).initial(q, v).method(method).step(h).end_time(end).output_times(&[]);
    let outcome = simulation
        .on_step(|state| {
            let energy = energy(&system, state);
            let first = *first.get_or_insert(energy);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Between 0 and 3.
            let quarter = ((state.time / end * 4.0) as usize).min(3);
            errors[quarter] = errors[quarter].max((energy - first).abs() / scale);
        })
        .run();
    outcome.unwrap_or_else(|error| panic!("{error}"));
    errors
}

/// 25,000 steps are 50 s, 1200 turns and 5 revolutions of the precession.
#[test]
fn energy_oscillates_and_does_not_drift() {
    let [first, .., last] = energy_errors::<so3xr3::System>(Rattlie::new(), 25_000);
    let others = energy_errors::<so3xr3::System>(BLieDF::by_id("bliedf2").unwrap(), 2_500);
    println!("rattlie {first:.2e} … {last:.2e}; bliedf2 over a tenth of it {others:?}");
    assert!(first < 2e-2, "{first:e}");
    assert!((last / first - 1.0).abs() < 0.1, "{first:e} {last:e}");
    assert!(others[3] > 3.0 * others[0] && others[3] > 10.0 * last, "{others:?}");
}

#[test]
fn both_constraints_hold_to_round_off() {
    fn of<M: HeavyTop + Linearised + MomentumRate>() {
        let system = M::of_the_paper();
        let trajectory = run(&system, M::initial(), Rattlie::new(), 1.0 / 1024.0, 1.0);
        let position = trajectory.states.iter().map(|state| position_residual(&system, state)).fold(0.0, f64::max);
        let velocity = trajectory.states.iter().map(|state| velocity_residual(&system, state)).fold(0.0, f64::max);
        let mean = trajectory.statistics.newton_iterations.unwrap();
        println!("{}: |Phi| {position:.1e}, |B v| {velocity:.1e}, {mean:.2} iterations", M::GROUP);
        assert!(position < 2e-13 && velocity < 2e-13, "{position:e} {velocity:e}");
        assert!(mean < 7.0, "{mean}");
    }
    of::<so3xr3::System>();
    of::<se3::System>();
    let (system, q, v) = rolling_disc_example();
    let trajectory = run(&system, (q, v), Rattlie::new(), 1e-2, 2.0);
    let slip = trajectory.states.iter().map(|state| velocity_residual(&system, state)).fold(0.0, f64::max);
    assert!(slip < 1e-14, "{slip:e}");
}

/// Coordinates in which the mass matrix is not constant.
#[test]
fn a_mass_matrix_that_changes() {
    let (system, q, v) = carriages_example();
    assert!(!system.description().mass_is_constant);
    assert_order_two("carriages", &self_convergence(&system, &(q, v), "rattlie", [256, 4096], 2.0)[..2]);
    let back = there_and_back(&system, (q, v), &Rattlie::new(), 0.02);
    let run = run(&system, (q, v), Rattlie::new(), 0.02, 400.0);
    let first = energy(&system, &run.states[0]);
    let off = |states: &[State<_>]| states.iter().map(|at| (energy(&system, at) - first).abs()).fold(0.0, f64::max);
    let (early, late) = (off(&run.states[..2000]), off(&run.states[18_000..]));
    let iterations = run.statistics.newton_iterations.unwrap();
    println!("carriages: back within {back:.1e}, energy {early:.2e} … {late:.2e}, {iterations:.1} iterations");
    assert!(back < 1e-12 && early < 1e-2 && late < 1.3 * early && iterations < 12.0, "{back:e} {early:e} {late:e}");
}

#[test]
fn an_iteration_that_does_not_converge_is_told() {
    let method = Rattlie::with_options(RattlieOptions::default().maximum_iterations(2)).unwrap();
    let system = so3xr3::System::of_the_paper();
    let (q, v) = <so3xr3::System as HeavyTop>::initial();
    let error = Simulation::of(&system).initial(q, v).method(method).step(5e-3).end_time(1.0).run().unwrap_err();
    let Failure::Step(failed) = &error.failure else { panic!("{error}") };
    assert!(matches!(failed.failure, StepFailure::NewtonNotConverged { iterations: 2, .. }), "{error}");
    assert_eq!(failed.time, 0.0);
}
