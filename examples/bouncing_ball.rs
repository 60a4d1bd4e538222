//! A ball with backspin that bounces on a rough floor: impacts with restitution and Coulomb friction. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::picture::Shape;
use lie_runtime::prelude::*;

#[mechanical_system(redundant = minimum_norm)]
mod ball {
    const MASS: f64 = 0.5;
    pub const RADIUS: f64 = 0.1;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Ball {
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * MASS * (v.position.norm_squared() + 0.4 * RADIUS.powi(2) * v.attitude.norm_squared())
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * MASS * q.position.z
    }

    #[velocity_constraint]
    fn floor(ball: &Ball, v: &Velocity) -> f64 {
        if ball.touches { v.position.z } else { 0.0 }
    }

    /// The velocity of the lowest point along the floor.
    #[velocity_constraint]
    fn sliding(ball: &Ball, q: &Pose, v: &Velocity) -> Vector2<f64> {
        let slip = v.position - (q.attitude * v.attitude).cross(&Vector3::new(0.0, 0.0, RADIUS));
        if ball.touches { slip.xy() } else { Vector2::zeros() }
    }
}

/// Writes the figures into a folder. Returns the velocity and the angular velocity after the first impact, in space.
pub(crate) fn simulate(folder: &Path) -> Result<[Vector3<f64>; 2], Box<dyn Error>> {
    let system = ball::System::new(ball::Ball { touches: false })?;
    let start = ball::Pose { attitude: SO3::identity(), position: Vector3::new(0.0, 0.0, 1.0 + ball::RADIUS) };
    let thrown = ball::Velocity { attitude: Vector3::new(0.0, -60.0, 0.0), position: Vector3::new(1.5, 0.4, 0.0) };
    let times: Vec<f64> = (0..=300).map(|i| 0.01 * f64::from(i)).collect();
    let run = Simulation::of(&system)
        .initial(start, thrown)
        .event("impact", |_, state| state.configuration.position.z - ball::RADIUS)
        .falling()
        .apply(|at| {
            at.set(|ball| ball.touches = true);
            at.collide(Impact::on("floor", 0.8).friction("sliding", 0.2));
            at.set(|ball| ball.touches = false);
        })
        .end_time(3.0)
        .output_times(&times)
        .run()?;

    println!("{}", run.table(["t", "position", "energy.total"])?.every(25));
    run.plot()
        .lines(["position r [m]", "velocity.position v [m/s]"])
        .title("Bouncing ball")
        .save(folder.join("bouncing_ball.svg"))?;
    let film = run.animate().solid_at("ball", Shape::Ball(ball::RADIUS), "attitude", "position");
    film.save(folder.join("bouncing_ball.html"))?;
    let after = run.events[0].after.as_ref().ok_or("there is no impact")?;
    let velocity = ball::Velocity::from(after.velocity);
    Ok([velocity.position, after.configuration.attitude * velocity.attitude])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
