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

use examples::models::{self, ROD_MODELS, ROD_OPTIONS, rods};
use examples::study::rods::RodStudy;
use examples::study::{self, in_parallel};
use examples::{Example, Request, Sample, Settings, Variant};
use lie_runtime::prelude::*;

/// A model of the rod, from (6, 0, 0) along (−6, 8, 0), with what the user has set.
macro_rules! variant {
    ($module:ident, $model:literal) => {
        Variant::new($model, |settings: &mut Settings| {
            let section = settings.apply(rods::$module::Section::of_paper_1(0.0))?;
            let line = [Vector3::new(6.0, 0.0, 0.0), Vector3::new(-0.6, 0.8, 0.0)];
            section.straight(line, models::elements(settings, ELEMENTS, 1)?)
        })
    };
}

/// The number of edges of the paper.
pub const ELEMENTS: usize = 16;

/// What the study computes.
pub const STUDY: RodStudy = RodStudy {
    group: "s3r3",
    title: "Flying spaghetti",
    // Up to the kink of the loads, which is no multiple of the steps of longer runs.
    end: 2.5,
    reference: 15,
    ladders: [("herk2_heun", 12..=15), ("herk3", 11..=14), ("herk4", 11..=14), ("hedop5", 10..=12)],
    estimate_step: 0.002,
    estimate_end: 5.0,
    snapshots: &[0.0, 2.0, 3.0, 3.8, 4.4, 5.0, 5.8],
    eye: ([-90.0, 90.0], ["x₁ [m]", "x₂ [m]"]),
    film: (350, 0.02),
};

/// The flying spaghetti as an example.
pub fn example() -> Example {
    let systems = vec![variant!(flying_spaghetti, "shear_flexible"), variant!(flying_spaghetti_kirchhoff, "kirchhoff")];
    Example {
        name: "flying_spaghetti",
        about: "A free rod, thrown by a force and a moment at one end (paper 1, section 4).",
        variants: vec![Variant::choice(STUDY.group, "model", systems)],
        method: "hedop5",
        step: 1e-3,
        end: 5.0,
        options: ROD_OPTIONS,
        study: Some(study),
    }
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
        study::history(example, STUDY.group, &request.every(every))
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
    let figures = STUDY.run(example, folder, out)?;
    writeln!(out, "\nLargest relative change of energy for 5 ≤ t ≤ 10, without loads, hedop5")?;
    let (h, mut rows) = (0.004, Vec::new());
    for model in ROD_MODELS {
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
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
