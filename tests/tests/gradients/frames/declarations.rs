//! Systems along frames whose equations can be differentiated in reverse.

/// A tree on a moving base with joints of several kinds, with parameters and inputs in all terms: recursions, the base, terms of one frame,
/// forces and constraints between frames, and joints.
#[lie_runtime::mechanical_system(gradients)]
pub mod tree {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Tree {
        pub trunk: SE3,
        pub hinges: Vec<SO2>,
        pub slides: Vec<f64>,
    }

    /// A rigid body.
    pub struct Inertia {
        pub mass: f64,
        pub center: Vector3<f64>,
        pub moments: Matrix3<f64>,
    }

    #[parameters]
    pub struct Data {
        pub bodies: Vec<Inertia>,
        pub places: Vec<Vector3<f64>>,
        pub stiffness: Vec<f64>,
        pub friction: Vec<f64>,
        pub rest: f64,
        pub damping: f64,
        pub slope: f64,
        pub slot: Vector3<f64>,
        pub gravity: Vector3<f64>,
        /// Mass of the base.
        pub shake: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub push: Vector3<f64>,
        pub torque: f64,
    }

    fn base(data: &Data, t: f64) -> SE3 {
        let turn = Vector3::new(0.2, 0.1, 1.0) * (data.shake * (2.0 * t + 0.3).sin());
        SE3::new(SO3::exp(&turn), Vector3::new(data.shake * t * t, 0.0, 0.2 * t.sin()))
    }

    #[kinematics(over = trunk, base = base, parents = parents)]
    pub fn body(above: &SE3, trunk: &SE3) -> SE3 {
        *above * *trunk
    }

    #[kinematics(over = hinges, frames = body)]
    fn turned(data: &Data, index: usize, above: &SE3, hinge: &SO2) -> SE3 {
        let axis = if index.is_multiple_of(2) { Vector3::z() } else { Vector3::y() };
        *above * SE3::new(SO3::exp(&(axis * hinge.angle())), data.places[index])
    }

    #[kinematics(over = slides, frames = body)]
    fn lifted(data: &Data, above: &SE3, way: &f64) -> SE3 {
        *above * SE3::new(SO3::exp(&(Vector3::x() * data.slope)), Vector3::z() * *way)
    }

    #[kinetic_energy(over = body)]
    fn kinetic(data: &Data, index: usize, v: &Vector6<f64>) -> f64 {
        let body = &data.bodies[index];
        let velocity = v.linear() + v.angular().cross(&body.center);
        0.5 * body.mass * velocity.norm_squared() + 0.5 * v.angular().dot(&(body.moments * v.angular()))
    }

    #[potential(over = body)]
    fn weight(data: &Data, index: usize, x: &SE3) -> f64 {
        -data.bodies[index].mass * data.gravity.dot(&(*x * data.bodies[index].center))
    }

    #[dissipation(over = hinges)]
    fn friction(data: &Data, index: usize, v: &f64) -> f64 {
        0.5 * data.friction[index] * v * v
    }

    #[force(over = body[2])]
    fn push(u: &Inputs, x: &SE3) -> Vector6<f64> {
        let force = x.rotation().inverse() * u.push;
        Vector6::new(0.0, u.torque, 0.0, force.x, force.y, force.z)
    }

    /// A pin in a slot along the second axis of the first body.
    #[constraint(over = (body, body).by(pins))]
    fn pinned(data: &Data, a: &SE3, b: &SE3) -> Vector2<f64> {
        let way = a.inverse() * (b * data.slot) - Vector3::new(0.0, 0.0, 0.3);
        Vector2::new(way.x, way.z)
    }

    /// A point of one body is led across.
    #[constraint(over = body[2])]
    fn led(data: &Data, t: f64, body: &SE3) -> f64 {
        (*body * Vector3::x()).y - 0.3 * t * data.rest
    }

    #[velocity_constraint(over = (body[3], body[1]))]
    fn rolls(data: &Data, a: &SE3, _b: &SE3, va: &Vector6<f64>, vb: &Vector6<f64>) -> f64 {
        va[0] * a.translation.x + vb[3] - data.slope * va[5]
    }

    #[quantity(over = (body, body).by(springs))]
    pub fn stretch(a: &SE3, b: &SE3) -> f64 {
        (a * Vector3::new(0.1, 0.0, 0.3) - b * Vector3::new(0.0, -0.2, 0.0)).norm()
    }

    #[potential(over = (body, body).by(springs))]
    fn spring(index: usize, data: &Data, a: &SE3, b: &SE3) -> f64 {
        0.5 * data.stiffness[index] * (stretch(a, b) - data.rest).powi(2)
    }

    #[dissipation(over = (body, body).by(springs))]
    fn damper(data: &Data, a: &SE3, b: &SE3, va: &Vector6<f64>, vb: &Vector6<f64>) -> f64 {
        0.5 * data.damping * stretch_rate(a, b, va, vb).powi(2)
    }
}

/// Bars in a plane, each hinged to the end of the one before, and the end of the last one held: with three a four-bar.
#[lie_runtime::mechanical_system(gradients)]
pub mod bars {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bars {
        pub hinges: Vec<SO2>,
    }

    #[parameters]
    pub struct Data {
        pub lengths: Vec<f64>,
        pub masses: Vec<f64>,
        pub foot: Vector2<f64>,
        pub friction: f64,
        pub gravity: f64,
    }

    #[kinematics(over = hinges)]
    pub fn bar(data: &Data, index: usize, above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, Vector2::zeros()) * SE2::new(SO2::identity(), Vector2::x() * data.lengths[index])
    }

    #[kinetic_energy(over = bar)]
    fn kinetic(data: &Data, index: usize, v: &Vector3<f64>) -> f64 {
        let (mass, length) = (data.masses[index], data.lengths[index]);
        let across = v[2] - 0.5 * length * v[0];
        0.5 * mass * (v[1] * v[1] + across * across + length * length * v[0] * v[0] / 12.0)
    }

    #[potential(over = bar)]
    fn weight(data: &Data, index: usize, x: &SE2) -> f64 {
        data.gravity * data.masses[index] * (*x * Vector2::new(-0.5 * data.lengths[index], 0.0)).y
    }

    #[dissipation(over = hinges)]
    fn friction(data: &Data, v: &f64) -> f64 {
        0.5 * data.friction * v * v
    }

    #[constraint(over = bar.last())]
    fn closed(data: &Data, x: &SE2) -> Vector2<f64> {
        *x * Vector2::zeros() - data.foot
    }
}

/// Rigid links on ball joints.
#[lie_runtime::mechanical_system(gradients)]
pub mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub joints: Vec<SO3>,
    }

    #[parameters]
    pub struct Data {
        pub lengths: Vec<f64>,
        pub masses: Vec<f64>,
        pub moments: Vector3<f64>,
        pub friction: f64,
        pub gravity: f64,
    }

    #[kinematics(over = joints)]
    pub fn link(data: &Data, index: usize, above: &SE3, joint: &SO3) -> SE3 {
        let before = if index > 0 { -data.lengths[index - 1] } else { 0.0 };
        *above * SE3::new(*joint, Vector3::z() * before)
    }

    #[kinetic_energy(over = link)]
    fn kinetic(data: &Data, index: usize, v: &Vector6<f64>) -> f64 {
        let centre = v.linear() - v.angular().cross(&Vector3::z()) * (0.5 * data.lengths[index]);
        0.5 * data.masses[index] * centre.norm_squared()
            + 0.5 * v.angular().dot(&data.moments.component_mul(&v.angular()))
    }

    #[potential(over = link)]
    fn weight(data: &Data, index: usize, x: &SE3) -> f64 {
        data.gravity * data.masses[index] * (*x * (Vector3::z() * (-0.5 * data.lengths[index]))).z
    }

    #[dissipation(over = joints)]
    fn friction(data: &Data, v: &Vector3<f64>) -> f64 {
        0.5 * data.friction * v.norm_squared()
    }
}
