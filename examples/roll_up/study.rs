//! The model, and what is computed of it and drawn.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use examples::figure;
use examples::models::{self, ROD_MODELS, ROD_OPTIONS, rods};
use examples::study::rods::{RodStudy, STEP_HEADER, step_row};
use examples::study::{self, in_parallel, steps};
use examples::{Example, Sample, Settings, Variant};
use lie_runtime::prelude::*;

use super::flying_spaghetti;

/// A model of the rod, along e₁ from its clamp in the origin, with what the user has set.
macro_rules! variant {
    ($module:ident, $model:literal) => {
        Variant::new($model, |settings: &mut Settings| {
            let section = settings.apply(rods::$module::Section::of_paper_1(100.0))?;
            section.straight([Vector3::zeros(), Vector3::x()], models::elements(settings, ELEMENTS, 1)?)
        })
    };
}

/// The number of edges of the paper.
pub const ELEMENTS: usize = 8;

/// What the study computes.
pub const STUDY: RodStudy = RodStudy {
    group: "s3r3",
    title: "Roll-up",
    end: 2.0,
    reference: 14,
    ladders: [("herk2_heun", 10..=13), ("herk3", 9..=13), ("herk4", 9..=12), ("hedop5", 8..=11)],
    estimate_step: 0.004,
    estimate_end: 5.0,
    snapshots: &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 60.0],
    eye: ([-90.0, 0.0], ["x₁ [m]", "x₃ [m]"]),
    film: (500, 0.04),
};

/// The roll-up as an example.
pub fn example() -> Example {
    let systems = vec![variant!(roll_up, "shear_flexible"), variant!(roll_up_kirchhoff, "kirchhoff")];
    Example {
        name: "roll_up",
        about: "A clamped, damped rod that a moment at its end rolls up to a ring (paper 1, section 4).",
        variants: vec![Variant::choice(STUDY.group, "model", systems)],
        method: "hedop5",
        step: 1e-3,
        end: 5.0,
        options: ROD_OPTIONS,
        study: Some(study),
    }
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
    let mut figures = STUDY.run(example, folder, out)?;

    let runs = in_parallel(STIFFNESSES.len(), |index| {
        STUDY.controlled(example, &[("model", ROD_MODELS[1]), ("bending", STIFFNESSES[index].0)], 5.0)
    })
    .map_err(|error| error.to_string())?;
    let runs: Vec<_> = STIFFNESSES.iter().map(|(_, label)| *label).zip(&runs).collect();
    writeln!(out, "\nBending stiffness and step sizes, kirchhoff, Rtol = 1e-6, Atol = 1e-8")?;
    let rows: Vec<Vec<String>> = runs.iter().map(|(label, run)| step_row(label, run)).collect();
    writeln!(out, "{}", study::plain_table(&STEP_HEADER, &rows))?;
    figures.push(STUDY.save(&steps::history_panels(&runs), 12, folder, "stiffness")?);

    // Both rods on the same axes.
    let thrown = flying_spaghetti::example();
    let both = [("roll-up", example, &STUDY), ("flying spaghetti", &thrown, &flying_spaghetti::STUDY)];
    let runs = in_parallel(both.len(), |index| {
        let (_, example, study) = both[index];
        study.controlled(example, &[("model", ROD_MODELS[1])], 5.0)
    })
    .map_err(|error| error.to_string())?;
    let runs: Vec<_> = both.iter().map(|(label, ..)| *label).zip(&runs).collect();
    writeln!(out, "\nBoth rods of Kirchhoff, Rtol = 1e-6, Atol = 1e-8")?;
    let rows: Vec<Vec<String>> = runs.iter().map(|(label, run)| step_row(label, run)).collect();
    writeln!(out, "{}", study::plain_table(&STEP_HEADER, &rows))?;
    let title = "Both rods, Rtol = 1e-6, Atol = 1e-8 (paper 1, Fig. 11)";
    figures.push(figure::save_titled(title, &steps::history_panels(&runs), folder, "steps_of_both")?);

    let cases: Vec<(&str, &str)> =
        ROD_MODELS.iter().flat_map(|model| ["100", "50"].map(|damping| (*model, damping))).collect();
    let runs = in_parallel(cases.len(), |index| {
        STUDY.controlled(example, &[("model", cases[index].0), ("damping", cases[index].1)], SETTLED)
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
    writeln!(out, "\nThe gap of the ring, |x_N − x_0| / L, at the step next to t")?;
    writeln!(
        out,
        "{}",
        study::plain_table(&["model", "damping", "t = 5", "t = 20", "t = 50", "t = 100", "t = 150"], &rows)
    )?;

    study::tell_figures(out, &figures)?;
    Ok(())
}

/// When the ring has come to rest, with half of the damping too: its slowest oscillation decays by 0.06/s, or half of it.
pub const SETTLED: f64 = 150.0;
