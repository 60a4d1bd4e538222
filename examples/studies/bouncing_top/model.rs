//! A top above a smooth plate: its tip strikes, rests on the plate, and lifts off.

use lie_runtime::prelude::*;
use lie_runtime::simulate::Simulation;

/// The top.
#[mechanical_system(redundant = minimum_norm)]
pub mod so3xr3 {
    /// The pose of the top.
    #[configuration]
    pub struct Pose {
        /// Rotation from body to space; the z axis of the body is the axis of the top.
        pub attitude: SO3,
        /// The centre of mass in space.
        pub position: R3,
    }

    /// Data.
    #[parameters]
    pub struct Top {
        /// The mass.
        pub mass: f64,
        /// The moments of inertia about the centre of mass: transverse and axial.
        pub inertia: [f64; 2],
        /// The way from the tip to the centre of mass.
        pub arm: f64,
        /// The acceleration of gravity.
        pub gravity: f64,
        /// How many times as fast the tip leaves the plate as it has come.
        pub restitution: f64,
        /// An impact below this rate of the tip is the last one.
        pub resting_rate: f64,
        /// The plate holds the tip.
        pub on_the_plate: bool,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        let w = v.attitude;
        0.5 * top.mass * v.position.norm_squared()
            + 0.5 * top.inertia[0] * (w.x * w.x + w.y * w.y)
            + 0.5 * top.inertia[1] * w.z * w.z
    }

    #[potential]
    fn weight(top: &Top, q: &Pose) -> f64 {
        top.mass * top.gravity * q.position.z
    }

    /// The tip in space.
    #[observable]
    pub fn tip(top: &Top, q: &Pose) -> Vector3<f64> {
        q.position - top.arm * (q.attitude * Vector3::z())
    }

    /// The velocity of the tip.
    #[observable]
    pub fn tip_velocity(top: &Top, q: &Pose, v: &Velocity) -> Vector3<f64> {
        v.position - top.arm * (q.attitude * v.attitude.cross(&Vector3::z()))
    }

    /// The plate, while it holds the tip.
    #[constraint]
    fn plate(top: &Top, q: &Pose) -> f64 {
        if top.on_the_plate { tip(top, q).z } else { 0.0 }
    }

    /// The angle between the top and the vertical.
    #[observable]
    fn tilt(q: &Pose) -> f64 {
        (q.attitude * Vector3::z()).z.acos()
    }
}

use so3xr3::System;

/// The simulation that continues through impacts, rest and take-off.
pub fn with_contact(simulation: Simulation<'_, System>) -> Simulation<'_, System> {
    simulation
        .event("strikes", |system, state| {
            let top = system.parameters();
            if top.on_the_plate { 1.0 } else { so3xr3::tip(top, &state.configuration).z }
        })
        .falling()
        .apply(|at| {
            let top = at.system().parameters().clone();
            let (q, v) = (at.state().configuration, so3xr3::Velocity::from(at.state().velocity));
            let rests = so3xr3::tip_velocity(&top, &q, &v).z.abs() < top.resting_rate;
            at.set(|top| top.on_the_plate = true);
            at.impact(["plate"], if rests { 0.0 } else { top.restitution });
            at.set(|top| top.on_the_plate = rests);
        })
        // The plate pushes while λ is negative, and cannot pull.
        .event("lifts", |system, state| if system.parameters().on_the_plate { state.multipliers.x } else { -1.0 })
        .rising()
        .apply(|at| at.set(|top| top.on_the_plate = false))
}
