//! Orders of q, v and λ, drift and error estimates, as tabulated in `data/half_explicit_tableaux.json`.

use hand_written::free_body::FreeBody;
use hand_written::heavy_top_se3::{HeavyTop, Pose};
use hand_written::heavy_top_so3r3::DirectTop;
use hand_written::nonholonomic::KnifeEdge;
use hand_written::pendulum::Pendulum;
use hand_written::reference::{order, tableaux};
use lie_runtime::integrator::{HalfExplicit, Integrator, LocalError, State};
use lie_runtime::nalgebra::Matrix3;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use models::reference::{self, HeavyTop as Reference};

/// The last state of a run with that many steps.
fn last<M: MechanicalSystem>(
    system: &M,
    (q, v): (M::Configuration, M::Velocity),
    method: HalfExplicit,
    steps: u32,
    end: f64,
) -> State<M> {
    let run = Simulation::of(system)
        .initial(q, v)
        .max_initial_correction(1.0)
        .method(method)
        .step(end / f64::from(steps))
        .end_time(end);
    run.output_times(&[end]).run().unwrap().last().clone()
}

/// Relative errors of q, v and λ of the heavy top.
fn errors(
    exact: &Reference,
    pose: &Pose,
    velocity: &Vector6<f64>,
    exact_velocity: &Vector6<f64>,
    multipliers: &Vector3<f64>,
) -> [f64; 3] {
    let attitude = (pose.attitude - exact.attitude).norm() / exact.attitude.norm();
    let position = (pose.position - exact.position).norm() / exact.position.norm();
    [
        attitude.max(position),
        (velocity - exact_velocity).norm() / exact_velocity.norm(),
        (multipliers - exact.multipliers).norm() / exact.multipliers.norm(),
    ]
}

fn stack(angular: &Vector3<f64>, linear: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

fn errors_se3(method: HalfExplicit, steps: u32) -> [f64; 3] {
    let exact = reference::heavy_top();
    let state = last(&HeavyTop::of_the_paper(), HeavyTop::initial(), method, steps, 1.0);
    let velocity = stack(&exact.angular_velocity, &exact.body_velocity);
    errors(&exact, &state.configuration, &state.velocity, &velocity, &state.multipliers)
}

fn errors_so3r3(method: HalfExplicit, steps: u32) -> [f64; 3] {
    let exact = reference::heavy_top();
    let state = last(&DirectTop::of_the_paper(), DirectTop::initial(), method, steps, 1.0);
    let velocity = stack(&exact.angular_velocity, &exact.linear_velocity);
    errors(&exact, &state.configuration, &state.velocity, &velocity, &state.multipliers)
}

/// Compares the orders between the given numbers of steps (for q and v, and for λ) and twice as many with the orders in the table.
fn assert_orders(method: HalfExplicit, steps: [u32; 2], group: &str, errors: fn(HalfExplicit, u32) -> [f64; 3]) {
    let id = method.tableau().id;
    let table = tableaux();
    let row = table["methods"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
    let expected = &row["measured"][group]["observed_order_q_v_lambda"];
    let of = |steps| (errors(method, steps), errors(method, 2 * steps));
    let of_state = of(steps[0]);
    let of_multipliers = if steps[1] == steps[0] { of_state } else { of(steps[1]) };
    for (i, (coarse, fine)) in [of_state, of_state, of_multipliers].into_iter().enumerate() {
        let (given, expected) = (order(coarse[i], fine[i]), expected[i].as_f64().unwrap());
        assert!((given - expected).abs() < 0.15, "{id} {group}: {i}: {given:.3}, not {expected}; {coarse:?} {fine:?}");
    }
}

/// Orders that show with at most 16,384 steps. The others are those of the declared tops in `integrators`, and take four times as many.
#[test]
fn orders_on_the_heavy_top() {
    for method in HalfExplicit::all() {
        let tableau = method.tableau();
        let (direct, semidirect) = match tableau.order {
            2 => (None, Some([16_384; 2])),
            3 => (Some([16_384; 2]), Some([16_384; 2])),
            4 => (Some([8192; 2]), Some([8192; 2])),
            // Finer steps for the order 4 of λ drown that of q and v in round-off.
            _ => (Some([2048, 4096]), Some([4096; 2])),
        };
        // λ of order p − 1 shows on SE(3) under h = 1/30000 only.
        let semidirect = semidirect.filter(|_| tableau.order > 3 || tableau.multiplier_order == tableau.order);
        for (steps, group, errors) in [
            (direct, "heavy_top_SO3xR3", errors_so3r3 as fn(HalfExplicit, u32) -> [f64; 3]),
            (semidirect, "heavy_top_SE3", errors_se3),
        ] {
            if let Some(steps) = steps {
                assert_orders(method, steps, group, errors);
            }
        }
    }
}

#[test]
fn errors_of_order_five_are_those_of_the_best_straight_line_code() {
    for (steps, expected) in [(1000, 2.1e-6), (2000, 6.3e-8), (10_000, 2.0e-11)] {
        let state = last(&HeavyTop::of_the_paper(), HeavyTop::initial(), HalfExplicit::hedop5(), steps, 1.0);
        let error = (state.configuration.position - reference::heavy_top().position).amax();
        assert!(error < 1.2 * expected, "{steps} steps: {error:e}");
    }
}

/// The largest |Φ| on [0, 1].
fn drift<M: MechanicalSystem<Scalar = f64, Multipliers = Vector3<f64>>>(
    system: &M,
    (q, v): (M::Configuration, M::Velocity),
    method: HalfExplicit,
    steps: u32,
) -> f64 {
    let (mut residual, mut largest) = (Vector3::zeros(), 0.0_f64);
    let run = Simulation::of(system).initial(q, v).method(method).step(1.0 / f64::from(steps)).end_time(1.0);
    run.on_step(|state| {
        system.constraint(state.time, &state.configuration, &mut residual);
        largest = largest.max(residual.norm());
    })
    .output_times(&[])
    .run()
    .unwrap();
    largest
}

#[test]
fn drift_is_of_the_order_of_the_method_or_round_off() {
    let (direct, semidirect) = (DirectTop::of_the_paper(), HeavyTop::of_the_paper());
    for method in HalfExplicit::all() {
        let tableau = method.tableau();
        let steps = [16_384, 4096, 2048, 1024][tableau.order - 2];
        let (coarse, fine) = (
            drift(&direct, DirectTop::initial(), method, steps),
            drift(&direct, DirectTop::initial(), method, 2 * steps),
        );
        let rate = order(coarse, fine);
        assert!((rate - tableau.order as f64).abs() < 0.4, "{}: {rate:.2}, {coarse:e} {fine:e}", tableau.id);
        // On SE(3) B is constant on the constraint: with λ of the last, consistent stage nothing drifts.
        if tableau.first_same_as_last() {
            let residual = drift(&semidirect, HeavyTop::initial(), method, steps);
            assert!(residual < 2e-14, "{}: {residual:e}", tableau.id);
        }
    }
    let state = last(&direct, DirectTop::initial(), HalfExplicit::hedop5(), 2048, 1.0);
    let mut residual = Vector3::zeros();
    direct.constraint(1.0, &state.configuration, &mut residual);
    assert!((1.2e-12..2.0e-12).contains(&residual.norm()), "{:e}", residual.norm());
}

/// The largest estimates |θ̂ − θ|, |v̂ − v| over the steps on [0, 1].
fn estimates<M: MechanicalSystem>(system: &M, (q, v): (M::Configuration, M::Velocity), steps: u32) -> [f64; 2] {
    let method = HalfExplicit::hedop5();
    let (mut from, _) = ConsistentValues::of(system).state(system, 0.0, q, v).unwrap();
    let (mut to, mut error) = (from.clone(), LocalError::of(system));
    let mut workspace = Integrator::<M>::workspace(&method, system, &from);
    let mut largest = [0.0_f64; 2];
    for _ in 0..steps {
        let h = 1.0 / f64::from(steps);
        method.step_with_estimate(system, &from, h, &mut to, &mut error, &mut workspace).unwrap();
        largest[0] = largest[0].max(error.increment_error.dot(&error.increment_error).value().sqrt());
        largest[1] = largest[1].max(error.velocity_error.dot(&error.velocity_error).value().sqrt());
        core::mem::swap(&mut from, &mut to);
    }
    largest
}

#[test]
fn local_estimates_scale_with_the_fifth_power_of_the_step() {
    let table = tableaux();
    let table = &table["embedded_ratio_check"];
    let check = |group: &str, estimates: &dyn Fn(u32) -> [f64; 2]| {
        let (coarse, fine) = (estimates(1024), estimates(2048));
        for (i, name) in ["theta", "v_with_own_stage7_solve"].into_iter().enumerate() {
            let ratio = coarse[i] / fine[i];
            assert!((ratio - 32.0).abs() < 1.6, "{group} {name}: {ratio}");
            let expected = table[group][name][0].as_f64().unwrap();
            assert!((coarse[i] / expected - 1.0).abs() < 0.05, "{group} {name}: {:e}, not {expected:e}", coarse[i]);
        }
    };
    let (direct, semidirect) = (DirectTop::of_the_paper(), HeavyTop::of_the_paper());
    check("SO3xR3", &|steps| estimates(&direct, DirectTop::initial(), steps));
    check("SE3", &|steps| estimates(&semidirect, HeavyTop::initial(), steps));
}

/// q, v and λ at the end against a run with many steps.
fn self_convergence<M>(
    system: &M,
    initial: &(M::Configuration, M::Velocity),
    method: HalfExplicit,
    steps: u32,
) -> [f64; 3]
where
    M: MechanicalSystem<Scalar = f64>,
{
    let run = |method, steps| last(system, initial.clone(), method, steps, 1.0);
    let exact = run(HalfExplicit::hedop5(), 2000);
    let errors = |steps| {
        let state = run(method, steps);
        let (mut theta, mut v, mut multipliers) = (system.zero_velocity(), state.velocity, state.multipliers);
        system.space().log_difference(&exact.configuration, &state.configuration, &mut theta);
        v.axpy(-1.0, &exact.velocity);
        multipliers.axpy(-1.0, &exact.multipliers);
        [theta.max_norm(), v.max_norm(), multipliers.max_norm()]
    };
    let (coarse, fine) = (errors(steps), errors(2 * steps));
    [0, 1, 2].map(|i| order(coarse[i], fine[i]))
}

fn assert_at_least<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    initial: &(M::Configuration, M::Velocity),
    name: &str,
) {
    for method in HalfExplicit::all() {
        let tableau = method.tableau();
        let steps = [256, 128, 64, 32][tableau.order - 2];
        let orders = self_convergence(system, initial, method, steps);
        let p = tableau.order as f64;
        assert!(orders[0] > p - 0.2 && orders[1] > p - 0.2, "{} {name}: {orders:.2?}", tableau.id);
        if system.constraint_rows() > 0 {
            assert!(orders[2] > tableau.multiplier_order as f64 - 0.2, "{} {name}: {orders:.2?}", tableau.id);
        }
    }
}

#[test]
fn orders_on_pendula_fixed_and_driven() {
    let initial = (Vector2::new(0.6, -0.8), Vector2::new(0.4, 0.3));
    assert_at_least(&Pendulum::fixed(), &initial, "fixed pendulum");
    // v₀ is projected onto B v + Φ_t = 0.
    assert_at_least(&Pendulum::driven(), &initial, "driven pendulum");
}

#[test]
fn a_driven_pendulum_stays_on_its_moving_circle() {
    let system = Pendulum::driven();
    let run = Simulation::of(&system)
        .initial(Vector2::new(0.6, -0.8), Vector2::zeros())
        .max_initial_correction(1.0)
        .step(1e-3)
        .end_time(2.0);
    let trajectory = run.run().unwrap();
    assert!(trajectory.initial.velocity.distance > 0.1);
    for state in &trajectory.states {
        let (mut residual, mut drift) = (Vector1::zeros(), Vector1::zeros());
        let mut jacobian = system.zero_jacobian();
        system.constraint(state.time, &state.configuration, &mut residual);
        assert!(residual[0].abs() < 1e-10, "{residual}");
        system.constraint_jacobian(state.time, &state.configuration, &mut jacobian);
        system.jacobian_times(&jacobian, &state.velocity, &mut residual);
        system.constraint_drift(state.time, &state.configuration, &mut drift);
        assert!((residual + drift).norm() < 1e-13);
    }
}

#[test]
fn a_knife_edge_follows_its_closed_solution() {
    let system = KnifeEdge::system();
    let initial = (Vector3::zeros(), Vector3::new(0.0, 0.0, 2.0));
    assert_at_least(&system, &initial, "knife edge");
    let state = last(&system, initial, HalfExplicit::hedop5(), 400, 1.0);
    let (position, multiplier) = KnifeEdge::exact(2.0, 1.0);
    assert!((state.configuration - position).norm() < 1e-11, "{}", state.configuration - position);
    assert!((state.multipliers[0] - multiplier).abs() < 1e-9);
}

#[test]
fn without_constraints_the_methods_are_runge_kutta_munthe_kaas_methods() {
    let body = FreeBody(Vector3::new(0.9144, 1.098, 1.66));
    let initial = (Matrix3::identity(), 4.0 * Vector3::new(0.45549, 0.82623, 0.03476));
    assert_at_least(&body, &initial, "free body");
    // The error estimate has its order, too.
    let ratio = estimates(&body, initial, 64)[1] / estimates(&body, initial, 128)[1];
    assert!((ratio - 32.0).abs() < 3.0, "{ratio}");
}

#[test]
fn an_error_of_the_first_multiplier_dies_out() {
    let system = Pendulum::fixed();
    let method = HalfExplicit::hedop5();
    let initial = (Vector2::new(0.6, -0.8), Vector2::new(0.4, 0.3));
    let (state, _) = ConsistentValues::of(&system).state(&system, 0.0, initial.0, initial.1).unwrap();
    let mut wrong = state.clone();
    wrong.multipliers *= 1.1;
    let run = |state| {
        let run = Simulation::of(&system).restart_from(state).method(method).step(1e-2).end_time(1.0);
        run.run().unwrap().last().clone().multipliers[0]
    };
    assert!((run(state) / run(wrong) - 1.0).abs() < 1e-6);
}
