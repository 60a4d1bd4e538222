//! Error-controlled steps: accuracy, rejections, and the errors that end them.

use hand_written::heavy_top_se3::{HeavyTop, Pose};
use hand_written::heavy_top_so3r3::DirectTop;
use hand_written::pendulum::Pendulum;
use hand_written::reference;
use hand_written::vector_space::OnVectors;
use lie_runtime::integrator::StepController;
use lie_runtime::integrator::{ErrorComponents, HalfExplicit, Integrator, LocalError, State};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistentValues, Failure, SetupError};

/// Accepted and rejected steps, and the largest error of q on [0, 0.25] against fixed steps of 1/40000.
fn check<M>(system: &M, (q, v): (Pose, Vector6<f64>), controller: StepController) -> (usize, usize, f64)
where
    M: MechanicalSystem<Scalar = f64, Configuration = Pose, Velocity = Vector6<f64>>,
{
    let run = Simulation::of(system)
        .initial(q, v)
        .max_initial_correction(1.0)
        .step_controller(controller)
        .initial_step(1e-3)
        .end_time(0.25);
    let trajectory = run.run().unwrap();
    let times: Vec<f64> = trajectory.times().collect();
    let exact = Simulation::of(system)
        .initial(q, v)
        .max_initial_correction(1.0)
        .step(2.5e-5)
        .end_time(0.25)
        .output_times(&times)
        .run()
        .unwrap();
    assert_eq!(exact.states.len(), times.len());
    let error = trajectory.states.iter().zip(&exact.states).fold(0.0_f64, |error, (state, exact)| {
        let (given, exact) = (&state.configuration, &exact.configuration);
        let attitude = (given.attitude - exact.attitude).norm() / exact.attitude.norm();
        error.max(attitude).max((given.position - exact.position).norm())
    });
    assert!(trajectory.steps.iter().filter(|step| step.accepted).all(|step| step.error <= 1.0));
    assert_eq!(trajectory.steps.iter().filter(|step| !step.accepted).count(), trajectory.statistics.rejected);
    (trajectory.statistics.accepted, trajectory.statistics.rejected, error)
}

#[test]
fn numbers_of_steps_and_errors_on_the_heavy_top() {
    let table = reference::tableaux();
    let (direct, semidirect) = (DirectTop::of_the_paper(), HeavyTop::of_the_paper());
    for row in table["variable_step_check"]["rows"].as_array().unwrap() {
        let number = |i: usize| row[i].as_str().unwrap().parse::<f64>().unwrap();
        let mut controller = StepController::new(number(2), number(3));
        match row[1].as_str().unwrap() {
            "own stage-7 solve" => {}
            "theta only" => controller = controller.components(ErrorComponents::Increment),
            _ => continue,
        }
        let (accepted, rejected, error) = match row[0].as_str().unwrap() {
            "SO3xR3" => check(&direct, DirectTop::initial(), controller),
            _ => check(&semidirect, HeavyTop::initial(), controller),
        };
        println!("{row} {accepted} {rejected} {error:e}");
        let expected = row[4].as_f64().unwrap();
        assert!((accepted as f64 - expected).abs() <= 4.0, "{row}: {accepted} steps");
        assert!(rejected <= 3, "{row}: {rejected} rejected");
        assert!(error < 2.0 * row[6].as_f64().unwrap(), "{row}: {error:e}");
    }
}

#[test]
fn a_first_step_that_is_far_too_large_is_rejected_and_leaves_no_trace() {
    let top = HeavyTop::of_the_paper();
    let (q, v) = HeavyTop::initial();
    let run =
        |h| Simulation::of(&top).initial(q, v).rtol(1e-6).atol(1e-8).initial_step(h).end_time(0.05).run().unwrap();
    let rash = run(0.05);
    assert!(rash.statistics.rejected >= 2 && !rash.steps[0].accepted, "{:?}", rash.statistics);
    assert_eq!(rash.steps[0].time, rash.steps[1].time);
    // The step after the rejections is what it would have been without them.
    let first = rash.steps.iter().find(|step| step.accepted).unwrap().step;
    let careful = run(first);
    assert_eq!(careful.states[1].configuration.attitude, rash.states[1].configuration.attitude);
    assert_eq!(careful.states[1].multipliers, rash.states[1].multipliers);
    assert_eq!(careful.states.len(), rash.states.len());
}

#[test]
fn tighter_tolerances_give_smaller_errors() {
    let system = Pendulum::driven();
    let end = |tolerance| {
        let run =
            Simulation::of(&system).initial(Vector2::new(0.6, -0.8), Vector2::zeros()).max_initial_correction(1.0);
        run.rtol(tolerance).atol(tolerance).end_time(3.0).run().unwrap().last().clone().configuration
    };
    let exact = end(1e-13);
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let error = (end(tolerance) - exact).norm();
        assert!(error < 30.0 * tolerance, "{tolerance:e}: {error:e}");
    }
}

#[test]
fn steps_under_the_minimum_are_an_error_with_all_that_was_computed() {
    let top = HeavyTop::of_the_paper();
    let (q, v) = HeavyTop::initial();
    let controller = StepController::new(1e-9, 1e-11).minimum_step(1e-3);
    let error = Simulation::of(&top).initial(q, v).step_controller(controller).end_time(1.0).run().unwrap_err();
    let Failure::StepTooSmall { time, minimum, .. } = error.failure else { panic!("{error}") };
    assert_eq!((time, minimum), (0.0, 1e-3));
    assert_eq!(error.last.as_ref().unwrap().time, 0.0);
    assert_eq!(error.trajectory.states.len(), 1);
    let message = error.to_string();
    assert!(message.contains("t = 0.0") && message.contains("minimum of 0.001"), "{message}");
}

#[test]
fn too_many_rejections_are_an_error() {
    let top = HeavyTop::of_the_paper();
    let (q, v) = HeavyTop::initial();
    let controller = StepController::new(1e-10, 1e-12).maximum_rejections(2);
    let run = Simulation::of(&top).initial(q, v).step_controller(controller).initial_step(1.0).end_time(1.0);
    let error = run.run().unwrap_err();
    assert!(matches!(error.failure, Failure::TooManyRejections { rejections: 3, .. }), "{error}");
    assert_eq!(error.trajectory.statistics.rejected, 3);
}

#[test]
fn methods_without_an_estimate_say_so() {
    let system = Pendulum::fixed();
    let run = Simulation::of(&system).initial(Vector2::new(0.6, -0.8), Vector2::zeros()).max_initial_correction(1.0);
    let error = run.method(HalfExplicit::herk4()).rtol(1e-6).atol(1e-8).end_time(1.0).run().unwrap_err();
    assert_eq!(error.failure, Failure::Setup(SetupError::NoEstimate { method: "herk4" }));
    let (from, _) =
        ConsistentValues::of(&system).state(&system, 0.0, Vector2::new(0.6, -0.8), Vector2::zeros()).unwrap();
    let method = HalfExplicit::herk4();
    let mut workspace = Integrator::<OnVectors<Pendulum, 2, 1>>::workspace(&method, &system, &from);
    let (mut to, mut local): (State<_>, _) = (from.clone(), LocalError::of(&system));
    let error = method.step_with_estimate(&system, &from, 0.1, &mut to, &mut local, &mut workspace).unwrap_err();
    assert!(error.to_string().contains("herk4"), "{error}");
}

/// Equation (21) by hand.
#[test]
fn the_error_indicator_is_a_weighted_root_mean_square() {
    let system = Pendulum::fixed();
    let mut from = State::at_rest(&system, 0.0, Vector2::new(1.0, 0.0));
    let mut to = from.clone();
    from.velocity = Vector2::new(1.0, -4.0);
    to.velocity = Vector2::new(-3.0, 2.0);
    let mut error = LocalError::of(&system);
    error.increment = Vector2::new(0.5, -1.0);
    error.increment_error = Vector2::new(0.1, 0.2);
    error.velocity_error = Vector2::new(-0.3, 0.4);
    let controller = StepController::new(0.1, 1.0);
    let terms = [0.1 / 1.05, 0.2 / 1.1, 0.3 / 1.3, 0.4 / 1.4_f64].map(|ratio| ratio * ratio);
    let expected = (terms.iter().sum::<f64>() / 4.0).sqrt();
    assert!((controller.error_norm(&from, &to, &error) - expected).abs() < 1e-15);
    let controller = controller.components(ErrorComponents::Increment);
    let expected = f64::midpoint(terms[0], terms[1]).sqrt();
    assert!((controller.error_norm(&from, &to, &error) - expected).abs() < 1e-15);
    error.increment_error[0] = f64::NAN;
    assert!(controller.error_norm(&from, &to, &error).is_nan());
}
