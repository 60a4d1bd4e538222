//! The measurements and their figures.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use harness::figure::{self, Axis, Panel, Series};
use harness::{Example, Outcome, Request, Sample, UsageError, study};

use crate::heavy_top;

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
#[derive(Clone, Debug)]
pub struct Point {
    /// The number of steps up to t = 1.
    pub steps: u32,
    /// The errors of q, v and λ at t = 1, NaN of a run that has failed.
    pub errors: [f64; 3],
    /// Linear systems solved.
    pub solves: f64,
    /// The shortest processor time of a run, s.
    pub seconds: f64,
    /// Why the run has failed on its way.
    pub failure: Option<String>,
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
/// An error if a run cannot be started; one that fails on its way is a point without errors.
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
        let run = || -> Result<(f64, Outcome), UsageError> {
            let clock = ThreadTime::now();
            let outcome = example.variant("so3xr3")?.run(&request)?;
            Ok((clock.elapsed().as_secs_f64(), outcome))
        };
        let (mut seconds, outcome) = run()?;
        let errors = match (&outcome.failure, outcome.samples.first()) {
            (None, Some(sample)) => heavy_top::errors(sample),
            _ => [f64::NAN; 3],
        };
        for _ in 1..repetitions {
            seconds = seconds.min(run()?.0);
        }
        points.push(Point { steps, errors, solves: outcome.linear_solves as f64, seconds, failure: outcome.failure });
    }
    Ok(points)
}

/// The work for an error: interpolated between runs in logarithms; `None` if no run is that accurate.
pub fn work_for(points: &[Point], quantity: usize, error: f64, work: impl Fn(&Point) -> f64) -> Option<f64> {
    let points: Vec<&Point> = points.iter().filter(|point| point.failure.is_none()).collect();
    let after = points.iter().position(|point| point.errors[quantity] <= error)?;
    let Some(before) = after.checked_sub(1) else {
        return Some(work(points[0]));
    };
    let (from, to) = (points[before], points[after]);
    let share = (from.errors[quantity] / error).ln() / (from.errors[quantity] / to.errors[quantity]).ln();
    Some(work(from) * (work(to) / work(from)).powf(share))
}

/// The contents of a figure: its name and methods.
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
        let last = points.iter().rfind(|point| point.failure.is_none());
        vec![
            (*method).to_owned(),
            last.map_or_else(|| "—".to_owned(), |last| format!("{:.0}", 1e9 * last.seconds / f64::from(last.steps))),
            time(points, 0, 1e-3),
            time(points, 0, 1e-5),
            time(points, 1, 1e-5),
            time(points, 2, 1e-5),
            solves(points, 1e-3),
            solves(points, 1e-5),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    writeln!(
        out,
        "Processor time for one second of the heavy top in ms, and linear systems, for a relative error at t = 1"
    )?;
    let header = ["method", "ns a step", "q: 1e-3", "q: 1e-5", "v: 1e-5", "λ: 1e-5", "systems, q: 1e-3", "q: 1e-5"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    for (method, points) in &curves {
        for point in points {
            if let Some(failure) = &point.failure {
                writeln!(out, "{method} does not reach t = 1 in {} steps: {failure}", point.steps)?;
            }
        }
    }
    let mut figures = Vec::new();
    for (name, methods) in FIGURES {
        for (work, label, of) in WORK {
            figures.push(draw(&curves, &methods, (label, of), folder, &format!("{name}_{work}"))?);
        }
    }
    figures.push(energies(example, folder, out)?);
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The methods whose energies are drawn.
const CONSERVATION: [&str; 5] = ["herk2_heun", "lie_alpha", "ul_rotation_vector", "rattlie", "bliedf3"];

/// The relative error of the energy after every 50th of the steps of 2 ms up to `end`.
///
/// # Errors
/// An error if a run cannot be started or fails on its way.
pub fn energy(example: &Example, method: &str, end: f64) -> Result<Vec<(f64, f64)>, Box<dyn Error + Send + Sync>> {
    let run = study::history(example, "so3xr3", &Request::fixed(method, 0.002, end).every(50))?;
    let energy = |sample: &Sample| sample.energy.kinetic + sample.energy.potential;
    let start = run.history.first().map_or(f64::NAN, energy);
    Ok(run.history.iter().map(|sample| (sample.t, (energy(sample) / start - 1.0).abs())).collect())
}

/// Draws the errors of the energy.
fn energies(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Box<dyn Error>> {
    let curves = study::in_parallel(CONSERVATION.len(), |index| {
        Ok::<_, String>(energy(example, CONSERVATION[index], 50.0).map_err(|error| error.to_string()))
    })?;
    let mut series = Vec::new();
    for (style, (method, points)) in CONSERVATION.iter().zip(curves).enumerate() {
        match points {
            Ok(points) => series.push(Series::line(method, style, points)),
            Err(failure) => writeln!(out, "{method} does not reach t = 50: {failure}")?,
        }
    }
    let title = "Heavy top on SO(3) × R³: energy, h = 2 ms";
    let panel = Panel::over_time(title, Axis::log("|E / E(0) − 1|"), series);
    Ok(figure::save(&[panel], folder, "energy")?)
}

/// A measure of work.
type Work = fn(&Point) -> f64;

/// The measures of work: name, label and value.
const WORK: [(&str, &str, Work); 2] =
    [("time", "processor time [s]", |point| point.seconds), ("systems", "linear systems solved", |point| point.solves)];

/// Errors of q, v and λ over the work.
fn draw(
    curves: &[(&str, Vec<Point>)],
    methods: &[&str],
    (label, work): (&str, Work),
    folder: &Path,
    name: &str,
) -> Result<PathBuf, Box<dyn Error>> {
    let panels = [0, 1, 2].map(|quantity| {
        let series = methods.iter().enumerate().filter_map(|(style, method)| {
            let (_, points) = curves.iter().find(|(id, _)| id == method)?;
            let points = points.iter().map(|point| (work(point), point.errors[quantity])).collect();
            Some(Series::marked(method, style, points))
        });
        let title = format!("{} at t = 1 s", study::QUANTITIES[quantity]);
        Panel::new(&title, Axis::log(label), Axis::log("relative error"), series.collect())
    });
    Ok(figure::save_titled("Heavy top on SO(3) × R³: error against work", &panels, folder, name)?)
}
