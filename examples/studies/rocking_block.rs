//! A rocking block: it rotates about a lower corner, strikes the ground with the other corner, and then rotates about it, lower and faster
//! every time.
//!
//! No paper of the integrators; G. W. Housner, "The behavior of inverted pendulum structures during earthquakes", Bull. Seism. Soc. Am.
//! 53, 1963. One constraint, whose position is a parameter, one event, and an impact in which the new corner receives the full impulse.
//! Between impacts the block is an inverted pendulum: instants and heights are an integral of the conserved energy.
//!
//! ```text
//! cargo run --release --example rocking_block                                         # the study: tables and a figure
//! cargo run --release --example rocking_block -- --method lie_alpha_stab2 --set slenderness=0.3 --set tilt=0.9 --format csv
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{self, Axis, Figure, Panel, Series};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant, study};
use lie_runtime::prelude::*;

/// A homogeneous block in its plane.
#[mechanical_system]
pub mod block {
    const GRAVITY: f64 = 9.81;

    /// The tilt and the centre.
    #[configuration]
    pub struct Pose {
        /// To the left, in radians.
        pub tilt: f64,
        /// In metres, over the middle of the ground between the corners.
        pub center: R2,
    }

    /// A block of mass 1.
    #[parameters]
    pub struct Block {
        /// Half its width.
        pub half_width: f64,
        /// Half its height.
        pub half_height: f64,
        /// Whether it stands on its left corner.
        pub on_the_left: bool,
    }

    #[kinetic_energy]
    fn kinetic(block: &Block, v: &Velocity) -> f64 {
        let inertia = (block.half_width * block.half_width + block.half_height * block.half_height) / 3.0;
        0.5 * (v.center.norm_squared() + inertia * v.tilt * v.tilt)
    }

    #[potential]
    fn weight(block: &Block, q: &Pose) -> f64 {
        GRAVITY * (q.center.y - block.half_height)
    }

    /// The corner stays where it is. λ is the force on the ground.
    #[constraint]
    fn corner(block: &Block, q: &Pose) -> Vector2<f64> {
        let side = if block.on_the_left { -block.half_width } else { block.half_width };
        q.center + SO2::from_angle(q.tilt) * Vector2::new(side, -block.half_height) - Vector2::new(side, 0.0)
    }

    /// Both corners are on the ground.
    #[event]
    fn upright(q: &Pose) -> f64 {
        q.tilt
    }

    /// The tilt is the largest.
    #[event]
    fn turns(v: &Velocity) -> f64 {
        v.tilt
    }
}

use block::{Block, Pose, System};

/// g of the declaration, in m/s².
const GRAVITY: f64 = 9.81;
/// Half the diagonal, in m.
const RADIUS: f64 = 0.5;
/// The angle α of the diagonal against the vertical, in the study.
pub const SLENDERNESS: f64 = 0.25;
/// A speed after an impact below this multiple of √(g/R) is rest.
const REST: f64 = 1e-3;

/// A block whose diagonal is at this angle; on its left corner, its tilt this multiple of that angle.
fn tilted(slenderness: f64, share: f64) -> (Block, Pose) {
    let (half_width, half_height) = (RADIUS * slenderness.sin(), RADIUS * slenderness.cos());
    let tilt = share * slenderness;
    let block = Block { half_width, half_height, on_the_left: true };
    let center = Vector2::new(-half_width, 0.0) + SO2::from_angle(tilt) * Vector2::new(half_width, half_height);
    (block, Pose { tilt, center })
}

fn problem(settings: &mut Settings) -> Result<InitialValueProblem<System>, UsageError> {
    let (block, configuration) = tilted(settings.number("slenderness", SLENDERNESS)?, settings.number("tilt", 0.8)?);
    let system = System::new(block)?;
    let velocity = system.zero_velocity();
    Ok(InitialValueProblem::new(system, configuration, velocity))
}

/// The simulation that goes on from corner to corner, until nothing is left.
pub fn from_corner_to_corner(simulation: Simulation<'_, System>) -> Simulation<'_, System> {
    let blow = simulation.declared_event("upright").apply(|at| {
        at.set(|block| block.on_the_left = !block.on_the_left);
        at.impact(["corner"], 0.0);
        if at.state().velocity[0].abs() < REST * (GRAVITY / RADIUS).sqrt() {
            at.stop();
        }
    });
    blow.declared_event("turns").record()
}

/// The block as an example.
pub fn example() -> Example {
    Example {
        name: "rocking_block",
        about: "A block that rocks from corner to corner and loses height at every impact.",
        variants: vec![Variant::new("r3", |settings| Ok(problem(settings)?.with_setup(from_corner_to_corner)))],
        method: "hedop5",
        step: 2e-3,
        end: 2.0,
        options: &[],
        study: Some(study),
    }
}

/// Half the diagonal turns about a corner as an inverted pendulum, φ'' = p² sin φ with φ = α − |θ|: p² = g R / (4 R²/3).
fn rate() -> f64 {
    (0.75 * GRAVITY / RADIUS).sqrt()
}

/// The time from rest at a tilt to the impact, a quarter of a period: ∫ dφ / √(2 p² (cos φ₀ − cos φ)) from φ₀ = α − θ₀ to α.
///
/// The substitution u² = cos φ₀ − cos φ gives √2/p ∫ du / sin φ, which is smooth, by Simpson's rule.
pub fn quarter(slenderness: f64, tilt: f64) -> f64 {
    let start = (slenderness - tilt).cos();
    let end = (start - slenderness.cos()).sqrt();
    let value = |u: f64| (1.0 - (start - u * u).powi(2)).sqrt().recip();
    let count = 20_000;
    let weight = |k: i32| if k == 0 || k == count { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    let width = end / f64::from(count);
    let sum: f64 = (0..=count).map(|k| weight(k) * value(f64::from(k) * width)).sum();
    std::f64::consts::SQRT_2 / rate() * sum * width / 3.0
}

/// Housner's quarter of a period, of slender blocks: arcosh(1/(1 − θ₀/α)) / p.
pub fn quarter_of_slender(slenderness: f64, tilt: f64) -> f64 {
    (1.0 / (1.0 - tilt / slenderness)).acosh() / rate()
}

/// The ratio of the speeds after and before an impact: the full impulse acts on the new corner, 1 − (3/2) sin² α.
pub fn kept(slenderness: f64) -> f64 {
    1.0 - 1.5 * slenderness.sin().powi(2)
}

/// The times of a number of impacts, and the tilt before each, from rest at a tilt. Every impact reduces the energy g R (cos(α − θ) − cos
/// α) by the factor `kept`².
pub fn blows(slenderness: f64, tilt: f64, count: usize) -> Vec<(f64, f64)> {
    let (mut time, mut tilt, mut found) = (0.0, tilt, Vec::new());
    for number in 0..count {
        time += if number == 0 { quarter(slenderness, tilt) } else { 2.0 * quarter(slenderness, tilt) };
        found.push((time, tilt));
        let height = kept(slenderness).powi(2) * ((slenderness - tilt).cos() - slenderness.cos());
        tilt = slenderness - (slenderness.cos() + height).acos();
    }
    found
}

/// A run from rest at a tilt.
///
/// # Errors
/// An error if it cannot be started or fails.
pub fn run(
    slenderness: f64,
    share: f64,
    method: &str,
    step: f64,
    end: f64,
) -> Result<Trajectory<System>, Box<dyn Error>> {
    let (block, pose) = tilted(slenderness, share);
    let system = System::new(block)?;
    let rest = system.zero_velocity();
    let begun = from_corner_to_corner(Simulation::of(&system).initial(pose, rest));
    Ok(begun.method_named(method)?.step(step).end_time(end).run()?.into())
}

/// Impacts against the closed form, the period over the amplitude, and the energy.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let share = 0.8;
    let run_to_rest = run(SLENDERNESS, share, "hedop5", 2e-3, 4.0)?;
    let expected = blows(SLENDERNESS, share * SLENDERNESS, 12);
    let mut rows = Vec::new();
    for (event, (time, tilt)) in run_to_rest.events_called("upright").zip(&expected) {
        let after = event.after.as_ref().ok_or("no state after an impact")?;
        let ratio = after.velocity[0] / event.before.velocity[0];
        rows.push(vec![
            format!("{:.6}", event.time),
            format!("{:.1e}", (event.time - time).abs()),
            format!("{:.4}", tilt / SLENDERNESS),
            format!("{:.1e}", (ratio / kept(SLENDERNESS) - 1.0).abs()),
        ]);
    }
    let header = ["impact at [s]", "off by [s]", "tilt before, θ/α", "speed kept off by"];
    let table = study::plain_table(&header, &rows);
    let lost = 1.0 - kept(SLENDERNESS).powi(2);
    writeln!(out, "Impacts of a block from rest at 0.8 α; each takes {:.1} % of the energy\n{table}", 100.0 * lost)?;

    let of_run = |value: &dyn Fn(&State<System>) -> f64| -> Vec<(f64, f64)> {
        run_to_rest.states.iter().map(|state| (state.time, value(state))).collect()
    };
    let turning = run_to_rest.events_called("turns").zip(expected.iter().skip(1).enumerate());
    let heights = turning.map(|(event, (number, (_, tilt)))| {
        (event.time, if number % 2 == 0 { -tilt / SLENDERNESS } else { tilt / SLENDERNESS })
    });
    let system = System::new(tilted(SLENDERNESS, share).0)?;
    let energy = |state: &State<System>| {
        let (q, v) = (&state.configuration, &state.velocity);
        system.kinetic_energy(0.0, q, v) + system.potential_energy(0.0, q)
    };
    let of_slender = |share: f64| (share, 4.0 * rate() * quarter_of_slender(SLENDERNESS, share * SLENDERNESS));
    let housner = (1..100).map(|k| of_slender(f64::from(k) / 100.0)).collect();
    let mut measured = Vec::new();
    for share in [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95] {
        let run = run(SLENDERNESS, share, "hedop5", 2e-3, 1.5)?;
        let first = run.events_called("upright").next().ok_or("no blow")?;
        measured.push((share, 4.0 * rate() * first.time));
    }
    let impacts: Vec<f64> = run_to_rest.events_called("upright").map(|event| event.time).collect();
    let marked = |panel: Panel| impacts.iter().fold(panel, |panel, &time| panel.event(time, ""));
    let panels = vec![
        marked(Panel::over_time(
            "Tilt",
            Axis::linear("tilt θ/α"),
            vec![
                Series::line("hedop5", 0, of_run(&|state| state.configuration.tilt / SLENDERNESS)),
                Series::marks("maxima, closed form", 1, heights.collect()).open(),
            ],
        )),
        marked(Panel::over_time(
            "Energy",
            Axis::linear("energy E/m [J/kg]"),
            vec![Series::line("hedop5", 0, figure::interrupted(&of_run(&energy)))],
        )),
        Panel::new(
            "Period",
            Axis::linear("amplitude θ₀/α"),
            Axis::linear("period p T"),
            vec![
                Series::line("Housner, slender block", 6, housner).dashed(),
                Series::marks("hedop5", 0, measured).open(),
            ],
        ),
    ];
    let caption = format!(
        "A block that rocks from corner to corner (hedop5, h = 0.002 s), released at θ = {share} α; α is the angle of its diagonal and p its \
         rate. Vertical lines are impacts, each of which takes {:.1} % of the energy (Housner).",
        100.0 * lost
    );
    let figure = Figure::new(panels).title("Rocking block").caption(&caption);
    study::tell_figures(out, &[figure.save_in(folder, "rocking")?])?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
