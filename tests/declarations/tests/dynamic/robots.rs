//! Robot files at run time.

use lie_runtime::dynamic::{DynamicError, DynamicModel, RobotOptions};
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
