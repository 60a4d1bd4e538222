//! Time of a step of a Kirchhoff rod against its number of elements, from 16 to 4096.
//!
//! ```text
//! cargo run --release --example rod_scale                    # the study: a table and a figure, in about ten seconds
//! ```
//!
//! The flying spaghetti of paper 1 from rest: `hedop5` with steps that its waves of stretch allow, and `lie_alpha` (index
//! 3, modified Newton) with steps of a millisecond. Times are processor times, the least of many runs of a few steps.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use harness::figure::{self, Axis, Panel, Series};
use harness::{Example, study};
use lie_runtime::integrator::generalized_alpha::{GeneralizedAlphaOptions, NewtonUpdate, Parameters};
use lie_runtime::integrator::{GeneralizedAlpha, HalfExplicit, Integrator, State};
use lie_runtime::prelude::*;
use models::rods::flying_spaghetti_kirchhoff::{Section, System};
use models::rods::{RodSection, straight};

/// The flying spaghetti, with another study.
pub fn example() -> Example {
    Example {
        name: "rod_scale",
        about: "Time of a step of a Kirchhoff rod against its number of elements.",
        ..models::rods::studies::flying_spaghetti(study)
    }
}

/// The numbers of elements.
const ELEMENTS: [usize; 9] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/// How long a measurement lasts.
const SPAN: Duration = Duration::from_millis(300);

/// Time of a step of the generalized-α program gena (Fortran; Kirchhoff rod, index 3) on a machine of this class, s.
const GENA: [(f64, f64); 2] = [(16.0, 164e-6), (256.0, 184e-3)];

/// What a step takes.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The processor time, s.
    pub seconds: f64,
    /// Iterations, of an implicit method.
    pub iterations: f64,
}

/// The rod with that many elements, straight, and its first state.
///
/// # Errors
/// An error if there is no such rod.
pub fn rod(elements: usize) -> Result<(System, State<System>), Box<dyn Error>> {
    let nodes = straight(Vector3::zeros(), Vector3::new(-6.0, 8.0, 0.0), elements)?;
    let (system, rod) = Section::of_paper_1(0.0).through(nodes)?;
    let state = State::at_rest(&system, 0.0, rod);
    Ok((system, state))
}

/// The least time of a step in runs of a few steps, over a span of time.
///
/// # Errors
/// An error if a step fails.
pub fn measure<I: Integrator<System>>(
    method: &I,
    elements: usize,
    h: f64,
    span: Duration,
) -> Result<Cost, Box<dyn Error>> {
    let (system, mut start) = rod(elements)?;
    let mut workspace = method.workspace(&system, &start);
    method.start(&system, &mut start, &mut workspace)?;
    let (mut from, mut to) = (start.clone(), start.clone());
    let steps = (4096 / elements).clamp(4, 64);
    let (mut seconds, clock) = (f64::INFINITY, Instant::now());
    while clock.elapsed() < span || seconds.is_infinite() {
        from.clone_from(&start);
        let run = ThreadTime::now();
        for _ in 0..steps {
            method.step(&system, &from, h, &mut to, &mut workspace)?;
            std::mem::swap(&mut from, &mut to);
        }
        seconds = seconds.min(run.elapsed().as_secs_f64() / steps as f64);
    }
    Ok(Cost { seconds, iterations: method.newton_iterations(&workspace).unwrap_or(0.0) })
}

/// The half-explicit method of fifth order, with a fiftieth of the time in which stretch crosses an element.
///
/// # Errors
/// An error if a step fails.
pub fn half_explicit(elements: usize, span: Duration) -> Result<Cost, Box<dyn Error>> {
    let wave = 100.0;
    measure(&HalfExplicit::hedop5(), elements, 0.02 * 10.0 / elements as f64 / wave, span)
}

/// The generalized-α method, ρ∞ = 0.9.
///
/// # Errors
/// An error if a step fails.
pub fn implicit(elements: usize, span: Duration) -> Result<Cost, Box<dyn Error>> {
    let options = GeneralizedAlphaOptions::default().newton(NewtonUpdate::Modified);
    measure(&GeneralizedAlpha::new(Parameters::chung_hulbert(0.9)?, options)?, elements, 1e-3, span)
}

/// Measures and draws.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let (mut rows, mut explicit, mut alpha) = (Vec::new(), Vec::new(), Vec::new());
    for elements in ELEMENTS {
        let costs = [half_explicit(elements, SPAN)?, implicit(elements, SPAN)?];
        let nodes = (elements + 1) as f64;
        let mut row = vec![elements.to_string()];
        for cost in costs {
            row.push(format!("{:.1}", 1e6 * cost.seconds));
            row.push(format!("{:.2}", 1e6 * cost.seconds / nodes));
        }
        row.push(format!("{:.2}", costs[1].iterations));
        rows.push(row);
        explicit.push((elements as f64, costs[0].seconds));
        alpha.push((elements as f64, costs[1].seconds));
    }
    writeln!(out, "Processor time of a step of a Kirchhoff rod in µs, and for each node")?;
    let header = ["N", "hedop5", "a node", "lie_alpha", "a node", "iterations"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let lines = vec![
        Series::marked("hedop5", 0, explicit),
        Series::marked("lie_alpha", 1, alpha),
        Series::marked("gena, generalized-α", 3, GENA.to_vec()),
    ];
    let panel = Panel::new("Kirchhoff rod: time of a step", Axis::log("elements N"), Axis::log("time [s]"), lines);
    writeln!(out, "\nFigure (SVG):\n  {}", figure::save(&[panel], folder, "rod_scale")?.display())?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
