//! A DC motor with inductance starts: the current is an auxiliary state. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod drive {
    #[configuration]
    pub struct Drive {
        /// The angle of the shaft, in rad.
        pub shaft: f64,
    }

    #[states]
    pub struct Circuit {
        /// The current, in A.
        pub current: f64,
    }

    #[parameters]
    pub struct Motor {
        pub inertia: f64,
        pub friction: f64,
        /// Torque by current, and voltage by speed.
        pub constant: f64,
        pub resistance: f64,
        pub inductance: f64,
        pub voltage: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Motor, v: &Velocity) -> f64 {
        0.5 * p.inertia * v.shaft * v.shaft
    }

    #[dissipation]
    fn bearing(p: &Motor, v: &Velocity) -> f64 {
        0.5 * p.friction * v.shaft * v.shaft
    }

    #[force(on = shaft)]
    fn torque(p: &Motor, z: &Circuit) -> f64 {
        p.constant * z.current
    }

    #[rate]
    fn circuit(p: &Motor, v: &Velocity, z: &Circuit) -> Circuit {
        Circuit { current: (p.voltage - p.resistance * z.current - p.constant * v.shaft) / p.inductance }
    }
}

/// Writes the figure into a folder. Returns the speed and the current at the end.
pub(crate) fn simulate(folder: &Path) -> Result<(f64, f64), Box<dyn Error>> {
    let motor =
        drive::Motor { inertia: 2e-3, friction: 1e-3, constant: 0.1, resistance: 0.8, inductance: 5e-3, voltage: 12.0 };
    let system = drive::System::new(motor)?;
    let run = Simulation::of(&system).at_rest(drive::Drive { shaft: 0.0 }).step(1e-3).end_time(0.2).run()?;

    println!("{}", run.table(["t", "velocity.shaft", "states.current"])?.every(20));
    let plot = run.plot().lines(["velocity.shaft ω [rad/s]", "states.current i [A]"]).title("Start of a DC motor");
    plot.save(folder.join("dc_motor.svg"))?;
    let last = |name: &str| run.column(name).map(|values| values[values.len() - 1]);
    Ok((last("velocity.shaft")?, last("states.current")?))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
