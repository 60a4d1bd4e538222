//! Systems without constraints: the methods are Runge-Kutta-Munthe-Kaas methods of their order.

use fixtures::measure::{end_state, energy, self_convergence};
use fixtures::reference;
use fixtures::systems::free_body::{carriages_example, free_body_example, motor_pendulum, motor_pendulum_example};
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;
use lie_runtime::system::erased::Erasable;

/// The orders between so many times 8, 4, 2 and 1 steps (for p = 2, 3, 4, 5) and twice as many.
fn assert_orders<M: Erasable>(system: &M, initial: &(M::Configuration, M::Velocity), steps: u32) {
    for method in HalfExplicit::all() {
        let tableau = method.tableau();
        let steps = steps * [8, 4, 2, 1][tableau.order - 2];
        let [q, v, _] = self_convergence(system, initial, tableau.id, [steps, 4000], 2.0);
        let (p, name) = (tableau.order as f64, system.description().name);
        println!("{name} {}: {q:.2} {v:.2}", tableau.id);
        // Orders come near p from above where the leading term of the error is small (5.29 for q of the free body).
        for order in [q, v] {
            assert!((p - 0.15..p + 0.35).contains(&order), "{name} {}: {q:.2} {v:.2}", tableau.id);
        }
    }
}

#[test]
fn a_free_body_on_so3() {
    let (system, q, v) = free_body_example();
    assert_orders(&system, &(q, v), 64);
}

#[test]
fn a_pendulum_with_a_motor_on_so2() {
    let (system, q, v) = motor_pendulum_example();
    assert_orders(&system, &(q, v), 64);
}

/// M⁻¹ of interleaved blocks: M v' equals the forces, and the energy is constant.
#[test]
fn blocks_of_the_mass_matrix_may_interleave() {
    let (system, q, v) = carriages_example();
    let (mut factors, mut force) = (system.zero_mass(), system.zero_velocity());
    let (mut matrix, mut acceleration) = (system.zero_matrix(), system.zero_velocity());
    system.mass(0.0, &q, &mut factors).unwrap();
    system.force(0.0, &q, &v, &mut force);
    system.solve_mass(&mut factors, &force, &mut acceleration);
    system.mass_matrix(0.0, &q, &mut matrix);
    assert!((matrix * acceleration - force).amax() < 1e-14, "{}", matrix * acceleration - force);
    let run = Simulation::of(&system).initial(q, v).step(1e-3).end_time(5.0).run().unwrap();
    for state in &run.states {
        assert!((energy(&system, state) - energy(&system, &run.states[0])).abs() < 1e-11);
    }
    assert_orders(&system, &(q, v), 128);
}

/// Energy and spatial angular momentum R J Ω of a torque-free body.
#[test]
fn a_torque_free_body_keeps_energy_and_momentum() {
    let (system, q, v) = free_body_example();
    let moments = Vector3::new(0.9144, 1.098, 1.66);
    let run = Simulation::of(&system).initial(q, v).step(1e-3).end_time(10.0).run().unwrap();
    let start = energy(&system, &run.states[0]);
    for state in &run.states {
        // Errors of order 5: (4 rad/s · 1e-3)⁵ a step, 1e4 steps.
        assert!((energy(&system, state) / start - 1.0).abs() < 1e-11);
        let momentum = state.configuration.attitude.matrix() * moments.component_mul(&state.velocity);
        assert!((momentum - moments.component_mul(&v)).norm() < 1e-10);
        assert_eq!(system.constraint_rows(), 0);
    }
}

/// The reference starts at a quarter of the speed: all times are four times as long.
#[test]
fn a_torque_free_body_moves_as_the_reference() {
    let (system, q, v) = free_body_example();
    for index in 0..2 {
        let (t, attitude, velocity) = reference::free_rigid_body(index);
        let state = end_state(&system, (q, v), "hedop5", 4000, t / 4.0);
        let error = (state.configuration.attitude.matrix() - attitude).amax();
        println!("t = {t}: {error:.1e}");
        assert!(error < 1e-12, "{error:e}");
        assert!((0.25 * state.velocity - velocity).amax() < 1e-12);
    }
}

/// The powers of a damper and of a motor are correct: E' = τ φ' − d φ'².
#[test]
fn power_of_motor_and_damper() {
    let (system, q, v) = motor_pendulum_example();
    let h = 1e-3;
    let run = Simulation::of(&system).initial(q, v).step(h).end_time(4.0).run().unwrap();
    let power = |state: &State<motor_pendulum::System>| {
        let rate: f64 = state.velocity[0];
        1.5 * (3.0 * state.time).sin() * rate - 0.2 * rate * rate
    };
    let work: f64 =
        run.states.windows(3).step_by(2).map(|s| h / 3.0 * (power(&s[0]) + 4.0 * power(&s[1]) + power(&s[2]))).sum();
    let gained = energy(&system, run.last()) - energy(&system, run.first());
    assert!((gained - work).abs() < 1e-10 && gained.abs() > 0.1, "{gained} {work}");
}
