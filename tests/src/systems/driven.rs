//! Constraints that depend on time and constraints on velocities.

use lie_runtime::prelude::*;

/// A rigid planar body that hangs at a pivot, which is driven sideways.
#[mechanical_system(derivative_check, gradients)]
pub mod driven_pendulum {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Plane {
        /// The frame at the centre of mass.
        pub body: SE2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass.
        pub mass: f64,
        /// The moment of inertia about the centre of mass.
        pub inertia: f64,
        /// From the pivot to the centre of mass, in the body.
        pub arm: Vector2<f64>,
        /// The acceleration of gravity.
        pub gravity: f64,
        /// Amplitude of the pivot.
        pub amplitude: f64,
        /// Its angular frequency.
        pub frequency: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.inertia * v.body.angular() * v.body.angular() + 0.5 * data.mass * v.body.linear().norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Plane) -> f64 {
        data.mass * data.gravity * q.body.translation.y
    }

    /// Where the pivot has to be.
    pub fn path(data: &Data, t: f64) -> Vector2<f64> {
        Vector2::new(data.amplitude * (data.frequency * t).sin(), 0.0)
    }

    /// The point of the body that is held.
    #[quantity]
    pub fn pivot(data: &Data, q: &Plane) -> Vector2<f64> {
        q.body * (-data.arm)
    }

    #[constraint]
    fn held(data: &Data, q: &Plane, t: f64) -> Vector2<f64> {
        pivot(data, q) - path(data, t)
    }
}

/// A knife edge (Chaplygin's sleigh with the blade at the centre of mass) on an inclined plane.
#[mechanical_system(derivative_check, gradients)]
pub mod knife_edge {
    use lie_runtime::prelude::*;

    /// The sleigh.
    #[configuration]
    pub struct Sleigh {
        /// The frame at the blade, its x axis along it.
        pub body: SE2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass.
        pub mass: f64,
        /// The moment of inertia.
        pub inertia: f64,
        /// The acceleration of gravity down the plane, along x.
        pub slope: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.inertia * v.body.angular().powi(2) + 0.5 * data.mass * v.body.linear().norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Sleigh) -> f64 {
        -data.mass * data.slope * q.body.translation.x
    }

    #[velocity_constraint]
    fn blade(v: &Velocity) -> f64 {
        v.body.linear().y
    }
}

/// The same edge with its velocity in space, where the constraint's Jacobian turns with it.
#[mechanical_system(derivative_check, gradients)]
pub mod skate {
    use lie_runtime::prelude::*;

    /// The skate.
    #[configuration]
    pub struct Skate {
        /// The direction of the blade.
        pub heading: SO2,
        /// The blade in space.
        pub position: R2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass.
        pub mass: f64,
        /// The moment of inertia.
        pub inertia: f64,
        /// The acceleration of gravity down the plane, along x.
        pub slope: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.inertia * v.heading.powi(2) + 0.5 * data.mass * v.position.norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Skate) -> f64 {
        -data.mass * data.slope * q.position.x
    }

    #[velocity_constraint]
    fn blade(q: &Skate, v: &Velocity) -> f64 {
        (q.heading * Vector2::y()).dot(&v.position)
    }
}

/// An upright disc that rolls on a plane without slipping, with its heading and its angle of rolling.
#[mechanical_system(derivative_check, gradients)]
pub mod rolling_disc {
    use lie_runtime::prelude::*;

    /// The disc.
    #[configuration]
    pub struct Disc {
        /// The point of contact and the heading.
        pub contact: SE2,
        /// The angle of rolling.
        pub wheel: SO2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass.
        pub mass: f64,
        /// The radius.
        pub radius: f64,
        /// The moments of inertia about the vertical and about the axle.
        pub inertia: [f64; 2],
        /// The torque on the axle.
        pub torque: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * v.contact.linear().norm_squared()
            + 0.5 * data.inertia[0] * v.contact.angular().powi(2)
            + 0.5 * data.inertia[1] * v.wheel.powi(2)
    }

    #[force(on = wheel)]
    fn motor(data: &Data) -> f64 {
        data.torque
    }

    #[velocity_constraint]
    fn rolling(data: &Data, v: &Velocity) -> Vector2<f64> {
        let slip = v.contact.linear();
        Vector2::new(slip.x - data.radius * v.wheel, slip.y)
    }
}

/// The driven pendulum, hanging at rest in space: the pivot's motion is not yet its own.
///
/// # Panics
/// Never: the data are good.
pub fn driven_pendulum_example() -> (driven_pendulum::System, driven_pendulum::Plane, Vector3<f64>) {
    use driven_pendulum::{Data, Plane, System};
    let data =
        Data { mass: 1.5, inertia: 0.2, arm: Vector2::new(0.1, -0.7), gravity: 9.81, amplitude: 0.3, frequency: 4.0 };
    let body = SE2::new(SO2::identity(), data.arm);
    consistent(System::new(data).expect("good data"), Plane { body }, Vector3::new(0.5, 0.0, 0.0))
}

/// The knife edge, turning on the spot.
///
/// # Panics
/// Never: the data are good.
pub fn knife_edge_example() -> (knife_edge::System, knife_edge::Sleigh, Vector3<f64>) {
    use knife_edge::{Data, Sleigh, System};
    let system = System::new(Data { mass: 2.0, inertia: 0.7, slope: 3.0 }).expect("good data");
    (system, Sleigh { body: SE2::identity() }, Vector3::new(2.0, 0.0, 0.0))
}

/// The skate, turning on the spot.
///
/// # Panics
/// Never: the data are good.
pub fn skate_example() -> (skate::System, skate::Skate, Vector3<f64>) {
    use skate::{Data, Skate, System};
    let system = System::new(Data { mass: 2.0, inertia: 0.7, slope: 3.0 }).expect("good data");
    let skate = Skate { heading: SO2::from_angle(0.3), position: Vector2::new(0.1, -0.4) };
    (system, skate, Vector3::new(2.0, 0.0, 0.0))
}

/// The rolling disc, turning, rolling and slipping: the projection brings it to roll.
///
/// # Panics
/// Never: the data are good.
pub fn rolling_disc_example() -> (rolling_disc::System, rolling_disc::Disc, Vector4<f64>) {
    use rolling_disc::{Data, Disc, System};
    let data = Data { mass: 2.0, radius: 0.4, inertia: [0.1, 0.15], torque: 0.8 };
    let disc = Disc { contact: SE2::identity(), wheel: SO2::identity() };
    consistent(System::new(data).expect("good data"), disc, Vector4::new(0.9, 0.3, 0.1, 0.5))
}

/// The consistent values next to these: the drive is under way, rolling fits sliding.
fn consistent<M: MechanicalSystem>(
    system: M,
    configuration: M::Configuration,
    velocity: M::Velocity,
) -> (M, M::Configuration, M::Velocity) {
    let state = ConsistentValues::of(&system).state(&system, 0.0, configuration, velocity);
    let (state, _) = state.expect("values next to consistent ones");
    (system, state.configuration, state.velocity)
}
