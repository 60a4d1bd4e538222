//! Trees of joints of several kinds, on bases that are held and that move.

use fixtures::derivatives::worst_deviations;
use fixtures::random::Random;
use lie_runtime::nalgebra::{DMatrix, DVector, Matrix3};
use lie_runtime::prelude::*;

use crate::featherstone::{self, Body, Joint};

#[mechanical_system(derivative_check)]
pub mod robot {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        /// Free.
        pub trunk: SE3,
        pub hinges: Vec<f64>,
        pub slides: Vec<f64>,
        pub balls: Vec<S3>,
    }

    /// A joint with an axis.
    pub struct Axis {
        pub direction: Vector3<f64>,
        pub place: Vector3<f64>,
    }

    /// A rigid body.
    pub struct Inertia {
        pub mass: f64,
        pub center: Vector3<f64>,
        pub moments: Matrix3<f64>,
    }

    #[parameters]
    pub struct Robot {
        pub hinges: Vec<Axis>,
        pub slides: Vec<Axis>,
        pub balls: Vec<Vector3<f64>>,
        pub bodies: Vec<Inertia>,
        pub gravity: Vector3<f64>,
        /// Height of the floor.
        pub shake: f64,
    }

    /// The floor under the robot.
    fn floor(robot: &Robot, t: f64) -> SE3 {
        let turn = Vector3::new(0.2, 1.0, 0.0) * (robot.shake * (2.0 * t + 0.3).sin());
        SE3::new(SO3::exp(&turn), Vector3::new(0.0, robot.shake * t, robot.shake * t * t))
    }

    #[kinematics(over = trunk, base = floor, parents = parents)]
    pub fn body(above: &SE3, trunk: &SE3) -> SE3 {
        *above * *trunk
    }

    #[kinematics(over = hinges, frames = body)]
    fn hinged(robot: &Robot, index: usize, above: &SE3, angle: &f64) -> SE3 {
        *above * SE3::new(SO3::exp(&(robot.hinges[index].direction * *angle)), robot.hinges[index].place)
    }

    #[kinematics(over = slides, frames = body)]
    fn sliding(robot: &Robot, index: usize, above: &SE3, way: &f64) -> SE3 {
        let axis = &robot.slides[index];
        *above * SE3::new(SO3::identity(), axis.place + axis.direction * *way)
    }

    #[kinematics(over = balls, frames = body)]
    fn turning(robot: &Robot, index: usize, above: &SE3, turn: &S3) -> SE3 {
        *above * SE3::new(SO3::from(*turn), robot.balls[index])
    }

    #[kinetic_energy(over = body)]
    fn kinetic(robot: &Robot, index: usize, v: &Vector6<f64>) -> f64 {
        let body = &robot.bodies[index];
        let (angular, linear) = (v.fixed_rows::<3>(0).into_owned(), v.fixed_rows::<3>(3).into_owned());
        let velocity = linear + angular.cross(&body.center);
        0.5 * body.mass * velocity.norm_squared() + 0.5 * angular.dot(&(body.moments * angular))
    }

    #[potential(over = body)]
    fn weight(robot: &Robot, index: usize, pose: &SE3) -> f64 {
        -robot.bodies[index].mass * robot.gravity.dot(&(pose * robot.bodies[index].center))
    }

    /// In the joints.
    #[dissipation(over = hinges)]
    fn friction(v: &f64) -> f64 {
        0.1 * v * v
    }

    #[force(over = body[2])]
    fn push(t: f64, pose: &SE3) -> Vector6<f64> {
        let force = pose.rotation().inverse() * Vector3::new(0.0, t, 1.0);
        Vector6::new(0.0, 0.1, 0.0, force.x, force.y, force.z)
    }
}

fn axis(random: &mut Random) -> robot::Axis {
    robot::Axis { direction: random.vector::<3>().normalize(), place: random.vector() }
}

/// A robot with a trunk and `hinges`, `slides` and `balls`.
fn parameters([hinges, slides, balls]: [usize; 3], shake: f64, random: &mut Random) -> robot::Robot {
    let body = |random: &mut Random| {
        let root = Matrix3::from_fn(|_, _| random.number());
        let moments = root * root.transpose() + Matrix3::identity() * 0.2;
        robot::Inertia { mass: 1.5 + random.number(), center: random.vector(), moments }
    };
    robot::Robot {
        hinges: (0..hinges).map(|_| axis(random)).collect(),
        slides: (0..slides).map(|_| axis(random)).collect(),
        balls: (0..balls).map(|_| random.vector()).collect(),
        bodies: (0..=hinges + slides + balls).map(|_| body(random)).collect(),
        gravity: Vector3::new(0.3, 0.0, -9.81),
        shake,
    }
}

fn place([hinges, slides, balls]: [usize; 3], random: &mut Random) -> robot::Joints {
    robot::Joints {
        trunk: SE3::new(SO3::exp(&random.rotation_vector()), random.vector()),
        hinges: (0..hinges).map(|_| 3.0 * random.number()).collect(),
        slides: (0..slides).map(|_| random.number()).collect(),
        balls: (0..balls).map(|_| S3::exp(&random.rotation_vector())).collect(),
    }
}

fn lengths([hinges, slides, balls]: [usize; 3], parents: Vec<Option<usize>>) -> robot::Lengths {
    robot::Lengths { hinges, slides, balls, parents }
}

/// Frames 0 (the trunk), 1 to 3 (hinges), 4 (a slide), 5 and 6 (balls): two trees, one branched, whose frames are not attached to the
/// previous frames.
const SMALL: [usize; 3] = [3, 1, 2];
const PARENTS: [Option<usize>; 7] = [Some(6), Some(0), Some(5), None, Some(3), Some(1), None];

/// A small one on a floor that shakes, and moves.
pub fn shaken() -> (robot::System, robot::Joints, DVector<f64>) {
    let mut random = Random::new(29);
    let parameters = parameters(SMALL, 0.4, &mut random);
    let system = robot::System::new(parameters, lengths(SMALL, PARENTS.to_vec())).unwrap();
    let q = place(SMALL, &mut random);
    let v = DVector::from_fn(system.dof(), |_, _| random.number());
    (system, q, v)
}

#[test]
fn against_dual_numbers() {
    let mut random = Random::new(11);
    let parameters = parameters(SMALL, 0.4, &mut random);
    let system = robot::System::new(parameters, lengths(SMALL, PARENTS.to_vec())).unwrap();
    for entry in worst_deviations(&system, 4, |random| place(SMALL, random)) {
        assert!(entry.deviation < 1e-11, "{entry:?}");
    }
}

/// The same bodies for the recursions, in an order in which each comes after its parent; and the first component of each.
fn bodies(robot: &robot::Robot, q: &robot::Joints, parents: &[Option<usize>]) -> (Vec<Body>, Vec<usize>) {
    let [hinges, slides] = [q.hinges.len(), q.slides.len()];
    let mut order: Vec<usize> = vec![];
    while order.len() < parents.len() {
        let next =
            |frame: &usize| !order.contains(frame) && parents[*frame].is_none_or(|parent| order.contains(&parent));
        order.push((0..parents.len()).find(next).unwrap());
    }
    let body = |&frame: &usize| {
        let (place, joint, first) = if frame == 0 {
            (Vector3::zeros(), Joint::Free(q.trunk.rotation().matrix(), q.trunk.position()), 0)
        } else if frame <= hinges {
            let at = frame - 1;
            (robot.hinges[at].place, Joint::Hinge(robot.hinges[at].direction, q.hinges[at]), 6 + at)
        } else if frame <= hinges + slides {
            let at = frame - 1 - hinges;
            (robot.slides[at].place, Joint::Slide(robot.slides[at].direction, q.slides[at]), 6 + hinges + at)
        } else {
            let at = frame - 1 - hinges - slides;
            (robot.balls[at], Joint::Ball(q.balls[at].rotation_matrix()), 6 + hinges + slides + 3 * at)
        };
        let own = &robot.bodies[frame];
        let parent = parents[frame].map(|parent| order.iter().position(|&other| other == parent).unwrap());
        let place = (Matrix3::identity(), place);
        (Body { parent, place, joint, mass: own.mass, center: own.center, inertia: own.moments }, first)
    };
    order.iter().map(body).unzip()
}

/// Components in the order of the bodies.
fn sorted(bodies: &[Body], firsts: &[usize]) -> Vec<usize> {
    let size = |joint: &Joint| match joint {
        Joint::Hinge(..) | Joint::Slide(..) => 1,
        Joint::Ball(_) => 3,
        Joint::Free(..) => 6,
    };
    bodies.iter().zip(firsts).flat_map(|(body, &first)| first..first + size(&body.joint)).collect()
}

/// Forward dynamics of a tree against dense recursions.
fn agrees(sizes: [usize; 3], parents: &[Option<usize>], random: &mut Random) {
    let robot = parameters(sizes, 0.0, random);
    let system = robot::System::new(robot.clone(), lengths(sizes, parents.to_vec())).unwrap();
    let q = place(sizes, random);
    let dof = system.dof();
    let v = DVector::from_fn(dof, |_, _| random.number());
    let (bodies, firsts) = bodies(&robot, &q, parents);
    let order = sorted(&bodies, &firsts);
    let in_order = |all: &[f64]| -> Vec<f64> { order.iter().map(|&at| all[at]).collect() };
    let moving = in_order(v.as_slice());
    let bias = featherstone::inverse_dynamics(&bodies, robot.gravity, &moving, &vec![0.0; dof]);
    let mass: DMatrix<f64> = featherstone::mass_matrix(&bodies);
    let mut force = system.zero_velocity();
    system.force(0.0, &q, &v, &mut force);
    // What is declared besides: friction, and the push.
    let mut applied = vec![0.0; dof];
    for (out, v) in applied[6..6 + sizes[0]].iter_mut().zip(&v.as_slice()[6..6 + sizes[0]]) {
        *out -= 0.2 * v;
    }
    let mut applied = in_order(&applied);
    let pose = system.body_frames(0.0, &q)[2];
    let local = pose.rotation().inverse() * Vector3::z();
    let wrench = Vector6::new(0.0, 0.1, 0.0, local.x, local.y, local.z);
    let pushed = firsts.iter().position(|&first| first == 7).unwrap();
    for (component, out) in applied.iter_mut().enumerate() {
        let mut unit = vec![0.0; dof];
        unit[component] = 1.0;
        *out += wrench.dot(&featherstone::twists(&bodies, &unit)[pushed]);
    }
    let expected = DVector::from_vec(applied) - bias;
    let scale = expected.amax().max(1.0);
    let difference = (DVector::from_vec(in_order(force.as_slice())) - &expected).amax();
    assert!(difference < 1e-11 * scale, "force of {dof}: {difference:.1e} of {scale:.1e}");
    let (mut factors, mut acceleration) = (system.zero_mass(), system.zero_velocity());
    system.mass(0.0, &q, &mut factors).unwrap();
    system.solve_mass(&mut factors, &force, &mut acceleration);
    let solved = mass * DVector::from_vec(in_order(acceleration.as_slice()));
    let difference = (solved - &expected).amax();
    assert!(difference < 1e-9 * scale, "acceleration of {dof}: {difference:.1e} of {scale:.1e}");
}

#[test]
fn against_dense_recursions() {
    let mut random = Random::new(3);
    for _ in 0..5 {
        agrees(SMALL, &PARENTS, &mut random);
    }
    // One piece with buffers of every size: 9, 41 and 136 frames, hanging on any frame before them.
    for sizes in [[5, 2, 1], [20, 10, 10], [110, 20, 5]] {
        let count = 1 + sizes.iter().sum::<usize>();
        let parents: Vec<Option<usize>> =
            (0..count).map(|frame| (frame > 0).then(|| random.below(frame).max(frame.saturating_sub(6)))).collect();
        agrees(sizes, &parents, &mut random);
    }
}

#[test]
fn what_is_no_tree_is_named() {
    let mut random = Random::new(1);
    let mut text = |parents: Vec<Option<usize>>| {
        let parameters = parameters([1, 1, 0], 0.0, &mut random);
        robot::System::new(parameters, lengths([1, 1, 0], parents)).map(|_| ()).unwrap_err().to_string()
    };
    // A chain of no members is no field of joints.
    assert!(text(vec![None, Some(0), Some(1)]).contains("chain `balls` has 0 members"));
    let mut text = |parents: Vec<Option<usize>>| {
        let parameters = parameters([1, 1, 1], 0.0, &mut random);
        robot::System::new(parameters, lengths([1, 1, 1], parents)).map(|_| ()).unwrap_err().to_string()
    };
    assert!(text(vec![None; 3]).contains("`parents` has 3 items, and there are 4 frames"));
    assert!(text(vec![None, Some(4), None, None]).contains("`parents[1]` is frame 4, but there are 4 frames"));
    assert!(text(vec![Some(1), Some(2), Some(0), None]).contains("frame 0 is its own ancestor in `parents`"));
}
