//! Identification: mass, radii of gyration, length and friction of a heavy top from noisy measurements of its motion.
//!
//! No paper. The attitude and the force in the pivot of a spinning top are measured fifty times in a second; by the sensitivities of the
//! simulated motion Levenberg's and Marquardt's method finds the data of the top, and how well the measurements determine them.
//!
//! ```text
//! cargo run --release --example identify                                      # the study: 200 experiments, in some seconds
//! cargo run --release --example identify -- --set drag=0.01 --samples 0.5,1 --format json
//! ```

mod fit;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub use fit::{Experiment, FitError, UNKNOWNS, fit};
use harness::figure::{self, Axis, Panel, Series};
use harness::study::{in_parallel, number, plain_table, tell_figures};
use harness::{Example, Problem, Settings, UsageError, Variant};
use lie_runtime::prelude::*;

/// A top with a fixed point.
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// Of the body in space.
        pub attitude: SO3,
        /// Of the centre of mass.
        pub position: R3,
    }

    /// What is to be found out.
    #[parameters]
    pub struct Top {
        /// The mass.
        pub mass: f64,
        /// Radii of gyration: the roots of the mean squares of the three coordinates of the mass, from its centre. Whatever they are,
        /// the moments of inertia are those of a body.
        pub radii: Vector3<f64>,
        /// From the fixed point to the centre of mass, along the second axis.
        pub length: f64,
        /// Of the bearing: torque by angular velocity.
        pub drag: f64,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        let squares = top.radii.component_mul(&top.radii);
        let sum = squares.x + squares.y + squares.z;
        let inertia = Vector3::new(sum - squares.x, sum - squares.y, sum - squares.z) * top.mass;
        0.5 * top.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&inertia.component_mul(&v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Body) -> f64 {
        9.81 * top.mass * q.position.z
    }

    #[dissipation]
    fn bearing(top: &Top, v: &Velocity) -> f64 {
        0.5 * top.drag * v.attitude.norm_squared()
    }

    /// Its multipliers are the force in the pivot, in the body.
    #[constraint]
    fn pivot(top: &Top, q: &Body) -> Vector3<f64> {
        q.attitude.inverse() * q.position - Vector3::new(0.0, top.length, 0.0)
    }

    #[observable]
    fn position(q: &Body) -> Vector3<f64> {
        q.position
    }
}

/// The top of all experiments.
pub fn truth() -> top::Top {
    top::Top { mass: 2.0, radii: Vector3::new(0.10, 0.08, 0.12), length: 0.15, drag: 2e-3 }
}

/// It is let go tilted and spinning; the position follows from the attitude, the velocity from the angular one.
pub fn start(top: &top::Top) -> (top::Body, Vector6<f64>) {
    let (attitude, angular) = (SO3::exp(&Vector3::new(0.5, 0.0, 0.2)), Vector3::new(0.0, 40.0, 0.0));
    let center = Vector3::new(0.0, top.length, 0.0);
    let velocity = attitude * angular.cross(&center);
    let rates = [angular.x, angular.y, angular.z, velocity.x, velocity.y, velocity.z];
    (top::Body { attitude, position: attitude * center }, Vector6::from(rates))
}

/// The top as an example.
pub fn example() -> Example {
    let so3xr3 = Variant::new("so3xr3", |settings: &mut Settings| -> Result<_, UsageError> {
        let top = settings.apply(truth())?;
        let (configuration, velocity) = start(&top);
        Ok(Problem { system: top::System::new(top)?, configuration, velocity })
    });
    Example {
        name: "identify",
        about: "The data of a heavy top from measurements of its motion, with their uncertainties.",
        variants: vec![so3xr3],
        method: "hedop5",
        step: 5e-3,
        end: 1.0,
        options: &[],
        study: Some(study),
    }
}

/// A parameter by its number among the unknowns.
fn true_value(at: usize) -> f64 {
    let top = truth();
    [top.mass, top.radii.x, top.radii.y, top.radii.z, top.length, top.drag][at]
}

/// What is normally distributed lies with 95 % within so many deviations.
pub const WITHIN: f64 = 1.959_963_984_540_054;

/// The errors of the estimates of so many experiments, in their own deviations.
///
/// # Errors
/// [`FitError`] of the first experiment that has told nothing.
pub fn errors_in_deviations(experiments: usize) -> Result<Vec<[f64; UNKNOWNS]>, FitError> {
    in_parallel(experiments, |seed| {
        let found = fit(&Experiment::made(seed as u64)?)?;
        Ok(core::array::from_fn(|at| (found.values[at] - true_value(at)) / found.deviation(at)))
    })
}

/// One experiment in full, and how often the truth lies where two hundred of them say it does.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    const EXPERIMENTS: usize = 200;
    let experiment = Experiment::made(2024)?;
    let found = fit(&experiment)?;
    let errors = errors_in_deviations(EXPERIMENTS)?;
    let sizes: Vec<Vec<f64>> = (0..UNKNOWNS)
        .map(|at| {
            let mut sizes: Vec<f64> = errors.iter().map(|error| error[at].abs()).collect();
            sizes.sort_by(f64::total_cmp);
            sizes
        })
        .collect();
    let rows: Vec<Vec<String>> = (0..UNKNOWNS)
        .map(|at| {
            let inside = sizes[at].iter().filter(|&&size| size <= WITHIN).count();
            vec![
                found.names[at].clone(),
                format!("{}", true_value(at)),
                format!("{:.5} ± {}", found.values[at], number(WITHIN * found.deviation(at))),
                format!("{:.1} %", 100.0 * inside as f64 / EXPERIMENTS as f64),
            ]
        })
        .collect();
    writeln!(
        out,
        "{} measured numbers, {} evaluations; mean square of what is left, in deviations: {:.3}",
        experiment.count(),
        found.evaluations,
        found.left
    )?;
    let header = ["parameter", "truth", "estimate, 95 %", "truth inside, of 200 experiments"];
    writeln!(out, "{}", plain_table(&header, &rows))?;

    let axes = ["x", "y", "z"];
    let forces = (0..3).map(|axis| Series::line(&format!("{}, fitted", axes[axis]), axis, found.forces(axis)));
    let measured =
        (0..3).map(|axis| Series::marked(&format!("{}, measured", axes[axis]), axis + 3, experiment.forces(axis)));
    let force =
        Panel::over_time("Force in the pivot", Axis::linear("force in the body [N]"), forces.chain(measured).collect());
    let exact = Series::line("exact", 6, vec![(0.0, 0.0), (100.0, 100.0)]);
    let calibration = sizes.iter().zip(&found.names).enumerate().map(|(style, (sizes, name))| {
        let points = sizes.iter().enumerate();
        let share = |count: usize| 100.0 * (count + 1) as f64 / EXPERIMENTS as f64;
        Series::line(name, style, points.map(|(count, &size)| (100.0 * confidence(size), share(count))).collect())
    });
    let panel = Panel::new(
        "Intervals that hold the truth",
        Axis::linear("confidence [%]"),
        Axis::linear("share of 200 experiments [%]"),
        core::iter::once(exact).chain(calibration).collect(),
    );
    let figures = [figure::save(&[panel], folder, "intervals")?, figure::save(&[force], folder, "force")?];
    tell_figures(out, &figures)?;
    Ok(())
}

/// How much of a normal distribution lies within `size` deviations: by Simpson's rule.
fn confidence(size: f64) -> f64 {
    const PARTS: i32 = 64;
    let density = |x: f64| (-0.5 * x * x).exp() * (2.0 / core::f64::consts::PI).sqrt();
    let part = size / f64::from(PARTS);
    let weight = |k: i32| if k == 0 || k == PARTS { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    (0..=PARTS).map(|k| weight(k) * density(f64::from(k) * part)).sum::<f64>() * part / 3.0
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
