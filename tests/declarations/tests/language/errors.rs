//! A failure at run time is a typed error with field or constraint, time and step, and keeps all recorded data.

use fixtures::systems::failing::{cross, edge, held_twice, leaking, unreachable};
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::se3;
use fixtures::systems::top_in_space::top_in_space;
use lie_runtime::integrator::StepController;
use lie_runtime::integrator::{Quantity, StepError, StepFailure};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistencyError, Failure, SetupError};
use lie_runtime::system::{ModelError, ParameterSet};

fn paper() -> top_in_space::HeavyTop {
    top_in_space::HeavyTop {
        mass: 15.0,
        inertia: Matrix3::from_diagonal(&Vector3::new(0.234_375, 0.468_75, 0.234_375)),
        center_of_mass: Vector3::new(0.0, 1.0, 0.0),
        gravity: Vector3::new(0.0, 0.0, -9.81),
    }
}

/// `System::new` refuses, with this text.
fn refused(parameters: top_in_space::HeavyTop) -> (ModelError, String) {
    let error = top_in_space::System::new(parameters).expect_err("bad parameters");
    let text = error.to_string();
    (error, text)
}

#[test]
fn parameters_that_are_not_finite_are_named() {
    let (error, text) = refused(top_in_space::HeavyTop { mass: f64::NAN, ..paper() });
    assert!(matches!(&error, ModelError::NonFiniteParameter { parameter, .. } if parameter == "mass"));
    assert!(text.starts_with("parameter `mass` is NaN; set a finite value"));
    let (_, text) = refused(top_in_space::HeavyTop { gravity: Vector3::new(0.0, f64::INFINITY, 0.0), ..paper() });
    assert!(text.starts_with("parameter `gravity` is inf; set a finite value"));
    let mut inertia = paper().inertia;
    inertia[(1, 2)] = f64::NEG_INFINITY;
    let (_, text) = refused(top_in_space::HeavyTop { inertia, ..paper() });
    assert!(text.contains("`inertia` is -inf"), "{text}");
}

#[test]
fn masses_that_are_not_positive_name_the_member() {
    for mass in [0.0, -1.0] {
        let (error, text) = refused(top_in_space::HeavyTop { mass, ..paper() });
        assert_eq!(error, ModelError::MassNotPositiveDefinite { member: "position" });
        assert!(text.contains("in the block of `position`; set a positive mass"), "{text}");
    }
    for inertia in [Matrix3::zeros(), Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0))] {
        let (error, text) = refused(top_in_space::HeavyTop { inertia, ..paper() });
        assert_eq!(error, ModelError::MassNotPositiveDefinite { member: "attitude" });
        assert!(text.contains("`attitude`"), "{text}");
    }
}

#[test]
fn parameters_by_name() {
    let mut parameters = paper();
    let error = parameters.set("masss", &[1.0]).unwrap_err();
    assert!(error.to_string().starts_with("unknown parameter `masss`; the parameters are `mass`, `inertia`, `center_of_mass` and `gravity`; did you mean `mass`?"));
    let error = parameters.set("gravity", &[1.0]).unwrap_err();
    assert!(error.to_string().starts_with("parameter `gravity` has 3 components, found 1"));
    parameters.set("mass", &[f64::NAN]).unwrap();
    assert!(top_in_space::System::new(parameters).is_err());
}

#[test]
fn initial_values_that_are_not_finite_are_refused_before_the_first_step() {
    let top = se3::System::of_the_paper();
    let (q, v) = se3::System::initial();
    let fail = |q, v| Simulation::of(&top).initial(q, v).step(1e-3).end_time(1.0).run().unwrap_err();
    let mut far = q;
    far.pose.translation.y = f64::INFINITY;
    let error = fail(far, v);
    assert_eq!(error.failure, Failure::Setup(SetupError::NotFinite { value: "configuration" }));
    assert!(error.to_string().starts_with("the initial configuration is not finite; set finite components"));
    let error = fail(q, v * f64::NAN);
    assert_eq!(error.failure, Failure::Setup(SetupError::NotFinite { value: "velocity" }));
    assert!(error.last.is_none() && error.trajectory.states.is_empty());
}

/// The macro sees that two constraints are the same formula; that they only mean the same shows at run time.
#[test]
fn redundant_constraints_are_named() {
    let data = held_twice::Data { mass: 2.0, point: Vector3::new(0.3, -0.4, 0.5) };
    let pose = SE3::new(SO3::exp(&Vector3::new(0.3, 0.2, -0.4)), Vector3::zeros());
    let start = SE3::new(pose.rotation, -(pose.rotation * data.point));
    let system = held_twice::System::new(data).unwrap();
    let run = Simulation::of(&system).initial(held_twice::Body { pose: start }, Vector6::zeros());
    let error = run.step(0.1).end_time(1.0).run().unwrap_err();
    let Failure::InitialValues(ConsistencyError::Failed(failure)) = &error.failure else { panic!("{error}") };
    let StepFailure::SingularConstraints { row, dependency: Some(dependency) } = failure else { panic!("{error}") };
    let text = error.to_string();
    // The later rows follow from the earlier ones.
    assert!(row.constraint == "same_hinge" && row.row_of_jacobian >= 3 && dependency.is_consistent, "{text}");
    assert!(dependency.follows_from.iter().all(|(from, _)| from.constraint == "hinge"), "{text}");
    assert!(text.contains("follows from `hinge` rows 0, 1, 2") && text.contains("redundant = minimum_norm"), "{text}");
    assert!(error.last.is_none());
}

#[test]
fn a_constraint_out_of_reach_is_named_with_its_residual() {
    let system = unreachable::System::new().unwrap();
    let start = unreachable::Particle { place: Vector1::new(3.0) };
    let error = Simulation::of(&system).initial(start, Vector1::zeros()).step(0.1).end_time(1.0).run().unwrap_err();
    let text = error.to_string();
    let Failure::InitialValues(error) = &error.failure else { panic!("{text}") };
    match error {
        ConsistencyError::NotConverged { constraint: "circle", residual, .. } => assert!(*residual >= 3.0),
        ConsistencyError::Failed(StepFailure::SingularConstraints { row, .. }) => assert_eq!(row.constraint, "circle"),
        other => panic!("{other}"),
    }
    assert!(text.contains("`circle`"), "{text}");
}

fn near_the_edge() -> (edge::System, edge::Particle, Vector2<f64>) {
    let system = edge::System::new(edge::Data { mass: 1.0, height: 0.1 }).unwrap();
    (system, edge::Particle { place: Vector2::zeros() }, Vector2::new(1.0, 0.5))
}

#[test]
fn a_failure_on_the_way_keeps_what_was_computed() {
    let (system, q, v) = near_the_edge();
    let h = 0.015_625;
    let error = Simulation::of(&system).initial(q, v).step(h).end_time(3.0).run().unwrap_err();
    let Failure::Step(StepError { time, step, failure }) = &error.failure else { panic!("{error}") };
    assert_eq!(*failure, StepFailure::NotFinite { quantity: Quantity::Stage });
    // It gets to x = 1 somewhat before t = 1.
    assert!((0.9..1.0).contains(time) && *step == h, "{time} {step}");
    let last = error.last.as_ref().unwrap();
    assert_eq!(last.time, *time);
    assert!(last.configuration.place.x < 1.0 && last.configuration.place.x > 0.9);
    // Nothing is lost: every step up to there is recorded, the last good state among them.
    let accepted = error.trajectory.statistics.accepted;
    assert_eq!(error.trajectory.states.len(), accepted + 1);
    assert_eq!(accepted as f64 * h, *time);
    assert_eq!(error.trajectory.last().unwrap().configuration, last.configuration);
    let text = error.to_string();
    assert!(text.contains(&format!("at t = {time:?}, step {h:?}: ")), "{text}");
    assert!(text.contains("use a smaller step") && text.contains(&format!("{accepted} steps accepted")), "{text}");
}

/// A smaller step gets closer; finally the step-size control fails and reports the time.
#[test]
fn error_control_stops_at_the_edge() {
    let (system, q, v) = near_the_edge();
    let controller = StepController::new(1e-6, 1e-8).minimum_step(1e-6);
    let error = Simulation::of(&system).initial(q, v).step_controller(controller).end_time(3.0).run().unwrap_err();
    let Failure::StepTooSmall { time, step, minimum, .. } = &error.failure else { panic!("{error}") };
    assert!((0.9..1.0).contains(time) && *step < 1e-6 && *minimum == 1e-6, "{time} {step}");
    let last = error.last.as_ref().unwrap();
    assert!(last.time == *time && last.configuration.place.x < 1.0);
    let text = error.to_string();
    assert!(text.starts_with(&format!("at t = {time:?} ")) && text.contains("below the minimum of 1e-6"), "{text}");
    assert!(error.trajectory.states.len() > 5);
}

#[test]
fn too_many_rejections_say_how_many_and_where() {
    let (system, q, v) = near_the_edge();
    let controller = StepController::new(1e-6, 1e-8).maximum_rejections(3);
    let run = Simulation::of(&system).initial(q, v).step_controller(controller).initial_step(1000.0).end_time(2000.0);
    let error = run.run().unwrap_err();
    let Failure::TooManyRejections { time, rejections, ref cause, .. } = error.failure else { panic!("{error}") };
    assert_eq!((time, rejections), (0.0, 4));
    assert_eq!(*cause, Some(StepFailure::NotFinite { quantity: Quantity::Stage }));
    let text = error.to_string();
    assert!(
        text.starts_with("at t = 0.0 the step-size control rejected 4 steps in a row, the last of size 8."),
        "{text}"
    );
    assert!(text.contains("the last attempt failed: a stage of the step is not finite"), "{text}");
    assert_eq!(error.trajectory.states.len(), 1);
}

/// Nothing but a NaN in the state itself: the force is named.
#[test]
fn a_force_that_is_not_finite_where_the_step_starts_is_named() {
    let (system, _, v) = near_the_edge();
    let outside = edge::Particle { place: Vector2::new(2.0, 0.0) };
    let error = Simulation::of(&system).initial(outside, v).step(0.1).end_time(1.0).run().unwrap_err();
    let text = error.to_string();
    assert!(text.contains("the force on `place` by `hill` is not finite"), "{text}");
}

/// At (0, 0) the gradient (y, x) of the constraint vanishes; the particle gets there exactly.
#[test]
fn a_singular_configuration_on_the_way_names_the_constraint() {
    let system = cross::System::new().unwrap();
    let start = cross::Particle { place: Vector2::new(-1.0, 0.0) };
    let run = Simulation::of(&system).initial(start, Vector2::new(1.0, 0.0)).method(HalfExplicit::herk2_heun());
    let error = run.step(0.125).end_time(3.0).run().unwrap_err();
    let expected = StepFailure::SingularConstraints { row: system.description().row(0), dependency: None };
    assert_eq!(error.failure, Failure::Step(StepError { time: 0.875, step: 0.125, failure: expected }));
    let text = error.to_string();
    assert!(
        text.contains("gradient of constraint `crossing` row 0 is zero") && text.contains("at t = 0.875, step 0.125: "),
        "{text}"
    );
    assert_eq!(error.trajectory.states.len(), 8);
    assert_eq!(error.last.unwrap().configuration.place, Vector2::new(-0.125, 0.0));
}

#[test]
fn a_mass_that_is_lost_on_the_way_names_the_member() {
    let system = leaking::System::new(leaking::Data { mass: 1.0 }).unwrap();
    let start = leaking::Train { wheel: SO2::identity(), wagon: Vector1::new(1.5) };
    let error = Simulation::of(&system).initial(start, Vector2::zeros()).step(0.1).end_time(1.0).run().unwrap_err();
    let expected = StepFailure::MassNotPositiveDefinite { member: "wagon", component: 1 };
    assert_eq!(error.failure, Failure::InitialValues(ConsistencyError::Failed(expected.clone())));
    // It starts well, and a step leads beyond x = 1.
    let start = leaking::Train { wagon: Vector1::new(0.5), ..start };
    let run = Simulation::of(&system).initial(start, Vector2::new(0.0, 1.0)).method(HalfExplicit::herk2_heun());
    let error = run.step(0.4).end_time(4.0).run().unwrap_err();
    let Failure::Step(StepError { failure, .. }) = &error.failure else { panic!("{error}") };
    assert_eq!(*failure, expected);
    let text = error.to_string();
    assert!(text.contains("block of `wagon` (component 1)") && text.contains("step 0.4"), "{text}");
    assert!(error.last.is_some());
}
