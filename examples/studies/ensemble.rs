//! Ensembles: how uncertain data spread the motion of a heavy top, and at which spins a top sleeps.
//!
//! No paper: 100 000 heavy tops with the data of paper 1 known to one in a hundred, and a map of the Lagrangian top of paper 5.
//!
//! ```text
//! cargo run --release --example ensemble                                      # the study, in about a minute
//! cargo run --release --example ensemble -- --set spin=140 --samples 0.5,1 --format json
//! ```

use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use harness::figure::{Axis, Band, Figure, HeatMap, Panel, Series};
use harness::study::{number, plain_table, tell_figures};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::ensemble::{Distribution, Ensemble, Results, Samples};
use lie_runtime::prelude::*;
use lie_runtime::scalar::F64x4;
use models::rotating_bodies::lagrangian_top::{self, MOMENTS};

/// The heavy top of paper 1, section 2.4.
#[mechanical_system]
pub mod heavy_top {
    /// The body.
    #[configuration]
    pub struct Body {
        /// Pose of the body frame at the centre of mass.
        pub pose: SE3,
    }

    /// Data of the top.
    #[parameters]
    pub struct HeavyTop {
        /// The mass.
        pub mass: f64,
        /// Principal moments of inertia about the centre of mass.
        pub inertia: Vector3<f64>,
        /// The body-fixed vector from the fixed point to the centre of mass.
        pub center_of_mass: Vector3<f64>,
        /// Gravity in space.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        let (angular, linear) = (v.pose.angular(), v.pose.linear());
        0.5 * top.mass * linear.norm_squared() + 0.5 * angular.dot(&top.inertia.component_mul(&angular))
    }

    #[potential]
    fn weight(top: &HeavyTop, q: &Body) -> f64 {
        -top.mass * top.gravity.dot(&q.pose.position())
    }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
        q.pose.rotation().inverse() * q.pose.position() - top.center_of_mass
    }

    #[observable]
    fn position(q: &Body) -> Vector3<f64> {
        q.pose.position()
    }
}

/// Data of paper 1, section 2.4.
pub fn nominal() -> heavy_top::HeavyTop {
    heavy_top::HeavyTop {
        mass: 15.0,
        inertia: Vector3::new(0.234_375, 0.468_75, 0.234_375),
        center_of_mass: Vector3::new(0.0, 1.0, 0.0),
        gravity: Vector3::new(0.0, 0.0, -9.81),
    }
}

/// The spin of the paper about the axis of the top.
const SPIN: f64 = 150.0;

/// The top starts unrotated, with this spin and the precession of the paper.
pub fn start(top: &heavy_top::HeavyTop, spin: f64) -> (heavy_top::Body, Vector6<f64>) {
    let angular = Vector3::new(0.0, spin, -4.615_38);
    let pose = SE3::new(SO3::identity(), top.center_of_mass);
    (heavy_top::Body { pose }, pose.twist(&angular, &angular.cross(&top.center_of_mass)))
}

/// The ensemble as an example: the top that its members vary.
pub fn example() -> Example {
    let se3 = Variant::new("se3", |settings: &mut Settings| -> Result<_, UsageError> {
        let spin = settings.number("spin", SPIN)?;
        let top = settings.apply(nominal())?;
        let (configuration, velocity) = start(&top, spin);
        Ok(InitialValueProblem::new(heavy_top::System::new(top)?, configuration, velocity))
    });
    Example {
        name: "ensemble",
        about: "A heavy top, and 100 000 of them with uncertain data: --set spin=150.",
        variants: vec![se3],
        method: "hedop5",
        step: 1e-3,
        end: 1.0,
        options: &[],
        study: Some(study),
    }
}

/// Data with an uncertainty of 1 %: moment of inertia and spin about the axis, the place of the centre of mass.
const DEVIATION: f64 = 0.01;
/// The times at which the members are sampled.
const TIMES: usize = 50;
/// The step: a third of a radian.
const STEP: f64 = 2e-3;
/// The measured value: the centre of mass along its initial direction.
const MEASURED: &str = "position[1]";

/// The run of a top to t = 1.
fn described(system: &heavy_top::System, spin: f64) -> Simulation<'_, heavy_top::System> {
    let (q0, v0) = start(system.parameters(), spin);
    let times: Vec<f64> = (0..=TIMES).map(|k| k as f64 / TIMES as f64).collect();
    Simulation::of(system).initial(q0, v0).step(STEP).end_time(1.0).output_times(&times).without_declaration_check()
}

/// `members` tops with uncertain data, to t = 1, four at a time on each core.
///
/// # Errors
/// The error of an impossible ensemble.
pub fn spread(members: usize) -> Result<Results, Box<dyn Error>> {
    let system = heavy_top::System::new(nominal())?;
    let about = |mean: f64| Distribution::Normal { mean, deviation: DEVIATION * mean };
    let samples = Samples::latin_hypercube(members, 2024)
        .parameter("inertia[1]", about(nominal().inertia.y))
        .parameter("center_of_mass[1]", about(1.0))
        .variable("spin", about(SPIN));
    let ensemble = Ensemble::of(&system).samples(samples).outputs([MEASURED]).progress_bar();
    Ok(ensemble.run_in_lanes::<F64x4, _, _>(|system, member| Ok(described(system, member.value("spin")?)))?)
}

/// The number of tops per second of a loop on one core, as a reference of the ensemble.
///
/// # Errors
/// The error of a run.
fn rate_of_a_loop(members: usize) -> Result<f64, Box<dyn Error>> {
    let clock = Instant::now();
    for member in 0..members {
        let mut top = nominal();
        // Other numbers for each, as those of an ensemble are.
        let part = member as f64 / members as f64;
        top.inertia.y *= 1.0 + DEVIATION * (part - 0.5);
        let system = heavy_top::System::new(top)?;
        black_box(described(&system, SPIN * (1.0 + DEVIATION * (0.5 - part))).run()?);
    }
    Ok(members as f64 / clock.elapsed().as_secs_f64())
}

/// How many tops are run one after the other for comparison.
const LOOP: usize = 4000;

/// Spins and weights of the map, from where to where, and how many.
const SPINS: ([f64; 2], usize) = ([0.0, 40.0], 64);
const WEIGHTS: ([f64; 2], usize) = ([1.0, 31.0], 48);
/// How far the top is tilted at the start.
const TILT: f64 = 0.05;

/// The middle of each of so many cells.
fn middles(([low, high], count): ([f64; 2], usize)) -> Distribution {
    let half = 0.5 * (high - low) / count as f64;
    Distribution::linear(low + half, high - half, count)
}

/// The spin from which on a top of this weight sleeps upright, Ω = 2 √(I₁ w) / I₃.
pub fn sleeping_spin(weight: f64) -> f64 {
    2.0 * (MOMENTS.x * weight).sqrt() / MOMENTS.z
}

/// Spin, weight and the largest tilt in twenty seconds, of tops that start nearly upright; the weight runs fastest.
///
/// # Errors
/// The error of an impossible ensemble, or of a failed member.
pub fn tilts() -> Result<Vec<[f64; 3]>, Box<dyn Error>> {
    use lagrangian_top::so3;
    let system = so3::System::new(so3::Data { moments: MOMENTS, weight: 1.0 })?;
    let samples = Samples::grid().variable("spin", middles(SPINS)).parameter("weight", middles(WEIGHTS));
    let times: Vec<f64> = (0..=200).map(|k| 0.1 * f64::from(k)).collect();
    let upright = "attitude[2][2]";
    let ensemble = Ensemble::of(&system).samples(samples).outputs([upright]).progress_bar();
    let results = ensemble.run_in_lanes::<F64x4, _, _>(|system, member| {
        let q0 = so3::Body { attitude: SO3::exp(&Vector3::new(TILT, 0.0, 0.0)) };
        let v0 = Vector3::new(0.0, 0.0, member.value("spin")?);
        let simulation = Simulation::of(system).initial(q0, v0).step(0.01).end_time(20.0).output_times(&times);
        Ok(simulation.without_declaration_check())
    })?;
    if let Some(failure) = results.failures().first() {
        return Err(failure.to_string().into());
    }
    let column = results.column(upright).ok_or("nothing was measured")?;
    let cells = results.samples().iter().enumerate().map(|(member, sample)| {
        let lowest = (0..results.states()).map(|state| column.value(member, state)).fold(1.0, f64::min);
        [sample[0], sample[1], lowest.acos()]
    });
    Ok(cells.collect())
}

/// The spread of the heavy top as bands, and the map of tilts.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let results = spread(100_000)?;
    let position = results.column(MEASURED).ok_or("nothing was measured")?;
    let time = results.column("t").ok_or("no time was measured")?;
    let (mut wide, mut narrow, mut middle) = (Vec::new(), Vec::new(), Vec::new());
    let mut rows = Vec::new();
    for state in 0..results.states() {
        let t = time.spread(state).mean;
        let [low, lower, median, upper, high] = position.quantiles(state, [0.05, 0.25, 0.5, 0.75, 0.95]);
        wide.push((t, low - median, high - median));
        narrow.push((t, lower - median, upper - median));
        middle.push((t, median));
        if state.is_multiple_of(TIMES / 5) {
            let spread = position.spread(state);
            rows.push(vec![format!("{t:.1}"), format!("{:.4}", spread.mean), number(spread.deviation())]);
        }
    }
    let (members, failures) = (results.members(), results.failures().len());
    let rate = members as f64 / results.seconds();
    writeln!(out, "{members} heavy tops in {:.1} s, {rate:.0} a second; {failures} have failed", results.seconds())?;
    let alone = rate_of_a_loop(LOOP)?;
    writeln!(out, "a loop over {LOOP} of them on one core: {alone:.0} a second, {:.2} times less", rate / alone)?;
    writeln!(out, "{}", plain_table(&["t [s]", "mean of y [m]", "deviation [m]"], &rows))?;
    let band = |label: &str, opacity, edges| Band { label: label.to_owned(), style: 0, opacity, edges };
    let bands = vec![band("90 % of the tops", 0.2, wide), band("50 %", 0.45, narrow)];
    let median = Series::line("median", 0, middle);
    let panels = vec![
        Panel::over_time("Median", Axis::linear("centre of mass y [m]"), vec![median]),
        Panel::over_time("Spread", Axis::linear("deviation from the median [m]"), Vec::new()).with_bands(bands),
    ];
    let caption = format!(
        "{members} heavy tops with an uncertainty of 1 % in the moment of inertia, the centre of mass and the spin. The spread \
         oscillates with a growing amplitude."
    );
    let figure = Figure::new(panels).title("Monte Carlo simulation of a heavy top").caption(&caption);
    let mut figures = vec![figure.save_in(folder, "spread")?];

    let cells = tilts()?;
    let mut values = vec![Vec::new(); WEIGHTS.1];
    for (cell, [_, _, tilt]) in cells.iter().enumerate() {
        values[cell % WEIGHTS.1].push(tilt.to_degrees());
    }
    let boundary = (0..=100).map(|k| WEIGHTS.0[0] + (WEIGHTS.0[1] - WEIGHTS.0[0]) * f64::from(k) / 100.0);
    let map = HeatMap {
        title: "Sleeping and falling tops".to_owned(),
        caption: "Largest inclination of Lagrangian tops that start at 3°, over the spin and the torque of the weight. Dashed: the \
                  theoretical limit Ω = 2 √(I₁ m g l) / I₃. Tops on its right stay upright."
            .to_owned(),
        colours: "largest inclination θ [°]".to_owned(),
        axes: ["spin Ω [rad/s]".to_owned(), "torque of the weight m g l [N m]".to_owned()],
        ranges: [SPINS.0, WEIGHTS.0],
        values,
        lines: vec![boundary.map(|w| (sleeping_spin(w), w)).collect()],
    };
    figures.push(map.save(folder, "map")?);
    writeln!(out, "{} Lagrangian tops: to the right of the line they sleep", cells.len())?;
    tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
