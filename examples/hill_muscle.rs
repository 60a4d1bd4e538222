//! A Hill-type muscle lifts a weight. Activation and fibre length are auxiliary states. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::analysis::Equilibrium;
use lie_runtime::prelude::*;

#[mechanical_system]
mod muscle {
    #[configuration]
    pub struct Load {
        /// The length of muscle and tendon, downwards, in m.
        pub length: f64,
    }

    #[states]
    pub struct Muscle {
        pub activation: f64,
        /// The length of the fibres, in units of the optimal length 0.1 m.
        pub fibre: f64,
    }

    #[parameters]
    pub struct Data {
        pub excitation: f64,
        /// The largest isometric force in N, and the stiffness of the tendon in N/m². Its slack length is 0.2 m.
        pub strength: f64,
        pub tendon: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 20.0 * v.length * v.length
    }

    #[potential]
    fn weight(q: &Load) -> f64 {
        -9.81 * 20.0 * q.length
    }

    fn tendon_force(p: &Data, length: f64, fibre: f64) -> f64 {
        p.tendon * (length - 0.1 * fibre - 0.2).max(0.0).powi(2)
    }

    #[force(on = length)]
    fn pull(p: &Data, q: &Load, z: &Muscle) -> f64 {
        -tendon_force(p, q.length, z.fibre)
    }

    /// The force-velocity curve of Hill, solved for the velocity of at most 10 optimal lengths a second.
    #[rate]
    fn contraction(p: &Data, q: &Load, z: &Muscle) -> Muscle {
        let by_length = (-(z.fibre - 1.0) * (z.fibre - 1.0) / 0.2).exp();
        let f = tendon_force(p, q.length, z.fibre) / (p.strength * z.activation * by_length);
        let speed = if f < 1.0 { (1.0 - f) / (1.0 + 4.0 * f) } else { -0.2 * (f - 1.0) / (3.0 - 2.0 * f) };
        Muscle { activation: (p.excitation - z.activation) / 0.04, fibre: -10.0 * speed }
    }
}

/// Writes the figure into a folder. Returns length, activation and fibre length after 0.2 s, and in equilibrium.
pub(crate) fn simulate(folder: &Path) -> Result<[[f64; 3]; 2], Box<dyn Error>> {
    let data = |excitation| muscle::Data { excitation, strength: 1e3, tendon: 4e6 };
    let [weak, strong] = [muscle::System::new(data(0.3))?, muscle::System::new(data(0.8))?];
    let guess = muscle::Velocity { length: 0.0, states: muscle::Muscle { activation: 0.5, fibre: 0.7 } };
    let rest = |system| Equilibrium::of(system).guess(muscle::Load { length: 0.28 }).guess_states(guess).solve();
    let [start, end] = [rest(&weak)?.state, rest(&strong)?.state];
    let run = Simulation::of(&strong).initial(start.configuration, start.velocity).end_time(0.2);
    let run = run.rtol(1e-9).atol(1e-11).run()?;

    println!("{}", run.table(["t", "length", "velocity.length", "states"])?.every(run.states.len() / 12));
    let figure = run.plot().lines(["length l [m]", "states"]).title("Hill-type muscle");
    let figure = figure.caption("A muscle carries 20 kg. Its excitation increases from 0.3 to 0.8 at t = 0.");
    figure.save(folder.join("hill_muscle.svg"))?;
    Ok([run.last(), &end].map(|state| [state.configuration.length, state.velocity[1], state.velocity[2]]))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
