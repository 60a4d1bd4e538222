//! A rigid body that no torque acts on (paper 5, section 5.1), on matrices and on quaternions.
//!
//! ```text
//! cargo run --release --example free_rigid_body                                     # Fig. 1 and the invariants
//! cargo run --release --example free_rigid_body -- --method imid --step 0.1 --end 100 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use examples::figure::{self, Axis, Panel, Series};
use examples::models::rotating_bodies::free::{self, MOMENTS, VELOCITY};
use examples::study::rotation::{Convergence, METHODS};
use examples::study::{self, plain_table};
use examples::{Example, Problem, Request, Sample, Settings, UsageError, Variant};
use lie_runtime::prelude::*;

/// A representation of rotations, with the data of the paper.
macro_rules! variant {
    ($module:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            let body = settings.apply(free::$module::Data { moments: MOMENTS })?;
            let (system, configuration) = body.turned(&Vector3::zeros())?;
            Ok(Problem { system, configuration, velocity: VELOCITY })
        })
    };
}

/// The free rigid body as an example.
pub fn example() -> Example {
    Example {
        name: "free_rigid_body",
        about: "A rigid body without torque (paper 5, section 5.1).",
        variants: vec![variant!(so3), variant!(s3)],
        method: "imid",
        step: 0.01,
        end: 100.0,
        options: &[],
        study: Some(study),
    }
}

/// Fig. 1, and what each method keeps.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let convergence = Convergence {
        setting: None,
        end: 100.0,
        steps: 8..=14,
        reference_steps: 8192,
        title: "Free rigid body",
        printed: 1,
        figure: "convergence",
    };
    let mut figures = vec![convergence.report(example, folder, out)?];
    let runs = study::in_parallel(METHODS.len(), |index| {
        let request = Request::fixed(METHODS[index].0, 0.1, 100.0).every(1);
        study::history(example, "so3", &request).map(|outcome| outcome.history)
    })
    .map_err(|error| error.to_string())?;
    let momentum = |sample: &Sample| sample.observable("spatial_momentum");
    let energy = |history: &[Sample], at: usize| (history[at].energy.kinetic / history[0].energy.kinetic - 1.0).abs();
    let turn = |history: &[Sample], at: usize| {
        let start = momentum(&history[0]);
        study::distance(&momentum(&history[at]), &start, study::norm(&start))
    };
    let largest = |history: &[Sample], change: &dyn Fn(&[Sample], usize) -> f64| {
        (0..history.len()).map(|at| change(history, at)).fold(0.0, f64::max)
    };
    let rows: Vec<Vec<String>> = METHODS
        .iter()
        .zip(&runs)
        .map(|((_, label), history)| {
            let change = |change: &dyn Fn(&[Sample], usize) -> f64| format!("{:.1e}", largest(history, change));
            vec![(*label).to_owned(), change(&energy), change(&turn)]
        })
        .collect();
    writeln!(out, "\nLargest relative changes up to t = 100, h = 0.1")?;
    writeln!(out, "{}", plain_table(&["method", "kinetic energy", "momentum in space"], &rows))?;
    let series = |change: &dyn Fn(&[Sample], usize) -> f64| -> Vec<Series> {
        let lines = METHODS.iter().zip(&runs).enumerate().map(|(style, ((_, label), history))| {
            let points = (1..history.len()).step_by(5).map(|at| (history[at].t, change(history, at).max(1e-17)));
            Series::line(label, style, points.collect())
        });
        lines.collect()
    };
    let panels = [("Kinetic energy", series(&energy)), ("Momentum in space", series(&turn))]
        .map(|(title, series)| Panel::over_time(title, Axis::log("relative change"), series));
    figures.push(figure::save_titled(
        "Free rigid body: what the methods keep, h = 0.1 s",
        &panels,
        folder,
        "invariants",
    )?);
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
