//! Systems with directions: points of S² as members of the configuration.

use lie_runtime::prelude::*;

/// Two masses that hang on each other (paper 3, section 5); gravity along −e₃.
#[mechanical_system(derivative_check)]
pub mod double_pendulum {
    use lie_runtime::prelude::*;

    /// From the fixed point on.
    #[configuration]
    pub struct Links {
        /// The directions of the links.
        pub links: [S2; 2],
    }

    /// Masses, lengths and the acceleration of gravity.
    #[parameters]
    pub struct Pendulum {
        /// m_i.
        pub masses: [f64; 2],
        /// L_i.
        pub lengths: [f64; 2],
        /// g.
        pub gravity: f64,
    }

    /// The first mass.
    #[quantity]
    pub fn first(pendulum: &Pendulum, q: &Links) -> Vector3<f64> {
        q.links[0].direction() * pendulum.lengths[0]
    }

    /// The second mass.
    #[quantity]
    pub fn second(pendulum: &Pendulum, q: &Links) -> Vector3<f64> {
        first(pendulum, q) + q.links[1].direction() * pendulum.lengths[1]
    }

    #[kinetic_energy]
    fn kinetic(pendulum: &Pendulum, q: &Links, v: &Velocity) -> f64 {
        0.5 * pendulum.masses[0] * first_rate(pendulum, q, v).norm_squared()
            + 0.5 * pendulum.masses[1] * second_rate(pendulum, q, v).norm_squared()
    }

    #[potential]
    fn weight(pendulum: &Pendulum, q: &Links) -> f64 {
        pendulum.gravity * (pendulum.masses[0] * first(pendulum, q).z + pendulum.masses[1] * second(pendulum, q).z)
    }
}

/// A pendulum in terms of ω itself: T = ½ J |ω|², whose M is constant.
#[mechanical_system(derivative_check)]
pub mod plain_pendulum {
    use lie_runtime::prelude::*;

    /// One link.
    #[configuration]
    pub struct Link {
        /// Its direction.
        pub link: S2,
    }

    /// Moment of inertia and weight times length.
    #[parameters]
    pub struct Pendulum {
        /// J.
        pub inertia: f64,
        /// m g L.
        pub weight: f64,
        /// A viscous coefficient.
        pub friction: f64,
    }

    #[kinetic_energy]
    fn kinetic(pendulum: &Pendulum, v: &Velocity) -> f64 {
        0.5 * pendulum.inertia * v.link.norm_squared()
    }

    #[potential]
    fn weight(pendulum: &Pendulum, q: &Link) -> f64 {
        pendulum.weight * q.link.direction().z
    }

    #[dissipation]
    fn friction(pendulum: &Pendulum, v: &Velocity) -> f64 {
        0.5 * pendulum.friction * v.link.norm_squared()
    }
}

/// A rigid body that carries a mass on a rod, with a rod of its own length to a moving point and a rolling condition: every
/// term of the language on a product of S², SO(3) and R³.
#[mechanical_system(derivative_check)]
pub mod slung_load {
    use lie_runtime::prelude::*;

    /// A body and the direction of its rod.
    #[configuration]
    pub struct Carrier {
        /// Of the body.
        pub attitude: SO3,
        /// The rod, from the body to the load.
        pub rod: S2,
        /// Of the body.
        pub position: R3,
    }

    /// The body, its load and the rod.
    #[parameters]
    pub struct Load {
        /// Of the body.
        pub mass: f64,
        /// Of the body.
        pub inertia: Matrix3<f64>,
        /// Of the load.
        pub load: f64,
        /// Of the rod.
        pub length: f64,
        /// Where the rod is fixed, in the body.
        pub hook: Vector3<f64>,
    }

    /// The load.
    #[quantity]
    pub fn load(data: &Load, q: &Carrier) -> Vector3<f64> {
        q.position + q.attitude * data.hook + q.rod.direction() * data.length
    }

    #[kinetic_energy]
    fn kinetic(data: &Load, q: &Carrier, v: &Velocity) -> f64 {
        0.5 * data.mass * v.position.norm_squared()
            + 0.5 * v.attitude.dot(&(data.inertia * v.attitude))
            + 0.5 * data.load * load_rate(data, q, v).norm_squared()
    }

    #[potential]
    fn weight(data: &Load, q: &Carrier) -> f64 {
        9.81 * (data.mass * q.position.z + data.load * load(data, q).z) + q.rod.direction().x.powi(3)
    }

    #[dissipation]
    fn drag(data: &Load, q: &Carrier, v: &Velocity) -> f64 {
        0.1 * load_rate(data, q, v).norm_squared() + 0.2 * v.rod.norm_squared()
    }

    #[force(at = load)]
    fn wind(q: &Carrier, v: &Velocity, t: f64) -> Vector3<f64> {
        Vector3::new(t.sin(), q.rod.direction().y, 0.3) - v.position * 0.1
    }

    #[force(on = rod)]
    fn motor(q: &Carrier, v: &Velocity) -> Vector3<f64> {
        q.rod.direction().cross(&v.rod) * 0.4
    }

    #[constraint]
    fn leash(data: &Load, q: &Carrier, t: f64) -> f64 {
        let end = load(data, q) - Vector3::new(t.cos(), 0.0, 2.0);
        0.5 * end.norm_squared() - 1.0
    }

    #[velocity_constraint]
    fn blade(q: &Carrier, v: &Velocity) -> f64 {
        (q.attitude * Vector3::x()).dot(&v.position) + q.rod.direction().dot(&v.attitude)
    }
}

/// Rods on a line, each about a fixed end, with springs between the free ends: a fixed number of them.
#[mechanical_system]
pub mod three_rotors {
    use lie_runtime::prelude::*;

    /// From left to right.
    #[configuration]
    pub struct Rotors {
        /// Their directions.
        pub rotors: [S2; 3],
    }

    /// Inertia and stiffness.
    #[parameters]
    pub struct Data {
        /// m L².
        pub inertia: f64,
        /// k L².
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Rotors, v: &Velocity) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += 0.5 * data.inertia * v.rotors[i].cross(&q.rotors[i].direction()).norm_squared();
        }
        sum
    }

    #[potential]
    fn springs(data: &Data, q: &Rotors) -> f64 {
        let mut sum = 0.0;
        for i in 0..2 {
            let gap = q.rotors[i + 1].direction() - q.rotors[i].direction() + Vector3::x();
            sum += 0.5 * data.stiffness * gap.norm_squared();
        }
        sum
    }
}

/// The same for any number of them.
#[mechanical_system]
pub mod rotors {
    use lie_runtime::prelude::*;

    /// From left to right.
    #[configuration]
    pub struct Rotors {
        /// Their directions.
        pub rotors: Vec<S2>,
    }

    /// Inertia and stiffness.
    #[parameters]
    pub struct Data {
        /// m L².
        pub inertia: f64,
        /// k L².
        pub stiffness: f64,
    }

    #[kinetic_energy(over = rotors)]
    fn kinetic(data: &Data, q: &S2, omega: &Vector3<f64>) -> f64 {
        0.5 * data.inertia * omega.cross(&q.direction()).norm_squared()
    }

    #[potential(over = rotors.windows(2))]
    fn springs(data: &Data, [a, b]: [&S2; 2]) -> f64 {
        let gap = b.direction() - a.direction() + Vector3::x();
        0.5 * data.stiffness * gap.norm_squared()
    }
}

/// Unit masses and lengths of the reference.
///
/// # Panics
/// Never: the parameters are finite.
#[must_use]
pub fn unit_double_pendulum() -> double_pendulum::System {
    double_pendulum::System::new(double_pendulum::Pendulum { masses: [1.0; 2], lengths: [1.0; 2], gravity: 9.81 })
        .expect("finite parameters")
}

/// A point of S² by its components.
///
/// # Panics
/// If they are all zero.
#[must_use]
pub fn direction(x: f64, y: f64, z: f64) -> S2 {
    S2::new(Vector3::new(x, y, z)).expect("a direction")
}
