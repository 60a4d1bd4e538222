//! A thin disc that rolls and wobbles on a plane without slipping: one holonomic constraint on its height and two
//! nonholonomic ones on its velocity.
//!
//! ```text
//! cargo run --release --example rolling_disc                                  # the study: tables and figures
//! cargo run --release --example rolling_disc -- --method rattlie --set tilt=0.6 --set precession=3 --samples 1,2
//! ```
//!
//! At the angle ϑ of the axle to the vertical, precession Ω and angular velocity ω₃ about the axle, a disc of inertias A
//! (diameter) and C (axle) rolls in a circle if (C + m r²) ω₃ Ω sin ϑ = A Ω² sin ϑ cos ϑ − m g r cos ϑ; that is where it
//! starts, up to the factor `excess` of ω₃.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::figure::{self, Axis, Figure, Panel, Series};
use harness::{Example, InitialValueProblem, Outcome, Request, Sample, Settings, UsageError, Variant, study};
use lie_runtime::prelude::*;

/// The disc with one kind of rotation.
macro_rules! disc {
    ($name:ident, $rotation:ident) => {
        /// The rolling disc.
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The disc.
            #[configuration]
            pub struct Disc {
                /// Body to space; the z axis of the body is the axle.
                pub attitude: $rotation,
                /// The centre in space.
                pub position: R3,
            }

            /// Data.
            #[parameters]
            pub struct Data {
                /// The mass.
                pub mass: f64,
                /// The radius.
                pub radius: f64,
                /// The moments of inertia about a diameter and about the axle.
                pub inertia: [f64; 2],
                /// The acceleration of gravity.
                pub gravity: f64,
            }

            #[kinetic_energy]
            fn kinetic(data: &Data, v: &Velocity) -> f64 {
                let w = v.attitude;
                0.5 * data.mass * v.position.norm_squared()
                    + 0.5 * data.inertia[0] * (w.x * w.x + w.y * w.y)
                    + 0.5 * data.inertia[1] * w.z * w.z
            }

            #[potential]
            fn weight(data: &Data, q: &Disc) -> f64 {
                data.mass * data.gravity * q.position.z
            }

            /// The body-fixed vector from the centre to the lowest point of the rim.
            pub fn lowest(data: &Data, q: &Disc) -> Vector3<f64> {
                let up = q.attitude.inverse() * Vector3::z();
                let steepest = data.radius / (up.x * up.x + up.y * up.y).sqrt();
                Vector3::new(-steepest * up.x, -steepest * up.y, 0.0)
            }

            /// The point of contact.
            #[observable]
            pub fn contact(data: &Data, q: &Disc) -> Vector3<f64> {
                q.position + q.attitude * lowest(data, q)
            }

            /// It is on the plane.
            #[constraint]
            fn touching(data: &Data, q: &Disc) -> f64 {
                contact(data, q).z
            }

            /// The velocity of the matter at the point of contact, along the plane.
            #[velocity_constraint]
            fn rolling(data: &Data, q: &Disc, v: &Velocity) -> Vector2<f64> {
                (v.position + q.attitude * v.attitude.cross(&lowest(data, q))).xy()
            }

            /// The same as a number to be looked at.
            #[observable]
            fn slip(data: &Data, q: &Disc, v: &Velocity) -> f64 {
                rolling(data, q, v).norm()
            }

            /// The angle between axle and vertical.
            #[observable]
            fn tilt(q: &Disc) -> f64 {
                (q.attitude * Vector3::z()).z.acos()
            }
        }
    };
}

disc!(so3xr3, SO3);
disc!(s3xr3, S3);

/// A formulation.
macro_rules! variant {
    ($module:ident, $rotation:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            let data =
                settings.apply($module::Data { mass: 1.0, radius: 0.5, inertia: [0.0625, 0.125], gravity: 9.81 })?;
            UsageError::unless_positive("radius", &[data.radius])?;
            let tilt = settings.number("tilt", 1.1)?;
            let precession = settings.number("precession", 2.0)?;
            let excess = settings.number("excess", 0.6)?;
            if !(tilt > 0.0 && tilt < std::f64::consts::PI) || precession == 0.0 {
                return Err(UsageError::new("`tilt` is between 0 and π, and `precession` is not zero"));
            }
            let (sin, cos) = tilt.sin_cos();
            // Body axes: x is level, y points up the disc, z is the axle.
            let attitude = $rotation::exp(&Vector3::new(tilt, 0.0, 0.0));
            let [diameter, axle] = data.inertia;
            let (gravity, rolling) =
                (data.mass * data.gravity * data.radius, axle + data.mass * data.radius * data.radius);
            let spin = excess * (diameter * precession * precession * sin * cos - gravity * cos)
                / (rolling * precession * sin);
            let angular = Vector3::new(0.0, precession * sin, spin);
            let position = Vector3::new(0.0, 0.0, data.radius * sin);
            let disc = $module::Disc { attitude, position };
            let linear = -(attitude * angular.cross(&$module::lowest(&data, &disc)));
            let velocity = $module::Velocity { attitude: angular, position: linear };
            Ok(InitialValueProblem::new($module::System::new(data)?, disc, velocity))
        })
    };
}

/// The rolling disc as an example.
pub fn example() -> Example {
    Example {
        name: "rolling_disc",
        about: "A thin disc that rolls and wobbles on a plane without slipping.",
        variants: vec![variant!(so3xr3, SO3), variant!(s3xr3, S3)],
        method: "lie_alpha",
        step: 0.002,
        end: 5.0,
        options: &[],
        study: Some(study),
    }
}

/// The methods of the study.
pub const METHODS: [&str; 6] = ["hedop5", "lie_alpha", "lie_alpha_stab2", "rattlie", "bliedf2", "bliedf4_stab2"];

/// A run every step of which is recorded.
///
/// # Errors
/// An error if it cannot be started or fails on its way.
pub fn run(
    example: &Example,
    method: &str,
    step: f64,
    end: f64,
    settings: &[(&str, &str)],
) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
    let mut request = Request::fixed(method, step, end).every(1);
    for (name, value) in settings {
        request.settings.insert(name, value)?;
    }
    study::history(example, "so3xr3", &request)
}

/// The change of the energy, which nothing feeds or drains.
pub fn energy_change(run: &Outcome) -> Vec<(f64, f64)> {
    let energy = |sample: &Sample| sample.energy.kinetic + sample.energy.potential;
    run.history.iter().map(|sample| (sample.t, energy(sample) - energy(&run.history[0]))).collect()
}

/// The largest value over the recorded steps.
pub fn largest(run: &Outcome, value: impl Fn(&Sample) -> f64) -> f64 {
    run.history.iter().fold(0.0, |largest, sample| largest.max(value(sample).abs()))
}

/// The largest change of the energy.
pub fn largest_change(run: &Outcome) -> f64 {
    energy_change(run).iter().fold(0.0, |largest, (_, change)| largest.max(change.abs()))
}

/// Slip, height, energy, and the trace on the plane.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    const STEPS: [f64; 2] = [0.002, 0.001];
    let runs = study::in_parallel(STEPS.len() * METHODS.len(), |index| {
        run(example, METHODS[index / STEPS.len()], STEPS[index % STEPS.len()], 20.0, &[])
    })
    .map_err(|error| error.to_string())?;
    let rows = METHODS.iter().zip(runs.chunks(STEPS.len())).map(|(method, runs)| {
        let changes = [largest_change(&runs[0]), largest_change(&runs[1])];
        vec![
            (*method).to_owned(),
            format!("{:.1e}", largest(&runs[0], |sample| sample.observable("slip")[0])),
            format!("{:.1e}", largest(&runs[0], |sample| sample.residual.position)),
            format!("{:.1e}", changes[0]),
            format!("{:.1e}", changes[1]),
            study::order((changes[0] / changes[1]).log2()),
            runs[0].newton_iterations.map_or_else(String::new, |mean| format!("{mean:.2}")),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    writeln!(out, "Up to t = 20; slip and height at h = {}", STEPS[0])?;
    let header =
        ["method", "slip [m/s]", "|Φ| [m]", "energy [J], h = 0.002", "h = 0.001", "order", "Newton iterations"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let figures = [motion(&runs[1], folder)?, energies(&runs, folder)?];
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The trace of the point of contact and the tilt.
fn motion(run: &Outcome, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let until: Vec<&Sample> = run.history.iter().filter(|sample| sample.t <= 8.0).collect();
    let trace = |name: &str| {
        let points = until.iter().map(|sample| sample.observables.get(name).or(sample.configuration.get(name)));
        points.flatten().map(|point| (point.numbers()[0], point.numbers()[1])).collect::<Vec<_>>()
    };
    let tilt = until.iter().map(|sample| (sample.t, sample.observable("tilt")[0].to_degrees())).collect();
    let panels = [
        Panel::new(
            "Paths in the plane",
            Axis::length("x [m]"),
            Axis::length("y [m]"),
            vec![
                Series::line("point of contact", 0, trace("contact")),
                Series::line("centre of the disc", 1, trace("position")).dashed(),
            ],
        ),
        Panel::over_time(
            "Tilt",
            Axis::linear("angle of the axle to the vertical [°]"),
            vec![Series::line("tilt", 2, tilt)],
        ),
    ];
    let caption = "A disc that rolls without slip, hedop5, h = 0.001 s, 0 ≤ t ≤ 8 s. The point of contact and the centre of the disc move on \
                   loops; the tilt is periodic.";
    let figure = Figure::new(panels.to_vec()).title("Rolling disc").caption(caption);
    Ok(figure.save_in(folder, "motion")?)
}

/// The change of the energy at the larger step.
fn energies(runs: &[Outcome], folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let title = "Change of the energy, h = 0.002 s";
    let panel = figure::sizes_over_time(title, "|E − E(0)| [J]", &METHODS, |index| energy_change(&runs[2 * index]));
    Ok(figure::save(&[panel], folder, "energy")?)
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
