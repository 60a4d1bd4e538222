//! Collocation: orders, invariants, residuals of constraints, and rejected systems.

use fixtures::measure::{energy, heavy_top_errors, order, position_residual, run, self_convergence, velocity_residual};
use fixtures::systems::driven::{driven_pendulum_example, knife_edge_example, skate_example};
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::free_body::{carriages_example, free_body_example};
use fixtures::systems::heavy_tops::{se3, so3xr3};
use lie_runtime::integrator::collocation::{CollocationOptions, Level, METHODS, MOST_UNKNOWNS};
use lie_runtime::integrator::{Collocation, Integrator, StepFailure};
use lie_runtime::prelude::*;
use lie_runtime::simulate::Failure;
use lie_runtime::system::erased::Erasable;

/// A body on a spring in space, all directions of it coupled.
#[mechanical_system]
pub mod hung_body {
    use lie_runtime::prelude::*;

    /// The position.
    #[configuration]
    pub struct Place {
        /// The frame at the centre of mass.
        pub body: SE3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let (spin, velocity) = (v.body.angular(), v.body.linear());
        0.5 * (spin[0] * spin[0] + 2.0 * spin[1] * spin[1] + 2.5 * spin[2] * spin[2]) + velocity.norm_squared()
    }

    #[potential]
    fn spring(q: &Place) -> f64 {
        let end = q.body * Vector3::new(0.3, -0.2, 1.0);
        2.0 * (end - Vector3::new(0.0, 0.5, 1.5)).norm_squared() + 3.0 * q.body.translation[2]
    }
}

fn hung_body_example() -> (hung_body::System, (hung_body::Place, Vector6<f64>)) {
    let pose = SE3::new(SO3::exp(&Vector3::new(0.3, -0.4, 0.2)), Vector3::new(0.1, 0.2, 0.0));
    let velocity = Vector6::new(1.0, -2.0, 0.5, 0.3, 0.0, -0.4);
    (hung_body::System::new().unwrap(), (hung_body::Place { body: pose }, velocity))
}

/// Steps with errors of a method of this order above the error of the reference and in the asymptotic range.
fn steps(order: usize, least: u32) -> u32 {
    least * [64, 32, 8, 4, 2, 2][order - 1]
}

#[test]
fn the_classical_order_without_constraints() {
    fn of<M>(label: &str, system: &M, initial: &(M::Configuration, M::Velocity), method: Collocation, least: u32)
    where
        M: Erasable,
    {
        let order = method.method().tableau.order;
        let [q, v, _] = self_convergence(system, initial, method.method().id, [steps(order, least), 16384], 2.0);
        let p = order as f64;
        println!("{} {label}: {q:.2} {v:.2}", method.method().id);
        assert!(
            [q, v].iter().all(|order| (p - 0.15..p + 1.5).contains(order)),
            "{} {label}: {q} {v}",
            method.method().id
        );
    }
    for method in Collocation::all().filter(|method| method.method().level != Level::Positions) {
        let (system, q, v) = free_body_example();
        of("free body", &system, &(q, v), method, 16);
        let (system, initial) = hung_body_example();
        of("hung body", &system, &initial, method, 16);
        let (system, q, v) = carriages_example();
        of("carriages", &system, &(q, v), method, 16);
    }
}

/// The orders of q, v and λ by Hairer, Lubich, Roche: 2s − 1, 2s − 1 and s of index 2; 2s − 1, s and s − 1 of index 3.
fn expected(method: Collocation) -> [f64; 3] {
    let s = method.method().tableau.stages() as f64;
    match method.method().level {
        Level::Positions if s > 1.0 => [2.0 * s - 1.0, s, s - 1.0],
        Level::Positions => [1.0; 3],
        _ => [2.0 * s - 1.0, 2.0 * s - 1.0, s],
    }
}

fn constrained() -> impl Iterator<Item = Collocation> {
    Collocation::all().filter(|method| method.method().level != Level::Unconstrained)
}

/// Deviations of the orders of q, v and λ.
fn wrong(label: &str, method: Collocation, given: [f64; 3], expected: [f64; 3]) -> Option<String> {
    let label = format!("{} {label}: {given:.2?}", method.method().id);
    println!("{label}");
    let is_good = given.iter().zip(expected).all(|(given, expected)| (given - expected).abs() < 0.15);
    (!is_good).then(|| format!("{label}, not {expected:?}"))
}

#[test]
fn the_orders_of_constrained_systems() {
    fn top<M: HeavyTop>(id: &str, steps: u32) -> [f64; 3] {
        let (coarse, fine) = (heavy_top_errors::<M>(id, steps), heavy_top_errors::<M>(id, 2 * steps));
        [0, 1, 2].map(|i| order(coarse[i], fine[i]))
    }
    let mut faults = Vec::new();
    for method in constrained() {
        let (id, s) = (method.method().id, method.method().tableau.stages());
        if s > 1 {
            let steps = [4096, 1024][s - 2];
            faults.extend(wrong("SO(3) × R³", method, top::<so3xr3::System>(id, steps), expected(method)));
            // B is constant in the body: stages that meet it at one level meet it at both, and nothing is lost.
            let full = [2.0 * s as f64 - 1.0; 3];
            faults.extend(wrong("SE(3)", method, top::<se3::System>(id, steps), full));
        }
        let (system, q, v) = driven_pendulum_example();
        let steps = [4096, 256, 64][s - 1];
        let orders = self_convergence(&system, &(q, v), id, [steps, 16384], 2.0);
        faults.extend(wrong("driven", method, orders, expected(method)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Velocity constraints have index 2 at every level of the other constraints.
#[test]
fn the_orders_of_nonholonomic_systems() {
    let mut faults = Vec::new();
    for method in constrained() {
        let (id, steps) = (method.method().id, [4096, 256, 64][method.method().tableau.stages() - 1]);
        let index2 = Collocation::by_id(method.method().id.trim_end_matches("_index3")).unwrap();
        let (system, q, v) = skate_example();
        let orders = self_convergence(&system, &(q, v), id, [steps, 16384], 2.0);
        faults.extend(wrong("skate", method, orders, expected(index2)));
        // λ of the sleigh has the order of v.
        let (system, q, v) = knife_edge_example();
        let orders = self_convergence(&system, &(q, v), id, [steps, 16384], 2.0);
        faults.extend(wrong("knife edge", method, orders, [expected(index2)[1]; 3]));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Gauss methods conserve quadratic functions of v of a free body; Radau IIA methods do not.
#[test]
fn quadratic_invariants() {
    let (system, q, v) = free_body_example();
    let moments = Vector3::new(0.9144, 1.098, 1.66);
    for method in Collocation::all().filter(|method| method.method().level != Level::Positions) {
        let states = run(&system, (q, v), method, 0.05, 20.0).into_trajectory().states;
        let lost = |invariant: &dyn Fn(&State<_>) -> f64| {
            let start = invariant(&states[0]);
            states.iter().map(|state| (invariant(state) / start - 1.0).abs()).fold(0.0, f64::max)
        };
        let kinetic = lost(&|state| energy(&system, state));
        let momentum = lost(&|state| moments.component_mul(&state.velocity).norm_squared());
        println!("{}: energy {kinetic:.1e}, momentum {momentum:.1e}", method.method().id);
        if method.method().level == Level::Unconstrained {
            assert!(kinetic < 1e-12 && momentum < 1e-12, "{}: {kinetic:e} {momentum:e}", method.method().id);
        } else {
            assert!(kinetic > 1e-9 && momentum > 1e-9, "{}: {kinetic:e} {momentum:e}", method.method().id);
        }
    }
}

#[test]
fn constraints_hold_at_their_level() {
    let (system, initial) = (so3xr3::System::of_the_paper(), <so3xr3::System as HeavyTop>::initial());
    for method in constrained().filter(|method| method.method().tableau.stages() > 1) {
        let largest = |h: f64| {
            let states = run(&system, initial, method, h, 0.25).into_trajectory().states;
            let of = |residual: fn(&so3xr3::System, &State<_>) -> f64| {
                states.iter().map(|state| residual(&system, state)).fold(0.0, f64::max)
            };
            [of(position_residual), of(velocity_residual)]
        };
        let (coarse, fine) = (largest(1.0 / 512.0), largest(1.0 / 1024.0));
        println!("{}: {coarse:?}, {fine:?}", method.method().id);
        let level = usize::from(method.method().level == Level::Velocities);
        assert!(coarse[level] < 1e-11, "{}: {coarse:?}", method.method().id);
        // At the other level they are off by the order of q or of v.
        let (other, expected) = (order(coarse[1 - level], fine[1 - level]), expected(method)[1 - level]);
        assert!((expected - 0.15..expected + 0.4).contains(&other), "{}: {other}", method.method().id);
    }
}

#[test]
fn newton_converges_quadratically() {
    for method in Collocation::all() {
        let method = method.with_options(method.options().tolerance(1e-30)).unwrap();
        let (system, (q, v)) = hung_body_example();
        let mut state = run(&system, (q, v), Collocation::radau_iia5(), 0.1, 1.0).last().clone();
        let mut workspace = Integrator::<hung_body::System>::workspace(&method, &system, &state);
        let mut to = state.clone();
        method.start(&system, &mut state, &mut workspace).unwrap();
        method.step(&system, &state, 0.5, &mut to, &mut workspace).unwrap();
        let corrections = workspace.corrections();
        println!("{}: {corrections:?}", method.method().id);
        assert!((3..=8).contains(&corrections.len()), "{corrections:?}");
        for pair in corrections.windows(2).filter(|pair| pair[0] < 0.1) {
            assert!(pair[1] < 10.0 * pair[0].powi(2) + 1e-14, "{corrections:?}");
        }
    }
    for method in constrained() {
        let method = method.with_options(method.options().tolerance(1e-30)).unwrap();
        let (system, initial) = (se3::System::of_the_paper(), <se3::System as HeavyTop>::initial());
        let mut state = run(&system, initial, Collocation::radau_iia5(), 1e-3, 0.1).last().clone();
        let mut workspace = Integrator::<se3::System>::workspace(&method, &system, &state);
        let mut to = state.clone();
        method.start(&system, &mut state, &mut workspace).unwrap();
        method.step(&system, &state, 4e-3, &mut to, &mut workspace).unwrap();
        let corrections = workspace.corrections();
        println!("{}: {corrections:?}", method.method().id);
        assert!((3..=5).contains(&corrections.len()), "{corrections:?}");
        assert!(corrections[1] < 1e-2 * corrections[0] && corrections[2] < 1e-12, "{corrections:?}");
    }
}

#[test]
fn what_does_not_apply_is_told() {
    let (system, q, v) = driven_pendulum_example();
    for method in METHODS.iter().filter(|method| method.level == Level::Unconstrained) {
        let method = Collocation::by_id(method.id).unwrap();
        let run = Simulation::of(&system).initial(q, v).method(method).step(0.01).end_time(1.0).run();
        let error = run.unwrap_err();
        let Failure::Step(failed) = &error.failure else { panic!("{error}") };
        assert!(matches!(failed.failure, StepFailure::NotApplicable { .. }), "{error}");
        assert!(error.to_string().contains("without constraints"), "{error}");
    }
    assert_eq!(MOST_UNKNOWNS, 512);
    let bad = CollocationOptions::default().tolerance(f64::NAN);
    assert!(Collocation::gauss4().with_options(bad).is_err());
}
