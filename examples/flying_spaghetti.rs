//! The flying spaghetti of paper 1, section 4: a free rod that a force and a moment at one end throw.
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
use examples::{Example, Problem, Request, Sample, Settings, UsageError, Variant};
use lie_runtime::prelude::*;

/// The rod with the data of paper 1, Table 3, and what the user has set.
macro_rules! spaghetti {
    ($module:ident, $model:literal) => {
        Variant::new($model, |settings: &mut Settings| -> Result<_, UsageError> {
            use examples::models::rods::$module::{Lengths, Rod, Section, System};
            let section = settings.apply(Section {
                length: 10.0,
                bending: Vector3::repeat(500.0),
                stretching: Vector3::repeat(1e4),
                density: 1.0,
                inertia: Vector3::repeat(10.0),
                damping: 0.0,
            })?;
            let elements = models::elements(settings, ELEMENTS, 1)?;
            // From (6, 0, 0) along d = (−6, 8, 0).
            let (start, direction) = (Vector3::new(6.0, 0.0, 0.0), Vector3::new(-0.6, 0.8, 0.0));
            let nodes = rods::straight(start, start + direction * section.length, elements)
                .map_err(|error| UsageError::new(error.to_string()))?;
            let system = System::new(section, Lengths { nodes: elements + 1 })?;
            let velocity = system.zero_velocity();
            Ok(Problem { system, configuration: Rod { nodes }, velocity })
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
    let systems =
        vec![spaghetti!(flying_spaghetti, "shear_flexible"), spaghetti!(flying_spaghetti_kirchhoff, "kirchhoff")];
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
    let clock = std::time::Instant::now();
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
    writeln!(out, "\nFigures (SVG, and PNG beside it) and an animation for a browser:")?;
    for path in figures {
        writeln!(out, "  {}", path.display())?;
    }
    writeln!(out, "The study took {:.1} s.", clock.elapsed().as_secs_f64())?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
