//! The flexible four-bar mechanism with a misaligned hinge (paper 2, section 7.3).
//!
//! Paper 2, Fig. 6.
//!
//! ```text
//! cargo run --release --example four_bar                                             # the study: tables and figures
//! cargo run --release --example four_bar -- --method ul_crv --set misalignment=2 --samples 0.5,1 --format json
//! ```

pub mod model;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::chains::{self, centreline};
use harness::figure::{self, Animation, Axis, MovingLine, Panel, Series, Snapshot, Snapshots, Triangle};
use harness::study::{self, Curve, Ladder, errors_against, in_parallel};
use harness::{Example, InitialValueProblem, Outcome, Request, Sample, Settings, UsageError, Variant};
use lie_runtime::prelude::*;
use model::mechanism::{Bars, Lengths, Sections, System};
use models::rods::straight;

/// The number of edges of a bar in paper 2.
pub const ELEMENTS: usize = 10;
/// The step of paper 2.
pub const STEP: f64 = 0.02;
/// The end time of the runs: about two rotations of the hinge A.
pub const END: f64 = 3.0;
/// The methods that are compared.
pub const METHODS: [(&str, &str); 2] = [("lie_alpha", "Lie-α"), ("ul_crv", "UL-CRV")];
/// The only group.
const GROUP: &str = "s3r3";
/// The bars.
const BARS: [(&str, &str); 3] = [("ab", "AB"), ("bc", "BC"), ("cd", "CD")];

/// The tolerance of Newton's iteration, relative to the forces of a step; the paper does not give it.
///
/// Positions of 0.3 m are known to 4e-17 m, strains of edges of 0.012 m to 5e-15 and axial forces, EA = 4e7 N, to 2e-7 N.
/// That is 1e-10 of 2 kN, which the reactions reach only later: the usual tolerance asks for residuals under their
/// round-off.
const NEWTON_TOLERANCE: &str = "1e-9";

/// The mechanism with the data of paper 2, Table 2, and the settings of the user.
fn problem(settings: &mut Settings) -> Result<InitialValueProblem<System>, UsageError> {
    let bars = settings.apply(Sections {
        length: Vector3::new(0.12, 0.24, 0.12),
        axial: Vector3::new(4e7, 4e6, 4e5),
        bending: Vector3::new(2.4e6, 2.8e5, 2.4e4),
        torsion: Vector3::new(2.8e5, 2.8e4, 2.8e4),
        shear: Vector3::new(2e6, 2e5, 2e5),
        density: Vector3::new(3.2, 1.6, 1.6),
        polar_inertia: Vector3::new(2.4e-2, 1.2e-2, 1.2e-2),
        transverse_inertia: Vector3::new(1.2e-2, 6e-3, 6e-3),
        misalignment: 5.0,
        speed: -5.0,
        start_up: 0.5,
    })?;
    UsageError::unless_positive("length", bars.length.as_slice())?;
    settings.suggest("newton_tolerance", NEWTON_TOLERANCE);
    let elements = chains::elements(settings, ELEMENTS, 1)?;
    let line = |start, end| straight(start, end, elements).map_err(|error| UsageError::new(error.to_string()));
    let b = Vector3::new(0.0, bars.length[0], 0.0);
    let c = b + Vector3::new(bars.length[1], 0.0, 0.0);
    let d = c - Vector3::new(0.0, bars.length[2], 0.0);
    let (ab, bc, cd) = (line(Vector3::zeros(), b)?, line(b, c)?, line(c, d)?);
    let nodes = elements + 1;
    let system = System::new(bars, Lengths { ab: nodes, bc: nodes, cd: nodes })?;
    let velocity = system.zero_velocity();
    Ok(InitialValueProblem::new(system, Bars { ab, bc, cd }, velocity))
}

/// The mechanism as an example.
pub fn example() -> Example {
    Example {
        name: "four_bar",
        about: "Three flexible bars in hinges, with a misaligned hinge (paper 2, section 7.3).",
        variants: vec![Variant::new(GROUP, problem)],
        method: "lie_alpha",
        step: STEP,
        end: END,
        options: &[("elements", "The number of edges of each bar")],
        study: Some(study),
    }
}

/// A run of which every step is recorded; ρ∞ = 0.9.
///
/// # Errors
/// An error if it cannot be started or fails.
pub fn run(example: &Example, method: &str, step: f64, end: f64) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
    study::history(example, GROUP, &Request::fixed(method, step, end).every(1))
}

/// Errors of `method` over t ≤ 1 against itself with 2^`reference` steps.
///
/// # Errors
/// An error if a run cannot be started or the reference fails.
pub fn convergence(
    example: &Example,
    method: &'static str,
    reference: i32,
    powers: core::ops::RangeInclusive<i32>,
) -> Result<Vec<Curve>, Box<dyn Error + Send + Sync>> {
    let mut request = Request::fixed(method, 0.5f64.powi(reference), 1.0);
    request.samples = (1..=8).map(|part| f64::from(part) / 8.0).collect();
    let ladder: Ladder = (method, powers);
    errors_against(example, GROUP, &request, &[ladder])
}

/// The largest displacement of a point out of the plane.
pub fn out_of_plane(run: &Outcome, name: &str) -> f64 {
    run.history.iter().map(|sample| sample.observable(name)[2].abs()).fold(0.0, f64::max)
}

/// The force at B along BC, N.
fn force_of_b(sample: &Sample) -> f64 {
    sample.multipliers.get("hinge_b").and_then(|rows| rows.numbers().first().copied()).unwrap_or(f64::NAN)
}

/// Lines of both methods over time.
fn panel(title: &str, y: &str, runs: &[Outcome], value: impl Fn(&Sample) -> f64) -> Panel {
    let lines = METHODS.iter().zip(runs).enumerate();
    let series = lines.map(|(style, ((_, label), run))| Series::line(label, style, study::series(run, &value)));
    Panel::over_time(title, Axis::linear(y), series.collect())
}

/// Fig. 6 of paper 2 and an animation.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let told = |error: Box<dyn Error + Send + Sync>| error.to_string();
    let runs = in_parallel(METHODS.len(), |index| run(example, METHODS[index].0, STEP, END)).map_err(told)?;
    let rows: Vec<Vec<String>> = METHODS
        .iter()
        .zip(&runs)
        .map(|((_, label), run)| {
            let angles = || run.history.iter().map(|sample| sample.observable("d_angle")[0].to_degrees());
            vec![
                (*label).to_owned(),
                format!("{:.2}", run.newton_iterations.unwrap_or(f64::NAN)),
                format!(
                    "{:.1} … {:.1}",
                    angles().fold(f64::INFINITY, f64::min),
                    angles().fold(-f64::INFINITY, f64::max)
                ),
                format!("{:.4}", out_of_plane(run, "middle_position")),
                format!("{:.4}", out_of_plane(run, "c_position")),
            ]
        })
        .collect();
    writeln!(out, "Up to t = {END} with h = {STEP}, ρ∞ = 0.9, {ELEMENTS} elements a bar")?;
    let header = [
        "method",
        "Newton iterations to 1e-10",
        "angle of CD [°]",
        "largest z, middle of BC [m]",
        "largest z of C [m]",
    ];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let panels = [
        panel("Bar CD", "angle at D [°]", &runs, |sample| sample.observable("d_angle")[0].to_degrees()),
        panel("Middle of BC, out of plane", "z [m]", &runs, |sample| sample.observable("middle_position")[2]),
        panel("Hinge B", "multiplier λ₁ [N]", &runs, force_of_b),
    ];
    let mut figures =
        vec![figure::save_titled("Four-bar mechanism, h = 0.02 s (paper 2, Fig. 6)", &panels, folder, "motion")?];

    let mut curves = Vec::new();
    for (method, _) in METHODS {
        curves.extend(convergence(example, method, 12, 6..=9).map_err(told)?);
    }
    let curves: Vec<&Curve> = curves.iter().collect();
    writeln!(out, "\nRelative errors over 0 ≤ t ≤ 1 against the same method with h = 1/4096")?;
    writeln!(out, "{}", study::table_of_errors(&curves))?;
    let panels = [(0, "q"), (2, "λ")].map(|(quantity, name)| {
        let labels = METHODS.map(|(_, label)| label);
        let mut panel = figure::convergence(&curves, &labels, quantity, &format!("Error of {name}, 0 ≤ t ≤ 1"));
        if let [.., (x_end, _), (x, y)] = curves[0].errors(quantity)[..] {
            panel.triangles = vec![Triangle { x, x_end, y, slope: 2.0 }];
        }
        panel
    });
    figures.push(figure::save_titled("Four-bar mechanism (paper 2, Fig. 6)", &panels, folder, "convergence")?);
    figures.extend(motion(&runs[0], folder)?);
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// Snapshots and the animation.
fn motion(run: &Outcome, folder: &Path) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let snapshots = run.history.iter().step_by(15).take(7).map(|sample| Snapshot {
        label: format!("{:.1}", sample.t),
        lines: BARS.map(|(bar, _)| centreline(&sample.configuration, bar)).into(),
    });
    let start = &run.history[0].configuration;
    let ends = [("A, driven", "ab", 0), ("B", "ab", ELEMENTS), ("C", "bc", ELEMENTS), ("D", "cd", ELEMENTS)];
    let marks = ends.map(|(name, bar, node)| (name.to_owned(), centreline(start, bar)[node]));
    let picture = Snapshots {
        title: "Four-bar mechanism".to_owned(),
        caption: format!(
            "{ELEMENTS} elements in each bar, Lie-α, h = {STEP} s; deformations are not magnified. The hinge A is driven. The axis of the \
             hinge C is misaligned by 5°, so that the bars must bend out of the plane. The dots are the nodes."
        ),
        smooth: true,
        axes: ["x [m]".to_owned(), "y [m]".to_owned()],
        eye: [-90.0, 90.0],
        marks: marks.to_vec(),
        snapshots: snapshots.collect(),
    };
    let lines = BARS.iter().enumerate().map(|(style, (bar, label))| MovingLine {
        label: (*label).to_owned(),
        style,
        trail: None,
        points: run.history.iter().map(|sample| centreline(&sample.configuration, bar)).collect(),
    });
    let film = Animation {
        title: "Four-bar mechanism with a misaligned hinge".to_owned(),
        eye: [-90.0, 60.0],
        times: run.history.iter().map(|sample| sample.t).collect(),
        lines: lines.collect(),
        ..Animation::default()
    };
    Ok([picture.save(folder, "snapshots")?, film.save(folder, "animation")?])
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
