//! A door with dry friction in its hinges: it bounces from its stop and then sticks. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod door {
    #[configuration]
    pub struct Position {
        /// The angle in rad; zero for the closed door.
        pub angle: f64,
    }

    #[parameters]
    pub struct Door {
        /// The moment of inertia in kg m².
        pub inertia: f64,
        /// The angle of the stop in rad.
        pub open: f64,
        /// The moment of the dry friction in N m.
        pub friction: f64,
        /// −1 at the lower stop, 1 at the upper stop, 0 between them.
        pub stop: i32,
        /// The sign of the velocity; 0 while the door sticks.
        pub slip: i32,
    }

    #[kinetic_energy]
    fn kinetic(p: &Door, v: &Velocity) -> f64 {
        0.5 * p.inertia * v.angle * v.angle
    }

    #[constraint(lower = 0.0, upper = p.open, stop = p.stop)]
    fn frame(p: &Door, q: &Position) -> f64 {
        q.angle
    }

    #[velocity_constraint(bound = p.friction, slip = p.slip, stop = frame)]
    fn hinges(p: &Door, v: &Velocity) -> f64 {
        v.angle
    }
}

/// Writes the figure into a folder. Returns the angle at rest.
pub(crate) fn simulate(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let system = door::System::new(door::Door { inertia: 8.0, open: 1.9, friction: 1.5, stop: 0, slip: 0 })?;
    let run = Simulation::of(&system)
        .initial(door::Position { angle: 0.0 }, door::Velocity { angle: 1.4 })
        .contact("frame", 0.7)
        .dry_friction()
        .step(0.01)
        .end_time(6.0)
        .run()?;

    println!("{}", run.table(["t", "angle", "velocity.angle"])?.every(50));
    for event in &run.events {
        println!("{:12} at {:.6} s", event.event, event.time);
    }
    run.plot()
        .lines(["angle φ [rad]", "velocity.angle φ' [rad/s]"])
        .title("Door with a stop and dry friction")
        .caption("The door hits the stop (e = 0.7) and stops by dry friction; inertia 8 kg m², friction 1.5 N m.")
        .save(folder.join("joint_stops.svg"))?;
    Ok(run.last().configuration.angle)
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
