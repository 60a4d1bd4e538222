//! A double pendulum: two motions whose initial angles differ by a microradian separate. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

/// Two point masses on rods without mass. Angles are to the downward vertical, in radians.
#[mechanical_system]
mod double_pendulum {
    #[configuration]
    pub struct Angles {
        pub upper: f64,
        pub lower: f64,
    }

    #[parameters]
    pub struct Rods {
        pub masses: [f64; 2],
        pub lengths: [f64; 2],
    }

    #[quantity]
    pub fn elbow(p: &Rods, q: &Angles) -> Vector3<f64> {
        p.lengths[0] * Vector3::new(q.upper.sin(), 0.0, -q.upper.cos())
    }

    #[quantity]
    pub fn tip(p: &Rods, q: &Angles) -> Vector3<f64> {
        elbow(p, q) + p.lengths[1] * Vector3::new(q.lower.sin(), 0.0, -q.lower.cos())
    }

    #[kinetic_energy]
    fn kinetic(p: &Rods, q: &Angles, v: &Velocity) -> f64 {
        0.5 * (p.masses[0] * elbow_rate(p, q, v).norm_squared() + p.masses[1] * tip_rate(p, q, v).norm_squared())
    }

    #[potential]
    fn weight(p: &Rods, q: &Angles) -> f64 {
        9.81 * (p.masses[0] * elbow(p, q).z + p.masses[1] * tip(p, q).z)
    }
}

/// Writes the figures into a folder. Returns the angles after 2 s, the change of the energy in joules and the final separation in radians.
pub(crate) fn simulate(folder: &Path) -> Result<([f64; 2], f64, f64), Box<dyn Error>> {
    let system = double_pendulum::System::new(double_pendulum::Rods { masses: [1.0, 0.8], lengths: [1.0, 0.7] })?;
    let times: Vec<f64> = (0..=600).map(|i| 0.02 * f64::from(i)).collect();
    let swing = |upper: f64| {
        Simulation::of(&system)
            .at_rest(double_pendulum::Angles { upper, lower: 2.0 })
            .rtol(1e-9)
            .atol(1e-11)
            .end_time(12.0)
            .output_times(&times)
            .run()
    };
    let (run, other) = (swing(2.2)?, swing(2.2 + 1e-6)?);

    println!("{}", run.table(["t", "upper", "lower", "energy.total"])?.every(50));
    let figure = run.plot().lines(["upper θ₁ [rad]", "lower θ₂ [rad]"]).title("Double pendulum");
    figure.save(folder.join("double_pendulum.svg"))?;
    run.animate()
        .line("rods", |state| {
            let (p, q) = (system.parameters(), &state.configuration);
            vec![Vector3::zeros(), double_pendulum::elbow(p, q), double_pendulum::tip(p, q)]
        })
        .save(folder.join("double_pendulum.html"))?;
    let separation = (run.last().configuration.lower - other.last().configuration.lower).abs();
    println!("Initial separation 1e-6 rad, separation after 12 s {separation:.1e} rad.");
    let (energy, at) = (run.energy(), run.states[100].configuration);
    Ok(([at.upper, at.lower], energy[energy.len() - 1] - energy[0], separation))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
