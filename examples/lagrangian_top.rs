//! The slow and the fast Lagrangian top about their fixed point (paper 5, sections 5.2 and 5.3).
//!
//! ```text
//! cargo run --release --example lagrangian_top                                      # Figs. 2 and 3
//! cargo run --release --example lagrangian_top -- --set case=fast --method imidm --step 0.001 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use examples::figure::{self, Axis, Panel};
use examples::study::rotation::{Convergence, Energies, METHODS, series};
use examples::{Example, Problem, Request, Settings, UsageError, Variant, study as studies};
use lie_runtime::prelude::*;

/// The top with this representation of rotations.
macro_rules! lagrangian_top {
    ($name:ident, $rotation:ident, $matrix:ident) => {
        /// A heavy symmetric top.
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The body.
            #[configuration]
            pub struct Body {
                /// Body to space.
                pub attitude: $rotation,
            }

            /// Data of the top.
            #[parameters]
            pub struct Top {
                /// Principal moments of inertia about the fixed point.
                pub moments: Vector3<f64>,
                /// Weight times the distance of the centre of mass from the fixed point.
                pub weight: f64,
            }

            #[kinetic_energy]
            fn rotation(top: &Top, v: &Velocity) -> f64 {
                0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
            }

            /// The torque in space is −w R e₃ × e₃.
            #[potential]
            fn height(top: &Top, q: &Body) -> f64 {
                top.weight * (q.attitude * Vector3::z()).z
            }

            #[observable]
            fn attitude(q: &Body) -> Matrix3<f64> {
                q.attitude.$matrix()
            }

            /// In the body.
            #[observable]
            fn angular_momentum(top: &Top, v: &Velocity) -> Vector3<f64> {
                top.moments.component_mul(&v.attitude)
            }
        }
    };
}

lagrangian_top!(so3, SO3, matrix);
lagrangian_top!(s3, S3, rotation_matrix);

/// A representation, with the data of the paper.
macro_rules! variant {
    ($module:ident, $rotation:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            let is_fast = settings.choice("case", &["slow", "fast"], "slow")? == "fast";
            let (tilt, spin) = if is_fast { (0.3, 50.0) } else { (0.05, 5.0) };
            let top = settings.apply($module::Top { moments: Vector3::new(5.0, 5.0, 1.0), weight: 20.0 })?;
            Ok(Problem {
                system: $module::System::new(top)?,
                configuration: $module::Body { attitude: $rotation::exp(&Vector3::new(tilt, 0.0, 0.0)) },
                velocity: Vector3::new(0.0, 0.0, spin),
            })
        })
    };
}

/// The Lagrangian top as an example.
pub fn example() -> Example {
    Example {
        name: "lagrangian_top",
        about: "The slow or fast Lagrangian top (paper 5, sections 5.2, 5.3): --set case=slow|fast.",
        variants: vec![variant!(so3, SO3), variant!(s3, S3)],
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
    for (case, title, steps, reference_steps) in
        [("slow", "Slow Lagrangian top", 9..=14, 16_384), ("fast", "Fast Lagrangian top", 11..=16, 65_536)]
    {
        let convergence = Convergence {
            setting: Some(("case", case)),
            end: 20.0,
            steps,
            reference_steps,
            title,
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
    let panel = Panel {
        title: "Energy of the slow top, h = 0.02".to_owned(),
        x: Axis::Linear("time t".to_owned()),
        y: Axis::Log("|H − H₀| / H₀".to_owned()),
        series: METHODS
            .iter()
            .zip(runs)
            .enumerate()
            .map(|(style, ((_, label), points))| series(label, style, points))
            .collect(),
        triangles: Vec::new(),
    };
    figures.push(figure::save(&[panel], folder, "energy_slow")?);
    writeln!(out, "\nFigures (SVG, and PNG beside it):")?;
    for path in figures {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
