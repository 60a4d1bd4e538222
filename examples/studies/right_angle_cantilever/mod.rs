//! The right-angle cantilever of papers 2 and 4: out-of-plane vibrations of the size of the structure.
//!
//! Paper 2, Fig. 4. Paper 4, Figs. 8 and 9, on five cubic elements a leg, with the third stage of TR-BDF2 as an output: a
//! step that starts from it is not stable at the steps of the figure (`stability`).
//!
//! ```text
//! cargo run --release --example right_angle_cantilever                             # the study: tables and figures
//! cargo run --release --example right_angle_cantilever -- --method ul_crv --elements 20 --samples 10,20,30 --format json
//! ```

pub mod accuracy;
pub mod model;
pub mod stability;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::chains::{self, centreline};
use harness::figure::{self, Animation, Axis, MovingLine, Panel, Series, Snapshot, Snapshots, Triangle};
use harness::study::{self, Curve, Ladder, errors_against, in_parallel};
use harness::{Example, InitialValueProblem, Outcome, Request, Sample, Settings, UsageError, Variant};
use lie_runtime::prelude::*;
use model::{LEG, at_rest};

/// The cantilever with the data of Simo and Vu-Quoc and the settings of the user.
macro_rules! cantilever {
    ($module:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            use model::$module::{Cantilever, Lengths, ORDER, Section, System};
            let elements = chains::elements(settings, ELEMENTS, 4)?;
            if elements % 2 == 1 {
                return Err(UsageError::new(format!(
                    "`elements` is {elements}; both legs have the same number of them"
                )));
            }
            let edges = elements / 2 * ORDER;
            let section = settings.apply(Section::of_simo_and_vu_quoc(edges))?;
            UsageError::unless_positive("edge", &[section.edge])?;
            let mut nodes = at_rest(edges).map_err(|error| UsageError::new(error.to_string()))?;
            for node in &mut nodes {
                node.translation *= section.edge * edges as f64 / LEG;
            }
            let system = System::new(section, Lengths { nodes: nodes.len() })?;
            let velocity = system.zero_velocity();
            Ok(InitialValueProblem::new(system, Cantilever { nodes }, velocity))
        })
    };
}

/// The number of elements of both papers, five a leg.
const ELEMENTS: usize = 10;
/// The step of paper 2.
pub const STEP: f64 = 0.2;
/// The methods that are compared.
pub const METHODS: [(&str, &str); 2] = [("lie_alpha", "Lie-α"), ("ul_crv", "UL-CRV")];
/// The only group.
const GROUP: &str = "s3r3";

/// The options of this example.
const OPTIONS: &[(&str, &str)] = &[
    ("elements", "The number of elements of both legs"),
    (
        "model",
        "Elements of two nodes, shear_flexible or kirchhoff, or of three or four, quadratic or cubic \
         [default: shear_flexible]",
    ),
];

/// The cantilever as an example.
pub fn example() -> Example {
    Example {
        name: "right_angle_cantilever",
        about: "Two clamped legs at a right angle, pulled out of their plane at the elbow (papers 2 and 4).",
        variants: vec![Variant::choice(
            GROUP,
            "model",
            vec![cantilever!(shear_flexible), cantilever!(kirchhoff), cantilever!(quadratic), cantilever!(cubic)],
        )],
        method: "lie_alpha",
        step: STEP,
        end: 30.0,
        options: OPTIONS,
        study: Some(study),
    }
}

/// A run with HHT's parameters for α = 0.05, every step of which is recorded.
///
/// # Errors
/// An error if it cannot be started or fails.
pub fn run(example: &Example, method: &str, step: f64, end: f64) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
    let request = Request::fixed(method, step, end).every(1).with("hht_alpha", "0.05")?;
    study::history(example, GROUP, &request)
}

/// The total energy.
pub fn energy(sample: &Sample) -> f64 {
    sample.energy.kinetic + sample.energy.potential
}

/// The greatest and the least energy after the load has gone, relative to the mean of both.
pub fn variation_of_energy(run: &Outcome) -> f64 {
    let free = || run.history.iter().filter(|sample| sample.t >= 2.0 - 1e-9).map(energy);
    let (low, high) = (free().fold(f64::INFINITY, f64::min), free().fold(f64::NEG_INFINITY, f64::max));
    2.0 * (high - low) / (high + low)
}

/// The greatest displacement out of the plane.
pub fn amplitude(run: &Outcome, name: &str) -> f64 {
    run.history.iter().map(|sample| sample.observable(name)[2].abs()).fold(0.0, f64::max)
}

/// Errors of `method` at ten times up to `end` against itself with 2^`reference` steps.
///
/// # Errors
/// An error if a run cannot be started or the reference fails.
pub fn convergence(
    example: &Example,
    method: &'static str,
    end: f64,
    reference: i32,
    powers: core::ops::RangeInclusive<i32>,
) -> Result<Vec<Curve>, Box<dyn Error + Send + Sync>> {
    let step = end * 0.5f64.powi(reference);
    let mut request = Request::fixed(method, step, end).with("hht_alpha", "0.05")?;
    request.samples = (1..=8).map(|part| end * f64::from(part) / 8.0).collect();
    let ladder: Ladder = (method, powers);
    errors_against(example, GROUP, &request, &[ladder])
}

/// Fig. 4 of paper 2, Figs. 8 and 9 of paper 4, and an animation.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let told = |error: Box<dyn Error + Send + Sync>| error.to_string();
    let runs = in_parallel(METHODS.len(), |index| run(example, METHODS[index].0, STEP, 30.0)).map_err(told)?;
    let rows: Vec<Vec<String>> = METHODS
        .iter()
        .zip(&runs)
        .map(|((_, label), run)| {
            vec![
                (*label).to_owned(),
                format!("{:.2}", run.newton_iterations.unwrap_or(f64::NAN)),
                format!("{:.2}", amplitude(run, "elbow_displacement")),
                format!("{:.2}", amplitude(run, "tip_displacement")),
                format!("{:.1} %", 100.0 * variation_of_energy(run)),
            ]
        })
        .collect();
    writeln!(out, "Up to t = 30 with h = {STEP}, HHT's parameters for α = 0.05, {ELEMENTS} elements")?;
    let header = [
        "method",
        "Newton iterations to 1e-10",
        "largest elbow z [m]",
        "largest tip z [m]",
        "energy after t = 2, max − min",
    ];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let panel = |title: &str, y: &str, value: &dyn Fn(&Sample) -> f64| {
        let lines = METHODS.iter().zip(&runs).enumerate();
        let series = lines.map(|(style, ((_, label), run))| Series::line(label, style, study::series(run, value)));
        Panel::over_time(title, Axis::linear(y), series.collect())
    };
    let panels = [
        panel("Tip, out of plane", "displacement [m]", &|sample| sample.observable("tip_displacement")[2]),
        panel("Elbow, out of plane", "displacement [m]", &|sample| sample.observable("elbow_displacement")[2]),
        panel("Total energy", "E [J]", &energy),
    ];
    let title = "Right-angle cantilever, h = 0.2 s (paper 2, Fig. 4)";
    let mut figures = vec![figure::save_titled(title, &panels, folder, "motion")?];

    let mut curves = Vec::new();
    for (method, _) in METHODS {
        curves.extend(convergence(example, method, 4.0, 12, 4..=9).map_err(told)?);
    }
    let curves: Vec<&Curve> = curves.iter().collect();
    writeln!(out, "\nRelative errors over 0 ≤ t ≤ 4 against the same method with h = 1/1024")?;
    writeln!(out, "{}", study::table_of_errors(&curves))?;
    let mut panel = figure::convergence(&curves, &METHODS.map(|(_, label)| label), 0, "Error of q, 0 ≤ t ≤ 4");
    if let [.., (x_end, _), (x, y)] = curves[0].errors(0)[..] {
        panel.triangles = vec![Triangle { x, x_end, y, slope: 2.0 }];
    }
    figures.push(figure::save_titled("Right-angle cantilever (paper 2, Fig. 4)", &[panel], folder, "convergence")?);
    figures.extend(accuracy::study(example, folder, out)?);
    figures.push(stability::study(folder, out)?);
    figures.extend(motion(example, folder)?);
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The nodes of both legs.
fn centreline_of(sample: &Sample) -> Vec<[f64; 3]> {
    centreline(&sample.configuration, "nodes")
}

/// Snapshots and the animation.
fn motion(example: &Example, folder: &Path) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let run = run(example, METHODS[0].0, 0.05, 30.0).map_err(|error| error.to_string())?;
    let start = centreline_of(&run.history[0]);
    // The elbow is a corner.
    let legs = |nodes: Vec<[f64; 3]>| vec![nodes[..=ELEMENTS / 2].to_vec(), nodes[ELEMENTS / 2..].to_vec()];
    let snapshots = run
        .history
        .iter()
        .step_by(40)
        .take(6)
        .map(|sample| Snapshot { label: format!("{:.0}", sample.t), lines: legs(centreline_of(sample)) });
    let eye = [-60.0, 25.0];
    let picture = Snapshots {
        title: "Right-angle cantilever".to_owned(),
        caption: format!(
            "{ELEMENTS} elements, Lie-α, h = 0.05 s. Parallel projection of both legs; displacements are not magnified. A force that acts \
             for two seconds pulls the elbow out of the plane. The dots are the nodes."
        ),
        smooth: true,
        axes: ["projection, horizontal [m]".to_owned(), "projection, vertical [m]".to_owned()],
        eye,
        marks: vec![("clamped".to_owned(), start[0]), ("force".to_owned(), start[ELEMENTS / 2])],
        snapshots: snapshots.collect(),
    };
    let film = Animation {
        title: "Right-angle cantilever".to_owned(),
        eye,
        times: run.history.iter().map(|sample| sample.t).collect(),
        lines: vec![MovingLine {
            label: "both legs".to_owned(),
            style: 0,
            trail: Some(ELEMENTS),
            points: run.history.iter().map(centreline_of).collect(),
        }],
        ..Animation::default()
    };
    Ok([picture.save(folder, "snapshots")?, film.save(folder, "animation")?])
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
