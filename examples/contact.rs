//! A ball on a shaker table: the table launches the ball, and the ball bounces on the table. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod shaker {
    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[parameters]
    pub struct Data {
        pub amplitude: f64,
        /// The angular frequency of the table.
        pub frequency: f64,
        pub on_table: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 0.2 * v.z * v.z
    }

    #[potential]
    fn weight(q: &Height) -> f64 {
        0.2 * 9.81 * q.z
    }

    /// The gap between the ball and the table.
    #[constraint(active = p.on_table)]
    fn table(p: &Data, t: f64, q: &Height) -> f64 {
        q.z - p.amplitude * (p.frequency * t).sin()
    }
}

/// Writes the figure into a folder. Returns the time of the first launch and the smallest gap of the run.
pub(crate) fn simulate(folder: &Path) -> Result<(f64, f64), Box<dyn Error>> {
    let (amplitude, frequency) = (0.02, 30.0);
    let system = shaker::System::new(shaker::Data { amplitude, frequency, on_table: true })?;
    let table = |time: f64| amplitude * (frequency * time).sin();
    let run = Simulation::of(&system)
        .initial(shaker::Height { z: 0.0 }, shaker::Velocity { z: amplitude * frequency })
        .contact("table", 0.4)
        .step(1e-3)
        .end_time(1.0)
        .run()?;

    println!("{}", run.table(["t", "z", "velocity.z"])?.every(50));
    for event in &run.events {
        println!("{:14} at {:.6} s", event.event, event.time);
    }
    let figure = run.plot().lines(["z [m]", "velocity.z v [m/s]"]).title("Ball on a shaker table");
    figure.save(folder.join("contact.svg"))?;
    let launch = run.events_called("table release").next().ok_or("the table does not launch the ball")?;
    let gaps = run.states.iter().map(|state| state.configuration.z - table(state.time));
    Ok((launch.time, gaps.fold(f64::INFINITY, f64::min)))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
