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
use harness::figure::{Axis, Figure, Panel, Series};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant, study};
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
        Ok(InitialValueProblem::new(n_four_bar::tops::System::new(lengths)?, configuration, velocity))
    });
    let bicycle = Variant::new("bicycle", |settings: &mut Settings| -> Result<_, UsageError> {
        let (speed, roll) = (settings.number("speed", 4.6)?, settings.number("roll", 0.5)?);
        let (configuration, velocity) = bicycle::straight(speed, roll);
        Ok(InitialValueProblem::new(bicycle::so3::System::new()?, configuration, velocity))
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

/// The problems of the figure and their names, in the order of the panels.
const PROBLEMS: [(&str, &str); 6] = [
    ("A01, 10 s", "A01: pendulum, 10 s"),
    ("A02, N = 2", "A02: N-four-bar, N = 2"),
    ("A04", "A04: Bricard's mechanism"),
    ("A05", "A05: flyball governor"),
    ("bicycle", "Bicycle"),
    ("squeezer", "Andrews' squeezing mechanism"),
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
    let panels = PROBLEMS.map(|(problem, title)| {
        let curves = measured.iter().filter(|(case, _)| case.problem == problem);
        let mut series: Vec<Series> = curves
            .clone()
            .enumerate()
            .map(|(style, (case, points))| {
                let points = points.iter().filter(|point| point.error.is_finite());
                let points = points.map(|point| (point.seconds, point.error)).collect();
                Series::marked(&format!("{}, {}", case.formulation, case.method), style, points)
            })
            .collect();
        let published = curves.filter_map(|(case, _)| Some((case.published?, HIGH)));
        let published: Vec<(f64, f64)> = published.take(1).collect();
        if !published.is_empty() {
            series.push(Series::marks("published", 6, published));
        }
        Panel::new(title, Axis::log("processor time [s]"), Axis::log("error of the library"), series)
    });
    let caption = "Fixed steps, halved from point to point; least time of three runs on one core. The measure of the error is that of the \
                   IFToMM library: solutions at high precision have errors below 10⁻³. A published time was measured on the machine of its \
                   authors. A curve that is not monotone has steps that are too large for its convergence, or errors at round-off.";
    let figure =
        Figure::new(panels.to_vec()).title("Multibody benchmarks: error against processor time").caption(caption);
    study::tell_figures(out, &[figure.save_in(folder, "work")?])?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
