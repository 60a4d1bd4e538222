//! Robots from their files, against Featherstone's recursions with the numbers of the files.

mod awkward;
mod mjcf;
mod printed;

use fixtures::random::Random;
use lie_runtime::nalgebra::{DVector, Matrix3, Rotation3};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;

use crate::featherstone::{self, Body, Joint};

/// Six hinges.
#[mechanical_system(urdf = "tests/mechanisms/robots/arm.urdf")]
pub mod arm {
    use lie_runtime::prelude::*;

    /// The pose of a tool: additional declarations can use the links of the file.
    #[observable]
    pub fn tool(q: &Joints) -> Vector3<f64> {
        flange(q) * Vector3::new(0.1, 0.0, 0.0)
    }
}

/// A free trunk on four legs.
#[mechanical_system(urdf = "tests/mechanisms/robots/quadruped.urdf")]
pub mod quadruped {
    use lie_runtime::prelude::*;
}

/// A finger on a parallelogram, and two jaws of which one follows the other.
#[mechanical_system(urdf = "tests/mechanisms/robots/gripper.urdf")]
pub mod gripper {
    use lie_runtime::prelude::*;

    /// The rocker holds the finger.
    #[constraint]
    fn closed(q: &Joints) -> Vector2<f64> {
        let gap = finger(q) * Vector3::new(0.0, 0.04, 0.0) - rocker(q) * Vector3::new(0.06, 0.0, 0.0);
        gap.xy()
    }
}

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// A joint of the arm and its child link, as in the file.
struct Row {
    place: [f64; 3],
    angles: [f64; 3],
    axis: [f64; 3],
    mass: f64,
    center: [f64; 3],
    turned: [f64; 3],
    moments: [f64; 6],
}

#[rustfmt::skip]
const ARM: [Row; 6] = [
    Row { place: [0.0, 0.0, 0.1], angles: [0.0, 0.0, 0.3], axis: [0.0, 0.0, 1.0], mass: 3.7, center: [0.01, -0.02, 0.05], turned: [0.0, 0.0, 0.0], moments: [0.014, 0.0002, -0.0001, 0.013, 0.0003, 0.01] },
    Row { place: [0.0, 0.06, 0.09], angles: [0.1, 0.0, 0.0], axis: [0.0, 1.0, 0.0], mass: 8.4, center: [0.0, 0.02, 0.21], turned: [0.2, -0.1, 0.4], moments: [0.13, 0.0, 0.001, 0.135, 0.0, 0.015] },
    Row { place: [0.0, 0.0, 0.42], angles: [0.0, -0.2, 0.0], axis: [0.0, 1.0, 0.0], mass: 2.3, center: [0.01, 0.0, 0.19], turned: [0.0, 0.0, 0.0], moments: [0.03, 0.0, 0.0, 0.03, 0.0004, 0.004] },
    Row { place: [0.0, -0.02, 0.39], angles: [0.0, 0.0, 0.0], axis: [0.0, 1.0, 0.0], mass: 1.2, center: [0.0, 0.01, 0.02], turned: [0.0, 0.0, 0.0], moments: [0.0026, 0.0, 0.0, 0.0025, 0.0, 0.0022] },
    Row { place: [0.0, 0.09, 0.0], angles: [0.0, 0.0, 1.1], axis: [0.0, 0.0, 1.0], mass: 1.2, center: [0.0, 0.0, 0.03], turned: [0.0, 0.0, 0.0], moments: [0.0026, 0.0, 0.0, 0.0025, 0.0, 0.0022] },
    Row { place: [0.0, 0.0, 0.09], angles: [0.5, 0.6, -0.7], axis: [1.0, 2.0, 2.0], mass: 0.3, center: [0.02, 0.01, 0.0], turned: [0.0, 0.3, 0.0], moments: [0.0004, 1e-05, 0.0, 0.0004, 0.0, 0.0003] },
];
const DAMPING: [f64; 6] = [0.4, 0.4, 0.3, 0.1, 0.1, 0.0];

fn turn([roll, pitch, yaw]: [f64; 3]) -> Matrix3<f64> {
    *Rotation3::from_euler_angles(roll, pitch, yaw).matrix()
}

fn symmetric([xx, xy, xz, yy, yz, zz]: [f64; 6]) -> Matrix3<f64> {
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

#[test]
fn the_arm_of_the_file_moves_as_its_numbers_say() {
    let system = arm::System::new().unwrap();
    let mut random = Random::new(5);
    for _ in 0..20 {
        let (angles, v) = (random.vector::<6>(), random.vector::<6>());
        let body = |(number, row): (usize, &Row)| {
            let turned = turn(row.turned);
            Body {
                parent: number.checked_sub(1),
                place: (turn(row.angles), row.place.into()),
                joint: Joint::Hinge(Vector3::from(row.axis).normalize(), angles[number]),
                mass: row.mass,
                center: row.center.into(),
                inertia: turned * symmetric(row.moments) * turned.transpose(),
            }
        };
        let bodies: Vec<Body> = ARM.iter().enumerate().map(body).collect();
        let [waist, shoulder_pitch, elbow, wrist_1, wrist_2, wrist_3] = angles.into();
        let q = arm::Joints { waist, shoulder_pitch, elbow, wrist_1, wrist_2, wrist_3 };
        let mut state = State::at_rest(&system, 0.0, q);
        state.velocity = v;
        ConsistentValues::of(&system).accelerations(&system, &mut state).unwrap();
        let torques = featherstone::inverse_dynamics(&bodies, GRAVITY, v.as_slice(), state.acceleration.as_slice());
        for (joint, damping) in DAMPING.into_iter().enumerate() {
            let wanted = -damping * v[joint];
            assert!((torques[joint] - wanted).abs() < 1e-11, "joint {joint}: {} {wanted}", torques[joint]);
        }
    }
    assert_eq!((arm::WAIST_LIMITS, arm::WAIST_EFFORT), ([-3.1, 3.1], 150.0));
}

#[test]
fn the_quadruped_of_the_file_moves_as_its_numbers_say() {
    let system = quadruped::System::new().unwrap();
    assert_eq!(system.dof(), 18);
    let mut random = Random::new(6);
    let (attitude, place) = (SO3::exp(&random.vector::<3>()), random.vector::<3>());
    let (angles, v) = (random.vector::<12>(), random.vector::<18>());
    let diagonal = |x, y, z| Matrix3::from_diagonal(&Vector3::new(x, y, z));
    let (matrix, ones) = (attitude.matrix(), Matrix3::identity());
    let trunk = Matrix3::new(0.06, 0.0, 0.001, 0.0, 0.1, 0.0, 0.001, 0.0, 0.12);
    let mut bodies = vec![Body {
        parent: None,
        place: (ones, Vector3::zeros()),
        joint: Joint::Free(matrix, place),
        mass: 9.0,
        center: Vector3::new(0.01, 0.0, 0.02),
        inertia: trunk,
    }];
    for (leg, [x, y]) in [[0.25, 0.08], [0.25, -0.08], [-0.25, 0.08], [-0.25, -0.08_f64]].into_iter().enumerate() {
        let side = y.signum();
        let parts = [
            (
                Vector3::new(x, y, 0.0),
                Vector3::x(),
                0.7,
                Vector3::new(0.01, 0.01 * side, 0.0),
                diagonal(0.001, 0.0012, 0.0011),
            ),
            (
                Vector3::new(0.0, 0.08 * side, 0.0),
                Vector3::y(),
                1.1,
                Vector3::new(0.0, 0.01 * side, -0.07),
                diagonal(0.006, 0.006, 0.001),
            ),
            (
                Vector3::new(0.0, 0.0, -0.21),
                Vector3::y(),
                0.25,
                Vector3::new(0.005, 0.0, -0.1),
                diagonal(0.002, 0.002, 0.0001),
            ),
        ];
        for (part, (place, axis, mass, center, inertia)) in parts.into_iter().enumerate() {
            let parent = if part == 0 { 0 } else { bodies.len() - 1 };
            let joint = Joint::Hinge(axis, angles[3 * leg + part]);
            bodies.push(Body { parent: Some(parent), place: (ones, place), joint, mass, center, inertia });
        }
    }
    // In the order of the tree, hips first; the members' names say which is which.
    let angle = |leg: usize, part: usize| angles[3 * leg + part];
    let q = quadruped::Joints {
        base: SE3::new(attitude, place),
        fl_hip_joint: angle(0, 0),
        fl_thigh_joint: angle(0, 1),
        fl_shank_joint: angle(0, 2),
        fr_hip_joint: angle(1, 0),
        fr_thigh_joint: angle(1, 1),
        fr_shank_joint: angle(1, 2),
        rl_hip_joint: angle(2, 0),
        rl_thigh_joint: angle(2, 1),
        rl_shank_joint: angle(2, 2),
        rr_hip_joint: angle(3, 0),
        rr_thigh_joint: angle(3, 1),
        rr_shank_joint: angle(3, 2),
    };
    // Where each component of the list of bodies is among those of the system: links come in the order of their distance from the root.
    let component = |at: usize| if at < 6 { at } else { 6 + 4 * ((at - 6) % 3) + (at - 6) / 3 };
    let mut state = State::at_rest(&system, 0.0, q);
    for at in 0..18 {
        state.velocity[component(at)] = v[at];
    }
    ConsistentValues::of(&system).accelerations(&system, &mut state).unwrap();
    let acceleration: Vec<f64> = (0..18).map(|at| state.acceleration[component(at)]).collect();
    let torques = featherstone::inverse_dynamics(&bodies, GRAVITY, v.as_slice(), &acceleration);
    assert!(torques.amax() < 1e-10, "{torques}");
    // Falling without torques, and accelerated.
    assert!(DVector::from_vec(acceleration).amax() > 1.0);
}

#[test]
fn the_loop_of_the_gripper_holds_and_its_jaws_follow() {
    let system = gripper::System::new().unwrap();
    assert_eq!((system.dof(), system.constraint_rows()), (4, 2));
    let start = gripper::Joints { drive: 0.7, follower: 0.7, knuckle: -0.7, left: 0.02 };
    let turning = gripper::Velocity { drive: 1.0, follower: 1.0, knuckle: -1.0, left: 0.1 };
    let run = Simulation::of(&system).initial(start, turning).step(1e-3).end_time(0.5).run();
    let run = run.unwrap();
    let energy = |state: &State<gripper::System>| {
        system.kinetic_energy(0.0, &state.configuration, &state.velocity)
            + system.potential_energy(0.0, &state.configuration)
    };
    let end = run.last();
    // The finger does not turn.
    assert!((end.configuration.drive + end.configuration.knuckle).abs() < 1e-9 && end.configuration.drive > 1.0);
    let jaw = gripper::right_jaw(&end.configuration).translation.x;
    assert!((jaw - (0.01 - 2.0 * end.configuration.left)).abs() < 1e-15, "{jaw}");
    // Its own weight and twice the speed of the other: (m + 4 m) a = -m g.
    let fall = 0.02 + 0.1 * 0.5 - 0.5 * 9.81 / 5.0 * 0.25;
    assert!((end.configuration.left - fall).abs() < 1e-9, "{}", end.configuration.left);
    assert!((energy(end) - energy(&run.states[0])).abs() < 1e-9);
}
