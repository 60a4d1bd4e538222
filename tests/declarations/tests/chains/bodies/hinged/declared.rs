//! The mechanism in its declarations.

use lie_runtime::prelude::*;

/// Two bodies by the members of both.
#[mechanical_system]
pub mod apart {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pair {
        pub upper_attitude: SO3,
        pub upper_position: R3,
        pub lower_attitude: SO3,
        pub lower_position: R3,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub half: Vector3<f64>,
        pub gravity: Vector3<f64>,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * (v.upper_position.norm_squared() + v.lower_position.norm_squared())
            + 0.5 * v.upper_attitude.dot(&(data.inertia * v.upper_attitude))
            + 0.5 * v.lower_attitude.dot(&(data.inertia * v.lower_attitude))
    }
    #[potential]
    fn weight(data: &Data, q: &Pair) -> f64 {
        -data.mass * (data.gravity.dot(&q.upper_position) + data.gravity.dot(&q.lower_position))
    }
    #[dissipation]
    fn friction(data: &Data, q: &Pair, v: &Velocity) -> f64 {
        let relative = q.upper_attitude * v.upper_attitude - q.lower_attitude * v.lower_attitude;
        0.5 * data.damping * relative.norm_squared()
    }
    #[force(on = upper_attitude)]
    fn drive(t: f64) -> Vector3<f64> {
        Vector3::new(0.3 * t.sin(), 0.1, 0.0)
    }
    #[constraint]
    fn hook(data: &Data, q: &Pair) -> Vector3<f64> {
        q.upper_position - q.upper_attitude * data.half
    }
    #[constraint]
    fn joint(data: &Data, q: &Pair) -> Vector3<f64> {
        q.upper_position + q.upper_attitude * data.half - (q.lower_position - q.lower_attitude * data.half)
    }
}

/// The same bodies as members of one struct.
#[mechanical_system(derivative_check)]
pub mod together {
    use lie_runtime::prelude::*;

    /// A rigid body.
    pub struct Body {
        /// Moments of inertia about the principal axes.
        pub attitude: SO3,
        /// Position of the centre of mass.
        pub position: R3,
    }

    impl Body {
        /// A point of the body in space.
        pub fn point(&self, x: Vector3<f64>) -> Vector3<f64> {
            self.position + self.attitude * x
        }
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body,
        pub lower: Body,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub half: Vector3<f64>,
        pub gravity: Vector3<f64>,
        pub damping: f64,
    }

    fn energy(data: &Data, rate: &BodyVelocity) -> f64 {
        let BodyVelocity { attitude, position } = rate;
        0.5 * data.mass * position.norm_squared() + 0.5 * attitude.dot(&(data.inertia * attitude))
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        energy(data, &v.upper) + energy(data, &v.lower)
    }
    #[potential]
    fn weight(data: &Data, q: &Pair) -> f64 {
        let below = Body { position: q.lower.position, ..q.upper };
        -data.mass * (data.gravity.dot(&q.upper.position) + data.gravity.dot(&below.position))
    }
    #[dissipation]
    fn friction(data: &Data, q: &Pair, v: &Velocity) -> f64 {
        let seen = |body: &Body, rate: &BodyVelocity| body.attitude * rate.attitude;
        0.5 * data.damping * (seen(&q.upper, &v.upper) - seen(&q.lower, &v.lower)).norm_squared()
    }
    #[force(on = upper.attitude)]
    fn drive(t: f64) -> Vector3<f64> {
        Vector3::new(0.3 * t.sin(), 0.1, 0.0)
    }
    #[quantity]
    pub fn gap(data: &Data, q: &Pair) -> Vector3<f64> {
        q.upper.point(data.half) - q.lower.point(-data.half)
    }
    #[constraint]
    fn hook(data: &Data, q: &Pair) -> Vector3<f64> {
        q.upper.point(-data.half)
    }
    #[constraint]
    fn joint(data: &Data, q: &Pair) -> Vector3<f64> {
        gap(data, q)
    }
}

/// The same bodies as a power, in the same equations.
#[mechanical_system(derivative_check)]
pub mod power {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[configuration]
    pub struct Pair {
        pub bodies: [Body; 2],
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub half: Vector3<f64>,
        pub gravity: Vector3<f64>,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        v.bodies
            .iter()
            .map(|v| 0.5 * data.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(data.inertia * v.attitude)))
            .sum()
    }
    #[potential]
    fn weight(data: &Data, q: &Pair) -> f64 {
        q.bodies.iter().map(|body| -data.mass * data.gravity.dot(&body.position)).sum()
    }
    #[dissipation]
    fn friction(data: &Data, q: &Pair, v: &Velocity) -> f64 {
        let relative = q.bodies[0].attitude * v.bodies[0].attitude - q.bodies[1].attitude * v.bodies[1].attitude;
        0.5 * data.damping * relative.norm_squared()
    }
    #[force(on = bodies[0].attitude)]
    fn drive(t: f64) -> Vector3<f64> {
        Vector3::new(0.3 * t.sin(), 0.1, 0.0)
    }
    #[constraint]
    fn hook(data: &Data, q: &Pair) -> Vector3<f64> {
        q.bodies[0].position - q.bodies[0].attitude * data.half
    }
    #[constraint]
    fn joint(data: &Data, q: &Pair) -> Vector3<f64> {
        let [upper, lower] = q.bodies;
        upper.position + upper.attitude * data.half - (lower.position - lower.attitude * data.half)
    }
}

/// A chain of bodies, term by term.
#[mechanical_system(derivative_check)]
pub mod chain {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[configuration]
    pub struct Chain {
        pub bodies: Vec<Body>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub half: Vector3<f64>,
        pub gravity: Vector3<f64>,
        pub damping: f64,
    }

    #[kinetic_energy(over = bodies)]
    fn kinetic(data: &Data, v: &BodyVelocity) -> f64 {
        0.5 * data.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(data.inertia * v.attitude))
    }
    #[potential(over = bodies)]
    fn weight(data: &Data, body: &Body) -> f64 {
        -data.mass * data.gravity.dot(&body.position)
    }
    #[dissipation(over = bodies.windows(2))]
    fn friction(data: &Data, [a, b]: [&Body; 2], [va, vb]: [&BodyVelocity; 2]) -> f64 {
        0.5 * data.damping * (a.attitude * va.attitude - b.attitude * vb.attitude).norm_squared()
    }
    #[force(over = bodies.first())]
    fn drive(t: f64) -> Vector6<f64> {
        Vector6::new(0.3 * t.sin(), 0.1, 0.0, 0.0, 0.0, 0.0)
    }
    #[constraint(over = bodies.first())]
    fn hook(data: &Data, body: &Body) -> Vector3<f64> {
        body.position - body.attitude * data.half
    }
    #[constraint(over = bodies.windows(2))]
    fn joint(data: &Data, [a, b]: [&Body; 2]) -> Vector3<f64> {
        a.position + a.attitude * data.half - (b.position - b.attitude * data.half)
    }
}

/// The same chain of a group of the library.
#[mechanical_system]
pub mod library {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub bodies: Vec<SO3xR3>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub half: Vector3<f64>,
        pub gravity: Vector3<f64>,
        pub damping: f64,
    }

    #[kinetic_energy(over = bodies)]
    fn kinetic(data: &Data, v: &Vector6<f64>) -> f64 {
        0.5 * data.mass * v.linear().norm_squared() + 0.5 * v.angular().dot(&(data.inertia * v.angular()))
    }
    #[potential(over = bodies)]
    fn weight(data: &Data, body: &SO3xR3) -> f64 {
        -data.mass * data.gravity.dot(&body.translation)
    }
    #[dissipation(over = bodies.windows(2))]
    fn friction(data: &Data, [a, b]: [&SO3xR3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
        0.5 * data.damping * (a.rotation * va.angular() - b.rotation * vb.angular()).norm_squared()
    }
    #[force(over = bodies.first())]
    fn drive(t: f64) -> Vector6<f64> {
        Vector6::new(0.3 * t.sin(), 0.1, 0.0, 0.0, 0.0, 0.0)
    }
    #[constraint(over = bodies.first())]
    fn hook(data: &Data, body: &SO3xR3) -> Vector3<f64> {
        body.translation - body.rotation * data.half
    }
    #[constraint(over = bodies.windows(2))]
    fn joint(data: &Data, [a, b]: [&SO3xR3; 2]) -> Vector3<f64> {
        a.translation + a.rotation * data.half - (b.translation - b.rotation * data.half)
    }
}

/// One free body in a field, with a Hamiltonian: as a body, and as members.
#[mechanical_system(derivative_check)]
pub mod free {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[configuration]
    pub struct Pose {
        pub body: Body,
    }

    #[kinetic_energy]
    fn kinetic(q: &Pose, v: &Velocity) -> f64 {
        let eccentric = v.body.position + q.body.attitude * v.body.attitude.cross(&Vector3::new(0.1, 0.2, 0.0));
        0.5 * eccentric.norm_squared() + 0.5 * v.body.attitude.dot(&v.body.attitude)
    }
    #[potential]
    fn field(q: &Pose) -> f64 {
        0.5 * q.body.position.norm_squared() + (q.body.attitude * Vector3::z()).dot(&q.body.position)
    }
}

/// The members of that body.
#[mechanical_system]
pub mod free_apart {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(q: &Pose, v: &Velocity) -> f64 {
        let eccentric = v.position + q.attitude * v.attitude.cross(&Vector3::new(0.1, 0.2, 0.0));
        0.5 * eccentric.norm_squared() + 0.5 * v.attitude.dot(&v.attitude)
    }
    #[potential]
    fn field(q: &Pose) -> f64 {
        0.5 * q.position.norm_squared() + (q.attitude * Vector3::z()).dot(&q.position)
    }
}
