//! Identification: the data of a heavy top and of an arm of six joints from noisy measurements of their motions.
//!
//! No paper. The attitude of a spinning top and the force in its pivot, or the angles and the motor torques of an arm, are measured; the
//! Levenberg-Marquardt method finds the data and their uncertainty from the sensitivities of the simulated motion. The measurements of the
//! arm determine 42 values, functions of its 66 data.
//!
//! ```text
//! cargo run --release --example identify --features estimation                # the study: 200 experiments with each, in a minute or two
//! cargo run --release --example identify --features estimation -- --set drag=0.01 --samples 0.5,1 --format json
//! cargo run --release --example identify --features estimation -- --group arm --method rkmk5 --step 0.0125 --end 1.25
//! ```

pub mod arm;
mod device;
mod fit;
pub mod top;
mod unknowns;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub use arm::Arm;
pub use device::{Device, Experiment};
pub use fit::{Fit, FitError, determined_by, errors_of, fit, slopes_at};
use harness::figure::{self, Axis, Band, Figure, Panel, Series};
use harness::study::{number, plain_table, tell_figures};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::nalgebra::DMatrix;
pub use top::Top;
pub use unknowns::Unknowns;

/// Both as an example.
pub fn example() -> Example {
    let top = Variant::new("so3xr3", |settings: &mut Settings| -> Result<_, UsageError> {
        let top = settings.apply(top::data())?;
        let (configuration, velocity) = top::start(&top);
        Ok(InitialValueProblem::new(top::top::System::new(top)?, configuration, velocity))
    });
    let arm = Variant::new("arm", |settings: &mut Settings| -> Result<_, UsageError> {
        let (configuration, velocity) = arm::start();
        Ok(InitialValueProblem::new(arm::system(settings.apply(arm::data())?)?, configuration, velocity))
    });
    Example {
        name: "identify",
        about: "The data of a heavy top and of an arm from measurements of their motions, with their uncertainties.",
        variants: vec![top, arm],
        method: "hedop5",
        step: 5e-3,
        end: 1.0,
        options: &[],
        study: Some(study),
    }
}

/// How many experiments are made to see whether intervals hold.
const EXPERIMENTS: usize = 200;
/// The 95 % interval of the normal distribution, in standard deviations.
pub const WITHIN: f64 = 1.959_963_984_540_054;

/// One experiment with each device in full, and the coverage of the confidence intervals in two hundred experiments.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let (of_top, found) = (Experiment::<Top>::made(2024)?, Top::guess()?);
    let found = fit(&of_top, &found)?;
    let errors_of_top = tell(out, "The top", &of_top, &found)?;
    let force =
        panel_of_readings("Force in the pivot", "force in the body [N]", &of_top, &found, 0..3, |reading, at| {
            reading.force[at]
        });
    let forces = figure::save(&[force], folder, "force")?;

    let (of_arm, found) = (Experiment::<Arm>::made(2024)?, Arm::guess()?);
    let found = fit(&of_arm, &found)?;
    let errors_of_arm = tell(out, "The arm", &of_arm, &found)?;
    let torques = [0..3, 3..arm::JOINTS].map(|joints| {
        panel_of_readings("Torques of motors", "torque [N m]", &of_arm, &found, joints, |reading, at| {
            reading.torques[at]
        })
    });
    let torques = figure::save(&torques, folder, "torques")?;

    let spectrum = spectrum(&of_arm)?;
    let is_determined = found.values.len();
    writeln!(
        out,
        "singular values of the measurements with respect to all {} data of the arm: {} … {}, and {} … {} from number {} on",
        spectrum.len(),
        number(spectrum[0]),
        number(spectrum[is_determined - 1]),
        number(spectrum[is_determined]),
        number(spectrum[spectrum.len() - 1]),
        is_determined + 1
    )?;
    let intervals = intervals(&[("top", &errors_of_top), ("arm", &errors_of_arm)]);
    let caption = format!(
        "Left: share of {EXPERIMENTS} simulated experiments whose confidence interval contains the true value; lines are means over all \
         parameters, bands range from the worst to the best parameter. The share of exact intervals is on the dashed line. Right: singular \
         values of the measurements with respect to all {} parameters of the arm; {is_determined} combinations (base parameters) are \
         determined, {} are not. Smaller values than 10⁻¹⁶ of the largest one are drawn at this limit.",
        spectrum.len(),
        spectrum.len() - is_determined
    );
    let figure = Figure::new(vec![intervals, panel_of_spectrum(&spectrum, is_determined)]);
    let figure = figure.title("Confidence intervals and identifiability").caption(&caption);
    let intervals = figure.save_in(folder, "intervals")?;
    let figures: [PathBuf; 3] = [intervals, forces, torques];
    tell_figures(out, &figures)?;
    Ok(())
}

/// Prints the result of an experiment, and runs the two hundred, whose searches start at this result. Returns the sizes of their errors in
/// standard deviations, sorted for each value.
fn tell<D: Device>(
    out: &mut dyn Write,
    name: &str,
    experiment: &Experiment<D>,
    found: &Fit<D>,
) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let errors = errors_of::<D>(EXPERIMENTS, &found.system)?;
    let sizes_of = |at: usize| {
        let mut sizes: Vec<f64> = errors.iter().map(|error| error.in_deviations[at].abs()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    };
    let sizes: Vec<Vec<f64>> = (0..found.values.len()).map(sizes_of).collect();
    let truth = fit::truth::<D>()?;
    let rows: Vec<Vec<String>> = (0..found.values.len())
        .map(|at| {
            vec![
                found.names[at].clone(),
                format!("{:.5}", truth[at]),
                format!("{:.5} ± {}", found.values[at], number(WITHIN * found.deviation(at))),
                format!("{:.1} %", 100.0 * share_within(&sizes[at], WITHIN)),
            ]
        })
        .collect();
    writeln!(
        out,
        "{name}: {} measured numbers, {} evaluations; mean square of the residuals, in deviations: {:.3}",
        experiment.count(),
        found.evaluations,
        found.left
    )?;
    let header = ["number", "truth", "estimate, 95 %", "truth inside, of 200 experiments"];
    writeln!(out, "{}", plain_table(&header, &rows))?;
    Ok(sizes)
}

/// The part of the sorted numbers that is not larger than `size`.
fn share_within(sizes: &[f64], size: f64) -> f64 {
    sizes.partition_point(|own| *own <= size) as f64 / sizes.len() as f64
}

/// Components of readings over time, as measured and as fitted.
fn panel_of_readings<D: Device>(
    title: &str,
    axis: &str,
    experiment: &Experiment<D>,
    found: &Fit<D>,
    components: core::ops::Range<usize>,
    component: impl Fn(&D::Reading, usize) -> f64,
) -> Panel {
    let over_time = |readings: &[(f64, D::Reading)], at: usize| -> Vec<(f64, f64)> {
        readings.iter().map(|(time, reading)| (*time, component(reading, at))).collect()
    };
    let both = components.flat_map(|at| {
        [
            Series::line(&format!("{}, fitted", at + 1), at, over_time(&found.readings, at)),
            Series::marks(&format!("{}, measured", at + 1), at, over_time(&experiment.readings, at)),
        ]
    });
    Panel::over_time(title, Axis::linear(axis), both.collect())
}

/// How often intervals of every confidence hold the truth: of all numbers together, and of the worst and the best of them.
fn intervals(devices: &[(&str, &[Vec<f64>])]) -> Panel {
    const POINTS: usize = 60;
    const LONGEST: f64 = 3.0;
    let mut bands = Vec::new();
    let mut series = vec![Series::line("exact", 6, vec![(0.0, 0.0), (100.0, 100.0)]).dashed()];
    for (style, (name, numbers)) in devices.iter().enumerate() {
        let (mut edges, mut points) = (Vec::new(), Vec::new());
        for at in 0..=POINTS {
            let size = LONGEST * at as f64 / POINTS as f64;
            let shares = numbers.iter().map(|sizes| 100.0 * share_within(sizes, size));
            let [least, most] =
                shares.clone().fold([100.0_f64, 0.0], |[least, most], share| [least.min(share), most.max(share)]);
            let confidence = 100.0 * confidence(size);
            edges.push((confidence, least, most));
            points.push((confidence, shares.sum::<f64>() / numbers.len() as f64));
        }
        let label = format!("{name}, worst to best");
        bands.push(Band { label, style, opacity: 0.25, edges });
        series.push(Series::line(&format!("{name}, {} parameters", numbers.len()), style, points));
    }
    let (x, y) = (Axis::linear("confidence [%]"), Axis::linear("coverage [%]"));
    Panel::new("Coverage of confidence intervals", x, y, series).with_bands(bands)
}

/// How much of a normal distribution lies within `size` deviations: by Simpson's rule.
fn confidence(size: f64) -> f64 {
    const PARTS: i32 = 64;
    let density = |x: f64| (-0.5 * x * x).exp() * (2.0 / core::f64::consts::PI).sqrt();
    let part = size / f64::from(PARTS);
    let weight = |k: i32| if k == 0 || k == PARTS { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    (0..=PARTS).map(|k| weight(k) * density(f64::from(k) * part)).sum::<f64>() * part / 3.0
}

/// The singular values of everything that is measured of the true arm by all of its data, each in its size: how many deviations the
/// measurements move at least, where nothing else does.
///
/// # Errors
/// [`FitError`].
pub fn spectrum(experiment: &Experiment<Arm>) -> Result<Vec<f64>, FitError> {
    let values = slopes_by_all(experiment)?.qr().r().singular_values();
    let mut values: Vec<f64> = values.iter().copied().collect();
    values.sort_by(|a, b| b.total_cmp(a));
    Ok(values)
}

/// The derivatives of everything that is measured of the true arm by all of its data, each in its size.
///
/// # Errors
/// [`FitError`].
pub fn slopes_by_all(experiment: &Experiment<Arm>) -> Result<DMatrix<f64>, FitError> {
    let (names, sizes): (Vec<String>, Vec<f64>) = arm::all_data().into_iter().unzip();
    let mut slopes = slopes_at(experiment, &Arm::truth().map_err(fit::told)?, &names)?;
    slopes.column_iter_mut().zip(sizes).for_each(|(mut column, size)| column *= size);
    Ok(slopes)
}

fn panel_of_spectrum(spectrum: &[f64], is_determined: usize) -> Panel {
    // An exact zero has no place on a logarithmic axis.
    let floor = 1e-16 * spectrum[0];
    let points = |range: core::ops::Range<usize>| range.map(|at| ((at + 1) as f64, spectrum[at].max(floor))).collect();
    Panel::new(
        "Singular values of the arm",
        Axis::linear("index"),
        Axis::log("singular value [standard deviations]"),
        vec![
            Series::marks(&format!("{is_determined} determined"), 0, points(0..is_determined)),
            Series::marks(
                &format!("{} not determined", spectrum.len() - is_determined),
                1,
                points(is_determined..spectrum.len()),
            )
            .open(),
        ],
    )
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
