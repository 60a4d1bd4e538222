//! A crank whose joint is driven, with a bar hanging on it: the angle θ(t) of paper 2, eq. (86), is a rheonomic constraint,
//! and its multiplier the torque of the drive.
//!
//! ```text
//! cargo run --release --example driven_joint                                  # the study: tables and figures
//! cargo run --release --example driven_joint -- --method rattlie --step 0.002 --samples 1,2,5 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::figure::{self, Axis, Figure, Panel, Series};
use harness::{Example, InitialValueProblem, Outcome, Request, Sample, Settings, UsageError, Variant, study};
use lie_runtime::prelude::*;

/// Crank and bar.
#[mechanical_system]
pub mod machine {
    /// Both frames are at the centres of mass, their x axes along the bodies.
    #[configuration]
    pub struct Machine {
        /// It turns about the vertical.
        pub crank: SE3,
        /// It hangs at the end of the crank.
        pub bar: SE3,
    }

    /// Data of two slender bodies.
    #[parameters]
    pub struct Data {
        /// The masses.
        pub masses: [f64; 2],
        /// The lengths.
        pub lengths: [f64; 2],
        /// The radius of both.
        pub radius: f64,
        /// The acceleration of gravity.
        pub gravity: f64,
        /// The angular velocity that the drive comes to.
        pub omega: f64,
        /// The time that it takes to come there.
        pub rise: f64,
    }

    /// The energy of a cylinder about the x axis.
    fn cylinder(mass: f64, length: f64, radius: f64, v: Vector6<f64>) -> f64 {
        let (angular, linear) = (v.angular(), v.linear());
        let (along, across) = (0.5 * radius * radius, 0.25 * radius * radius + length * length / 12.0);
        0.5 * mass
            * (linear.norm_squared()
                + along * angular.x * angular.x
                + across * (angular.y * angular.y + angular.z * angular.z))
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        cylinder(data.masses[0], data.lengths[0], data.radius, v.crank)
            + cylinder(data.masses[1], data.lengths[1], data.radius, v.bar)
    }

    #[potential]
    fn weight(data: &Data, q: &Machine) -> f64 {
        data.gravity * (data.masses[0] * q.crank.translation.z + data.masses[1] * q.bar.translation.z)
    }

    /// θ(t) (paper 2, eq. 86).
    pub fn angle(data: &Data, t: f64) -> f64 {
        let turn = 2.0 * std::f64::consts::PI / data.rise;
        if t < data.rise {
            data.omega / data.rise * (0.5 * t * t + ((turn * t).cos() - 1.0) / (turn * turn))
        } else {
            data.omega * (t - 0.5 * data.rise)
        }
    }

    /// θ'(t).
    #[observable]
    pub fn rate(data: &Data, t: f64) -> f64 {
        let turn = 2.0 * std::f64::consts::PI / data.rise;
        if t < data.rise { data.omega / data.rise * (t - (turn * t).sin() / turn) } else { data.omega }
    }

    /// The end of the crank on the axis.
    #[constraint]
    fn bearing(data: &Data, q: &Machine) -> Vector3<f64> {
        q.crank * Vector3::new(-0.5 * data.lengths[0], 0.0, 0.0)
    }

    /// The crank's z axis is vertical.
    #[constraint]
    fn axis(q: &Machine) -> Vector2<f64> {
        (q.crank.rotation * Vector3::z()).xy()
    }

    /// The sine of the angle from where the crank has to be to where it is.
    #[constraint]
    fn drive(data: &Data, q: &Machine, t: f64) -> f64 {
        let theta = angle(data, t);
        let direction = q.crank.rotation * Vector3::x();
        theta.cos() * direction.y - theta.sin() * direction.x
    }

    /// The bar hangs at the other end.
    #[constraint]
    fn joint(data: &Data, q: &Machine) -> Vector3<f64> {
        q.crank * Vector3::new(0.5 * data.lengths[0], 0.0, 0.0) - q.bar * Vector3::new(-0.5 * data.lengths[1], 0.0, 0.0)
    }

    /// The free end of the bar.
    #[observable]
    fn tip(data: &Data, q: &Machine) -> Vector3<f64> {
        q.bar * Vector3::new(0.5 * data.lengths[1], 0.0, 0.0)
    }
}

/// At rest, the bar hanging down.
fn problem(settings: &mut Settings) -> Result<InitialValueProblem<machine::System>, UsageError> {
    let data = settings.apply(machine::Data {
        masses: [2.0, 1.0],
        lengths: [0.4, 0.6],
        radius: 0.02,
        gravity: 9.81,
        omega: -5.0,
        rise: 0.5,
    })?;
    let down = SO3::exp(&Vector3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0));
    let crank = SE3::new(SO3::identity(), Vector3::new(0.5 * data.lengths[0], 0.0, 0.0));
    let bar = SE3::new(down, Vector3::new(data.lengths[0], 0.0, -0.5 * data.lengths[1]));
    let velocity = machine::Velocity { crank: Vector6::zeros(), bar: Vector6::zeros() };
    Ok(InitialValueProblem::new(machine::System::new(data)?, machine::Machine { crank, bar }, velocity))
}

/// The driven joint as an example.
pub fn example() -> Example {
    Example {
        name: "driven_joint",
        about: "A crank whose angle is prescribed (paper 2, eq. 86), with a bar hanging on it.",
        variants: vec![Variant::new("se3", problem)],
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
pub fn run(example: &Example, method: &str, step: f64, end: f64) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
    study::history(example, "se3", &Request::fixed(method, step, end).every(1))
}

/// The torque of the drive: E' = λ Φ_t, and Φ_t = −θ' where the constraints hold.
pub fn torque(sample: &Sample) -> f64 {
    sample.multipliers.get("drive").map_or(f64::NAN, |multiplier| -multiplier.numbers()[0])
}

/// The total energy.
pub fn energy(sample: &Sample) -> f64 {
    sample.energy.kinetic + sample.energy.potential
}

/// The energy gained minus the work of the drive, after every second step (Simpson's rule).
pub fn balance(run: &Outcome) -> Vec<(f64, f64)> {
    let power = |sample: &Sample| torque(sample) * sample.observable("rate")[0];
    let start = energy(&run.history[0]);
    let mut work = 0.0;
    let mut balance = vec![(run.history[0].t, 0.0)];
    for part in run.history.windows(3).step_by(2) {
        work += (part[2].t - part[0].t) / 6.0 * (power(&part[0]) + 4.0 * power(&part[1]) + power(&part[2]));
        balance.push((part[2].t, energy(&part[2]) - start - work));
    }
    balance
}

/// The largest absolute value of a series.
pub fn largest(series: &[(f64, f64)]) -> f64 {
    series.iter().fold(0.0, |largest, (_, value)| largest.max(value.abs()))
}

/// Power balance, residuals, torque.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    const STEPS: [f64; 2] = [0.002, 0.001];
    let runs = study::in_parallel(STEPS.len() * METHODS.len(), |index| {
        run(example, METHODS[index / STEPS.len()], STEPS[index % STEPS.len()], 5.0)
    })
    .map_err(|error| error.to_string())?;
    let rows = METHODS.iter().zip(runs.chunks(STEPS.len())).map(|(method, runs)| {
        let errors: Vec<f64> = runs.iter().map(|run| largest(&balance(run))).collect();
        let worst = |residual: fn(&Sample) -> f64| runs[0].history.iter().map(residual).fold(0.0, f64::max);
        vec![
            (*method).to_owned(),
            format!("{:.1e}", errors[0]),
            format!("{:.1e}", errors[1]),
            study::order((errors[0] / errors[1]).log2()),
            format!("{:.1e}", worst(|sample| sample.residual.position)),
            format!("{:.1e}", worst(|sample| sample.residual.velocity)),
            runs[0].newton_iterations.map_or_else(String::new, |mean| format!("{mean:.2}")),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    writeln!(out, "Energy gained minus work of the drive up to t = 5, and residuals at h = {}", STEPS[0])?;
    let header = ["method", "balance [J], h = 0.002", "h = 0.001", "order", "|Φ|", "|B v + b|", "Newton iterations"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let figures = [motion(&runs, folder)?, balances(&runs, folder)?];
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The torque, the energy and the path of the tip of an accurate run, and its power balance.
fn motion(runs: &[Outcome], folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let run = &runs[1];
    let torque = run.history.iter().map(|sample| (sample.t, torque(sample))).collect();
    let gained = run.history.iter().map(|sample| (sample.t, energy(sample) - energy(&run.history[0]))).collect();
    let way = run.history.iter().map(|sample| {
        let tip = sample.observable("tip");
        (tip[0], tip[1])
    });
    let sizes = |run: &Outcome| balance(run).into_iter().map(|(t, value)| (t, value.abs())).collect();
    let panels = vec![
        Panel::over_time("Torque of the drive", Axis::linear("torque τ [N m]"), vec![Series::line("τ", 0, torque)]),
        Panel::over_time("Energy", Axis::linear("energy gained E − E(0) [J]"), vec![Series::line("E", 0, gained)]),
        Panel::new(
            "Tip of the bar from above",
            Axis::length("x [m]"),
            Axis::length("y [m]"),
            vec![Series::line("tip", 0, way.collect())],
        ),
        Panel::over_time(
            "Power balance",
            Axis::log("|E − E(0) − ∫ τ θ' dt| [J]"),
            vec![Series::line("h = 0.002 s", 1, sizes(&runs[0])).dashed(), Series::line("h = 0.001 s", 0, sizes(run))],
        ),
    ];
    let caption = "A crank with the prescribed angle θ(t) of paper 2, eq. (86), and a bar at its end; hedop5, h = 0.001 s. The torque is the \
                   Lagrange multiplier of the rheonomic constraint. The energy equals the work of the drive up to the error of the \
                   method, which falls with its order.";
    Ok(Figure::new(panels).title("Driven crank with a bar").caption(caption).save_in(folder, "motion")?)
}

/// The balance over time at the larger step.
fn balances(runs: &[Outcome], folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let title = "Energy gained minus work of the drive, h = 0.002 s";
    let panel = figure::sizes_over_time(title, "|balance| [J]", &METHODS, |index| balance(&runs[2 * index]));
    Ok(figure::save(&[panel], folder, "balance")?)
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
