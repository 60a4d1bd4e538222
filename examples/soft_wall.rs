//! A body pinned at a point in the Coulomb potential of a wall that is soft (paper 5, section 5.4).
//!
//! ```text
//! cargo run --release --example soft_wall                                           # Figs. 4 and 5
//! cargo run --release --example soft_wall -- --method trapm --set torque=printed --end 100 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use examples::figure::{self, Axis, Panel, Series};
use examples::models::rotating_bodies::soft_wall::{self, MOMENTS, start};
use examples::study::plain_table;
use examples::study::rotation::{Energies, METHODS};
use examples::{Example, Problem, Request, Settings, UsageError, Variant, study as studies};
use lie_runtime::prelude::*;

/// A representation of rotations, with the data of the paper.
macro_rules! variant {
    ($module:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            let is_printed = settings.choice("torque", &["attractive", "printed"], "attractive")? == "printed";
            let sign = if is_printed { -1.0 } else { 1.0 };
            let wall = settings.apply(soft_wall::$module::Data { moments: MOMENTS, sign })?;
            let velocity = start(&wall.moments);
            let (system, configuration) = wall.turned(&Vector3::zeros())?;
            Ok(Problem { system, configuration, velocity })
        })
    };
}

/// The body before the wall as an example.
pub fn example() -> Example {
    Example {
        name: "soft_wall",
        about: "A body before a soft wall (paper 5, section 5.4): --set torque=attractive|printed.",
        variants: vec![variant!(so3), variant!(s3)],
        method: "imidm",
        step: STEP,
        end: END,
        options: &[],
        study: Some(study),
    }
}

/// The step of Figs. 4 and 5.
const STEP: f64 = 0.5;
/// 40 000 steps.
const END: f64 = 20_000.0;
/// A step that resolves the knock of the attractive wall, which lasts about 0.1; as many steps.
const SHORT_STEP: f64 = 0.02;

/// Figs. 4 and 5, H / H₀ of the reference methods and of those of the paper, and the same for the attractive wall.
///
/// The figures are those of the torque as it is printed: the body swings over a wide, soft hill. With attraction and the
/// wall that the text describes, steps of 0.5 leap into the wall, and no method keeps the energy within any bounds.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = Vec::new();
    for (torque, step, end) in [("printed", STEP, END), ("attractive", SHORT_STEP, SHORT_STEP * END / STEP)] {
        let runs = studies::in_parallel(METHODS.len(), |index| {
            let mut request = Request::fixed(METHODS[index].0, step, end).every(1);
            request.settings.insert("torque", torque).map_err(|error| error.to_string())?;
            Energies::of(example, &request)
        })?;
        let rows: Vec<Vec<String>> = METHODS
            .iter()
            .zip(&runs)
            .map(|((_, label), run)| {
                let [low, high, mean] = run.spread();
                let end = run.broken_off.map_or_else(String::new, |t| format!("breaks off at t = {t}"));
                vec![(*label).to_owned(), format!("{low:.4}"), format!("{high:.4}"), format!("{mean:.1e}"), end]
            })
            .collect();
        writeln!(out, "\nTorque: {torque}. H / H₀ over 40 000 steps of {step}")?;
        let header = ["method", "lowest", "highest", "root mean square of H / H₀ − 1", ""];
        writeln!(out, "{}", plain_table(&header, &rows))?;
        for (name, methods) in [("reference", 0..3), ("present", 3..7)] {
            let panels: Vec<Panel> = methods
                .map(|index| {
                    let label = METHODS[index].1;
                    // A pixel shows some forty steps: every tenth will do.
                    let points = runs[index].points.iter().copied().step_by(10).collect();
                    Panel::over_time(label, Axis::linear("H / H₀"), vec![Series::line(label, index, points)])
                })
                .collect();
            let title = format!("Soft wall, {torque} torque, h = {step} s: energy (paper 5, Figs. 4 and 5)");
            figures.push(figure::save_titled(&title, &panels, folder, &format!("energy_{torque}_{name}"))?);
        }
    }
    studies::tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
