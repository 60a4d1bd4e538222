//! The IFToMM library of computational benchmark problems, with its own measure of errors: pendulum, N-four-bar, Bricard's mechanism,
//! flyball governor and bicycle, and Andrews' squeezing mechanism of the test set for initial value problems, each in two formulations.
//!
//! ```text
//! cargo run --release --example benchmarks                                    # the study: a table and figures
//! cargo run --release --example benchmarks -- --group n_four_bar --set n=40 --end 20 --method rattlie --step 0.005
//! ```
//!
//! A problem is solved at low precision with errors under 1e-1, at high precision with errors under 1e-3 at the printed
//! number of output steps, relative to max(|reference|, 1e-3); the library ranks solutions by processor time.

mod cases;
mod measure;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use benchmark_problems::{bicycle, n_four_bar};
pub use cases::cases;
use harness::figure::{self, Axis, Panel, Series};
use harness::{Example, Problem, Settings, UsageError, Variant, study};
pub use measure::{Case, HIGH, LOW, Point};

/// The benchmarks as an example: those that are worth to be looked at by hand.
pub fn example() -> Example {
    let n_four_bar = Variant::new("n_four_bar", |settings: &mut Settings| -> Result<_, UsageError> {
        let n = settings.number("n", 2.0)?;
        if !((1.0..=1e5).contains(&n) && n.fract() == 0.0) {
            return Err(UsageError::new("`n` is a whole number from 1 to 100000"));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Checked.
        let (configuration, velocity) = n_four_bar::upright_tops(n as usize);
        let lengths = n_four_bar::tops::Lengths { tops: configuration.tops.len() };
        Ok(Problem { system: n_four_bar::tops::System::new(lengths)?, configuration, velocity: velocity.into() })
    });
    let bicycle = Variant::new("bicycle", |settings: &mut Settings| -> Result<_, UsageError> {
        let (speed, roll) = (settings.number("speed", 4.6)?, settings.number("roll", 0.5)?);
        let (configuration, velocity) = bicycle::straight(speed, roll);
        Ok(Problem { system: bicycle::so3::System::new()?, configuration, velocity: velocity.into() })
    });
    Example {
        name: "benchmarks",
        about: "Problems of the IFToMM library: pendulum, N-four-bar, Bricard, governor, bicycle; a squeezing mechanism.",
        variants: vec![n_four_bar, bicycle],
        method: "hedop5",
        step: 0.005,
        end: 10.0,
        options: &[],
        study: Some(study),
    }
}

/// The first point under an error.
pub fn solved(points: &[Point], error: f64) -> Option<&Point> {
    points.iter().find(|point| point.error <= error)
}

/// A figure: its name, its title, and the problems of its panels.
const FIGURES: [(&str, &str, &[&str]); 2] = [
    ("work", "Benchmarks: error against processor time", &["A02, N = 2", "A04", "A05"]),
    ("more_work", "Benchmarks: error against processor time", &["A01, 2000 s", "A02, N = 40", "bicycle", "squeezer"]),
];

/// Measures all cases, one after the other; prints the table and draws the diagrams.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    const REPETITIONS: usize = 3;
    let cases = cases()?;
    let measured: Vec<(&Case, Vec<Point>)> = cases.iter().map(|case| (case, case.measure(1e-6, REPETITIONS))).collect();
    let told = |point: Option<&Point>| match point {
        Some(point) => [study::fraction(point.step), format!("{:.2}", 1e3 * point.seconds)],
        None => ["—".to_owned(), "—".to_owned()],
    };
    let rows = measured.iter().map(|(case, points)| {
        let mut row = vec![case.problem.to_owned(), case.formulation.to_owned(), case.method.to_owned()];
        row.extend(told(solved(points, LOW)));
        row.extend(told(solved(points, HIGH)));
        row.push(case.published.map_or_else(|| "—".to_owned(), |seconds| format!("{:.0}", 1e3 * seconds)));
        row
    });
    let rows: Vec<Vec<String>> = rows.collect();
    writeln!(out, "Processor time in ms for errors under {LOW} and {HIGH}, and the published one on its machine")?;
    let header = ["problem", "formulation", "method", "h, low", "time", "h, high", "time", "published"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let mut figures = Vec::new();
    for (name, title, problems) in FIGURES {
        let panels = problems.iter().map(|&problem| {
            let curves = measured.iter().filter(|(case, _)| case.problem == problem);
            let series = curves.enumerate().map(|(style, (case, points))| {
                let points = points.iter().filter(|point| point.error.is_finite());
                let points = points.map(|point| (point.seconds, point.error)).collect();
                // One legend for all panels.
                let label = format!("{problem}: {}, {}", case.formulation, case.method);
                Series::marked(&label, style, points)
            });
            Panel::new(problem, Axis::log("processor time [s]"), Axis::log("error"), series.collect())
        });
        let panels: Vec<Panel> = panels.collect();
        figures.push(figure::save_titled(title, &panels, folder, name)?);
    }
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
