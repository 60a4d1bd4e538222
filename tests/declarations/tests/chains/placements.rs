//! Mechanisms with prescribed positions: joints held by index, frames at given poses.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{InverseKinematics, InverseKinematicsError};

/// Six hinges about alternating axes.
#[mechanical_system]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub hinges: Vec<SO2>,
    }

    #[kinematics(over = hinges)]
    pub fn body(index: usize, above: &SE3, hinge: &SO2) -> SE3 {
        let axis = if index.is_multiple_of(2) { Vector3::z() } else { Vector3::y() };
        *above * SE3::new(SO3::exp(&(axis * hinge.angle())), Vector3::new(0.1, 0.0, 0.3))
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.linear().norm_squared() + 0.05 * v.angular().norm_squared()
    }
}

/// A closed chain of three bars.
#[mechanical_system]
mod bars {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bars {
        pub hinges: Vec<SO2>,
    }

    #[kinematics(over = hinges)]
    pub fn bar(above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, Vector2::zeros()) * SE2::new(SO2::identity(), Vector2::x())
    }

    #[kinetic_energy(over = bar)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[constraint(over = (hinges[0], hinges[1], hinges[2]))]
    fn closed(a: &SO2, b: &SO2, c: &SO2) -> Vector2<f64> {
        *a * (Vector2::x() + *b * (Vector2::x() + *c * Vector2::x())) - Vector2::new(1.7, 0.0)
    }
}

fn joints(angles: &[f64]) -> arm::Joints {
    arm::Joints { hinges: angles.iter().copied().map(SO2::from_angle).collect() }
}

const THERE: [f64; 6] = [0.4, 0.9, -0.5, 0.8, 0.3, -0.7];
const GUESS: [f64; 6] = [0.4, 0.7, -0.3, 1.0, 0.1, -0.4];

#[test]
fn a_flange_is_where_it_is_said_to_be() {
    let system = arm::System::new(arm::Lengths { hinges: 6 }).unwrap();
    let goal = system.body_frames(0.0, &joints(&THERE))[5];
    let reaching = InverseKinematics::of(&system).target(
        |q| (goal.inverse() * system.body_frames(0.0, q)[5]).log(),
        |q, v| system.body_velocities(0.0, q, v)[5],
    );
    let q = reaching.guess(&joints(&GUESS)).solve().unwrap();
    let found = system.body_frames(0.0, &q)[5];
    assert!((goal.inverse() * found).log().norm() < 1e-11, "{found:?}");
    // Six hinges for six rows: they are the ones it was made of.
    for (hinge, angle) in q.hinges.iter().zip(THERE) {
        assert!((hinge.angle() - angle).abs() < 1e-9, "{q:?}");
    }
}

#[test]
fn held_joints_stay() {
    let system = arm::System::new(arm::Lengths { hinges: 6 }).unwrap();
    let tip = |q: &arm::Joints| system.body_frames(0.0, q)[5].translation;
    let goal = tip(&joints(&THERE));
    let rate = |q: &arm::Joints, v: &_| {
        let (frame, rate) = (system.body_frames(0.0, q)[5], system.body_velocities(0.0, q, v)[5]);
        frame.rotation * rate.linear()
    };
    let q = InverseKinematics::of(&system).fix(["hinges[1]", "hinges[4]"]).target(|q| tip(q) - goal, rate);
    let guess = joints(&[0.2, THERE[1], -0.3, 1.0, THERE[4], -0.4]);
    let q = q.guess(&guess).solve().unwrap();
    assert!((tip(&q) - goal).norm() < 1e-11);
    assert_eq!([q.hinges[1], q.hinges[4]], [guess.hinges[1], guess.hinges[4]]);
    assert!((q.hinges[3].angle() - THERE[3]).abs() < 1e-8, "{q:?}");
}

#[test]
fn what_cannot_be_is_said() {
    let system = arm::System::new(arm::Lengths { hinges: 6 }).unwrap();
    let tip = |q: &arm::Joints| system.body_frames(0.0, q)[5].translation;
    let rate = |q: &arm::Joints, v: &_| {
        let (frame, rate) = (system.body_frames(0.0, q)[5], system.body_velocities(0.0, q, v)[5]);
        frame.rotation * rate.linear()
    };
    let far = Vector3::new(3.0, 0.0, 0.0);
    let reaching = || InverseKinematics::of(&system).target(|q| tip(q) - far, rate);
    let error = reaching().guess(&joints(&GUESS)).solve().unwrap_err();
    assert!(matches!(error, InverseKinematicsError::OutOfReach { target: 0, missed, .. } if missed > 0.5), "{error}");
    let told = |error: InverseKinematicsError| error.to_string();
    let unknown = told(reaching().fix(["hinges[6]"]).guess(&joints(&GUESS)).solve().unwrap_err());
    assert!(unknown.starts_with("`fix_initial`: unknown member `hinges[6]`; the members are `hinges`"), "{unknown}");
    // All held: nothing can move.
    let error = reaching().fix(["hinges"]).guess(&joints(&GUESS)).solve().unwrap_err();
    assert!(matches!(&error, InverseKinematicsError::OutOfReach { held, .. } if held == &["hinges"]), "{error}");
    for guess in [joints(&[0.1, f64::NAN, 0.0, 0.0, 0.0, 0.0]), joints(&[0.1])] {
        assert!(matches!(reaching().guess(&guess).solve(), Err(InverseKinematicsError::Failed(_))));
    }
    let nan = InverseKinematics::of(&system).target(|_| Vector1::new(f64::NAN), |_, _| Vector1::new(1.0));
    nan.guess(&joints(&GUESS)).solve().unwrap_err();
}

#[test]
fn a_crank_of_a_chain_is_held() {
    let system = bars::System::new(bars::Lengths { hinges: 3 }).unwrap();
    let start = bars::Bars { hinges: [1.2, -1.0, -1.3].map(SO2::from_angle).to_vec() };
    let mut v = system.zero_velocity();
    v[0] = 0.7;
    let run = Simulation::of(&system).initial(start.clone(), v.clone()).fix_initial(["hinges[0]"]);
    let run = run.method(HalfExplicit::hedop5()).step(0.01).end_time(0.1).run().unwrap();
    let first = &run.states[0];
    assert_eq!((first.configuration.hinges[0], first.velocity[0]), (SO2::from_angle(1.2), 0.7));
    let end = system.bar_frames(0.0, &first.configuration)[2].translation;
    assert!((end - Vector2::new(1.7, 0.0)).norm() < 1e-12, "{end}");
    // The same closure, and the middle of the second bar at a height besides.
    let middle = |q: &bars::Bars| Vector1::new(system.bar_frames(0.0, q)[1].translation.y - 0.9);
    let rate = |q: &bars::Bars, v: &_| {
        let (frame, rate) = (system.bar_frames(0.0, q)[1], system.bar_velocities(0.0, q, v)[1]);
        Vector1::new((frame.rotation * Vector2::new(rate[1], rate[2])).y)
    };
    let q = InverseKinematics::of(&system).target(middle, rate).guess(&start).solve().unwrap();
    let frames = system.bar_frames(0.0, &q);
    assert!(
        (frames[2].translation - Vector2::new(1.7, 0.0)).norm() < 1e-11
            && (frames[1].translation.y - 0.9).abs() < 1e-11
    );
    // What closure forbids is told by the constraint or the target that is missed.
    let error = InverseKinematics::of(&system).fix(["hinges[0]", "hinges[1]"]).guess(&start).solve().unwrap_err();
    assert!(matches!(error, InverseKinematicsError::NoClosure { .. }), "{error}");
    assert!(error.to_string().contains("`hinges[0]` and `hinges[1]` fixed"), "{error}");
}
