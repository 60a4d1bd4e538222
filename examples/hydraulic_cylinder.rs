//! A hydraulic cylinder pushes a load. Its pressures are stiff auxiliary states. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod cylinder {
    #[configuration]
    pub struct Piston {
        /// The position, in m.
        pub x: f64,
    }

    #[states]
    pub struct Oil {
        /// The pressures on the piston side and on the rod side, in MPa.
        pub piston: f64,
        pub rod: f64,
    }

    #[parameters]
    pub struct Data {
        /// Mass, load and damping in SI units.
        pub load: [f64; 3],
        /// The areas of both sides in m², and the volumes at x = 0 in m³.
        pub areas: [f64; 2],
        pub volumes: [f64; 2],
        /// Bulk modulus and supply pressure in MPa, and the flow of a valve edge at 1 MPa in m³/s.
        pub oil: [f64; 3],
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.load[0] * v.x * v.x
    }

    #[force(on = x)]
    fn drive(p: &Data, v: &Velocity, z: &Oil) -> f64 {
        1e6 * (p.areas[0] * z.piston - p.areas[1] * z.rod) - p.load[1] - p.load[2] * v.x
    }

    /// √Δp, smooth at zero.
    fn root(difference: f64) -> f64 {
        difference / (difference * difference + 1e-6).sqrt().sqrt()
    }

    #[rate]
    fn compression(p: &Data, q: &Piston, v: &Velocity, z: &Oil) -> Oil {
        let [bulk, supply, valve] = p.oil;
        Oil {
            piston: bulk * (valve * root(supply - z.piston) - p.areas[0] * v.x) / (p.volumes[0] + p.areas[0] * q.x),
            rod: bulk * (p.areas[1] * v.x - valve * root(z.rod)) / (p.volumes[1] - p.areas[1] * q.x),
        }
    }
}

/// Writes the figure into a folder. Returns the position, the velocity and the pressures after 0.1 s.
pub(crate) fn simulate(folder: &Path) -> Result<[f64; 4], Box<dyn Error>> {
    let (areas, volumes, oil) = ([2e-3, 1.2e-3], [2e-5, 4.4e-4], [1400.0, 10.0, 2e-4]);
    let system = cylinder::System::new(cylinder::Data { load: [50.0, 5e3, 200.0], areas, volumes, oil })?;
    let run = Simulation::of(&system).at_rest(cylinder::Piston { x: 0.0 }).method(TrBdf2::new());
    let run = run.rtol(1e-8).atol(1e-10).end_time(0.1).run()?;

    println!("{}", run.table(["t", "x", "velocity.x", "states"])?.every(run.states.len() / 12));
    run.plot()
        .lines(["states p [MPa]", "velocity.x v [m/s]"])
        .title("Hydraulic cylinder")
        .caption("A valve opens at t = 0 with a supply of 10 MPa. The load is 5 kN on a mass of 50 kg.")
        .save(folder.join("hydraulic_cylinder.svg"))?;
    let end: cylinder::Velocity = run.last().velocity.into();
    Ok([run.last().configuration.x, end.x, end.states.piston, end.states.rod])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
