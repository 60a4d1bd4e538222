//! The benchmark bicycle: its eigenvalues over the speed, and the range of speeds in which it is self-stable.
//!
//! J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463, 2007, Fig. 3: the declared bicycle, four bodies and two
//! wheels that roll without slip, linearised about straight running.
//!
//! ```text
//! cargo run --release --example bicycle_modes                                       # the study: a table and a figure
//! cargo run --release --example bicycle_modes -- --set speed=4.6 --set roll_rate=0.5 --end 10 --format csv
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use benchmark_problems::bicycle::so3::{Pose, System, Velocity};
use harness::figure::{Axis, Band, Figure, Panel, Series};
use harness::study::{in_parallel, plain_table, tell_figures};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::analysis::Linearisation;
use lie_runtime::nalgebra::Complex;
use lie_runtime::prelude::*;

/// The speeds that the paper prints: where the weave is steady, and where the capsize is.
pub const PRINTED: [f64; 2] = [4.292_382_536_341_11, 6.024_262_015_388_37];
/// The figure ends at this speed, m/s.
const FASTEST: f64 = 10.0;
/// Speeds of the figure.
const SPEEDS: usize = 201;
/// The drift of position and heading has zero eigenvalues, with round-off below this value, 1/s.
const DRIFT: f64 = 2e-3;
/// The radii of the wheels.
const RADII: [f64; 2] = [0.3, 0.35];

/// Straight running at a speed.
fn straight(speed: f64) -> (Pose, Velocity) {
    let pose = Pose {
        attitude: SO3::identity(),
        position: Vector3::new(0.0, 0.0, -RADII[0]),
        steer: 0.0,
        rear_spin: 0.0,
        front_spin: 0.0,
    };
    let velocity = Velocity {
        attitude: Vector3::zeros(),
        position: Vector3::new(speed, 0.0, 0.0),
        steer: 0.0,
        rear_spin: -speed / RADII[0],
        front_spin: -speed / RADII[1],
    };
    (pose, velocity)
}

/// Straight running with a little roll: at 4.6 m/s it comes back to it.
fn problem(settings: &mut Settings) -> Result<InitialValueProblem<System>, UsageError> {
    let (speed, rate) = (settings.number("speed", 4.6)?, settings.number("roll_rate", 0.5)?);
    let (configuration, mut velocity) = straight(speed);
    // About the line of contact, which the centre of the rear wheel is over.
    velocity.attitude.x = rate;
    velocity.position.y = RADII[0] * rate;
    Ok(InitialValueProblem::new(System::new()?, configuration, velocity))
}

/// The bicycle as an example.
pub fn example() -> Example {
    Example {
        name: "bicycle_modes",
        about: "The benchmark bicycle: eigenvalues over the speed, weave and capsize.",
        variants: vec![Variant::new("so3", problem)],
        method: "hedop5",
        step: 2e-3,
        end: 5.0,
        options: &[],
        study: Some(study),
    }
}

/// The motions of lean and steer at a speed.
#[derive(Clone, Debug)]
pub struct Motions {
    /// The speed, m/s.
    pub speed: f64,
    /// The oscillation, Im s > 0, or at walking pace the two ways of falling that it begins as.
    pub weave: Vec<Complex<f64>>,
    /// The slow fall to one side; nothing where it is steady.
    pub capsize: Option<f64>,
    /// The castering mode: the front wheel trails its steering axis, as on a shopping trolley.
    pub castering: f64,
    /// The product of the four: zero where the capsize is steady, which is lost there in the round-off of the multiple zero of drift.
    pub product: f64,
}

/// The eigenvalues of straight running, sorted by mode.
///
/// # Errors
/// An error if the bicycle cannot be linearised, or there is no castering.
pub fn motions(speed: f64) -> Result<Motions, Box<dyn Error>> {
    let (q, v) = straight(speed);
    let modes = Linearisation::of(&System::new()?).at(0.0, &q, &v.into())?.modes()?;
    let values = || modes.iter().map(|mode| mode.eigenvalue);
    let mut real: Vec<f64> = values().filter(|s| s.im == 0.0 && s.re.abs() > DRIFT).map(|s| s.re).collect();
    real.sort_by(f64::total_cmp);
    let mut weave: Vec<Complex<f64>> = values().filter(|s| s.im > 0.1).collect();
    if weave.is_empty() {
        weave = real.split_off(real.len().saturating_sub(2)).into_iter().map(Complex::from).collect();
    }
    let castering = *real.first().ok_or("no castering")?;
    let product = of_four(values());
    Ok(Motions { speed, weave, capsize: real.get(1).copied(), castering, product })
}

/// The sum of the products of four eigenvalues, given one eigenvalue of each pair. If all but four are zero, it is the product of these. It
/// is the coefficient of x⁴ in ∏ (1 + s x).
fn of_four(values: impl Iterator<Item = Complex<f64>>) -> f64 {
    let mut sums = [1.0, 0.0, 0.0, 0.0, 0.0].map(Complex::from);
    for s in values.flat_map(|s| [Some(s), (s.im != 0.0).then(|| s.conj())]).flatten() {
        for degree in (1..sums.len()).rev() {
            let product = s * sums[degree - 1];
            sums[degree] += product;
        }
    }
    sums[4].re
}

/// The speed at which a value is zero: by secants from two speeds.
fn crossing([mut low, mut high]: [f64; 2], value: impl Fn(&Motions) -> Option<f64>) -> Result<f64, Box<dyn Error>> {
    let at = |speed: f64| -> Result<f64, Box<dyn Error>> { Ok(value(&motions(speed)?).ok_or("a motion is lost")?) };
    let (mut at_low, mut at_high) = (at(low)?, at(high)?);
    for _ in 0..30 {
        if at_low == at_high || (high - low).abs() < 1e-13 {
            return Ok(high);
        }
        let next = high - at_high * (high - low) / (at_high - at_low);
        (low, at_low, high, at_high) = (high, at_high, next, at(next)?);
    }
    Err("the speed is not found by secants".into())
}

/// The speeds at which the weave and the capsize are steady, m/s.
///
/// # Errors
/// An error if a motion is not found.
pub fn critical_speeds() -> Result<[f64; 2], Box<dyn Error>> {
    let weave = crossing([4.1, 4.5], |found| found.weave.first().map(|s| s.re))?;
    Ok([weave, crossing([5.5, 6.5], |found| Some(found.product))?])
}

/// The table and the figure of the paper.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [weave, capsize] = critical_speeds()?;
    let rows: Vec<Vec<String>> = [("weave", weave, PRINTED[0]), ("capsize", capsize, PRINTED[1])]
        .into_iter()
        .map(|(name, found, printed)| {
            vec![
                name.to_owned(),
                format!("{found:.9}"),
                format!("{printed:.9}"),
                format!("{:.0e}", (found - printed).abs()),
            ]
        })
        .collect();
    let header = ["steady", "speed [m/s]", "printed", "off by"];
    writeln!(out, "Between these speeds the bicycle is self-stable\n{}", plain_table(&header, &rows))?;

    let all = in_parallel(SPEEDS, |index| {
        motions(FASTEST * index as f64 / (SPEEDS - 1) as f64).map_err(|error| error.to_string())
    })?;
    let over = |value: &dyn Fn(&Motions) -> Option<f64>| -> Vec<(f64, f64)> {
        all.iter().filter_map(|found| Some((found.speed, value(found)?))).collect()
    };
    let is_oscillation = |found: &Motions| found.weave.len() == 1;
    let falls =
        |at: usize| over(&|found| (!is_oscillation(found)).then(|| found.weave.get(at).map(|s| s.re)).flatten());
    // Where the two ways of falling meet the oscillation begins: one line.
    let mut pace = falls(0);
    let junction = pace.last().copied();
    pace.extend(falls(1).into_iter().rev());
    let mut weaving = over(&|found| is_oscillation(found).then(|| found.weave[0].re));
    if let (Some((speed, upper)), Some((_, lower))) = (junction, falls(1).last()) {
        weaving.insert(0, (speed, 0.5 * (upper + lower)));
    }
    let growth = vec![
        Series::line("weave", 0, weaving),
        Series::line("two real eigenvalues", 1, pace),
        Series::line("capsize", 2, over(&|found| found.capsize)),
        Series::line("castering", 3, over(&|found| (found.castering > -15.0).then_some(found.castering))),
    ];
    let stable = |low: f64, high: f64| Band {
        label: "self-stable".to_owned(),
        style: 4,
        opacity: 0.25,
        edges: vec![(weave, low, high), (capsize, low, high)],
    };
    let speed = || Axis::linear("forward speed v [m/s]");
    let frequency = over(&|found| is_oscillation(found).then(|| found.weave[0].im));
    let panels = vec![
        Panel::new("Growth rates", speed(), Axis::linear("Re s [1/s]"), growth)
            .with_bands(vec![stable(-15.0, 10.0)])
            .y_limits(-15.0, 10.0)
            .event(weave, "")
            .event(capsize, ""),
        Panel::new(
            "Frequency of the weave",
            speed(),
            Axis::linear("Im s [rad/s]"),
            vec![Series::line("weave", 0, frequency)],
        )
        .with_bands(vec![stable(0.0, 12.0)])
        .y_limits(0.0, 12.0)
        .event(weave, &format!("{weave:.2} m/s"))
        .event(capsize, &format!("{capsize:.2} m/s")),
    ];
    let caption = "Eigenvalues s of the steady upright motion (Whipple-Carvallo bicycle with the benchmark parameters), from the exact \
                   linearisation of the nonlinear model. The motion is stable between the weave speed and the capsize speed.";
    let figure = Figure::new(panels).title("Eigenvalues of the benchmark bicycle").caption(caption);
    tell_figures(out, &[figure.save_in(folder, "modes")?])?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
