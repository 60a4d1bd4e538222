//! A wheel that rolls in a circle without slip: holonomic and nonholonomic constraints. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::picture::Shape;
use lie_runtime::prelude::*;

#[mechanical_system]
mod wheel {
    pub const RADIUS: f64 = 0.3;

    #[configuration]
    pub struct Pose {
        /// The z axis of the body is the axle.
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let rotation = v.attitude.dot(&Vector3::new(0.25, 0.25, 0.5).component_mul(&v.attitude));
        0.5 * (v.position.norm_squared() + RADIUS.powi(2) * rotation)
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * q.position.z
    }

    /// The vector from the centre to the lowest point, in the body frame.
    pub fn lowest(q: &Pose) -> Vector3<f64> {
        let up = q.attitude.inverse() * Vector3::z();
        -RADIUS * Vector3::new(up.x, up.y, 0.0).normalize()
    }

    #[observable]
    pub fn contact(q: &Pose) -> Vector3<f64> {
        q.position + q.attitude * lowest(q)
    }

    #[constraint]
    fn floor(q: &Pose) -> f64 {
        contact(q).z
    }

    /// The lowest point of the wheel has no velocity along the floor.
    #[velocity_constraint]
    fn rolling(q: &Pose, v: &Velocity) -> Vector2<f64> {
        (v.position + q.attitude * v.attitude.cross(&lowest(q))).xy()
    }
}

/// Writes the figures into a folder and returns the position of the centre after one revolution, which starts at x = y = 0.
pub(crate) fn simulate(folder: &Path) -> Result<Vector3<f64>, Box<dyn Error>> {
    let system = wheel::System::new()?;
    // Steady motion of a thin disc: the axle has the angle `tilt` to the vertical and precesses with the rate `precession`.
    let (tilt, precession, radius) = (1.2_f64, 1.5, wheel::RADIUS);
    let spin = (0.25 * precession * tilt.cos() - 9.81 / (radius * precession) / tilt.tan()) / 1.5;
    let start = wheel::Pose { attitude: SO3::about_x(tilt), position: Vector3::new(0.0, 0.0, radius * tilt.sin()) };
    let angular = Vector3::new(0.0, precession * tilt.sin(), spin);
    let linear = -(start.attitude * angular.cross(&wheel::lowest(&start)));
    let period = std::f64::consts::TAU / precession;
    let times: Vec<f64> = (0..=400).map(|i| period * f64::from(i) / 400.0).collect();
    let velocity = wheel::Velocity { attitude: angular, position: linear };
    let run = Simulation::of(&system).initial(start, velocity).end_time(period).output_times(&times).run()?;

    println!("{}", run.table(["t", "position", "energy.total"])?.every(40));
    let figure = run.plot().lines(["contact r [m]", "velocity.attitude ω [rad/s]"]).title("Rolling wheel");
    figure.save(folder.join("rolling_wheel.svg"))?;
    run.animate()
        .solid_at("wheel", Shape::Cylinder { radius, length: 0.02 }, "attitude", "position")
        .line_through("contact", ["position", "contact"])
        .save(folder.join("rolling_wheel.html"))?;
    Ok(run.last().configuration.position)
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
