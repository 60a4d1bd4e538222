//! A parcel on a shaking chute: it sticks, slips and travels downhill. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod chute {
    #[configuration]
    pub struct Parcel {
        /// The coordinate along the chute, downhill.
        pub along: f64,
        /// The coordinate normal to the chute.
        pub height: f64,
    }

    #[parameters]
    pub struct Data {
        pub slope: f64,
        pub friction: f64,
        pub amplitude: f64,
        /// The angular frequency of the chute, which moves along itself.
        pub frequency: f64,
        pub on_chute: bool,
        /// The sign of the sliding velocity; 0 while the parcel sticks.
        pub slip: i32,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 3.0 * (v.along * v.along + v.height * v.height)
    }

    #[potential]
    fn weight(p: &Data, q: &Parcel) -> f64 {
        3.0 * 9.81 * (q.height * p.slope.cos() - q.along * p.slope.sin())
    }

    #[constraint(active = p.on_chute)]
    fn floor(p: &Data, q: &Parcel) -> f64 {
        q.height
    }

    /// The velocity of the parcel relative to the chute.
    #[velocity_constraint(contact = floor, friction = p.friction, slip = p.slip)]
    fn sliding(p: &Data, t: f64, v: &Velocity) -> f64 {
        v.along - p.amplitude * p.frequency * (p.frequency * t).cos()
    }

    #[observable]
    pub fn travel(p: &Data, t: f64, q: &Parcel) -> f64 {
        q.along - p.amplitude * (p.frequency * t).sin()
    }
}

/// Writes the figure into a folder. Returns the time of the first slip and the travel after one second.
pub(crate) fn simulate(folder: &Path) -> Result<(f64, f64), Box<dyn Error>> {
    let (amplitude, frequency) = (0.01, 25.0);
    let data = chute::Data { slope: 0.2, friction: 0.4, amplitude, frequency, on_chute: true, slip: 0 };
    let system = chute::System::new(data)?;
    let start = chute::Parcel { along: 0.0, height: 0.0 };
    let run = Simulation::of(&system)
        .initial(start, chute::Velocity { along: amplitude * frequency, height: 0.0 })
        .contact("floor", 0.0)
        .step(1e-3)
        .end_time(1.0)
        .run()?;

    println!("{}", run.table(["t", "travel", "velocity.along"])?.every(50));
    for event in &run.events {
        println!("{:12} at {:.6} s", event.event, event.time);
    }
    run.plot().lines(["travel s [m]"]).title("Parcel on a shaking chute").save(folder.join("friction.svg"))?;
    let slip = run.events_called("floor slip").next().ok_or("the parcel does not slip")?;
    Ok((slip.time, run.column("travel")?.last().copied().ok_or("no state")?))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
