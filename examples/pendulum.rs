//! A pendulum with a large amplitude: motion, period and energy, with a figure and an animation. It runs in less than a second.
//!
//! ```text
//! cargo run --release -p examples --example pendulum
//! ```

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

/// A point mass on a rod without mass.
#[mechanical_system]
mod pendulum {
    #[configuration]
    pub struct Swing {
        /// The angle to the downward vertical, in radians.
        pub angle: f64,
    }

    #[parameters]
    pub struct Pendulum {
        pub mass: f64,
        pub length: f64,
        pub gravity: f64,
    }

    /// The position of the mass: x to the right, z upwards.
    #[quantity]
    pub fn bob(p: &Pendulum, q: &Swing) -> Vector3<f64> {
        p.length * Vector3::new(q.angle.sin(), 0.0, -q.angle.cos())
    }

    #[kinetic_energy]
    fn kinetic(p: &Pendulum, q: &Swing, v: &Velocity) -> f64 {
        0.5 * p.mass * bob_rate(p, q, v).norm_squared()
    }

    #[potential]
    fn weight(p: &Pendulum, q: &Swing) -> f64 {
        p.mass * p.gravity * bob(p, q).z
    }
}

/// Writes the figures into a folder and returns the period, in seconds.
pub(crate) fn simulate(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let system = pendulum::System::new(pendulum::Pendulum { mass: 2.0, length: 1.5, gravity: 9.81 })?;
    let times: Vec<f64> = (0..=300).map(|i| 0.02 * f64::from(i)).collect();
    let run = Simulation::of(&system)
        .at_rest(pendulum::Swing { angle: 2.5 })
        .event("lowest point", |_, state| state.configuration.angle)
        .falling()
        .record()
        .end_time(6.0)
        .output_times(&times)
        .run()?;

    println!("{}", run.table(["t", "angle", "velocity.angle", "energy.total"])?.every(30));
    let figure = run.plot().lines(["angle θ [rad]", "velocity.angle ω [rad/s]"]).title("Pendulum");
    figure.save(folder.join("pendulum.svg"))?;
    run.animate()
        .line("rod", |state| vec![Vector3::zeros(), pendulum::bob(system.parameters(), &state.configuration)])
        .save(folder.join("pendulum.html"))?;
    let period = run.events[1].time - run.events[0].time;
    println!("The period is {period:.4} s.");
    Ok(period)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or(".".into());
    simulate(folder.as_ref())?;
    println!("The folder `{folder}` contains the figure `pendulum.svg` and the animation `pendulum.html`.");
    Ok(())
}
