//! A body under the torque that makes it follow a given rotation vector ϑ(t) (paper 4, section IV.A).
//!
//! The torque is not given but derived: the momentum exp(ϑ) J T(ϑ) ϑ' of the prescribed motion is differentiated with
//! respect to time by dual numbers.
//!
//! ```text
//! cargo run --release --example prescribed_torque                                   # Figs. 2 to 6
//! cargo run --release --example prescribed_torque -- --set load=2 --method tr_bdf2 --step 0.05 --format json
//! ```

use std::error::Error;
use std::f64::consts::PI;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use examples::figure::{self, Axis, Panel, Series};
use examples::study::{self as studies, plain_table};
use examples::{Example, Outcome, Problem, Request, Sample, Settings, UsageError, Variant};
use lie_runtime::prelude::*;

/// The body with this representation of rotations.
macro_rules! prescribed_torque {
    ($name:ident, $rotation:ident, $matrix:ident) => {
        /// A body under a prescribed torque.
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;
            use lie_runtime::scalar::Dual;

            /// The body.
            #[configuration]
            pub struct Body {
                /// Body to space.
                pub attitude: $rotation,
            }

            /// Data of the body.
            #[parameters]
            pub struct Load {
                /// Principal moments of inertia.
                pub moments: Vector3<f64>,
                /// 1: ϑ = (t², 0, t/5); 2: ϑ = (t + sin t, 0, cos t).
                pub load: f64,
            }

            /// ϑ(t).
            pub fn rotation_vector<S: Scalar>(t: S, load: S) -> Vector3<S> {
                if load.value() == 1.0 {
                    Vector3::new(t * t, S::zero(), t * S::from_f64(0.2))
                } else {
                    Vector3::new(t + t.sin(), S::zero(), t.cos())
                }
            }

            /// Ω = T(ϑ) ϑ'.
            pub fn angular_velocity<S: Scalar>(t: S, load: S) -> Vector3<S> {
                let theta = rotation_vector(Dual { re: t, eps: S::one() }, Dual { re: load, eps: S::zero() });
                SO3::tangent(&theta.map(|x| x.re), &theta.map(|x| x.eps))
            }

            /// The momentum in space.
            fn momentum<S: Scalar>(t: S, moments: Vector3<S>, load: S) -> Vector3<S> {
                SO3::exp(&rotation_vector(t, load)) * angular_velocity(t, load).component_mul(&moments)
            }

            /// Its rate, the torque in space.
            #[opaque]
            pub fn torque<S: Scalar>(t: S, moments: Vector3<S>, load: S) -> Vector3<S> {
                let constant = |x: S| Dual { re: x, eps: S::zero() };
                momentum(Dual { re: t, eps: S::one() }, moments.map(constant), constant(load)).map(|x| x.eps)
            }

            #[kinetic_energy]
            fn rotation(load: &Load, v: &Velocity) -> f64 {
                0.5 * v.attitude.dot(&load.moments.component_mul(&v.attitude))
            }

            #[force(on = attitude)]
            fn load(load: &Load, q: &Body, t: f64) -> Vector3<f64> {
                q.attitude.inverse() * torque(t, load.moments, load.load)
            }

            #[observable]
            fn attitude(q: &Body) -> Matrix3<f64> {
                q.attitude.$matrix()
            }

            /// In the body.
            #[observable]
            fn angular_momentum(load: &Load, v: &Velocity) -> Vector3<f64> {
                load.moments.component_mul(&v.attitude)
            }

            /// In space.
            #[observable]
            fn spatial_torque(load: &Load, t: f64) -> Vector3<f64> {
                torque(t, load.moments, load.load)
            }

            /// The angle between the attitude and the prescribed one.
            #[observable]
            fn angle_error(load: &Load, q: &Body, t: f64) -> f64 {
                ($rotation::exp(&rotation_vector(t, load.load)).inverse() * q.attitude).log().norm()
            }
        }
    };
}

prescribed_torque!(s3, S3, rotation_matrix);
prescribed_torque!(so3, SO3, matrix);

/// A representation, with the data of the paper.
macro_rules! variant {
    ($module:ident, $rotation:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            let load = if settings.choice("load", &["1", "2"], "1")? == "1" { 1.0 } else { 2.0 };
            let data = settings.apply($module::Load { moments: Vector3::new(5.0, 5.0, 1.0), load })?;
            Ok(Problem {
                system: $module::System::new(data)?,
                configuration: $module::Body { attitude: $rotation::exp(&$module::rotation_vector(0.0, load)) },
                velocity: $module::angular_velocity(0.0, load),
            })
        })
    };
}

/// The body under a prescribed torque as an example.
pub fn example() -> Example {
    Example {
        name: "prescribed_torque",
        about: "A body under the torque of a prescribed rotation (paper 4, section IV.A): --set load=1|2.",
        variants: vec![variant!(s3, S3), variant!(so3, SO3)],
        method: "tr_bdf2",
        step: 0.05,
        end: END,
        options: &[],
        study: Some(study),
    }
}

/// 5π.
const END: f64 = 5.0 * PI;

/// The methods of the figures.
const METHODS: [(&str, &str); 2] = [("tr_bdf2", "TR-BDF2, third order"), ("simo_vu_quoc", "Simo and Vu-Quoc")];
/// The same scheme with other third stages.
const OTHERS: [&str; 2] = ["tr_bdf2_configuration", "tr_bdf2_l_stable"];
/// Maximum errors that the paper prints for load (ii).
const PRINTED: [[f64; 2]; 2] = [[2.2e-3, 8.4e-2], [1.7e-5, 3.5e-3]];

/// A run under load 1 or 2, with `correction=printed` if that is wanted.
fn run(example: &Example, load: &str, method: &str, h: f64, printed: bool) -> Result<Outcome, String> {
    // The last step is cut to end at 5π.
    let mut request = Request::fixed(method, h, END).every(1);
    let set = |error: UsageError| error.to_string();
    request.settings.insert("load", load).map_err(set)?;
    if printed {
        request.settings.insert("correction", "printed").map_err(set)?;
    }
    studies::history(example, "s3", &request).map_err(|error| error.to_string())
}

/// The error of the angle at each step.
fn errors(outcome: &Outcome) -> Vec<(f64, f64)> {
    let error = |sample: &Sample| sample.observable("angle_error").first().copied().unwrap_or(f64::NAN);
    outcome.history.iter().skip(1).map(|sample| (sample.t, error(sample))).collect()
}

/// The largest one.
fn largest(points: &[(f64, f64)]) -> f64 {
    points.iter().map(|point| point.1).fold(0.0, f64::max)
}

/// Figs. 2 to 6: the torques, and the errors of the angle at h = 0.05 and 0.01.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = Vec::new();
    let mut rows = Vec::new();
    for (load, name) in [("1", "i"), ("2", "ii")] {
        let torque = run(example, load, "tr_bdf2", 0.01, false)?;
        let component = |k: usize| -> Vec<(f64, f64)> {
            torque.history.iter().map(|sample| (sample.t, sample.observable("spatial_torque")[k])).collect()
        };
        let panel = Panel {
            title: format!("Load ({name}): torque in space"),
            x: Axis::Linear("time t".to_owned()),
            y: Axis::Linear("M".to_owned()),
            series: ["M₁", "M₂", "M₃"]
                .iter()
                .enumerate()
                .map(|(k, label)| Series { label: (*label).to_owned(), style: k, marked: false, points: component(k) })
                .collect(),
            triangles: Vec::new(),
        };
        figures.push(figure::save(&[panel], folder, &format!("torque_{load}"))?);

        let mut panels = Vec::new();
        for (index, h) in [0.05, 0.01].into_iter().enumerate() {
            let mut series = Vec::new();
            for (style, (method, label)) in METHODS.iter().enumerate() {
                let points = errors(&run(example, load, method, h, false)?);
                let printed = if load == "2" { format!("{:.1e}", PRINTED[index][style]) } else { String::new() };
                rows.push(vec![
                    format!("({name})"),
                    format!("{h}"),
                    (*method).to_owned(),
                    format!("{:.2e}", largest(&points)),
                    printed,
                ]);
                series.push(Series { label: (*label).to_owned(), style, marked: false, points });
            }
            for method in OTHERS {
                let points = errors(&run(example, load, method, h, false)?);
                rows.push(vec![
                    format!("({name})"),
                    format!("{h}"),
                    method.to_owned(),
                    format!("{:.2e}", largest(&points)),
                    String::new(),
                ]);
            }
            let points = errors(&run(example, load, "tr_bdf2", h, true)?);
            let label = "tr_bdf2, factor 1/48".to_owned();
            rows.push(vec![
                format!("({name})"),
                format!("{h}"),
                label,
                format!("{:.2e}", largest(&points)),
                String::new(),
            ]);
            panels.push(Panel {
                title: format!("Load ({name}): error of the angle, h = {h}"),
                x: Axis::Linear("time t".to_owned()),
                y: Axis::Log("error [rad]".to_owned()),
                series,
                triangles: Vec::new(),
            });
        }
        figures.push(figure::save(&panels, folder, &format!("angle_error_{load}"))?);
    }
    writeln!(out, "\nLargest errors of the angle up to t = 5π")?;
    writeln!(out, "{}", plain_table(&["load", "h", "method", "error", "printed"], &rows))?;
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
