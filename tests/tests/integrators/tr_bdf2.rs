//! TR-BDF2 (paper 4): the loads of its section IV.A, orders, error estimates, stiffness and constraints.

use fixtures::measure::{order, position_residual, run, velocity_residual};
use fixtures::reference;
use fixtures::systems::driven::{driven_pendulum_example, knife_edge_example};
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{s3r3, se3, so3xr3};
use fixtures::systems::rotating_bodies::{loaded, prescribed, top};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::tr_bdf2::{Completion, METHODS, PRINTED_CORRECTION, TrBdf2Options, TrBdf2Predictor};
use lie_runtime::integrator::{Decision, GeneralizedAlpha, Integrator, LocalError, StepController, TrBdf2};
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

/// TR-BDF2 of third order with some choices changed.
fn with(change: impl FnOnce(TrBdf2Options) -> TrBdf2Options) -> TrBdf2 {
    TrBdf2::with_options(change(*TrBdf2::third_order().options())).unwrap()
}

/// Simo and Vu-Quoc's Newmark method.
fn newmark() -> GeneralizedAlpha {
    GeneralizedAlpha::index3(Parameters::simo_vu_quoc())
}

/// The prescribed attitude.
fn exact(load: f64, t: f64) -> S3 {
    S3::exp(&prescribed::rotation_vector(t, load))
}

/// The largest angle between the computed and the prescribed attitude on [0, end].
fn largest_error(load: f64, method: impl Integrator<prescribed::System>, h: f64, end: f64) -> f64 {
    let (system, q, v) = loaded(load);
    let run = run(&system, (q, v), method, h, end);
    let error = |state: &State<prescribed::System>| {
        (exact(load, state.time).inverse() * state.configuration.attitude).log().norm()
    };
    run.states.iter().map(error).fold(0.0, f64::max)
}

const END: f64 = 5.0 * std::f64::consts::PI;

/// The torque follows the tables, and the angles follow ϑ(t).
#[test]
fn the_load_is_derived_from_the_rotation() {
    for (load, case) in [(1.0, "i"), (2.0, "ii")] {
        for (t, expected, expected_velocity) in reference::prescribed_torque(case) {
            let torque = prescribed::torque(t, Vector3::new(5.0, 5.0, 1.0), load);
            assert!((torque - expected).norm() < 1e-12 * expected.norm().max(1.0), "{case} {t}");
            let velocity = prescribed::angular_velocity(t, load);
            let scale = expected_velocity.norm().max(1.0);
            assert!((velocity - expected_velocity).norm() < 1e-13 * scale, "{case} {t}");
        }
    }
}

/// Load (ii), section IV.A: 0.0022 against 0.084 at h = 0.05, 1.7e-5 against 3.5e-3 at h = 0.01.
#[test]
fn errors_are_those_of_the_paper() {
    for (h, printed, printed_newmark) in [(0.05, 2.2e-3, 8.4e-2), (0.01, 1.7e-5, 3.5e-3)] {
        let (error, baseline) =
            (largest_error(2.0, TrBdf2::third_order(), h, END), largest_error(2.0, newmark(), h, END));
        println!(
            "h = {h}: {error:.2e} (printed {printed:.1e}), Newmark {baseline:.2e} (printed {printed_newmark:.1e})"
        );
        assert!((0.5..2.0).contains(&(error / printed)), "{h}: {error:e}");
        assert!((0.5..2.0).contains(&(baseline / printed_newmark)), "{h}: {baseline:e}");
    }
    // Load (i), Figs. 3 and 4: better by more than an order of magnitude.
    for h in [0.05, 0.01] {
        let (error, baseline) =
            (largest_error(1.0, TrBdf2::third_order(), h, END), largest_error(1.0, newmark(), h, END));
        println!("(i) h = {h}: {error:.2e}, Newmark {baseline:.2e}");
        assert!(error < 0.1 * baseline, "{h}: {error:e} {baseline:e}");
    }
}

fn observed(load: f64, method: impl Integrator<prescribed::System> + Copy) -> f64 {
    let [coarse, fine] = [0.005, 0.0025].map(|h| largest_error(load, method, h, 4.0));
    order(coarse, fine)
}

/// Order 3 with 1/24; the factor as printed gives order 2, and so do velocities that are left unchanged.
#[test]
fn orders() {
    for load in [1.0, 2.0] {
        for (name, method, p) in [
            ("tr_bdf2_third_order", TrBdf2::third_order(), 3.0),
            ("factor 1/48", with(|options| options.correction(PRINTED_CORRECTION)), 2.0),
            ("no correction", with(|options| options.correction(0.0)), 2.0),
            ("configuration alone", with(|options| options.completion(Completion::Configuration)), 2.0),
            ("l-stable", TrBdf2::new(), 2.0),
        ] {
            let slope = observed(load, method);
            println!("({load}) {name}: {slope:.3} {:.1e}", largest_error(load, method, 0.01, 4.0));
            assert!((slope - p).abs() < 0.15, "({load}) {name}: {slope:.3}");
        }
        assert!((observed(load, newmark()) - 2.0).abs() < 0.1);
    }
}

/// Velocities are of third order too, on matrices as on quaternions.
#[test]
fn order_of_the_velocity_of_a_top() {
    let (system, q, v) = top(false);
    let reference = run(&system, (q, v), TrBdf2::third_order(), 1.0 / 4096.0, 1.0).last().clone();
    let errors = |steps: f64| {
        let state = run(&system, (q, v), TrBdf2::third_order(), 1.0 / steps, 1.0).last().clone();
        let attitude = state.configuration.attitude.matrix() - reference.configuration.attitude.matrix();
        [attitude.norm(), (state.velocity - reference.velocity).norm()]
    };
    let (coarse, fine) = (errors(128.0), errors(256.0));
    for i in 0..2 {
        let slope = order(coarse[i], fine[i]);
        assert!((slope - 3.0).abs() < 0.1, "{slope:.3}");
    }
}

#[test]
fn quaternions_keep_their_length() {
    let (system, q, v) = loaded(1.0);
    for state in run(&system, (q, v), TrBdf2::third_order(), 0.01, END).into_trajectory().states {
        let norm: f64 = state.configuration.attitude.coordinates().iter().map(|x| x * x).sum();
        assert!((norm - 1.0).abs() < 1e-15, "{:e}", norm - 1.0);
    }
}

/// The estimate is of third order in h and has the size of the error of the second-order method.
#[test]
fn estimates() {
    let (system, q, v) = loaded(2.0);
    let state = run(&system, (q, v), TrBdf2::third_order(), 0.01, 2.0).last().clone();
    for method in METHODS.map(|method| TrBdf2::by_id(method.id).unwrap()) {
        let mut workspace = Integrator::<prescribed::System>::workspace(&method, &system, &state);
        let (mut to, mut error) = (state.clone(), LocalError::of(&system));
        let mut sizes = [0.04, 0.02, 0.01].map(|h| {
            method.step_with_estimate(&system, &state, h, &mut to, &mut error, &mut workspace).unwrap();
            [error.increment_error.norm(), error.velocity_error.norm()]
        });
        sizes.reverse();
        for pair in sizes.windows(2) {
            for (fine, coarse) in pair[0].into_iter().zip(pair[1]) {
                let slope = order(coarse, fine);
                assert!((slope - 3.0).abs() < 0.15, "{}: {slope:.3}", method.id());
            }
        }
    }
    // θ of the l-stable method is off by what is estimated.
    let l_stable = TrBdf2::new();
    let mut workspace = Integrator::<prescribed::System>::workspace(&l_stable, &system, &state);
    let (mut to, mut error) = (state.clone(), LocalError::of(&system));
    l_stable.step_with_estimate(&system, &state, 0.02, &mut to, &mut error, &mut workspace).unwrap();
    let fine = run_from(&system, &state, 0.02, 64);
    let actual = (to.configuration.attitude.inverse() * fine.configuration.attitude).log();
    assert!((actual - error.increment_error).norm() < 0.1 * actual.norm(), "{actual} {}", error.increment_error);
}

/// The state after `parts` equal steps over h.
fn run_from<M: Linearised<Scalar = f64>>(system: &M, state: &State<M>, h: f64, parts: u32) -> State<M> {
    let method = TrBdf2::third_order();
    let mut workspace = Integrator::<M>::workspace(&method, system, state);
    let (mut from, mut to) = (state.clone(), state.clone());
    for _ in 0..parts {
        method.step(system, &from, h / f64::from(parts), &mut to, &mut workspace).unwrap();
        core::mem::swap(&mut from, &mut to);
    }
    from
}

/// The error follows the tolerance, and more accuracy takes h ∝ tol^{1/3}.
#[test]
fn step_control() {
    let (system, q, v) = loaded(2.0);
    let controlled = |tolerance: f64| {
        let run = Simulation::of(&system).initial(q, v).method(TrBdf2::third_order()).rtol(tolerance).atol(tolerance);
        // The default step limit of time-dependent systems is lifted: the tolerance alone sets the steps.
        let run = run.max_step(5.0).end_time(5.0).run().unwrap_or_else(|error| panic!("{error}"));
        let last = run.last();
        let error = (exact(2.0, last.time).inverse() * last.configuration.attitude).log().norm();
        (error, run.statistics.accepted)
    };
    let (coarse, few) = controlled(1e-4);
    let (fine, many) = controlled(1e-7);
    println!("{coarse:.1e} in {few} steps, {fine:.1e} in {many} steps");
    assert!(coarse < 1e-2 && fine < 1e-5);
    assert!((6.0..14.0).contains(&(many as f64 / few as f64)), "{few} {many}");
    assert!(matches!(StepController::new(1e-4, 1e-4).decide(8.0, 0.1, 2), Decision::Reject { .. }));
}

#[test]
fn newton_converges_quadratically_from_both_predictors() {
    let (system, q, v) = loaded(2.0);
    let mut state = run(&system, (q, v), TrBdf2::third_order(), 0.01, 2.0).last().clone();
    let mut ends = Vec::new();
    for predictor in [TrBdf2Predictor::Acceleration, TrBdf2Predictor::Velocity] {
        let method = with(|options| options.predictor(predictor).tolerance(1e-30));
        let mut workspace = Integrator::<prescribed::System>::workspace(&method, &system, &state);
        let mut to = state.clone();
        method.start(&system, &mut state, &mut workspace).unwrap();
        method.step(&system, &state, 0.2, &mut to, &mut workspace).unwrap();
        let corrections = workspace.corrections();
        assert!((3..=7).contains(&corrections.len()), "{corrections:?}");
        for pair in corrections.windows(2).filter(|pair| pair[0] < 0.1) {
            assert!(pair[1] < 3.0 * pair[0].powi(2) + 1e-14, "{corrections:?}");
        }
        ends.push(to);
    }
    assert!((ends[0].velocity - ends[1].velocity).norm() < 1e-12);
}

/// A stiff and a soft spring on one mass each: the effect of each completion on frequencies that the step does not resolve.
#[mechanical_system]
pub mod springs {
    use lie_runtime::prelude::*;

    /// Two positions.
    #[configuration]
    pub struct Positions {
        /// On a soft spring.
        pub soft: R1,
        /// On a stiff spring.
        pub stiff: R1,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.soft.norm_squared() + v.stiff.norm_squared())
    }

    #[potential]
    fn springs(q: &Positions) -> f64 {
        0.5 * q.soft.norm_squared() + 0.5e8 * q.stiff.norm_squared()
    }
}

#[test]
fn without_the_third_stage_stiff_parts_are_damped() {
    let system = springs::System::new().unwrap();
    let start = springs::Positions { soft: Vector1::new(1.0), stiff: Vector1::new(1e-3) };
    let last = run(&system, (start, Vector2::zeros()), TrBdf2::new(), 0.01, 10.0).last().clone();
    assert!((last.configuration.soft[0] - 10f64.cos()).abs() < 1e-4);
    assert!(last.configuration.stiff[0].abs() < 1e-12, "{:e}", last.configuration.stiff[0]);
    // With it they grow, and the run is ended.
    let run = Simulation::of(&system).initial(start, Vector2::zeros()).method(TrBdf2::third_order());
    let error = run.step(0.01).end_time(0.1).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Diverged { .. }), "{error}");
    assert!(error.last.is_some_and(|last| last.configuration.stiff[0].is_finite()));
}

/// Relative errors of q, v and λ of the heavy top at t = 1, and the largest residuals of its constraints.
fn heavy_top_errors<M: HeavyTop + Linearised>(method: TrBdf2, steps: u32) -> ([f64; 3], [f64; 2]) {
    let exact = reference::heavy_top();
    let system = M::of_the_paper();
    let run = run(&system, M::initial(), method, 1.0 / f64::from(steps), 1.0);
    let state = run.states.last().unwrap();
    let relative = |given: Vector3<f64>, exact: Vector3<f64>| (given - exact).norm() / exact.norm();
    let attitude = (M::attitude(&state.configuration) - exact.attitude).norm() / exact.attitude.norm();
    let position = relative(M::position(&state.configuration), exact.position);
    let angular = relative(state.velocity.angular(), exact.angular_velocity);
    let multipliers = relative(state.multipliers, exact.multipliers);
    let worst = |residual: &dyn Fn(&State<M>) -> f64| run.states.iter().map(residual).fold(0.0, f64::max);
    let residuals =
        [worst(&|state| position_residual(&system, state)), worst(&|state| velocity_residual(&system, state))];
    ([attitude.max(position), angular, multipliers], residuals)
}

/// The orders do not change with constraints, and every step satisfies the constraints at both levels.
#[test]
fn constraints() {
    fn check<M: HeavyTop + Linearised>() {
        let name = M::of_the_paper().description().group;
        for (method, p) in [(TrBdf2::third_order(), 3.0), (TrBdf2::new(), 2.0)] {
            let (coarse, _) = heavy_top_errors::<M>(method, 2048);
            let (fine, residuals) = heavy_top_errors::<M>(method, 4096);
            let slopes = [0, 1, 2].map(|i| order(coarse[i], fine[i]));
            println!("{name} {}: {slopes:.2?} {fine:?} {residuals:?}", method.id());
            for slope in &slopes[..2] {
                assert!((slope - p).abs() < 0.15, "{name} {}: {slopes:.2?}", method.id());
            }
            assert!(residuals[0] < 1e-13 && residuals[1] < 1e-10, "{name} {}: {residuals:?}", method.id());
        }
    }
    check::<so3xr3::System>();
    check::<se3::System>();
    check::<s3r3::System>();
}

/// Constraints that depend on time, and velocity constraints: against a run of order 5.
#[test]
fn rheonomic_and_nonholonomic_constraints() {
    fn check<M: Linearised<Scalar = f64>>(system: &M, (q, v): (M::Configuration, M::Velocity)) {
        let name = system.description().name;
        let start = (q.clone(), v.clone());
        let exact = run(system, start.clone(), HalfExplicit::hedop5(), 1.0 / 2000.0, 1.0).last().clone();
        let errors = |method: TrBdf2, steps: u32| {
            let run = run(system, start.clone(), method, 1.0 / f64::from(steps), 1.0);
            for state in &run.states {
                assert!(velocity_residual(system, state) < 1e-10, "{name}: {:e}", velocity_residual(system, state));
                assert!(position_residual(system, state) < 1e-12, "{name}: {:e}", position_residual(system, state));
            }
            let state = run.states.last().unwrap();
            let (mut theta, mut velocity) = (system.zero_velocity(), state.velocity.clone());
            system.space().log_difference(&exact.configuration, &state.configuration, &mut theta);
            velocity.axpy(-1.0, &exact.velocity);
            [theta.max_norm(), velocity.max_norm()]
        };
        for (method, p) in [(TrBdf2::third_order(), 3.0), (TrBdf2::new(), 2.0)] {
            for (coarse, fine) in errors(method, 200).into_iter().zip(errors(method, 400)) {
                let slope = order(coarse, fine);
                println!("{name} {}: {slope:.2} {fine:.1e}", method.id());
                assert!((slope - p).abs() < 0.15, "{name} {}: {slope:.2}", method.id());
            }
        }
    }
    let (system, q, v) = driven_pendulum_example();
    check(&system, (q, v));
    let (system, q, v) = knife_edge_example();
    check(&system, (q, v));
}

#[test]
fn a_step_allocates_nothing() {
    fn check<M: Linearised<Scalar = f64>>(system: &M, q: M::Configuration, v: M::Velocity) {
        let mut state = State::at_rest(system, 0.0, q);
        state.velocity = v;
        let (mut to, mut error) = (state.clone(), LocalError::of(system));
        for method in METHODS.map(|method| TrBdf2::by_id(method.id).unwrap()) {
            let mut workspace = Integrator::<M>::workspace(&method, system, &state);
            // Room for what the method remembers, once in either state.
            method.start(system, &mut state, &mut workspace).unwrap();
            method.step(system, &state, 1e-4, &mut to, &mut workspace).unwrap();
            let allocations = allocation_counter::measure(|| {
                method.start(system, &mut state, &mut workspace).unwrap();
                for _ in 0..5 {
                    method.step(system, &state, 1e-4, &mut to, &mut workspace).unwrap();
                    method.step_with_estimate(system, &state, 1e-4, &mut to, &mut error, &mut workspace).unwrap();
                }
            });
            assert_eq!(allocations.count_total, 0, "{}", method.id());
        }
    }
    let (system, q, v) = loaded(2.0);
    check(&system, q, v);
    let (q, v) = so3xr3::System::initial();
    check(&so3xr3::System::of_the_paper(), q, v);
}
