//! The dead time of a joint controller: the joint is stable below a limit and unstable above it. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod joint {
    #[configuration]
    pub struct Joint {
        /// The angle of the joint, in rad.
        pub angle: f64,
    }

    #[parameters]
    pub struct Data {
        pub inertia: f64,
        pub stiffness: f64,
        pub damping: f64,
    }

    #[inputs]
    pub struct Motor {
        /// The torque, in N m.
        pub torque: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.inertia * v.angle * v.angle
    }

    #[force(on = angle)]
    fn motor(u: &Motor) -> f64 {
        u.torque
    }

    /// The torque of a controller without dead time.
    #[observable]
    fn command(p: &Data, q: &Joint, v: &Velocity) -> f64 {
        -p.stiffness * q.angle - p.damping * v.angle
    }
}

/// The largest dead time of a stable joint: s² + (c s + k) e^(−s T) = 0 has the solution s = i ω.
pub(crate) fn limit(k: f64, c: f64) -> f64 {
    let frequency = (0.5 * (c * c + (c.powi(4) + 4.0 * k * k).sqrt())).sqrt();
    (c * frequency / k).atan() / frequency
}

/// Writes the figures into a folder. Returns the dead times, with the growth rate and the frequency of the oscillation.
pub(crate) fn simulate(folder: &Path) -> Result<Vec<[f64; 3]>, Box<dyn Error>> {
    let data = joint::Data { inertia: 0.5, stiffness: 100.0, damping: 10.0 };
    let limit = limit(data.stiffness / data.inertia, data.damping / data.inertia);
    println!("limit of the dead time: {:.2} ms", 1e3 * limit);
    let system = joint::System::new(data)?;
    let mut found = Vec::new();
    for dead_time in [0.95 * limit, 1.05 * limit] {
        let start = Simulation::of(&system).at_rest(joint::Joint { angle: 0.1 });
        let start = start.delayed("torque", "command", dead_time).event("peak", |_, state| state.velocity[0]).record();
        let run = start.rtol(1e-8).atol(1e-10).end_time(3.0).run()?;
        let [.., one, two] = &run.events[..] else { return Err("no oscillation".into()) };
        let ratio = (two.before.configuration.angle / one.before.configuration.angle).abs();
        let half_period = two.time - one.time;
        let (growth, frequency) = (ratio.ln() / half_period, std::f64::consts::PI / half_period);
        println!("dead time {:.2} ms: growth {growth:.3} 1/s at {frequency:.2} rad/s", 1e3 * dead_time);
        let name = if growth < 0.0 { "dead_time.svg" } else { "dead_time_unstable.svg" };
        let plot = run.plot().lines(["angle θ [rad]", "torque τ [N m]"]).title("A joint controller with dead time");
        plot.save(folder.join(name))?;
        found.push([dead_time, growth, frequency]);
    }
    Ok(found)
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
