//! An arm of seven hinges, alternately about z and y: a declared and a handwritten version.

pub mod handwritten;

use std::hint::black_box;

use lie_runtime::integrator::{Integrator, State};
use lie_runtime::prelude::*;

/// The declaration: a pose, a line of kinetic energy and a line of height for each link.
#[mechanical_system]
pub mod declared {
    use lie_runtime::prelude::*;

    /// The hinge angles.
    #[configuration]
    pub struct Joints {
        /// About z, y, z, …
        pub angles: [SO2; 7],
    }

    /// A rigid body on its hinge.
    pub struct Link {
        /// The mass m in kg.
        pub mass: f64,
        /// The centre of mass in the body, in m.
        pub center: Vector3<f64>,
        /// The inertia about the centre, in kg m².
        pub moments: Matrix3<f64>,
        /// The position of the hinge in the previous body, in m.
        pub place: Vector3<f64>,
    }

    /// The links, from the base on.
    #[parameters]
    pub struct Arm {
        /// From the base to the tool.
        pub links: [Link; 7],
        /// The gravitational acceleration in m/s², along −z.
        pub gravity: f64,
    }

    fn about_y(turn: &SO2, place: Vector3<f64>) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::y() * turn.angle())), place)
    }

    fn about_z(turn: &SO2, place: Vector3<f64>) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::z() * turn.angle())), place)
    }

    #[quantity]
    fn base(arm: &Arm, q: &Joints) -> SE3 {
        about_z(&q.angles[0], arm.links[0].place)
    }
    #[quantity]
    fn shoulder(arm: &Arm, q: &Joints) -> SE3 {
        base(arm, q) * about_y(&q.angles[1], arm.links[1].place)
    }
    #[quantity]
    fn upper(arm: &Arm, q: &Joints) -> SE3 {
        shoulder(arm, q) * about_z(&q.angles[2], arm.links[2].place)
    }
    #[quantity]
    fn elbow(arm: &Arm, q: &Joints) -> SE3 {
        upper(arm, q) * about_y(&q.angles[3], arm.links[3].place)
    }
    #[quantity]
    fn lower(arm: &Arm, q: &Joints) -> SE3 {
        elbow(arm, q) * about_z(&q.angles[4], arm.links[4].place)
    }
    #[quantity]
    fn wrist(arm: &Arm, q: &Joints) -> SE3 {
        lower(arm, q) * about_y(&q.angles[5], arm.links[5].place)
    }
    #[quantity]
    fn tool(arm: &Arm, q: &Joints) -> SE3 {
        wrist(arm, q) * about_z(&q.angles[6], arm.links[6].place)
    }

    fn energy(link: &Link, twist: &Vector6<f64>) -> f64 {
        let velocity = twist.linear() + twist.angular().cross(&link.center);
        0.5 * link.mass * velocity.norm_squared() + 0.5 * twist.angular().dot(&(link.moments * twist.angular()))
    }

    #[kinetic_energy]
    fn kinetic(arm: &Arm, q: &Joints, v: &Velocity) -> f64 {
        energy(&arm.links[0], &base_rate(arm, q, v))
            + energy(&arm.links[1], &shoulder_rate(arm, q, v))
            + energy(&arm.links[2], &upper_rate(arm, q, v))
            + energy(&arm.links[3], &elbow_rate(arm, q, v))
            + energy(&arm.links[4], &lower_rate(arm, q, v))
            + energy(&arm.links[5], &wrist_rate(arm, q, v))
            + energy(&arm.links[6], &tool_rate(arm, q, v))
    }

    fn height(arm: &Arm, link: usize, pose: &SE3) -> f64 {
        arm.gravity * arm.links[link].mass * (pose * arm.links[link].center).z
    }

    #[potential]
    fn weight(arm: &Arm, q: &Joints) -> f64 {
        height(arm, 0, &base(arm, q))
            + height(arm, 1, &shoulder(arm, q))
            + height(arm, 2, &upper(arm, q))
            + height(arm, 3, &elbow(arm, q))
            + height(arm, 4, &lower(arm, q))
            + height(arm, 5, &wrist(arm, q))
            + height(arm, 6, &tool(arm, q))
    }
}

/// The data of link `at`.
pub fn link(at: usize) -> declared::Link {
    let size = 1.0 / (1.0 + at as f64);
    declared::Link {
        mass: 4.0 * size,
        center: Vector3::new(0.01, -0.02 * size, 0.12),
        moments: Matrix3::new(0.05, 0.001, -0.002, 0.001, 0.04, 0.003, -0.002, 0.003, 0.02) * size,
        place: Vector3::new(0.02, 0.01 * size, 0.2),
    }
}

/// The gravitational acceleration in m/s².
pub const GRAVITY: f64 = 9.81;

/// The angles at the start.
pub fn angles() -> [f64; 7] {
    core::array::from_fn(|at| 0.3 + 0.2 * at as f64)
}

/// The declared arm at the start, at rest.
pub fn at_start() -> (declared::System, State<declared::System>) {
    let arm = declared::Arm { links: core::array::from_fn(link), gravity: GRAVITY };
    let system = declared::System::new(arm).expect("positive masses");
    let q = declared::Joints { angles: angles().map(SO2::from_angle) };
    let state = State::at_rest(&system, 0.0, q);
    (system, state)
}

/// Repeats steps of 1e-3 s of the declared arm over the first half second; returns the last velocity.
pub fn declared_steps() -> impl FnMut(u64) -> [f64; 7] {
    let (system, mut first) = at_start();
    let method = OnMechanical(MuntheKaas::rkmk4());
    let mut workspace = Integrator::<declared::System>::workspace(&method, &system, &first);
    method.start(&system, &mut first, &mut workspace).expect("the field is defined");
    let mut states = [first.clone(), first.clone()];
    move |times| {
        let [from, to] = &mut states;
        let (mut from, mut to) = (from, to);
        for _ in 0..times {
            if from.time > 0.4995 {
                from.clone_from(&first);
            }
            method.step(&system, from, black_box(1e-3), to, &mut workspace).expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        from.velocity.into()
    }
}
