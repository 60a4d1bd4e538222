//! Generalized-α on the heavy top of paper 2, section 7.1.

use lie_runtime::integrator::StepFailure;
use lie_runtime::integrator::generalized_alpha::{Formulation, GeneralizedAlpha, Options, Parameters, Start};
use lie_runtime::prelude::*;
use tests::measure::{energy, order, position_residual, velocity_residual};
use tests::reference;
use tests::systems::formulation::HeavyTop;
use tests::systems::heavy_tops::{se3, so3xr3};
use tests::systems::top_in_space;

/// Both formulations with Chung and Hulbert's parameters.
fn methods(rho_inf: f64) -> [GeneralizedAlpha; 2] {
    let parameters = Parameters::chung_hulbert(rho_inf).unwrap();
    [GeneralizedAlpha::index3(parameters), GeneralizedAlpha::stabilised(parameters)]
}

/// The method with some choices changed.
fn with(method: GeneralizedAlpha, change: impl FnOnce(&mut Options)) -> GeneralizedAlpha {
    let mut options = *method.options();
    change(&mut options);
    GeneralizedAlpha::new(*method.parameters(), options).unwrap()
}

fn run<M>(
    system: &M,
    (q, v): (M::Configuration, M::Velocity),
    method: GeneralizedAlpha,
    h: f64,
    end: f64,
) -> Trajectory<M>
where
    M: lie_runtime::system::Linearised<Scalar = f64>,
{
    Simulation::of(system)
        .starting_at(q, v)
        .with(method)
        .step(h)
        .until(end)
        .run()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Relative errors of q, v and λ at t = 1.
fn errors<M: HeavyTop + lie_runtime::system::Linearised>(method: GeneralizedAlpha, steps: u32) -> [f64; 3] {
    let exact = reference::heavy_top();
    let trajectory = run(&M::of_the_paper(), M::initial(), method, 1.0 / f64::from(steps), 1.0);
    let state = trajectory.states.last().unwrap();
    let relative = |given: Vector3<f64>, exact: Vector3<f64>| (given - exact).norm() / exact.norm();
    let attitude = (M::attitude(&state.configuration) - exact.attitude).norm() / exact.attitude.norm();
    let position = relative(M::position(&state.configuration), exact.position);
    let angular = relative(state.velocity.angular(), exact.angular_velocity);
    let linear = relative(M::linear_velocity(&state.configuration, &state.velocity), exact.linear_velocity);
    [attitude.max(position), angular.max(linear), relative(state.multipliers, exact.multipliers)]
}

/// Orders of q, v and λ between `steps` and twice as many.
fn orders(label: &str, errors: impl Fn(u32) -> [f64; 3], steps: u32) {
    let (coarse, fine) = (errors(steps), errors(2 * steps));
    let given = [0, 1, 2].map(|i| order(coarse[i], fine[i]));
    println!("{label}: orders {given:.3?}, errors {fine:?}");
    for given in given {
        assert!((given - 2.0).abs() < 0.1, "{label}: {given}");
    }
}

#[test]
fn order_two_in_all_components() {
    for method in methods(0.9) {
        orders(&format!("{} SO(3) x R3", method.id()), |steps| errors::<so3xr3::System>(method, steps), 16_384);
        orders(&format!("{} SE(3)", method.id()), |steps| errors::<se3::System>(method, steps), 16_384);
    }
}

/// The errors of the position and of the multipliers of −x + R X = 0 at t = 1.
fn errors_in_space(method: GeneralizedAlpha, steps: u32) -> [f64; 3] {
    let exact = reference::heavy_top();
    let (system, q, v) = top_in_space::of_the_paper();
    let trajectory = run(&system, (q, v), method, 1.0 / f64::from(steps), 1.0);
    let state = trajectory.states.last().unwrap();
    // λ of Rᵀ x − X is −Rᵀ times the force on the top; that of −x + R X is the force.
    let multipliers = -exact.attitude * exact.multipliers;
    let velocity: Vector3<f64> = state.velocity.fixed_rows::<3>(0).into();
    [
        (state.configuration.position - exact.position).norm(),
        (velocity - exact.linear_velocity).norm() / exact.linear_velocity.norm(),
        (state.multipliers - multipliers).norm() / multipliers.norm(),
    ]
}

#[test]
fn order_two_with_the_constraint_in_space() {
    for method in methods(0.9) {
        orders(&format!("{} in space", method.id()), |steps| errors_in_space(method, steps), 16_384);
    }
}

#[test]
fn newton_iterations_and_energy_of_figure_2() {
    let (system, q, v) = top_in_space::of_the_paper();
    for method in methods(0.9) {
        let trajectory = run(&system, (q, v), method, 0.002, 2.0);
        let mean = trajectory.statistics.newton_iterations.unwrap();
        let energies: Vec<f64> = trajectory.states.iter().map(|state| energy(&system, state)).collect();
        let drift = energies.iter().map(|energy| (energy - energies[0]).abs()).fold(0.0, f64::max);
        let position = trajectory.states.iter().map(|state| position_residual(&system, state)).fold(0.0, f64::max);
        let velocity = trajectory.states.iter().map(|state| velocity_residual(&system, state)).fold(0.0, f64::max);
        println!(
            "{}: {mean} iterations, energy {} {drift:e}, |Phi| {position:e}, |B v| {velocity:e}",
            method.id(),
            energies[0]
        );
        assert!((2.8..=3.3).contains(&mean), "{mean}");
        assert!(drift < 1e-3 * energies[0], "{drift}");
        assert!(position < 1e-12, "{position}");
        if method.options().formulation == Formulation::StabilisedIndex2 {
            assert!(velocity < 1e-10, "{velocity}");
        }
    }
}

/// The largest error of λ_1 in the first steps, for each start.
#[test]
fn start_oscillation() {
    let (system, q, v) = top_in_space::of_the_paper();
    for method in methods(0.9) {
        let error = |start, h: f64| {
            let method = with(method, |options| options.start = start);
            let trajectory = run(&system, (q, v), method, h, 0.02);
            let exact =
                Simulation::of(&system).starting_at(q, v).with(HalfExplicit::hedop5()).step(h / 8.0).until(0.02);
            let exact = exact.record_every(8).full_order_multipliers().run().unwrap();
            let pairs = trajectory.states.iter().zip(&exact.states).skip(1);
            pairs.map(|(a, b)| (a.multipliers - b.multipliers).amax()).fold(0.0, f64::max)
        };
        // λ of the index-3 form oscillates with first order whatever a_0 is, unless v_0 is settled too; in the
        // stabilised form an a_0 of second order is enough.
        let first_order = match method.options().formulation {
            Formulation::Index3 => [true, true, false],
            Formulation::StabilisedIndex2 => [true, false, false],
        };
        for (start, first_order) in [Start::FirstOrder, Start::SecondOrder, Start::Settled].into_iter().zip(first_order)
        {
            let (coarse, fine) = (error(start, 2.5e-4), error(start, 1.25e-4));
            let (found, expected) = (order(coarse, fine), if first_order { 1.0 } else { 2.0 });
            assert!((found - expected).abs() < 0.2, "{} {start:?}: order {found}", method.id());
        }
    }
}

#[test]
fn newton_failure_is_told() {
    let (system, q, v) = top_in_space::of_the_paper();
    let method = with(methods(0.9)[0], |options| options.maximum_iterations = 1);
    let error = Simulation::of(&system).starting_at(q, v).with(method).step(0.01).until(1.0).run().unwrap_err();
    let lie_runtime::simulate::Failure::Step(failed) = &error.failure else { panic!("{error}") };
    let StepFailure::NewtonNotConverged { iterations, residual, constraint } = failed.failure else {
        panic!("{error}")
    };
    assert_eq!((failed.time, iterations), (0.0, 1));
    assert_eq!(failed.step, 0.01 / 16.0);
    assert!(residual.is_finite() && constraint.is_finite());
    println!("{error}");
    // One more halving of a step that is only just too large is enough.
    let method = with(methods(0.9)[0], |options| options.maximum_iterations = 4);
    run(&system, (q, v), method, 0.01, 0.5);
}
