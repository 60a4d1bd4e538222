//! Work and precision of every constrained integrator on the heavy top of paper 1 (SO(3) × R³).
//!
//! ```text
//! cargo run --release --example work_precision        # the study: a table and figures
//! ```
//!
//! Work is the time of a run (the fastest of several, one after the other on one processor) and the number of linear
//! systems solved, which is the same on every machine; precision the errors of q, v and λ at t = 1.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use examples::figure::{self, Axis, Panel, Series};
use examples::{Example, Request, study};

#[path = "heavy_top.rs"]
mod heavy_top;

/// The heavy top, with another study.
pub fn example() -> Example {
    Example {
        name: "work_precision",
        about: "Work and precision of every constrained integrator on the heavy top of paper 1.",
        study: Some(study),
        ..heavy_top::example()
    }
}

/// One run of a method.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The number of steps up to t = 1.
    pub steps: u32,
    /// The errors of q, v and λ at t = 1.
    pub errors: [f64; 3],
    /// Linear systems solved.
    pub solves: f64,
    /// The shortest time of a run, s.
    pub seconds: f64,
}

/// The smallest steps that are of use, as powers of two: where round-off begins, or where a run becomes long.
pub fn finest(order: usize) -> u32 {
    match order {
        0..=2 => 15,
        3 => 14,
        4 => 13,
        _ => 12,
    }
}

/// The runs of a method with 2⁹ … 2ⁿ steps, the time being the shortest of so many runs.
///
/// # Errors
/// An error if a run cannot be started or fails on its way.
pub fn measure(
    example: &Example,
    method: &str,
    powers: core::ops::RangeInclusive<u32>,
    repetitions: usize,
) -> Result<Vec<Point>, Box<dyn Error>> {
    let mut points = Vec::new();
    for power in powers {
        let steps = 2_u32.pow(power);
        let request = Request::fixed(method, 1.0 / f64::from(steps), 1.0);
        let mut outcome = study::history(example, "so3xr3", &request).map_err(|error| error.to_string())?;
        let sample = outcome.samples.first().ok_or("the end is sampled")?;
        let errors = heavy_top::errors(sample);
        let mut seconds = outcome.seconds;
        for _ in 1..repetitions {
            outcome = study::history(example, "so3xr3", &request).map_err(|error| error.to_string())?;
            seconds = seconds.min(outcome.seconds);
        }
        points.push(Point { steps, errors, solves: outcome.linear_solves as f64, seconds });
    }
    Ok(points)
}

/// The work for an error: interpolated between runs in logarithms; `None` if no run is that accurate.
pub fn work_for(points: &[Point], quantity: usize, error: f64, work: impl Fn(&Point) -> f64) -> Option<f64> {
    let after = points.iter().position(|point| point.errors[quantity] <= error)?;
    let Some(before) = after.checked_sub(1) else {
        return Some(work(&points[0]));
    };
    let (from, to) = (&points[before], &points[after]);
    let share = (from.errors[quantity] / error).ln() / (from.errors[quantity] / to.errors[quantity]).ln();
    Some(work(from) * (work(to) / work(from)).powf(share))
}

/// What is drawn: figure, methods.
const FIGURES: [(&str, [&str; 7]); 2] = [
    ("families", ["herk2_heun_lambda2", "herk4", "hedop5", "lie_alpha", "lie_alpha_stab2", "rattlie", "bliedf2"]),
    ("multistep", ["bliedf1", "bliedf2", "bliedf2_stab2", "bliedf3", "bliedf3_stab2", "bliedf4", "bliedf4_stab2"]),
];

/// Measures all methods; prints the work for given errors and draws the diagrams.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    const REPETITIONS: usize = 5;
    let cards = &example.variant("so3xr3")?.methods;
    let mut curves = Vec::new();
    for card in cards {
        curves.push((card.id, measure(example, card.id, 9..=finest(card.order), REPETITIONS)?));
    }
    let time = |points: &[Point], quantity, error| {
        work_for(points, quantity, error, |point| point.seconds)
            .map_or_else(|| "—".to_owned(), |s| format!("{:.2}", 1e3 * s))
    };
    let solves = |points: &[Point], error| {
        work_for(points, 0, error, |point| point.solves).map_or_else(|| "—".to_owned(), |n| format!("{n:.0}"))
    };
    let rows = curves.iter().map(|(method, points)| {
        let last = points[points.len() - 1];
        vec![
            (*method).to_owned(),
            format!("{:.0}", 1e9 * last.seconds / f64::from(last.steps)),
            time(points, 0, 1e-3),
            time(points, 0, 1e-5),
            time(points, 1, 1e-5),
            time(points, 2, 1e-5),
            solves(points, 1e-3),
            solves(points, 1e-5),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    writeln!(out, "Time for one second of the heavy top in ms, and linear systems, for a relative error at t = 1")?;
    let header = ["method", "ns a step", "q: 1e-3", "q: 1e-5", "v: 1e-5", "λ: 1e-5", "systems, q: 1e-3", "q: 1e-5"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    writeln!(out, "\nFigures (SVG, and PNG beside it):")?;
    for (name, methods) in FIGURES {
        for (work, label, of) in WORK {
            let path = draw(&curves, &methods, (label, of), folder, &format!("{name}_{work}"))?;
            writeln!(out, "  {}", path.display())?;
        }
    }
    Ok(())
}

/// A measure of work.
type Work = fn(&Point) -> f64;

/// The measures of work: name, label and value.
const WORK: [(&str, &str, Work); 2] =
    [("time", "time [s]", |point| point.seconds), ("systems", "linear systems solved", |point| point.solves)];

/// Errors of q, v and λ over the work.
fn draw(
    curves: &[(&str, Vec<Point>)],
    methods: &[&str],
    (label, work): (&str, Work),
    folder: &Path,
    name: &str,
) -> Result<PathBuf, Box<dyn Error>> {
    let panels = [0, 1, 2].map(|quantity| Panel {
        title: format!("Heavy top on SO(3) × R³: {} at t = 1", study::QUANTITIES[quantity]),
        x: Axis::Log(label.to_owned()),
        y: Axis::Log("relative error".to_owned()),
        series: methods
            .iter()
            .enumerate()
            .filter_map(|(style, method)| {
                let (_, points) = curves.iter().find(|(id, _)| id == method)?;
                let points = points.iter().map(|point| (work(point), point.errors[quantity])).collect();
                Some(Series { label: (*method).to_owned(), style, marked: true, points })
            })
            .collect(),
        triangles: Vec::new(),
    });
    Ok(figure::save(&panels, folder, name)?)
}

/// The program.
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
