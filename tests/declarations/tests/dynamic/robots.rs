//! Robot files at run time.

use lie_runtime::dynamic::{DynamicError, DynamicModel, RobotOptions};
use lie_runtime::inputs::Interpolation;
use lie_runtime::prelude::*;

use crate::Pair;

/// A floating trunk with hinges and a slide.
#[mechanical_system(urdf = "tests/robots/walker.urdf", base = floating)]
pub mod walker {
    use lie_runtime::prelude::*;
}

fn options(given: &[(&str, &str)]) -> RobotOptions {
    let mut options = RobotOptions::default();
    for (name, value) in given {
        options.set(name, value).unwrap();
    }
    options
}

#[test]
fn urdf_files_are_those_of_the_macro() {
    let model = DynamicModel::from_urdf("tests/robots/walker.urdf", &options(&[("base", "floating")])).unwrap();
    let system = walker::System::new().unwrap();
    let pair = Pair::of(&model, &system, &[]);
    let mut q = walker::from_joints(&[("Left-hip", 0.4), ("Left-knee", 0.03), ("Right-hip", -0.7)]).unwrap();
    q.base = SE3::new(SO3::exp(&Vector3::new(0.3, -0.2, 0.5)), Vector3::new(1.0, 2.0, 0.5));
    pair.compare_kernels(&q);
    assert_eq!(model.description().ignored, system.description().ignored);
    assert_eq!(model.keyframe_names(), ["reference"]);
}

/// A hand with stops and exact dry friction, thrown against its stops.
#[mechanical_system(
    urdf = "tests/robots/fingers.urdf",
    friction = dry,
    limits = stops,
    inertia = as_written,
    base = fixed
)]
pub mod grasping {
    use lie_runtime::prelude::*;
}

#[test]
fn stops_and_dry_friction_of_robot_files() {
    let given = [("friction", "dry"), ("limits", "stops"), ("inertia", "as_written"), ("base", "fixed")];
    let model = DynamicModel::from_urdf("tests/robots/fingers.urdf", &options(&given)).unwrap();
    let (text, system) = (model.system([]).unwrap(), grasping::System::new(grasping::JointStates::default()).unwrap());
    for thumb in [60.0, -60.0] {
        let one = Simulation::of(&system)
            .initial(grasping::reference(), grasping::Velocity { turn: 0.5, thumb })
            .contact("stop_of_thumb", 0.0)
            .dry_friction();
        let one = one.step(0.01).end_time(1.0).run().unwrap();
        let v = text.velocity([("turn", &[0.5][..]), ("thumb", &[thumb])]).unwrap();
        let two = Simulation::of(&text)
            .initial(text.configuration([]).unwrap(), v)
            .contact("stop_of_thumb", 0.0)
            .dry_friction();
        let two = two.step(0.01).end_time(1.0).run().unwrap();
        let one_events: Vec<(&str, f64)> = one.events.iter().map(|event| (&*event.event, event.time)).collect();
        let two_events: Vec<(&str, f64)> = two.events.iter().map(|event| (&*event.event, event.time)).collect();
        assert_eq!(one_events.len(), two_events.len());
        for ((name, time), (other, at)) in one_events.iter().zip(&two_events) {
            assert!(name == other && (time - at).abs() < 1e-9, "{name} at {time}, {other} at {at}");
        }
        for column in ["turn", "thumb", "velocity.turn"] {
            let [one, two] = [one.column(column).unwrap(), two.column(column).unwrap()];
            assert!(one.iter().zip(&two).all(|(x, y)| (x - y).abs() < 1e-9), "{column}");
        }
    }
}

/// Actuators with a filter and with an integrator, and a position servo.
#[mechanical_system(mjcf = "tests/robots/servo.xml", actuators = inputs)]
pub mod servo {
    use lie_runtime::prelude::*;
}

/// Compares the end of a run of one second with constant controls 5, 0.7 and 0.4.
fn compare_servo(column: impl Fn(&str) -> Vec<f64>) {
    let (t, tau, omega) = (1.0_f64, 0.2, 15.0_f64.sqrt());
    let filtered = 1.0 - (-t / tau).exp();
    for (name, wanted) in [
        // z' = (1 − z) / τ and 2 x'' = 3 z: the control is limited to 1.
        ("states.filtered", filtered),
        ("x", 1.5 * (0.5 * t * t - tau * t + tau * tau * filtered)),
        // z' = 0.7 and 4 y'' = 2 · 5 z.
        ("states.integrated", 0.7 * t),
        ("y", 2.5 * 0.7 * t.powi(3) / 6.0),
        // 0.5 θ'' + θ' + 8 θ = 8 · 0.4.
        ("angle", 0.4 * (1.0 - (-t).exp() * ((omega * t).cos() + (omega * t).sin() / omega))),
    ] {
        let found = *column(name).last().unwrap();
        assert!((found - wanted).abs() < 1e-8, "{name}: {found} and {wanted}");
    }
}

#[test]
fn actuators_are_inputs_and_states() {
    let system = servo::System::new().unwrap();
    let system = system.with_inputs(|_, _, _| servo::Controls { filtered: 5.0, integrated: 0.7, servo: 0.4 });
    let run = Simulation::of(&system).at_rest(servo::reference()).rtol(1e-10).atol(1e-12).end_time(1.0);
    let run = run.run().unwrap();
    compare_servo(|name| run.column(name).unwrap());
    let model = DynamicModel::from_mjcf("tests/robots/servo.xml", &options(&[("actuators", "inputs")])).unwrap();
    let driven = [("filtered", 5.0), ("integrated", 0.7), ("servo", 0.4)];
    let system = driven.into_iter().fold(model.system([]).unwrap(), |system, (name, value)| {
        let table = format!("t,{name}\n0,{value}\n1,{value}");
        system.with_input_csv(name, &table, Interpolation::Linear).unwrap()
    });
    let run = Simulation::of(&system).at_rest(system.configuration([]).unwrap()).rtol(1e-10).atol(1e-12).end_time(1.0);
    let run = run.run().unwrap();
    compare_servo(|name| run.column(name).unwrap());
}

#[test]
fn keyframes_are_configurations() {
    let path = "../tests/mechanisms/robots/ties.xml";
    let model = DynamicModel::from_mjcf(path, &options(&[("actuators", "ignore"), ("friction", "ignore")])).unwrap();
    assert_eq!(model.keyframe_names(), ["reference", "Raised arm"]);
    let system = model.system([]).unwrap();
    let at = system.configuration(model.keyframe("Raised arm").unwrap()).unwrap();
    let mut closed = system.zero_multipliers();
    system.constraint(0.0, &at, &mut closed);
    assert!(!closed.is_empty() && closed.amax() < 1e-11, "{closed}");
    // The reference configuration is the default.
    let reference = system.configuration(model.keyframe("reference").unwrap()).unwrap();
    assert_eq!(system.space().distance(&reference, &system.configuration([]).unwrap()), 0.0);
    assert!(system.space().distance(&reference, &at) > 0.1);
    let error = model.keyframe("home").unwrap_err().to_string();
    assert!(error.contains("no keyframe `home`; it has `reference`, `Raised arm`"), "{error}");
}

#[test]
fn errors_in_robot_files_have_a_line() {
    let missing = DynamicModel::from_urdf("tests/robots/none.urdf", &options(&[])).unwrap_err();
    assert!(matches!(missing, DynamicError::File { .. }), "{missing}");
    let error = DynamicModel::from_urdf("tests/robots/fingers.urdf", &options(&[])).unwrap_err().to_string();
    assert!(error.starts_with("error[robot-file]: ") && error.contains("fingers.urdf:"), "{error}");
    let error = DynamicModel::from_mjcf("tests/robots/walker.urdf", &options(&[])).unwrap_err().to_string();
    assert!(error.contains("`robot` is not the root element of MJCF files"), "{error}");
}
