//! Inverse kinematics with joint limits, and the revolution of its angles.

use core::f64::consts::{PI, TAU};

use lie_runtime::prelude::*;
use lie_runtime::simulate::{InverseKinematics, InverseKinematicsError};

/// Two bars of length one in the plane, on a slide.
#[mechanical_system]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub slide: f64,
        pub shoulder: f64,
        pub elbow: SO2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        50.0 * v.slide * v.slide + v.shoulder * v.shoulder + 0.5 * v.elbow * v.elbow
    }

    #[quantity]
    pub fn tip(q: &Joints) -> Vector2<f64> {
        let second = q.shoulder + q.elbow.angle();
        Vector2::new(q.slide + q.shoulder.cos() + second.cos(), q.shoulder.sin() + second.sin())
    }
}

fn joints([slide, shoulder, elbow]: [f64; 3]) -> arm::Joints {
    arm::Joints { slide, shoulder, elbow: SO2::from_angle(elbow) }
}

fn search(system: &arm::System, goal: Vector2<f64>) -> InverseKinematics<'_, arm::System> {
    InverseKinematics::of(system).target(move |q| arm::tip(q) - goal, |q, v| arm::tip_rate(q, &(*v).into()))
}

/// The law of cosines gives the angle of the elbow for a fixed slide: both signs, of which the limits select one.
#[test]
fn limits_select_the_branch_of_the_elbow() {
    let system = arm::System::new().unwrap();
    let goal = Vector2::new(0.9_f64, 1.1);
    let elbow: f64 = ((goal.norm_squared() - 2.0) / 2.0_f64).acos();
    let guess = joints([0.0, 0.3, 0.8]);
    let free = search(&system, goal).fix(["slide"]).guess(&guess).solve().unwrap();
    assert!((free.elbow.angle() - elbow).abs() < 1e-9, "{free:?}");
    // From the same guess, which is outside the limits, the other branch.
    let down = search(&system, goal).fix(["slide"]).limits("elbow", [-3.0, -0.1]).guess(&guess).solve().unwrap();
    assert!((down.elbow.angle() + elbow).abs() < 1e-9, "{down:?}");
    assert!((arm::tip(&down) - goal).norm() < 1e-11 && down.slide == 0.0);
}

/// A joint at its limit stays there, and the others reach the target; limits that are not active change nothing.
#[test]
fn a_joint_at_its_limit_leaves_the_motion_to_the_others() {
    let system = arm::System::new().unwrap();
    let goal = Vector2::new(0.9_f64, 1.1);
    let guess = joints([0.0, 0.3, 0.8]);
    let free = search(&system, goal).guess(&guess).solve().unwrap();
    let wide = search(&system, goal).limits("elbow", [-1.0, 3.0]).limits("slide", [-5.0, f64::INFINITY]);
    let wide = wide.guess(&guess).solve().unwrap();
    assert_eq!([free.slide, free.shoulder, free.elbow.angle()], [wide.slide, wide.shoulder, wide.elbow.angle()]);
    // A limit between the guess and the free result.
    let limit = free.elbow.angle() - 0.2;
    let q = search(&system, goal).limits("elbow", [-1.0, limit]).guess(&guess).solve().unwrap();
    assert!((arm::tip(&q) - goal).norm() < 1e-11 && q.elbow.angle() <= limit + 1e-12, "{q:?}");
    // A limit at the guess.
    let q = search(&system, goal).limits("elbow", [-1.0, 0.8]).guess(&guess).solve().unwrap();
    assert!((arm::tip(&q) - goal).norm() < 1e-11 && q.elbow.angle() <= 0.8 + 1e-12, "{q:?}");
    // An interval without room fixes the joint.
    let q = search(&system, goal).limits("elbow", [0.8, 0.8]).guess(&guess).solve().unwrap();
    let fixed = search(&system, goal).fix(["elbow"]).guess(&guess).solve().unwrap();
    assert!((q.elbow.angle() - 0.8).abs() < 1e-12, "{q:?}");
    assert!((q.shoulder - fixed.shoulder).abs() < 1e-9 && (q.slide - fixed.slide).abs() < 1e-9, "{q:?} {fixed:?}");
}

/// Three weighted goals of one point and a weighted angle: five residuals for three joints. The gradient of the sum of squares vanishes.
#[test]
fn weighted_targets_have_the_least_sum_of_squares() {
    let system = arm::System::new().unwrap();
    let goals = [(Vector2::new(0.9, 1.1), 1.0), (Vector2::new(4.0, 0.5), 0.3)];
    let rate = |q: &arm::Joints, v: &Vector3<f64>| arm::tip_rate(q, &(*v).into());
    let angle = |q: &arm::Joints| Vector1::new(q.shoulder - 0.2);
    let mut search = InverseKinematics::of(&system)
        .weighted_target(2.0, angle, |_, v| Vector1::new(arm::Velocity::from(*v).shoulder))
        .fix(["slide"]);
    for (goal, weight) in goals {
        search = search.weighted_target(weight, move |q| arm::tip(q) - goal, rate);
    }
    let q = search.guess(&joints([0.0, 0.3, 0.8])).solve().unwrap();
    let [shoulder, elbow] = [q.shoulder, q.elbow.angle()];
    let sum = |shoulder: f64, elbow: f64| {
        let q = joints([0.0, shoulder, elbow]);
        let of_tip: f64 = goals.iter().map(|(goal, weight)| weight * (arm::tip(&q) - goal).norm_squared()).sum();
        of_tip + 2.0 * angle(&q).norm_squared()
    };
    let h = 1e-4;
    let slopes = [
        (sum(shoulder + h, elbow) - sum(shoulder - h, elbow)) / (2.0 * h),
        (sum(shoulder, elbow + h) - sum(shoulder, elbow - h)) / (2.0 * h),
    ];
    assert!(slopes.iter().all(|slope| slope.abs() < 1e-7), "{slopes:?}");
    assert!(sum(shoulder, elbow) > 1.0 && q.slide == 0.0, "the goals contradict each other");
}

/// The tip is at its target, and the elbow as close to its desired angle as its limit permits.
#[test]
fn weighted_targets_yield_to_targets_and_limits() {
    let system = arm::System::new().unwrap();
    let goal = Vector2::new(0.9_f64, 1.1);
    let bent = |q: &arm::Joints| Vector1::new(q.elbow.angle() - 1.9);
    let rate = |_: &arm::Joints, v: &Vector3<f64>| Vector1::new(arm::Velocity::from(*v).elbow);
    let guess = joints([0.0, 0.3, 0.8]);
    let q = search(&system, goal).weighted_target(0.01, bent, rate).guess(&guess).solve().unwrap();
    assert!((arm::tip(&q) - goal).norm() < 1e-11 && (q.elbow.angle() - 1.9).abs() < 1e-9, "{q:?}");
    let limited = search(&system, goal).weighted_target(0.01, bent, rate).limits("elbow", [0.0, 1.5]);
    let q = limited.guess(&guess).solve().unwrap();
    assert!((arm::tip(&q) - goal).norm() < 1e-11 && (q.elbow.angle() - 1.5).abs() < 1e-9, "{q:?}");
    let error = search(&system, goal).weighted_target(0.0, bent, rate).guess(&guess).solve().unwrap_err();
    assert!(error.to_string().starts_with("the weight 0.0 of target 1 is not positive"), "{error}");
}

#[test]
fn a_target_beyond_the_limits_is_an_error() {
    let system = arm::System::new().unwrap();
    let goal = Vector2::new(0.9_f64, 1.1);
    let guess = joints([0.0, 0.3, 0.8]);
    let error = search(&system, goal).fix(["slide"]).limits("elbow", [0.5, 1.0]).guess(&guess).solve().unwrap_err();
    let InverseKinematicsError::OutOfReach { missed, held, limited, .. } = &error else { panic!("{error}") };
    assert_eq!((held.as_slice(), limited.as_slice()), (&["slide".to_owned()][..], &["elbow".to_owned()][..]));
    // The tip is on a circle of radius 2 cos(1/2) at best.
    assert!(*missed >= 2.0 * 0.5_f64.cos() - goal.norm() - 1e-9, "{missed}");
    assert!(error.to_string().contains("with `slide` fixed and `elbow` at the limits"), "{error}");
    let failed =
        |limits, name: &str| search(&system, goal).limits(name, limits).guess(&guess).solve().unwrap_err().to_string();
    assert!(failed([1.0, -1.0], "elbow").contains("the lower limit must not be above the upper limit"));
    assert!(failed([f64::NAN, 1.0], "elbow").contains("the limits [NaN, 1.0] of `elbow`"));
    assert!(failed([-1.0, 1.0], "knee").contains("unknown member `knee`"));
}

/// Angles that count revolutions are in the revolution closest to the guess, also where the guess is many revolutions away from zero.
#[test]
fn angles_are_in_the_revolution_of_the_guess() {
    let system = arm::System::new().unwrap();
    for revolutions in [0.0, 3.0, -7.0] {
        for start in [0.3, 1.5, -2.0, 3.0] {
            let guess = joints([0.0, start + revolutions * TAU, 0.8]);
            let q = search(&system, Vector2::new(0.4, -1.2)).fix(["slide"]).guess(&guess).solve().unwrap();
            assert!((arm::tip(&q) - Vector2::new(0.4, -1.2)).norm() < 1e-9, "{q:?}");
            assert!((q.shoulder - guess.shoulder).abs() <= PI + 1e-9, "{q:?} {guess:?}");
        }
    }
    // A displacement of the same size remains.
    let far = search(&system, Vector2::new(20.0, 0.5)).guess(&joints([0.0, 0.3, 0.8])).solve().unwrap();
    assert!(far.slide > 17.0 && (arm::tip(&far) - Vector2::new(20.0, 0.5)).norm() < 1e-9, "{far:?}");
}
