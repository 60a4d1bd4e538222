//! The slow and the fast Lagrangian top about their fixed point (paper 5, sections 5.2 and 5.3).
//!
//! Paper 5, Figs. 2 and 3.
//!
//! ```text
//! cargo run --release --example lagrangian_top                                      # Figs. 2 and 3
//! cargo run --release --example lagrangian_top -- --set case=fast --method imidm --step 0.001 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{self, Axis, Panel, Series};
use harness::study::rotation::{Convergence, Energies, METHODS};
use harness::{Example, InitialValueProblem, Request, Settings, UsageError, Variant, study as studies};
use models::rotating_bodies::lagrangian_top::{self, MOMENTS, WEIGHT, start};

/// A representation of rotations, with the data of the paper.
macro_rules! variant {
    ($module:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            let is_fast = settings.choice("case", &["slow", "fast"], "slow")? == "fast";
            let top = settings.apply(lagrangian_top::$module::Data { moments: MOMENTS, weight: WEIGHT })?;
            let [turn, velocity] = start(is_fast);
            let (system, configuration) = top.turned(&turn)?;
            Ok(InitialValueProblem::new(system, configuration, velocity))
        })
    };
}

/// The Lagrangian top as an example.
pub fn example() -> Example {
    Example {
        name: "lagrangian_top",
        about: "The slow or fast Lagrangian top (paper 5, sections 5.2, 5.3): --set case=slow|fast.",
        variants: vec![variant!(so3), variant!(s3)],
        method: "imidm",
        step: 0.005,
        end: 20.0,
        options: &[],
        study: Some(study),
    }
}

/// Figs. 2 and 3, and the energies of the slow top.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = Vec::new();
    let cases = [
        ("slow", "Slow Lagrangian top", "TRAP and IMID", 2, 9..=14, 16_384),
        ("fast", "Fast Lagrangian top", "TRAP and IMID, BBTRAP and SWC1", 3, 11..=16, 65_536),
    ];
    for (case, title, pairs, printed, steps, reference_steps) in cases {
        let convergence = Convergence {
            setting: Some(("case", case)),
            end: 20.0,
            steps,
            reference_steps,
            title,
            observation: &format!("Their errors are nearly equal in pairs: TRAPM and IMIDM, {pairs}."),
            printed,
            figure: &format!("convergence_{case}"),
        };
        figures.push(convergence.report(example, folder, out)?);
    }
    let runs = studies::in_parallel(METHODS.len(), |index| {
        let energies = Energies::of(example, &Request::fixed(METHODS[index].0, 0.02, 20.0).every(1))?;
        // The change is drawn on a logarithmic axis.
        let change = |(t, energy): (f64, f64)| (t, (energy - 1.0).abs().max(1e-17));
        Ok::<Vec<(f64, f64)>, String>(energies.points.into_iter().skip(1).map(change).collect())
    })?;
    let lines = METHODS.iter().zip(runs).enumerate();
    let series = lines.map(|(style, ((_, label), points))| Series::line(label, style, points)).collect();
    let panel = Panel::over_time("Energy of the slow top, h = 0.02 s", Axis::log("|H − H₀| / H₀"), series);
    figures.push(figure::save(&[panel], folder, "energy_slow")?);
    studies::tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
