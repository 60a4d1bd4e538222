//! The same robots in the language of MuJoCo, against their URDF files, and a model with all parts against MuJoCo.

use fixtures::random::Random;
use lie_runtime::nalgebra::{DVector, Quaternion, UnitQuaternion};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;

use super::{arm as urdf_arm, gripper as urdf_gripper, quadruped as urdf_quadruped};

/// Six hinges.
#[mechanical_system(mjcf = "tests/mechanisms/robots/arm.xml")]
pub mod arm {
    use lie_runtime::prelude::*;
}

/// A free trunk on four legs.
#[mechanical_system(mjcf = "tests/mechanisms/robots/quadruped.xml", skip = [actuator])]
pub mod quadruped {
    use lie_runtime::prelude::*;
}

/// The file closes the loop in space: in a plane, the third of its rows is empty.
#[mechanical_system(mjcf = "tests/mechanisms/robots/gripper.xml", redundant = minimum_norm)]
pub mod gripper {
    use lie_runtime::prelude::*;
}

/// All that is read.
#[mechanical_system(mjcf = "tests/mechanisms/robots/parts.xml")]
pub mod parts {
    use lie_runtime::prelude::*;
}

/// Files in one, copies and sites; with a law of friction in the place of `frictionloss`.
#[mechanical_system(mjcf = "tests/mechanisms/robots/ring.xml")]
pub mod ring {
    use lie_runtime::prelude::*;

    #[force(on = crank_1)]
    fn friction(v: &Velocity) -> f64 {
        -0.1 * (v.crank_1 / 0.01).tanh()
    }
}

/// The same, written out.
#[mechanical_system(mjcf = "tests/mechanisms/robots/ring_written.xml")]
pub mod ring_written {
    use lie_runtime::prelude::*;

    #[force(on = crank_1)]
    fn friction(v: &Velocity) -> f64 {
        -0.1 * (v.crank_1 / 0.01).tanh()
    }
}

/// Equalities of joints, a keyframe, friction and gravity compensation; with actuators that are ignored.
#[mechanical_system(mjcf = "tests/mechanisms/robots/ties.xml", friction = smooth(0.01), actuators = ignore)]
pub mod ties {
    use lie_runtime::prelude::*;
}

/// Accelerations at a state.
macro_rules! accelerations {
    ($system:expr, $q:expr, $v:expr) => {{
        let system = $system;
        let mut state = State::at_rest(&system, 0.0, $q);
        state.velocity = $v;
        ConsistentValues::of(&system).accelerations(&system, &mut state).unwrap();
        state.acceleration
    }};
}

#[track_caller]
fn ensure_equal(found: &[f64], wanted: &[f64], tolerance: f64) {
    let (found, wanted) = (DVector::from_row_slice(found), DVector::from_row_slice(wanted));
    let scale = wanted.amax().max(1.0);
    assert!((&found - &wanted).amax() <= tolerance * scale, "{:e} of {scale}", (found - wanted).amax());
}

#[test]
fn what_is_put_together_moves_as_what_is_written_out() {
    let mut random = Random::new(16);
    let (one, other) = (ring::System::new().unwrap(), ring_written::System::new().unwrap());
    for _ in 0..20 {
        let (angles, v) = (0.3 * random.vector::<6>(), random.vector::<6>());
        let [crank_0, coupler_0, rocker_0, crank_1, coupler_1, rocker_1] = angles.into();
        let q = ring::Joints { crank_0, coupler_0, rocker_0, crank_1, coupler_1, rocker_1 };
        let written = ring_written::Joints { crank_0, coupler_0, rocker_0, crank_1, coupler_1, rocker_1 };
        let (mut gap, mut wanted) = (one.zero_multipliers(), other.zero_multipliers());
        one.constraint(0.0, &q, &mut gap);
        other.constraint(0.0, &written, &mut wanted);
        ensure_equal(gap.as_slice(), wanted.as_slice(), 1e-14);
        ensure_equal(&[one.potential_energy(0.0, &q)], &[other.potential_energy(0.0, &written)], 1e-13);
        let (found, wanted) = (
            accelerations!(ring::System::new().unwrap(), q, v),
            accelerations!(ring_written::System::new().unwrap(), written, v),
        );
        ensure_equal(found.as_slice(), wanted.as_slice(), 1e-11);
    }
}

#[test]
fn the_arm_moves_as_its_urdf() {
    let mut random = Random::new(15);
    for _ in 0..20 {
        let (angles, v) = (random.vector::<6>(), random.vector::<6>());
        let [waist, shoulder_pitch, elbow, wrist_1, wrist_2, wrist_3] = angles.into();
        let q = arm::Joints { waist, shoulder_pitch, elbow, wrist_1, wrist_2, wrist_3 };
        let found = accelerations!(arm::System::new().unwrap(), q, v);
        let q = urdf_arm::Joints { waist, shoulder_pitch, elbow, wrist_1, wrist_2, wrist_3 };
        let wanted = accelerations!(urdf_arm::System::new().unwrap(), q, v);
        ensure_equal(found.as_slice(), wanted.as_slice(), 1e-12);
    }
    assert_eq!(arm::WRIST_3_LIMITS, [-3.1, 3.1]);
}

#[test]
fn the_quadruped_moves_as_its_urdf() {
    let mut random = Random::new(16);
    let base = SE3::new(SO3::exp(&random.vector::<3>()), random.vector::<3>());
    let (angles, v) = (random.vector::<12>(), random.vector::<18>());
    macro_rules! joints {
        ($robot:ident) => {
            $robot::Joints {
                base,
                fl_hip_joint: angles[0],
                fl_thigh_joint: angles[1],
                fl_shank_joint: angles[2],
                fr_hip_joint: angles[3],
                fr_thigh_joint: angles[4],
                fr_shank_joint: angles[5],
                rl_hip_joint: angles[6],
                rl_thigh_joint: angles[7],
                rl_shank_joint: angles[8],
                rr_hip_joint: angles[9],
                rr_thigh_joint: angles[10],
                rr_shank_joint: angles[11],
            }
        };
    }
    let found = accelerations!(quadruped::System::new().unwrap(), joints!(quadruped), v);
    // A URDF is read by the distance from its root, hips first, an MJCF leg by leg.
    let there = |at: usize| if at < 6 { at } else { 6 + 4 * ((at - 6) % 3) + (at - 6) / 3 };
    let mut rates = v;
    for at in 0..18 {
        rates[there(at)] = v[at];
    }
    let wanted = accelerations!(urdf_quadruped::System::new().unwrap(), joints!(urdf_quadruped), rates);
    let wanted: Vec<f64> = (0..18).map(|at| wanted[there(at)]).collect();
    ensure_equal(found.as_slice(), &wanted, 1e-12);
    assert_eq!(quadruped::trunk_start().translation, Vector3::new(0.0, 0.0, 0.4));
}

#[test]
fn the_gripper_moves_as_its_urdf() {
    let angle = 0.7;
    let q = gripper::Joints { drive: angle, knuckle: -angle, follower: angle, left: 0.02 };
    let v = gripper::Velocity { drive: 1.0, knuckle: -1.0, follower: 1.0, left: 0.1 };
    let found = accelerations!(gripper::System::new().unwrap(), q, v.into());
    let q = urdf_gripper::Joints { drive: angle, follower: angle, knuckle: -angle, left: 0.02 };
    let v = urdf_gripper::Velocity { drive: 1.0, follower: 1.0, knuckle: -1.0, left: 0.1 };
    let wanted = accelerations!(urdf_gripper::System::new().unwrap(), q, v.into());
    // There the finger, which hangs on the crank, comes last.
    ensure_equal(found.as_slice(), &[wanted[0], wanted[3], wanted[1], wanted[2]], 1e-12);
    assert!(found.amax() > 1.0, "{found}");
}

/// `mj_forward` of MuJoCo 4.0.0 with limits disabled: `qacc` at these `qpos` and `qvel`.
#[test]
fn parts_move_as_in_mujoco() {
    const ACCELERATION: [f64; 13] = [
        1.002_819_581_326_236_2,
        -2.044_294_138_779_296_3,
        -8.969_167_931_044_755,
        0.074_254_479_330_480_02,
        -0.398_090_699_842_896_36,
        -0.098_419_232_222_473_06,
        3.028_122_589_705_496_6,
        2.121_391_277_435_705_5,
        -0.376_657_856_073_171_26,
        -0.994_810_168_437_869_2,
        -3.343_898_065_268_231,
        1.441_835_079_155_332_3,
        -25.701_107_421_832_795,
    ];
    let rotation = |w, x, y, z| SO3::exp(&UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)).scaled_axis());
    let hull = rotation(1.0, 0.5, -0.25, 0.5);
    let q = parts::Joints {
        free: SE3::new(hull, Vector3::new(0.1, -0.2, 0.3)),
        pan: 0.6,
        tilt: -0.4,
        lift: 0.2,
        ball: rotation(2.0, 0.5, 1.0, -0.5),
        body_6_joint: 0.9,
    };
    // There the velocity of a free body is seen from space, here from the body.
    let (linear, angular) = (Vector3::new(0.5, -0.3, 0.2), Vector3::new(0.4, 0.1, -0.6));
    let seen = hull.inverse() * linear;
    let mut v = [0.0; 13];
    v[..3].copy_from_slice(angular.as_slice());
    v[3..6].copy_from_slice(seen.as_slice());
    v[6..].copy_from_slice(&[0.7, -0.8, 0.25, 0.3, -0.5, 0.9, 1.1]);
    let found = accelerations!(parts::System::new().unwrap(), q, v.into());
    let turned = hull * (Vector3::new(found[3], found[4], found[5]) + angular.cross(&seen));
    let mut there = found;
    there.fixed_rows_mut::<3>(0).copy_from(&turned);
    there.fixed_rows_mut::<3>(3).copy_from(&found.fixed_rows::<3>(0));
    ensure_equal(there.as_slice(), &ACCELERATION, 1e-12);
}

/// From M and the forces of MuJoCo 4.0.0, with the rows of the equalities and the law of friction written by hand.
#[test]
fn equalities_of_joints_are_exact() {
    let system = ties::System::new().unwrap();
    assert_eq!((system.dof(), system.constraint_rows()), (4, 2));
    let q = ties::Joints { turn: 0.35, tilt: -0.7, cam: -1.3167, brake: 0.4 };
    let v = ties::Velocity { turn: 0.8, tilt: -1.3, cam: -3.4697, brake: 0.0 };
    let found = accelerations!(system, q, v.into());
    let wanted = [1.191_664_274_540_578_3, 7.104_061_192_057_048, 13.518_939_321_600_257, 0.0];
    ensure_equal(found.as_slice(), &wanted, 1e-12);
    // The slider follows without a coordinate.
    let slider = ties::beam(&q).inverse() * ties::slider(&q).translation;
    assert!((slider - Vector3::new(0.25 + 0.02 + 0.05 * 0.35, 0.1, 0.0)).amax() < 1e-15, "{slider}");
}

/// The reference configuration and a keyframe of the file, moved onto the equalities.
#[test]
fn configurations_of_the_file_satisfy_its_equalities() {
    let system = ties::System::new().unwrap();
    let mut gap = system.zero_multipliers();
    for q in [ties::reference(), ties::keyframe_raised_arm()] {
        system.constraint(0.0, &q, &mut gap);
        assert!(gap.amax() < 1e-12, "{gap}");
        assert!((q.brake - 0.4).abs() < 1e-12);
    }
    let q = ties::keyframe_raised_arm();
    assert_eq!(q.turn, 0.3);
    assert!((q.tilt - 0.9).abs() < 0.3 && (q.cam - 0.6).abs() < 0.6, "{q:?}");
    let q = ties::from_joints(&[("turn", 1.5), ("tilt", 0.2)]).unwrap();
    assert_eq!((q.turn, q.tilt, q.cam), (1.5, 0.2, ties::reference().cam));
    assert_eq!((ties::zero().turn, ties::TURN_LIMITS, ties::TURN_FRICTION), (0.0, [-2.0, 2.0], 0.3));
    let ignored = system.description().ignored;
    for part in ["`actuator`: 1 (`actuators = ignore`)", "contacts between geoms (6 can collide)"] {
        assert!(ignored.contains(&part), "{ignored:#?}");
    }
}
