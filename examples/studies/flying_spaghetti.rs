//! The flying spaghetti of paper 1, section 4: a free rod that a force and a moment at one end throw.
//!
//! Paper 1, Figs. 8 to 10; the steps of both rods on the same axes, Fig. 11, are drawn by `roll_up`.
//!
//! ```text
//! cargo run --release --example flying_spaghetti                                       # the study: tables and figures
//! cargo run --release --example flying_spaghetti -- --model kirchhoff --elements 64 --rtol 1e-6 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::study::rods::MODELS;
use harness::study::{self, in_parallel};
use harness::{Example, Request, Sample};
use models::rods::studies::{self, FLYING_SPAGHETTI};

/// The flying spaghetti as an example.
pub fn example() -> Example {
    studies::flying_spaghetti(study)
}

/// The total energy.
fn energy(sample: &Sample) -> f64 {
    sample.energy.kinetic + sample.energy.potential
}

/// The largest relative change of the energy for 5 ≤ t ≤ 10, when the loads are gone, with the step h and with h/2.
///
/// # Errors
/// An error if a run cannot be started or fails.
pub fn changes_of_energy(example: &Example, model: &str, h: f64) -> Result<[f64; 2], Box<dyn Error + Send + Sync>> {
    let runs = in_parallel(2, |index| {
        let request = Request::fixed("hedop5", h * [1.0, 0.5][index], 10.0).with("model", model)?;
        let every = [20, 40][index];
        study::history(example, FLYING_SPAGHETTI.group, &request.every(every))
    })?;
    let change = |index: usize| {
        let mut free = runs[index].history.iter().filter(|sample| sample.t >= 5.0 - 1e-9).map(energy);
        let start = free.next().unwrap_or(f64::NAN);
        free.map(|energy| (energy / start - 1.0).abs()).fold(0.0, f64::max)
    };
    Ok([change(0), change(1)])
}

/// Figs. 8-11, the energy of the free motion and an animation.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let figures = FLYING_SPAGHETTI.run(example, folder, out)?;
    writeln!(out, "\nLargest relative change of energy for 5 ≤ t ≤ 10, without loads, hedop5")?;
    let (h, mut rows) = (0.004, Vec::new());
    for model in MODELS {
        let [coarse, fine] = changes_of_energy(example, model, h).map_err(|error| error.to_string())?;
        let order = study::order((coarse / fine).log2());
        rows.push(vec![model.to_owned(), study::number(coarse), study::number(fine), order]);
    }
    let header = ["model", "h = 0.004", "h = 0.002", "order"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
