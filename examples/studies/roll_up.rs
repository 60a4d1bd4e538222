//! The roll-up of paper 1, section 4: a moment at its end rolls a clamped rod up to a ring.
//!
//! Paper 1, Figs. 8 to 12.
//!
//! ```text
//! cargo run --release --example roll_up                                         # the study: tables and figures
//! cargo run --release --example roll_up -- --model kirchhoff --set damping=50 --end 150 --rtol 1e-6 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::study::rods::{MODELS, STEP_HEADER, step_row};
use harness::study::{self, in_parallel, steps};
use harness::{Example, Sample, figure};
use models::rods::studies::{self, FLYING_SPAGHETTI, ROLL_UP};

/// The roll-up as an example.
pub fn example() -> Example {
    studies::roll_up(study)
}

/// |x_N − x_0| / L.
pub fn gap(sample: &Sample) -> f64 {
    let ends = ["first_position", "last_position"].map(|name| sample.observable(name));
    study::distance(&ends[0], &ends[1], 10.0)
}

/// The bending stiffness of Fig. 12.
const STIFFNESSES: [(&str, &str); 2] = [("500,500,500", "C^K = 5·10²"), ("5e4,5e4,5e4", "C^K = 5·10⁴")];

/// Figs. 8-12, the gap of the ring and an animation.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = ROLL_UP.run(example, folder, out)?;

    let runs = in_parallel(STIFFNESSES.len(), |index| {
        ROLL_UP.controlled(example, &[("model", MODELS[1]), ("bending", STIFFNESSES[index].0)], 5.0)
    })
    .map_err(|error| error.to_string())?;
    let runs: Vec<_> = STIFFNESSES.iter().map(|(_, label)| *label).zip(&runs).collect();
    writeln!(out, "\nBending stiffness and step sizes, kirchhoff, Rtol = 1e-6, Atol = 1e-8")?;
    let rows: Vec<Vec<String>> = runs.iter().map(|(label, run)| step_row(label, run)).collect();
    writeln!(out, "{}", study::plain_table(&STEP_HEADER, &rows))?;
    figures.push(ROLL_UP.save(&steps::history_panels(&runs), 12, folder, "stiffness")?);

    // Both rods on the same axes.
    let thrown = studies::flying_spaghetti(study);
    // The finer line comes last, on top.
    let both = [("flying spaghetti", &thrown, &FLYING_SPAGHETTI), ("roll-up", example, &ROLL_UP)];
    let runs = in_parallel(both.len(), |index| {
        let (_, example, study) = both[index];
        study.controlled(example, &[("model", MODELS[1])], 5.0)
    })
    .map_err(|error| error.to_string())?;
    let runs: Vec<_> = both.iter().map(|(label, ..)| *label).zip(&runs).collect();
    writeln!(out, "\nBoth rods of Kirchhoff, Rtol = 1e-6, Atol = 1e-8")?;
    let rows: Vec<Vec<String>> = runs.iter().map(|(label, run)| step_row(label, run)).collect();
    writeln!(out, "{}", study::plain_table(&STEP_HEADER, &rows))?;
    let title = "Both rods, Rtol = 1e-6, Atol = 1e-8 (paper 1, Fig. 11)";
    figures.push(figure::save_titled(title, &steps::history_panels(&runs), folder, "steps_of_both")?);

    let cases: Vec<(&str, &str)> =
        MODELS.iter().flat_map(|model| ["100", "50"].map(|damping| (*model, damping))).collect();
    let runs = in_parallel(cases.len(), |index| {
        ROLL_UP.controlled(example, &[("model", cases[index].0), ("damping", cases[index].1)], SETTLED)
    })
    .map_err(|error| error.to_string())?;
    let rows: Vec<Vec<String>> = cases
        .iter()
        .zip(&runs)
        .map(|((model, damping), run)| {
            let gaps = [5.0, 20.0, 50.0, 100.0, SETTLED].map(|time| {
                let near = run.history.iter().min_by(|a, b| (a.t - time).abs().total_cmp(&(b.t - time).abs()));
                study::number(near.map_or(f64::NAN, gap))
            });
            [(*model).to_owned(), (*damping).to_owned()].into_iter().chain(gaps).collect()
        })
        .collect();
    writeln!(out, "\nThe gap of the ring, |x_N − x_0| / L, at the step closest to t")?;
    writeln!(
        out,
        "{}",
        study::plain_table(&["model", "damping", "t = 5", "t = 20", "t = 50", "t = 100", "t = 150"], &rows)
    )?;

    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The time at which the ring is at rest, also for half of the damping: its slowest oscillation decays by 0.06/s, or half of it.
pub const SETTLED: f64 = 150.0;

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
