//! Results of the searches for the least cost, and their errors if no solution exists.

use lie_runtime::field::VectorField;
use lie_runtime::inputs::Constant;
use lie_runtime::prelude::*;
use lie_runtime::space::TS2;

use crate::quadrotors::model::{Quadrotors, inclined};
use crate::swing_up::cart::{BOUND, SwingUp};
use crate::swing_up::error::PlanError;
use crate::swing_up::payload::control::{Measures, controlled, moment, moments};
use crate::swing_up::payload::{Carry, data, declared, start};
use crate::swing_up::search::search;
use crate::swing_up::task::{Knot, Task};

/// The separate run of the motion ends upright, and no force within the bounds improves it.
#[test]
fn the_pole_is_swung_up_with_the_least_effort() {
    let task = SwingUp::default();
    let plan = search(&task).unwrap();
    let flown = plan.flown(&task).unwrap();
    let missed = plan.missed(&task, &flown).unwrap();
    assert!(missed < 1e-6, "{missed:e}");
    let slope = plan.slope(&task, 1).unwrap();
    assert!(slope < 1e-4 * plan.steepness(&task), "{slope:e} {:e}", plan.steepness(&task));
    // It hangs at first, and no motion at all is guessed.
    assert!(plan.progress[0].effort == 0.0 && plan.progress[0].defect > 0.1);
    let forces = || plan.inputs.iter().map(|inputs| inputs[0].abs());
    assert!(plan.at_bounds(&task) >= 8, "{}", plan.at_bounds(&task));
    assert!(forces().all(|force| force < BOUND + 1e-9));
    // Without bounds it is 59.13.
    assert!((plan.effort(&task) - 62.595).abs() < 0.01, "{}", plan.effort(&task));
}

/// The declared system under the thrusts of the controller has the accelerations of its vector field in a general state of motion.
#[test]
fn the_declared_payload_is_that_of_the_controller() {
    let controller = Quadrotors { masses: [0.755, 0.6], ..Quadrotors::default() };
    let tilted = |degrees: f64, aside: f64| S2::new(inclined(degrees) + Vector3::y() * aside).unwrap();
    let configuration =
        declared::Pose { payload: Vector3::new(-1.0, 0.4, -2.0), links: [tilted(50.0, 0.2), tilted(-40.0, -0.1)] };
    let turning = [Vector3::new(0.4, 1.0, -0.3), Vector3::new(-0.2, 0.8, 0.5)];
    let links = [0, 1].map(|i| {
        let q = configuration.links[i].direction();
        TS2::new(q, turning[i]).unwrap()
    });
    let velocity =
        declared::Velocity { payload: Vector3::new(0.7, -0.3, 0.5), links: links.map(|link| link.angular_velocity()) };
    let states = controlled(&controller, &Knot { configuration, velocity: velocity.into() }).unwrap();
    for state in states.iter().step_by(200) {
        let now = moment(&controller, state);
        let mut rate = controller.zero();
        controller.evaluate(state.time, &state.point, &mut (), &mut rate).unwrap();

        let (load, _, links) = &state.point;
        let pose = declared::Pose { payload: now.payload, links: now.links.map(S2::new_unchecked) };
        let v = declared::Velocity {
            payload: load.fixed_rows::<3>(3).into_owned(),
            links: links.map(|link| link.angular_velocity()),
        };
        let inputs = Constant(declared::Inputs { thrusts: now.thrusts });
        let system = declared::System::new(data(&controller)).unwrap().with_inputs_from(inputs);
        let run = Simulation::of(&system).initial(pose, v).step(1e-6).end_time(1e-6).run().unwrap();
        let found: declared::Velocity = run.states[0].acceleration.into();

        let wanted = rate.0.fixed_rows::<3>(3).into_owned();
        assert!((found.payload - wanted).norm() < 1e-12 * wanted.norm().max(10.0), "{} {wanted}", found.payload);
        for i in 0..2 {
            // f moves (q, ω) along (ω × q, ω') by q × ω'.
            let wanted = rate.2[i].fixed_rows::<3>(3).cross(&now.links[i]);
            let difference = (found.links[i] - wanted).norm();
            assert!(difference < 1e-12 * wanted.norm().max(10.0), "t = {}: {difference:e}", state.time);
        }
    }
}

/// The plan ends where the controller does, costs less in every respect, and no thrust within the bounds betters it.
#[test]
fn the_payload_is_carried_at_less_than_the_controller_takes() {
    let controller = Quadrotors::default();
    let task = Carry::beside(&controller, &start(80.0)).unwrap();
    let plan = search(&task).unwrap();
    let flown = plan.flown(&task).unwrap();
    let missed = plan.missed(&task, &flown).unwrap();
    assert!(missed < 1e-5, "{missed:e}");
    let slope = plan.slope(&task, 10).unwrap();
    assert!(slope < 1e-4 * plan.steepness(&task), "{slope:e} {:e}", plan.steepness(&task));

    // At the bound while the payload catches up with its way, and nowhere else.
    let used = plan.used(&task);
    assert!(used.iter().flatten().all(|&used| used < 1.0 + 1e-9));
    assert!(plan.at_bounds(&task) >= 4, "{}", plan.at_bounds(&task));
    assert!(used[10..].iter().flatten().all(|&used| used < 0.9), "{used:?}");

    let states = controlled(&controller, &start(80.0)).unwrap();
    let of_controller: Vec<_> = states.iter().map(|state| moment(&controller, state)).collect();
    let [planned, of_controller] =
        [&moments(&plan, &flown), &of_controller].map(|moments| Measures::of(moments, &controller.formation));
    assert!((planned.cost(&task.weights) / plan.cost() - 1.0).abs() < 0.02, "{planned:?}");
    assert!(of_controller.cost(&task.weights) > 1.5 * plan.cost(), "{of_controller:?}");
    assert!(planned.effort < 0.8 * of_controller.effort, "{planned:?} {of_controller:?}");
    assert!(planned.from_way < 0.8 * of_controller.from_way && planned.peak < 0.7 * of_controller.peak);
}

/// An impossible task is an error with advice, and the advice works.
#[test]
fn a_task_that_cannot_be_is_told() {
    let weak = SwingUp { bound: 3.0, ..SwingUp::default() };
    let error = search(&weak).unwrap_err();
    assert!(matches!(error, PlanError::Infeasible { .. }), "{error}");
    assert!(error.to_string().contains("increase the duration of the motion or the bounds"), "{error}");
    // Ten newtons are not the weight of what they hold.
    let mut weak = Carry::beside(&Quadrotors::default(), &start(80.0)).unwrap();
    weak.bound = 5.0;
    let error = search(&weak).unwrap_err();
    assert!(matches!(error, PlanError::Infeasible { .. }), "{error}");

    for bound in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = search(&SwingUp { bound, ..SwingUp::default() }).unwrap_err();
        assert!(matches!(error, PlanError::Task(_)), "{error}");
    }
    let mut heavy = SwingUp::default();
    heavy.data.bob = -0.3;
    let error = search(&heavy).unwrap_err();
    assert!(matches!(error, PlanError::Run(_)), "{error}");
}

/// A guess that does not fit its task is refused.
#[test]
fn a_guess_that_does_not_fit_is_refused() {
    let mut task = Carry::beside(&Quadrotors::default(), &start(80.0)).unwrap();
    let whole = task.guess();
    task.guess.knots.pop();
    assert!(matches!(search(&task), Err(PlanError::Task(_))));
    task.guess = whole;
    task.guess.inputs[7].pop();
    let error = search(&task).unwrap_err();
    assert!(error.to_string().contains("a piece of the guess has 5"), "{error}");
}
