//! Systems without constraints.

use lie_runtime::prelude::*;
use models::rotating_bodies::free::{MOMENTS, VELOCITY, so3};

/// A pendulum in an angle, with a motor that depends on time and a damper.
#[mechanical_system(derivative_check)]
pub mod motor_pendulum {
    use lie_runtime::prelude::*;

    /// The pendulum.
    #[configuration]
    pub struct Angle {
        /// From the vertical.
        pub arm: SO2,
    }

    /// Data, all of them one number.
    #[parameters]
    pub struct Data {
        /// m g l.
        pub weight: f64,
        /// Damping.
        pub damping: f64,
        /// Amplitude of the motor.
        pub torque: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.arm * v.arm
    }

    #[potential]
    fn weight(data: &Data, q: &Angle) -> f64 {
        -data.weight * q.arm.angle().cos()
    }

    #[dissipation]
    fn damping(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.damping * v.arm * v.arm
    }

    #[force(on = arm)]
    fn motor(data: &Data, t: f64) -> f64 {
        data.torque * (3.0 * t).sin()
    }
}

/// Blocks of the mass matrix that interleave: the outer carriages are coupled, the one between them is not.
#[mechanical_system(derivative_check)]
pub mod carriages {
    use lie_runtime::prelude::*;

    /// Three carriages.
    #[configuration]
    pub struct Carriages {
        /// The first.
        pub first: R2,
        /// The one between.
        pub between: SO2,
        /// The last.
        pub last: R1,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The masses.
        pub masses: [f64; 3],
        /// What couples the outer ones.
        pub coupling: f64,
        /// The stiffness of all springs.
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Carriages, v: &Velocity) -> f64 {
        0.5 * data.masses[0] * v.first.norm_squared()
            + 0.5 * data.masses[1] * v.between.powi(2)
            + 0.5 * data.masses[2] * v.last.x.powi(2)
            + data.coupling * q.first.y.cos() * v.first.x * v.last.x
    }

    #[potential]
    fn springs(data: &Data, q: &Carriages) -> f64 {
        0.5 * data.stiffness * (q.first.norm_squared() + q.last.x.powi(2)) - data.stiffness * q.between.angle().cos()
    }
}

/// A torque-free body, four times as fast as that of paper 5.
///
/// # Panics
/// Never: the data are good.
pub fn free_body_example() -> (so3::System, so3::Body, Vector3<f64>) {
    let (system, body) = so3::Data { moments: MOMENTS }.turned(&Vector3::zeros()).expect("good data");
    (system, body, 4.0 * VELOCITY)
}

/// The pendulum with motor and damper.
///
/// # Panics
/// Never: the data are good.
pub fn motor_pendulum_example() -> (motor_pendulum::System, motor_pendulum::Angle, Vector1<f64>) {
    use motor_pendulum::{Angle, Data, System};
    let system = System::new(Data { weight: 9.81, damping: 0.2, torque: 1.5 }).expect("good data");
    (system, Angle { arm: SO2::from_angle(0.4) }, Vector1::new(0.3))
}

/// The carriages, out of balance and moving.
///
/// # Panics
/// Never: the data are good.
pub fn carriages_example() -> (carriages::System, carriages::Carriages, Vector4<f64>) {
    use carriages::{Carriages, Data, System};
    let system = System::new(Data { masses: [2.0, 0.3, 1.5], coupling: 0.8, stiffness: 7.0 }).expect("good data");
    let q = Carriages { first: Vector2::new(0.4, -0.3), between: SO2::from_angle(0.6), last: Vector1::new(-0.2) };
    (system, q, Vector4::new(0.3, -0.5, 1.1, 0.7))
}
