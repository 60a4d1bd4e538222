//! A spinning top with a fixed tip: nutation, support force, figure and animation. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::{picture::Shape, prelude::*};

#[mechanical_system]
mod top {
    /// The pose of the centre of mass. The z axis of the body is the axis of the top.
    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Top {
        pub mass: f64,
        /// The principal moments of inertia about the centre of mass.
        pub inertia: Vector3<f64>,
        /// The distance from the tip to the centre of mass.
        pub height: f64,
    }

    /// Angular velocities are body-fixed.
    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        let rotation = v.attitude.dot(&top.inertia.component_mul(&v.attitude));
        0.5 * top.mass * v.position.norm_squared() + 0.5 * rotation
    }

    #[potential]
    fn weight(top: &Top, q: &Pose) -> f64 {
        9.81 * top.mass * q.position.z
    }

    /// The tip stays at the origin.
    #[constraint]
    fn tip(top: &Top, q: &Pose) -> Vector3<f64> {
        q.position - top.height * (q.attitude * Vector3::z())
    }
}

/// Writes the figures into a folder and returns the lowest height of the centre of mass, in metres.
pub(crate) fn simulate(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let system = top::System::new(top::Top { mass: 0.1, inertia: Vector3::new(5e-5, 5e-5, 6e-5), height: 0.04 })?;
    // The top spins with 200 rad/s. Its axis is at rest when it is released.
    let attitude = SO3::about_y(0.5);
    let start = top::Pose { attitude, position: 0.04 * (attitude * Vector3::z()) };
    let spin = top::Velocity { attitude: Vector3::new(0.0, 0.0, 200.0), position: Vector3::zeros() };
    let times: Vec<f64> = (0..=600).map(|i| f64::from(i) / 300.0).collect();
    let run = Simulation::of(&system).initial(start, spin).end_time(2.0).output_times(&times).run()?;

    println!("{}", run.table(["t", "position", "energy.total"])?.every(60));
    let figure = run.plot().lines(["position r [m]", "tip λ [N]"]).title("Spinning top");
    figure.save(folder.join("spinning_top.svg"))?;
    let film = run.animate().line("axis", |state| vec![Vector3::zeros(), 2.0 * state.configuration.position]).solid_at(
        "top",
        Shape::Cylinder { radius: 0.04, length: 0.01 },
        "attitude",
        "position",
    );
    film.save(folder.join("spinning_top.html"))?;
    film.save(folder.join("spinning_top_motion.svg"))?;
    Ok(run.column("position.z")?.into_iter().fold(0.04, f64::min))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
