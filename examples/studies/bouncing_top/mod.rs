//! A spinning top that is dropped on a smooth plate: it bounces, stays on its tip, precesses, and may lift off again.
//!
//! ```text
//! cargo run --release --example bouncing_top                                        # the study: tables and figures
//! cargo run --release --example bouncing_top -- --method rattlie --set spin=60 --set restitution=0.9 --samples 1,2
//! ```

pub mod model;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{self, Axis, Figure, Panel, Series};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant, study};
use lie_runtime::integrator::State;
use lie_runtime::prelude::*;
use lie_runtime::simulate::Occurrence;
use model::so3xr3::{self, Pose, System, Top};
use model::with_contact;

/// The end time of the study.
const END: f64 = 1.2;
/// How many events it lists.
const LISTED: usize = 16;
/// Its step.
const STEP: f64 = 1e-3;

/// A top of 0.5 kg that is let go with its tip above the plate, tilted and spinning.
fn problem(settings: &mut Settings) -> Result<InitialValueProblem<System>, UsageError> {
    let top = settings.apply(Top {
        mass: 0.5,
        inertia: [6e-4, 4e-4],
        arm: 0.04,
        gravity: 9.81,
        restitution: 0.7,
        resting_rate: 0.01,
        on_the_plate: false,
    })?;
    UsageError::unless_positive("mass", &[top.mass])?;
    let (spin, tilt, height) =
        (settings.number("spin", 200.0)?, settings.number("tilt", 0.3)?, settings.number("height", 0.05)?);
    UsageError::unless_positive("height", &[height])?;
    if !(0.0..=1.0).contains(&top.restitution) {
        return Err(UsageError::new("`restitution` is between 0 and 1"));
    }
    let attitude = SO3::exp(&Vector3::new(tilt, 0.0, 0.0));
    let position = attitude * Vector3::new(0.0, 0.0, top.arm) + Vector3::new(0.0, 0.0, height);
    let velocity = so3xr3::Velocity { attitude: Vector3::new(0.0, 0.0, spin), position: Vector3::zeros() };
    Ok(InitialValueProblem::new(System::new(top)?, Pose { attitude, position }, velocity))
}

/// The bouncing top as an example.
pub fn example() -> Example {
    Example {
        name: "bouncing_top",
        about: "A spinning top that is dropped on a smooth plate.",
        variants: vec![Variant::new("so3xr3", |settings| Ok(problem(settings)?.with_setup(with_contact)))],
        method: "hedop5",
        step: STEP,
        end: END,
        options: &[],
        study: Some(study),
    }
}

/// A run of the top as it is, through all of its events.
///
/// # Errors
/// An error if it cannot be started or fails.
pub fn run(step: f64, end: f64) -> Result<(System, Trajectory<System>), Box<dyn Error>> {
    let problem = problem(&mut Settings::default())?;
    let (system, start) = (problem.system().clone(), problem.initial().clone());
    let begun = with_contact(Simulation::of(&system).initial(start.configuration, start.velocity));
    let run = begun.step(step).end_time(end).run()?.into();
    Ok((system, run))
}

/// Kinetic and potential energy.
pub fn energy(system: &System, state: &State<System>) -> f64 {
    let (q, v) = (&state.configuration, &state.velocity);
    system.kinetic_energy(state.time, q, v) + system.potential_energy(state.time, q)
}

/// The vertical velocity of the tip.
fn rate(system: &System, state: &State<System>) -> f64 {
    so3xr3::tip_velocity(system.parameters(), &state.configuration, &so3xr3::Velocity::from(state.velocity)).z
}

/// The energy loss of an impact, and the loss by the impact law: the work of its impulse Λ at the mean of the rates before and after, Λ (ρ⁻
/// + ρ⁺) / 2.
pub fn losses(system: &System, blow: &Occurrence<System>) -> Option<[f64; 2]> {
    let (after, impulse) = (blow.after.as_ref()?, blow.impulses.first()?);
    let mean = 0.5 * (rate(system, &blow.before) + rate(system, after));
    Some([energy(system, &blow.before) - energy(system, after), impulse.rows[0] * mean])
}

/// The time of the impact with this index.
///
/// # Errors
/// An error if the run fails or there is no such impact.
pub fn time_of_blow(number: usize, step: f64) -> Result<f64, Box<dyn Error>> {
    let (_, run) = run(step, 1.0)?;
    let blow = run.events_called("strikes").nth(number).ok_or("too few impacts")?;
    Ok(blow.time)
}

/// The first events as a table.
fn tell(system: &System, events: &[Occurrence<System>], out: &mut dyn Write) -> std::io::Result<()> {
    let row = |event: &Occurrence<System>| {
        let [lost, expected] = losses(system, event).unwrap_or([0.0; 2]);
        vec![
            event.event.clone(),
            format!("{:.12}", event.time),
            format!("{:.6}", rate(system, &event.before)),
            event.after.as_ref().map_or_else(String::new, |state| format!("{:.6}", rate(system, state))),
            event.impulses.first().map_or_else(String::new, |impulse| format!("{:.6}", -impulse.rows[0])),
            format!("{lost:.3e}"),
            format!("{:.0e}", (lost - expected).abs()),
        ]
    };
    let rows: Vec<Vec<String>> = events.iter().take(LISTED).map(row).collect();
    let header =
        ["event", "t [s]", "tip before [m/s]", "after", "impulse [N s]", "energy lost [J]", "by the law, off by"];
    writeln!(out, "{} events, the first of them\n{}", events.len(), study::plain_table(&header, &rows))
}

/// Events, the order of their times, and figures of height, energy and tilt.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let (system, run) = run(STEP, END)?;
    tell(&system, &run.events, out)?;
    let reference = time_of_blow(5, 1e-4)?;
    let mut rows = Vec::new();
    let mut before = f64::NAN;
    for step in [8e-3, 4e-3, 2e-3, 1e-3] {
        let error = (time_of_blow(5, step)? - reference).abs();
        rows.push(vec![format!("{step}"), format!("{error:.1e}"), study::order((before / error).log2())]);
        before = error;
    }
    writeln!(
        out,
        "The time of the sixth impact, against steps of 1e-4 s\n{}",
        study::plain_table(&["h [s]", "error [s]", "order"], &rows)
    )?;
    let over = |value: &dyn Fn(&State<System>) -> f64| -> Vec<(f64, f64)> {
        figure::interrupted(&run.states.iter().map(|state| (state.time, value(state))).collect::<Vec<_>>())
    };
    let tip = |state: &State<System>| 1e3 * so3xr3::tip(system.parameters(), &state.configuration).z;
    let tilt = |state: &State<System>| (state.configuration.attitude * Vector3::z()).z.acos().to_degrees();
    let impacts: Vec<(f64, f64)> = run.events_called("strikes").map(|event| (event.time, 0.0)).collect();
    let height = |title: &str| {
        let lines = vec![Series::line("tip", 0, over(&tip)), Series::marks("impacts", 1, impacts.clone()).open()];
        Panel::over_time(title, Axis::linear("height of the tip z [mm]"), lines)
    };
    // The small impacts before the first rest.
    let first = impacts.first().map_or(0.0, |impact| impact.0);
    let panels = vec![
        height("Height of the tip"),
        height("The first impacts").x_limits(0.0, 4.0 * first),
        Panel::over_time(
            "Energy",
            Axis::linear("energy E [J]"),
            vec![Series::line("E", 0, over(&|state| energy(&system, state)))],
        ),
        Panel::over_time(
            "Inclination",
            Axis::linear("angle to the vertical θ [°]"),
            vec![Series::line("θ", 0, over(&tilt))],
        ),
    ];
    let caption = format!(
        "A top falls on a plate with its tip, bounces, rests and takes off again (h = {STEP} s). {} impacts; the energy is constant between \
         two of them.",
        impacts.len()
    );
    let figure = Figure::new(panels).title("Bouncing top").caption(&caption);
    study::tell_figures(out, &[figure.save_in(folder, "motion")?])?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
