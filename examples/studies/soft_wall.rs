//! A body pinned at a point in the Coulomb potential of a wall that is soft (paper 5, section 5.4).
//!
//! Paper 5, Figs. 4 and 5, with the torque as printed; the attraction and the wall of the text are a problem of its own.
//!
//! ```text
//! cargo run --release --example soft_wall                                           # Figs. 4 and 5
//! cargo run --release --example soft_wall -- --method trapm --set torque=attractive --step 0.02 --end 100 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{Axis, Band, Figure, Panel, Series};
use harness::study::plain_table;
use harness::study::rotation::{Energies, METHODS};
use harness::{Example, InitialValueProblem, Request, Settings, UsageError, Variant, study as studies};
use lie_runtime::prelude::*;
use models::rotating_bodies::soft_wall::{self, MOMENTS, start};

/// A representation of rotations, with the data of the paper.
macro_rules! variant {
    ($module:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            let is_printed = settings.choice("torque", &["printed", "attractive"], "printed")? == "printed";
            let sign = if is_printed { -1.0 } else { 1.0 };
            let wall = settings.apply(soft_wall::$module::Data { moments: MOMENTS, sign })?;
            let velocity = start(&wall.moments);
            let (system, configuration) = wall.turned(&Vector3::zeros())?;
            Ok(InitialValueProblem::new(system, configuration, velocity))
        })
    };
}

/// The body before the wall as an example.
pub fn example() -> Example {
    Example {
        name: "soft_wall",
        about: "A body before a soft wall (paper 5, section 5.4): --set torque=printed|attractive.",
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
/// Their number of steps.
const STEPS: f64 = 40_000.0;
/// The end of their runs.
const END: f64 = STEPS * STEP;
/// A step that resolves the knock of the attractive wall, which lasts about 0.1; as many steps.
const SHORT_STEP: f64 = 0.02;

/// A figure: the methods in it and how far its axis reaches from H = H₀.
struct Plate {
    /// Its number in the paper.
    printed: u32,
    /// The common interface of the methods.
    title: &'static str,
    /// Its file.
    name: &'static str,
    /// Which of [`METHODS`].
    methods: core::ops::Range<usize>,
}

/// The figures of the paper.
const PLATES: [Plate; 2] = [
    Plate { printed: 4, title: "reference methods", name: "reference", methods: 0..3 },
    Plate { printed: 5, title: "the methods of the paper", name: "present", methods: 3..7 },
];

/// The energies of all methods.
fn energies(example: &Example, torque: &str, step: f64) -> Result<Vec<Energies>, String> {
    studies::in_parallel(METHODS.len(), |index| {
        let mut request = Request::fixed(METHODS[index].0, step, STEPS * step).every(1);
        request.settings.insert("torque", torque).map_err(|error| error.to_string())?;
        Energies::of(example, &request)
    })
}

/// The table of one torque.
fn tell(runs: &[Energies], title: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let rows: Vec<Vec<String>> = METHODS
        .iter()
        .zip(runs)
        .map(|((_, label), run)| {
            let [low, high, mean] = run.spread();
            let end = run.broken_off.map_or_else(String::new, |t| format!("breaks off at t = {t}"));
            vec![(*label).to_owned(), format!("{low:.4}"), format!("{high:.4}"), format!("{mean:.1e}"), end]
        })
        .collect();
    let header = ["method", "lowest H / H₀", "highest H / H₀", "root mean square of H / H₀ − 1", ""];
    writeln!(out, "\n{title}\n{}", plain_table(&header, &rows))
}

/// The number of steps whose range and mean are one point of a figure.
const WINDOW: usize = 200;

/// H / H₀ of some methods, a panel each: the range and the mean of every [`WINDOW`] steps.
fn panels(runs: &[Energies], plate: &Plate) -> Vec<Panel> {
    let panel = |index: usize| {
        let (mut edges, mut means) = (Vec::new(), Vec::new());
        for steps in runs[index].points.chunks_exact(WINDOW) {
            let (time, values) = (steps[steps.len() / 2].0, steps.iter().map(|(_, value)| *value));
            let (low, high) =
                (values.clone().fold(f64::INFINITY, f64::min), values.clone().fold(f64::NEG_INFINITY, f64::max));
            edges.push((time, low, high));
            means.push((time, values.sum::<f64>() / steps.len() as f64));
        }
        let range = Band { label: format!("range of {WINDOW} steps"), style: 0, opacity: 0.35, edges };
        let mean = Series::line("mean", 0, means);
        Panel::over_time(METHODS[index].1, Axis::linear("relative energy H/H₀"), vec![mean]).with_bands(vec![range])
    };
    plate.methods.clone().map(panel).collect()
}

/// A figure of some methods.
fn figure(runs: &[Energies], plate: &Plate, panels: Vec<Panel>, title: &str, step: f64) -> Figure {
    let spread = |index: usize| format!("{} {:.0e}", METHODS[index].1, runs[index].spread()[2]);
    let caption = format!(
        "{STEPS} steps of h = {step} s. Root mean square of H/H₀ − 1: {}. A method without a drift has the same band at all times.",
        plate.methods.clone().map(spread).collect::<Vec<_>>().join(", ")
    );
    Figure::new(panels).title(title).caption(&caption)
}

/// Figs. 4 and 5, H / H₀ of the reference methods and of the methods of the paper, and H / H₀ before the attractive wall.
///
/// The figures use the torque as printed: the body swings over a wide, soft hill, near the top of which the
/// equations of a step of AKW and of BBTRAP have several solutions; the solution that continues the motion is selected (see
/// `integrator::rotation`). The text describes an attractive wall. Steps of 0.5 pass into this wall, and no method bounds the energy; it is
/// a separate problem, with steps that resolve the collision.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = Vec::new();
    let runs = energies(example, "printed", STEP)?;
    tell(&runs, &format!("Soft wall, torque as printed: {STEPS} steps of {STEP} s"), out)?;
    for plate in &PLATES {
        // One axis for all methods.
        let largest = plate.methods.clone().flat_map(|index| &runs[index].points);
        let largest = largest.map(|(_, value)| (value - 1.0).abs()).fold(0.0, f64::max);
        let panels =
            panels(&runs, plate).into_iter().map(|panel| panel.between(1.0 - largest, 1.0 + largest)).collect();
        let title = format!("Energy of a body at a soft wall, {} (paper 5, Fig. {})", plate.title, plate.printed);
        let figure = figure(&runs, plate, panels, &title, STEP);
        figures.push(figure.save_in(folder, &format!("energy_{}", plate.name))?);
    }
    let runs = energies(example, "attractive", SHORT_STEP)?;
    tell(
        &runs,
        &format!("Hard knocks: attraction and a wall, {STEPS} steps of {SHORT_STEP} s (not in the paper)"),
        out,
    )?;
    for plate in &PLATES {
        let title = format!("Energy of a body with an attractive wall, {} (not in the paper)", plate.title);
        let name = format!("hard_knocks_{}", plate.name);
        let figure = figure(&runs, plate, panels(&runs, plate), &title, SHORT_STEP);
        figures.push(figure.save_in(folder, &name)?);
    }
    studies::tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
