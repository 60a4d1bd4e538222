//! A quadruped of 18 degrees of freedom: one pose and one line of kinetic energy for each body.

use fixtures::random::Random;
use lie_runtime::nalgebra::{DVector, Matrix3, Rotation3};
use lie_runtime::prelude::*;

use crate::featherstone::{self, Body, Joint};

#[mechanical_system]
pub mod walker {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        /// The trunk.
        pub trunk: SE3,
        /// Hip, thigh and knee of each leg.
        pub legs: [SO2; 12],
    }

    /// A rigid body.
    pub struct Inertia {
        /// m, in kg.
        pub mass: f64,
        /// In the body, in m.
        pub center: Vector3<f64>,
        /// About the centre, in kg m².
        pub moments: Matrix3<f64>,
    }

    #[parameters]
    pub struct Robot {
        /// The body between the legs.
        pub trunk: Inertia,
        /// Hip, thigh and shank.
        pub leg: [Inertia; 3],
        /// Positions of the hips in the trunk, in m.
        pub hips: [Vector3<f64>; 4],
        /// From hip to thigh and from thigh to knee, in m.
        pub arms: [Vector3<f64>; 2],
        /// In m/s².
        pub gravity: Vector3<f64>,
    }

    fn about_x(turn: &SO2) -> SO3 {
        SO3::exp(&(Vector3::x() * turn.angle()))
    }

    fn about_y(turn: &SO2) -> SO3 {
        SO3::exp(&(Vector3::y() * turn.angle()))
    }

    fn energy(body: &Inertia, twist: &Vector6<f64>) -> f64 {
        let (angular, linear) = (twist.fixed_rows::<3>(0).into_owned(), twist.fixed_rows::<3>(3).into_owned());
        let velocity = linear + angular.cross(&body.center);
        0.5 * body.mass * velocity.norm_squared() + 0.5 * angular.dot(&(body.moments * angular))
    }

    fn height(robot: &Robot, body: &Inertia, pose: &SE3) -> f64 {
        -body.mass * robot.gravity.dot(&(pose * body.center))
    }

    fn hip(robot: &Robot, q: &Joints, leg: usize) -> SE3 {
        q.trunk * SE3::new(about_x(&q.legs[3 * leg]), robot.hips[leg])
    }

    fn thigh(robot: &Robot, q: &Joints, leg: usize) -> SE3 {
        hip(robot, q, leg) * SE3::new(about_y(&q.legs[3 * leg + 1]), robot.arms[0])
    }

    fn shank(robot: &Robot, q: &Joints, leg: usize) -> SE3 {
        thigh(robot, q, leg) * SE3::new(about_y(&q.legs[3 * leg + 2]), robot.arms[1])
    }

    #[quantity]
    pub fn trunk(q: &Joints) -> SE3 {
        q.trunk
    }
    #[quantity]
    pub fn hip_0(robot: &Robot, q: &Joints) -> SE3 {
        hip(robot, q, 0)
    }
    #[quantity]
    pub fn hip_1(robot: &Robot, q: &Joints) -> SE3 {
        hip(robot, q, 1)
    }
    #[quantity]
    pub fn hip_2(robot: &Robot, q: &Joints) -> SE3 {
        hip(robot, q, 2)
    }
    #[quantity]
    pub fn hip_3(robot: &Robot, q: &Joints) -> SE3 {
        hip(robot, q, 3)
    }
    #[quantity]
    pub fn thigh_0(robot: &Robot, q: &Joints) -> SE3 {
        thigh(robot, q, 0)
    }
    #[quantity]
    pub fn thigh_1(robot: &Robot, q: &Joints) -> SE3 {
        thigh(robot, q, 1)
    }
    #[quantity]
    pub fn thigh_2(robot: &Robot, q: &Joints) -> SE3 {
        thigh(robot, q, 2)
    }
    #[quantity]
    pub fn thigh_3(robot: &Robot, q: &Joints) -> SE3 {
        thigh(robot, q, 3)
    }
    #[quantity]
    pub fn shank_0(robot: &Robot, q: &Joints) -> SE3 {
        shank(robot, q, 0)
    }
    #[quantity]
    pub fn shank_1(robot: &Robot, q: &Joints) -> SE3 {
        shank(robot, q, 1)
    }
    #[quantity]
    pub fn shank_2(robot: &Robot, q: &Joints) -> SE3 {
        shank(robot, q, 2)
    }
    #[quantity]
    pub fn shank_3(robot: &Robot, q: &Joints) -> SE3 {
        shank(robot, q, 3)
    }

    #[kinetic_energy]
    fn kinetic(robot: &Robot, q: &Joints, v: &Velocity) -> f64 {
        energy(&robot.trunk, &trunk_rate(q, v))
            + energy(&robot.leg[0], &hip_0_rate(robot, q, v))
            + energy(&robot.leg[0], &hip_1_rate(robot, q, v))
            + energy(&robot.leg[0], &hip_2_rate(robot, q, v))
            + energy(&robot.leg[0], &hip_3_rate(robot, q, v))
            + energy(&robot.leg[1], &thigh_0_rate(robot, q, v))
            + energy(&robot.leg[1], &thigh_1_rate(robot, q, v))
            + energy(&robot.leg[1], &thigh_2_rate(robot, q, v))
            + energy(&robot.leg[1], &thigh_3_rate(robot, q, v))
            + energy(&robot.leg[2], &shank_0_rate(robot, q, v))
            + energy(&robot.leg[2], &shank_1_rate(robot, q, v))
            + energy(&robot.leg[2], &shank_2_rate(robot, q, v))
            + energy(&robot.leg[2], &shank_3_rate(robot, q, v))
    }

    #[potential]
    fn weight(robot: &Robot, q: &Joints) -> f64 {
        let legs: f64 = (0..4)
            .map(|leg| {
                height(robot, &robot.leg[0], &hip(robot, q, leg))
                    + height(robot, &robot.leg[1], &thigh(robot, q, leg))
                    + height(robot, &robot.leg[2], &shank(robot, q, leg))
            })
            .sum();
        height(robot, &robot.trunk, &q.trunk) + legs
    }
}

pub fn inertia(mass: f64, center: [f64; 3], moments: [f64; 3]) -> walker::Inertia {
    walker::Inertia { mass, center: center.into(), moments: Matrix3::from_diagonal(&moments.into()) }
}

pub fn robot() -> walker::Robot {
    walker::Robot {
        trunk: inertia(10.0, [0.01, 0.0, 0.02], [0.05, 0.2, 0.22]),
        leg: [
            inertia(0.6, [0.0, 0.02, 0.0], [4e-4, 8e-4, 5e-4]),
            inertia(1.1, [0.0, 0.01, -0.08], [6e-3, 6e-3, 1e-3]),
            inertia(0.3, [0.0, 0.0, -0.1], [3e-3, 3e-3, 2e-5]),
        ],
        hips: [[0.2, 0.1, 0.0], [0.2, -0.1, 0.0], [-0.2, 0.1, 0.0], [-0.2, -0.1, 0.0]].map(Vector3::from),
        arms: [Vector3::new(0.0, 0.08, 0.0), Vector3::new(0.0, 0.0, -0.2)],
        gravity: Vector3::new(0.0, 0.0, -9.81),
    }
}

/// The same bodies for the recursions.
pub fn bodies(robot: &walker::Robot, q: &walker::Joints) -> Vec<Body> {
    let body = |parent, place: Vector3<f64>, joint, own: &walker::Inertia| Body {
        parent,
        place: (Matrix3::identity(), place),
        joint,
        mass: own.mass,
        center: own.center,
        inertia: own.moments,
    };
    let free = Joint::Free(q.trunk.rotation().matrix(), q.trunk.position());
    let mut all = vec![body(None, Vector3::zeros(), free, &robot.trunk)];
    for leg in 0..4 {
        let hinge = |axis: Vector3<f64>, at: usize| Joint::Hinge(axis, q.legs[3 * leg + at].angle());
        let first = all.len();
        all.push(body(Some(0), robot.hips[leg], hinge(Vector3::x(), 0), &robot.leg[0]));
        all.push(body(Some(first), robot.arms[0], hinge(Vector3::y(), 1), &robot.leg[1]));
        all.push(body(Some(first + 1), robot.arms[1], hinge(Vector3::y(), 2), &robot.leg[2]));
    }
    all
}

#[test]
fn one_line_a_body() {
    let (robot, mut random) = (robot(), Random::new(5));
    let system = walker::System::new(robot.clone()).unwrap();
    for _ in 0..20 {
        let q = walker::Joints {
            trunk: SE3::new(SO3::exp(&random.rotation_vector()), random.vector()),
            legs: core::array::from_fn(|_| SO2::from_angle(3.0 * random.number())),
        };
        let v = random.vector::<18>();
        let bodies = bodies(&robot, &q);
        let mass = featherstone::mass_matrix(&bodies);
        let bias = featherstone::inverse_dynamics(&bodies, robot.gravity, v.as_slice(), &[0.0; 18]);
        let scale = bias.amax().max(1.0);
        let mut force = system.zero_velocity();
        system.force(0.0, &q, &v, &mut force);
        assert!((DVector::from_column_slice(force.as_slice()) + &bias).amax() < 1e-13 * scale);
        let expected = mass.clone().cholesky().unwrap().solve(&-bias);
        let (mut factors, mut acceleration) = (system.zero_mass(), system.zero_velocity());
        system.mass(0.0, &q, &mut factors).unwrap();
        system.solve_mass(&mut factors, &force, &mut acceleration);
        let difference = (DVector::from_column_slice(acceleration.as_slice()) - &expected).amax();
        assert!(difference < 1e-10 * expected.amax().max(1.0), "{difference:.1e}");
        // The rates are the twists of the recursion.
        let twists = featherstone::twists(&bodies, v.as_slice());
        let velocity = system.velocity(&v);
        assert!((walker::trunk_rate(&q, &velocity) - twists[0]).amax() < 1e-13);
        assert!((walker::hip_1_rate(&robot, &q, &velocity) - twists[4]).amax() < 1e-13);
        assert!((walker::thigh_2_rate(&robot, &q, &velocity) - twists[8]).amax() < 1e-13);
        assert!((walker::shank_3_rate(&robot, &q, &velocity) - twists[12]).amax() < 1e-13);
    }
    let turn = Rotation3::from_axis_angle(&Vector3::y_axis(), 0.3);
    let q = walker::Joints {
        trunk: SE3::new(SO3::from_matrix(*turn.matrix()).unwrap(), Vector3::zeros()),
        legs: [SO2::from_angle(0.2); 12],
    };
    let energy = |q: &walker::Joints, v: &_| system.kinetic_energy(0.0, q, v) + system.potential_energy(0.0, q);
    let rest = system.zero_velocity();
    let run = Simulation::of(&system).initial(q, rest).method_named("hedop5").unwrap().step(1e-3).end_time(0.05);
    let run = run.run().unwrap();
    let end = run.last();
    let lost = energy(&end.configuration, &end.velocity) - energy(&q, &rest);
    assert!(lost.abs() < 1e-9 * system.kinetic_energy(0.0, &end.configuration, &end.velocity).max(1.0), "{lost:e}");
}
