//! Monte Carlo: an oscillator with uncertain stiffness and initial position, 2000 runs on all cores. It runs in a second.
//!
//! ```text
//! cargo run --release -p examples --features ensemble --example monte_carlo
//! ```

use std::{error::Error, path::Path};

use lie_runtime::ensemble::{Distribution, Ensemble, Samples};
use lie_runtime::picture::{Axis, Band, Figure, Panel, Series};
use lie_runtime::prelude::*;

#[mechanical_system]
mod oscillator {
    #[configuration]
    pub struct Position {
        pub x: f64,
    }

    #[parameters]
    pub struct Spring {
        pub mass: f64,
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Spring, v: &Velocity) -> f64 {
        0.5 * p.mass * v.x.powi(2)
    }

    #[potential]
    fn elastic(p: &Spring, q: &Position) -> f64 {
        0.5 * p.stiffness * q.x.powi(2)
    }
}

/// Writes the figures into a folder. Returns the mean and the standard deviation of the position after 5 s.
pub(crate) fn simulate(folder: &Path) -> Result<[f64; 2], Box<dyn Error>> {
    let nominal = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 })?;
    let samples = Samples::sobol(2048, 1)
        .parameter("stiffness", Distribution::Normal { mean: 4.0, deviation: 0.4 })
        .variable("start", 0.9..1.1);
    let times: Vec<f64> = (0..=100).map(|i| 0.05 * f64::from(i)).collect();
    let results = Ensemble::of(&nominal).samples(samples).outputs(["configuration.x"]).run(|system, member| {
        let start = oscillator::Position { x: member.value("start")? };
        Ok(Simulation::of(system).at_rest(start).end_time(5.0).output_times(&times).run()?)
    })?;

    let position = results.column("configuration.x").ok_or("no column `x`")?;
    let (mut mean, mut band) = (Vec::new(), Vec::new());
    println!("{:>6} {:>10} {:>10} {:>10} {:>10}", "t", "mean", "deviation", "5 %", "95 %");
    for (state, &t) in times.iter().enumerate() {
        let (spread, [low, high]) = (position.spread(state), position.quantiles(state, [0.05, 0.95]));
        if state % 10 == 0 {
            println!("{t:6.2} {:10.5} {:10.5} {low:10.5} {high:10.5}", spread.mean, spread.deviation());
        }
        mean.push((t, spread.mean));
        band.push((t, low, high));
    }
    let band = Band { label: "5 to 95 %".to_owned(), style: 0, opacity: 0.25, edges: band };
    let panel = Panel::over_time("Monte Carlo", Axis::linear("position x [m]"), vec![Series::line("mean", 0, mean)]);
    Figure::new(vec![panel.with_bands(vec![band])]).save(folder.join("monte_carlo.svg"))?;
    Ok([position.spread(100).mean, position.spread(100).deviation()])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
