//! A four-bar linkage, a closed loop: range of the rocker, joint force, figure and animation. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

/// Angles are to the x axis, in radians. The crank rotates about the origin, the rocker about the end of the fixed link.
#[mechanical_system]
mod linkage {
    #[configuration]
    pub struct Angles {
        pub crank: f64,
        pub coupler: f64,
        pub rocker: f64,
    }

    #[parameters]
    pub struct Bars {
        pub crank: f64,
        pub coupler: f64,
        pub rocker: f64,
        pub fixed: f64,
    }

    pub fn bar(length: f64, angle: f64) -> Vector2<f64> {
        length * Vector2::new(angle.cos(), angle.sin())
    }

    #[quantity]
    fn middle_of_coupler(p: &Bars, q: &Angles) -> Vector2<f64> {
        bar(p.crank, q.crank) + bar(0.5 * p.coupler, q.coupler)
    }

    /// Slender bars of 1 kg/m, and a flywheel on the crank.
    #[kinetic_energy]
    fn kinetic(p: &Bars, q: &Angles, v: &Velocity) -> f64 {
        let flywheel = 0.5 * (0.5 + p.crank.powi(3) / 3.0) * v.crank.powi(2);
        let rotation =
            0.5 * p.coupler.powi(3) / 12.0 * v.coupler.powi(2) + 0.5 * p.rocker.powi(3) / 3.0 * v.rocker.powi(2);
        flywheel + rotation + 0.5 * p.coupler * middle_of_coupler_rate(p, q, v).norm_squared()
    }

    /// The coupler ends at the tip of the rocker.
    #[constraint]
    fn joint(p: &Bars, q: &Angles) -> Vector2<f64> {
        bar(p.crank, q.crank) + bar(p.coupler, q.coupler) - Vector2::new(p.fixed, 0.0) - bar(p.rocker, q.rocker)
    }
}

/// Writes the figures into a folder. Returns the smallest and the largest angle of the rocker.
pub(crate) fn simulate(folder: &Path) -> Result<[f64; 2], Box<dyn Error>> {
    let system = linkage::System::new(linkage::Bars { crank: 0.4, coupler: 1.2, rocker: 0.9, fixed: 1.3 })?;
    // The angle and the velocity of the crank are given. The other initial values follow from the constraint.
    let guess = linkage::Angles { crank: 0.0, coupler: 0.8, rocker: 1.8 };
    let times: Vec<f64> = (0..=500).map(|i| 0.01 * f64::from(i)).collect();
    let run = Simulation::of(&system)
        .initial(guess, linkage::Velocity { crank: 4.0, coupler: 0.0, rocker: 0.0 })
        .fix_initial(["crank"])
        .max_initial_correction(1.0)
        .end_time(5.0)
        .output_times(&times)
        .run()?;

    println!("{}", run.table(["t", "crank", "rocker", "energy.total"])?.every(50));
    let figure = run.plot().lines(["rocker θ [rad]", "joint λ [N]"]).title("Four-bar linkage");
    figure.save(folder.join("four_bar_linkage.svg"))?;
    run.animate()
        .line("linkage", |state| {
            let (p, q, pivot) = (system.parameters(), &state.configuration, Vector2::new(1.3, 0.0));
            let (tip, joint) = (pivot + linkage::bar(p.rocker, q.rocker), linkage::bar(p.crank, q.crank));
            [pivot, tip, joint, Vector2::zeros()].map(|x| Vector3::new(x.x, 0.0, x.y)).into()
        })
        .save(folder.join("four_bar_linkage.html"))?;
    let rocker = run.column("rocker")?;
    Ok([rocker.iter().copied().fold(f64::INFINITY, f64::min), rocker.iter().copied().fold(0.0, f64::max)])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
