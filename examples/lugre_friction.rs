//! A block on a spring sticks and slips: LuGre friction with the deflection of bristles as a state. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod block {
    #[configuration]
    pub struct Block {
        /// The position, in m.
        pub x: f64,
    }

    #[states]
    pub struct Bristles {
        /// The mean deflection, in m.
        pub deflection: f64,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        /// The stiffness of the spring, and the velocity of its other end.
        pub spring: f64,
        pub pull: f64,
        /// Stiffness and damping of the bristles, and viscous friction.
        pub bristles: [f64; 3],
        /// The forces of kinetic and static friction, and the Stribeck velocity.
        pub friction: [f64; 3],
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.mass * v.x * v.x
    }

    #[potential]
    fn spring(p: &Data, t: f64, q: &Block) -> f64 {
        0.5 * p.spring * (p.pull * t - q.x).powi(2)
    }

    /// z' = v − σ₀ |v| z / g(v), by Canudas de Wit, Olsson, Åström and Lischinsky (1995).
    fn slope(p: &Data, v: f64, z: f64) -> f64 {
        let [kinetic, fixed, stribeck] = p.friction;
        let limit = kinetic + (fixed - kinetic) * (-(v / stribeck).powi(2)).exp();
        v - p.bristles[0] * v.abs() * z / limit
    }

    #[force(on = x)]
    fn friction(p: &Data, v: &Velocity, z: &Bristles) -> f64 {
        let [stiffness, damping, viscous] = p.bristles;
        -(stiffness * z.deflection + damping * slope(p, v.x, z.deflection) + viscous * v.x)
    }

    #[rate]
    fn bristles(p: &Data, v: &Velocity, z: &Bristles) -> Bristles {
        Bristles { deflection: slope(p, v.x, z.deflection) }
    }
}

/// Writes the figure into a folder. Returns the position, the velocity and the deflection after 15 s.
pub(crate) fn simulate(folder: &Path) -> Result<[f64; 3], Box<dyn Error>> {
    let (bristles, friction) = ([1e5, 1e5_f64.sqrt(), 0.4], [1.0, 1.5, 1e-3]);
    let system = block::System::new(block::Data { mass: 1.0, spring: 2.0, pull: 0.1, bristles, friction })?;
    let run = Simulation::of(&system).at_rest(block::Block { x: 0.0 }).method(TrBdf2::new());
    let run = run.rtol(1e-8).atol(1e-10).end_time(15.0).run()?;

    println!("{}", run.table(["t", "x", "velocity.x", "states.deflection"])?.every(run.states.len() / 15));
    let figure = run.plot().lines(["x [m]", "states.deflection z [m]"]).title("Stick and slip of a block");
    figure.caption("A spring (2 N/m) pulls a mass of 1 kg at 0.1 m/s.").save(folder.join("lugre_friction.svg"))?;
    let last: block::Velocity = run.last().velocity.into();
    Ok([run.last().configuration.x, last.x, last.states.deflection])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
