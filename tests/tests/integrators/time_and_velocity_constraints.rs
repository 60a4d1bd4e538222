//! Rheonomic and nonholonomic systems: residuals, power, and solutions found without any group.

use fixtures::measure::{energy, position_residual, self_convergence, velocity_residual};
use fixtures::systems::driven::{driven_pendulum_example, knife_edge_example, rolling_disc_example};
use lie_runtime::prelude::*;
use lie_runtime::system::erased::Erasable;

/// The states of a run with full-order multipliers and accelerations.
fn run<M: MechanicalSystem>(system: &M, q: M::Configuration, v: M::Velocity, h: f64, end: f64) -> Vec<State<M>> {
    let run = Simulation::of(system).initial(q, v).step(h).end_time(end).full_order_multipliers();
    run.run().unwrap_or_else(|error| panic!("{error}")).into_trajectory().states
}

/// ∫ f dt over an even number of equal steps by Simpson's rule.
fn simpson(values: &[f64], h: f64) -> f64 {
    assert!(values.len() % 2 == 1);
    let weight = |at: usize| match at {
        0 => 1.0,
        at if at == values.len() - 1 => 1.0,
        at if at % 2 == 1 => 4.0,
        _ => 2.0,
    };
    values.iter().enumerate().map(|(at, value)| weight(at) * value).sum::<f64>() * h / 3.0
}

#[test]
fn a_driven_pivot_is_where_it_has_to_be() {
    let (system, q, v) = driven_pendulum_example();
    let states = run(&system, q, v, 1e-3, 3.0);
    for state in &states {
        // q follows to the order of the method, v to round-off.
        assert!(position_residual(&system, state) < 1e-12, "{:e}", position_residual(&system, state));
        assert!(velocity_residual(&system, state) < 1e-13, "{:e}", velocity_residual(&system, state));
    }
    // v₀ moves with the pivot, and nothing has changed it.
    assert!((states[0].velocity - v).norm() < 1e-12);
}

/// E' = −(Bv)ᵀλ = Φ_tᵀ λ: only the drive does work.
#[test]
fn the_drive_does_the_work() {
    let (system, q, v) = driven_pendulum_example();
    let h = 1e-3;
    let states = run(&system, q, v, h, 3.0);
    let power: Vec<f64> = states
        .iter()
        .map(|state| {
            let mut drift = system.zero_multipliers();
            system.constraint_drift(state.time, &state.configuration, &mut drift);
            drift.dot(&state.multipliers)
        })
        .collect();
    let gained = energy(&system, &states[3000]) - energy(&system, &states[0]);
    // Simpson's rule on oscillations of some 10 rad/s: (10 h)⁴ / 180 of a power of 10 W.
    let balance = gained - simpson(&power, h);
    println!("energy gained {gained:.6}, balance {balance:.1e}");
    assert!(gained.abs() > 0.1 && balance.abs() < 1e-8, "{gained} {balance:e}");
}

/// (I + m l²) θ'' = −m (J R a) · (p'' + g e_y) by the classical Runge-Kutta method.
#[test]
fn the_driven_pendulum_swings_as_in_its_angle() {
    let (system, q, v) = driven_pendulum_example();
    let states = run(&system, q, v, 1e-3, 3.0);
    let (inertia, mass, arm, gravity, amplitude, frequency) = (0.2, 1.5, Vector2::new(0.1, -0.7), 9.81, 0.3, 4.0_f64);
    let acceleration = |t: f64, angle: f64| {
        let (s, c) = angle.sin_cos();
        let turned = Vector2::new(c * arm.x - s * arm.y, s * arm.x + c * arm.y);
        let across = Vector2::new(-turned.y, turned.x);
        let pivot = Vector2::new(-amplitude * frequency * frequency * (frequency * t).sin(), gravity);
        -mass * across.dot(&pivot) / (inertia + mass * arm.norm_squared())
    };
    let h = 1e-3;
    let (mut angle, mut rate) = (0.0, states[0].velocity[0]);
    for (n, state) in states.iter().enumerate() {
        let given = state.configuration.body.rotation.angle();
        let difference = (given - angle).sin();
        // The error of the order-4 reference with h = 1/1000.
        assert!(difference.abs() < 1e-9, "{n}: {difference:e}");
        assert!((state.velocity[0] - rate).abs() < 1e-8);
        let t = n as f64 * h;
        let (a1, b1) = (rate, acceleration(t, angle));
        let (a2, b2) = (rate + 0.5 * h * b1, acceleration(t + 0.5 * h, angle + 0.5 * h * a1));
        let (a3, b3) = (rate + 0.5 * h * b2, acceleration(t + 0.5 * h, angle + 0.5 * h * a2));
        let (a4, b4) = (rate + h * b3, acceleration(t + h, angle + h * a3));
        angle += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        rate += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
    }
}

/// θ = ω t, x = g/(2ω²) sin² ω t, y = g/(2ω²) (ω t − ½ sin 2ω t), λ = −2 m g sin ω t.
#[test]
fn a_knife_edge_follows_its_closed_solution() {
    let (system, q, v) = knife_edge_example();
    let (mass, slope, omega) = (2.0, 3.0, 2.0);
    let scale = slope / (2.0 * omega * omega);
    let states = run(&system, q, v, 1e-3, 2.0);
    for state in &states {
        let phase: f64 = omega * state.time;
        let expected = Vector2::new(scale * phase.sin().powi(2), scale * (phase - 0.5 * (2.0 * phase).sin()));
        let error = (state.configuration.body.translation - expected).norm();
        assert!(error < 1e-12, "{error:e}");
        assert!((state.multipliers[0] + 2.0 * mass * slope * phase.sin()).abs() < 1e-11);
        assert!(velocity_residual(&system, state) < 1e-14);
        // A constraint without a drive does no work.
        assert!((energy(&system, state) - energy(&system, &states[0])).abs() < 1e-12);
    }
    // It came back to the height it started from, and has moved across the slope.
    assert!(states.last().unwrap().configuration.body.translation.y > 1.0);
}

/// (J + m r²) φ'' = τ, and the disc turns at a constant rate: it runs along an involute-like curve.
#[test]
fn a_rolling_disc_is_driven_by_its_motor() {
    let (system, q, v) = rolling_disc_example();
    let (mass, radius, axle, torque) = (2.0, 0.4, 0.15, 0.8);
    let h = 1e-3;
    let states = run(&system, q, v, h, 2.0);
    let acceleration = torque / (axle + mass * radius * radius);
    // The projection splits the inconsistent initial rolling and sliding by the masses.
    let (heading, start) = (states[0].velocity[0], states[0].velocity[3]);
    let expected = (mass * radius * 0.3 + axle * 0.5) / (mass * radius * radius + axle);
    assert!((heading - 0.9).abs() < 1e-15 && (start - expected).abs() < 1e-14, "{heading} {start}");
    for state in &states {
        let rolling = start + acceleration * state.time;
        assert!((state.velocity[3] - rolling).abs() < 1e-12);
        assert!((state.velocity[1] - radius * rolling).abs() < 1e-12);
        assert!(velocity_residual(&system, state) < 1e-14);
        let expected = Vector2::new(-mass * radius * acceleration, -mass * heading * radius * rolling);
        assert!((state.multipliers - expected).norm() < 1e-11, "{}", state.multipliers - expected);
        // The motor's work is all that changes the energy.
        let work = torque * (start * state.time + 0.5 * acceleration * state.time.powi(2));
        assert!((energy(&system, state) - energy(&system, &states[0]) - work).abs() < 1e-11);
    }
    // x' = r φ' cos ψ, y' = r φ' sin ψ.
    let speed = |state: &State<_>, sine: bool| {
        let angle: f64 = heading * state.time;
        radius * (start + acceleration * state.time) * if sine { angle.sin() } else { angle.cos() }
    };
    let integral = |sine| simpson(&states.iter().map(|state| speed(state, sine)).collect::<Vec<_>>(), h);
    let expected = Vector2::new(integral(false), integral(true));
    let error = (states.last().unwrap().configuration.contact.translation - expected).norm();
    assert!(error < 1e-12, "{error:e}");
}

/// Every method has its order on these systems, too: λ at least the order that it has in general.
#[test]
fn methods_have_their_order() {
    fn check<M: Erasable>(system: &M, initial: &(M::Configuration, M::Velocity), steps: u32) {
        for method in HalfExplicit::all() {
            let tableau = method.tableau();
            let steps = steps * [8, 4, 2, 1][tableau.order - 2];
            let [q, v, multipliers] = self_convergence(system, initial, tableau.id, [steps, 4000], 2.0);
            let (p, name) = (tableau.order as f64, system.description().name);
            println!("{name} {}: {q:.2} {v:.2} {multipliers:.2}", tableau.id);
            assert!(q > p - 0.2 && v > p - 0.2, "{name} {}: {q:.2} {v:.2}", tableau.id);
            let least = tableau.multiplier_order as f64 - 0.2;
            assert!(multipliers > least, "{name} {}: λ {multipliers:.2}", tableau.id);
        }
    }
    let (system, q, v) = driven_pendulum_example();
    check(&system, &(q, v), 128);
    // Slow and smooth: with more steps the error of order 5 is lost in round-off.
    let (system, q, v) = knife_edge_example();
    check(&system, &(q, v), 16);
}
