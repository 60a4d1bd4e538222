//! A body under the torque that makes it follow a given rotation vector ϑ(t) (paper 4, section IV.A).
//!
//! Paper 4, Figs. 2 to 6, with the factor 1/24 of the correction, which the paper prints as 1/48.
//!
//! ```text
//! cargo run --release --example prescribed_torque                                   # Figs. 2 to 6
//! cargo run --release --example prescribed_torque -- --set load=2 --method tr_bdf2_third_order --step 0.05 --format json
//! ```

use std::error::Error;
use std::f64::consts::PI;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{self, Axis, Figure, Panel, Series};
use harness::study::{self as studies, plain_table};
use harness::{Example, InitialValueProblem, Outcome, Request, Sample, Settings, UsageError, Variant};
use models::rotating_bodies::prescribed::{self, MOMENTS};

/// A representation of rotations, with the data of the paper.
macro_rules! variant {
    ($module:ident) => {
        Variant::new(stringify!($module), |settings: &mut Settings| -> Result<_, UsageError> {
            use prescribed::$module::{Data, angular_velocity, rotation_vector};
            let load = if settings.choice("load", &["1", "2"], "1")? == "1" { 1.0 } else { 2.0 };
            let (system, configuration) =
                settings.apply(Data { moments: MOMENTS, load })?.turned(&rotation_vector(0.0, load))?;
            Ok(InitialValueProblem::new(system, configuration, angular_velocity(0.0, load)))
        })
    };
}

/// The body under a prescribed torque as an example.
pub fn example() -> Example {
    Example {
        name: "prescribed_torque",
        about: "A body under the torque of a prescribed rotation (paper 4, section IV.A): --set load=1|2.",
        variants: vec![variant!(s3), variant!(so3)],
        method: "tr_bdf2_third_order",
        step: 0.05,
        end: END,
        options: &[],
        study: Some(study),
    }
}

/// 5π.
const END: f64 = 5.0 * PI;

/// The methods of the figures.
const METHODS: [(&str, &str); 2] =
    [("tr_bdf2_third_order", "TR-BDF2, third order"), ("simo_vu_quoc", "Simo and Vu-Quoc")];
/// The same scheme with other third stages.
const OTHERS: [&str; 2] = ["tr_bdf2_configuration", "tr_bdf2"];
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
    for (load, name, printed) in [("1", "i", ["2", "3 and 4"]), ("2", "ii", ["5", "6"])] {
        let torque = run(example, load, "tr_bdf2_third_order", 0.01, false)?;
        let component = |k: usize| -> Vec<(f64, f64)> {
            torque.history.iter().map(|sample| (sample.t, sample.observable("spatial_torque")[k])).collect()
        };
        let lines = ["M₁", "M₂", "M₃"].iter().enumerate();
        let series = lines.map(|(k, label)| Series::line(label, k, component(k))).collect();
        let panel = Panel::over_time(
            &format!("Load ({name}): torque in space (paper 4, Fig. {})", printed[0]),
            Axis::linear("M [N m]"),
            series,
        );
        figures.push(figure::save(&[panel], folder, &format!("torque_{load}"))?);

        let mut series = Vec::new();
        for (index, h) in [0.05, 0.01].into_iter().enumerate() {
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
                let line = Series::line(&format!("{label}, h = {h} s"), style, points);
                series.push(if index == 0 { line.dashed() } else { line });
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
            let points = errors(&run(example, load, "tr_bdf2_third_order", h, true)?);
            let label = "tr_bdf2_third_order, factor 1/48".to_owned();
            rows.push(vec![
                format!("({name})"),
                format!("{h}"),
                label,
                format!("{:.2e}", largest(&points)),
                String::new(),
            ]);
        }
        let panel = Panel::over_time("", Axis::log("error of the rotation angle [rad]"), series);
        let caption = format!(
            "A body under the torque of load ({name}), which follows a given rotation (paper 4, Fig. {}). Dashed: h = 0.05 s; solid: \
             h = 0.01 s. A step that is five times smaller decreases the error of the third-order method by two decades.",
            printed[1]
        );
        let figure = Figure::new(vec![panel]).title("Prescribed torque: error of the angle").caption(&caption);
        figures.push(figure.save_in(folder, &format!("angle_error_{load}"))?);
    }
    writeln!(out, "\nLargest errors of the angle up to t = 5π")?;
    writeln!(out, "{}", plain_table(&["load", "h", "method", "error", "printed"], &rows))?;
    studies::tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
