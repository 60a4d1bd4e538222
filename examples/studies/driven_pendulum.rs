//! A driven pendulum: motions with the period of the drive over its frequency and strength, with folds and period doubling.
//!
//! No paper. Families of periodic motions are followed by their arc length, stable or not: resonance of a pendulum that is softer the
//! further it swings, with two stable motions at one frequency; and its route to chaos, in which the motion first loses its symmetry, then
//! doubles its period. The limits of long runs are drawn as well.
//!
//! ```text
//! cargo run --release --example driven_pendulum                                  # the study: a table and figures
//! cargo run --release --example driven_pendulum -- --set strength=1.2 --set damping=0.5 --end 600 --format csv
//! ```

use std::error::Error;
use std::f64::consts::TAU;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{Axis, Figure, Panel, Series};
use harness::study::{in_parallel, plain_table, tell_figures};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::analysis::{Orbit, OrbitBranch, OrbitPoint, PeriodicOrbit, SpecialOrbit, SpecialOrbitKind};
use lie_runtime::prelude::*;

/// A pendulum on a motor; time is the phase of the drive, so that every drive has the period 2π.
#[mechanical_system]
pub mod pendulum {
    /// From hanging.
    #[configuration]
    pub struct Angle {
        /// In radians.
        pub theta: f64,
    }

    /// In units of the mass, the length and the weight.
    #[parameters]
    pub struct Drive {
        /// Frequency of the drive relative to small motions.
        pub frequency: f64,
        /// Its torque.
        pub strength: f64,
        /// Torque by the rate.
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(drive: &Drive, v: &Velocity) -> f64 {
        0.5 * drive.frequency * drive.frequency * v.theta * v.theta
    }

    #[potential]
    fn weight(q: &Angle) -> f64 {
        -q.theta.cos()
    }

    #[dissipation]
    fn friction(drive: &Drive, v: &Velocity) -> f64 {
        0.5 * drive.damping * drive.frequency * v.theta * v.theta
    }

    #[force(on = theta)]
    fn torque(drive: &Drive, t: f64) -> f64 {
        drive.strength * t.cos()
    }

    /// By the time of small motions.
    #[observable]
    fn rate(drive: &Drive, v: &Velocity) -> f64 {
        drive.frequency * v.theta
    }
}

use pendulum::{Angle, Drive, System};

/// Strengths of the response curves, at a damping of 0.1.
const STRENGTHS: [f64; 4] = [0.02, 0.06, 0.1, 0.14];
/// Steps a period.
const STEPS: u32 = 200;
/// The drive of the way to chaos, at the strength where it is looked at first.
const CHAOTIC: Drive = Drive { frequency: 2.0 / 3.0, strength: 0.9, damping: 0.5 };

/// The errors of a table.
type Rows = Vec<Vec<String>>;

/// The pendulum at rest.
fn problem(settings: &mut Settings) -> Result<InitialValueProblem<System>, UsageError> {
    let system = System::new(settings.apply(CHAOTIC)?)?;
    Ok(InitialValueProblem::at_rest(system, Angle { theta: 0.1 }))
}

/// The pendulum as an example.
pub fn example() -> Example {
    Example {
        name: "driven_pendulum",
        about: "A driven pendulum: families of periodic motions, resonance and the way to chaos.",
        variants: vec![Variant::new("r1", problem)],
        method: "hedop5",
        step: 0.02,
        end: 200.0,
        options: &[],
        study: Some(study),
    }
}

/// The motions of the drive's period over its frequency, from fast drives to slow ones.
///
/// # Errors
/// An error if they cannot be followed.
pub fn response(strength: f64) -> Result<OrbitBranch<System>, Box<dyn Error>> {
    let system = System::new(Drive { frequency: 1.3, strength, damping: 0.1 })?;
    let family = PeriodicOrbit::of(&system)
        .guess(Angle { theta: 0.0 }, system.zero_velocity())
        .period(TAU)
        .continuation("frequency")
        .parameter_end(0.5)
        .run()?;
    Ok(family)
}

/// The limit of a run after a number of periods.
///
/// # Errors
/// An error if it does not come to its end.
pub fn settled(system: &System, periods: u32) -> Result<State<System>, Box<dyn Error>> {
    let run = Simulation::of(system)
        .initial(Angle { theta: 0.1 }, system.zero_velocity())
        .method(HalfExplicit::hedop5())
        .step(TAU / f64::from(STEPS))
        .end_time(TAU * f64::from(periods))
        .output_times(&[TAU * f64::from(periods)])
        .run()?;
    Ok(run.last().clone())
}

/// The motions over the strength of the drive from this one on; those that a run settles on there are where they begin.
///
/// # Errors
/// An error if they cannot be followed.
pub fn stronger(from: f64, to: f64) -> Result<OrbitBranch<System>, Box<dyn Error>> {
    let system = System::new(Drive { strength: from, ..CHAOTIC })?;
    let start = settled(&system, 100)?;
    let family = PeriodicOrbit::of(&system)
        .guess(start.configuration, start.velocity)
        .period(TAU)
        .continuation("strength")
        .parameter_end(to)
        .step(0.02)
        .run()?;
    Ok(family)
}

/// The other branch through a motion of a family over the strength of the drive, up to this strength.
///
/// # Errors
/// An error if none leave there, or they cannot be followed.
pub fn leaving(special: &SpecialOrbit<System>, (sign, to): (f64, f64)) -> Result<OrbitBranch<System>, Box<dyn Error>> {
    let system = System::new(CHAOTIC)?;
    let family = PeriodicOrbit::of(&system)
        .continuation("strength")
        .branch_from(special, sign)
        .parameter_end(to)
        .step(0.02)
        .run()?;
    Ok(family)
}

/// A number of periods of a motion from here: angles and rates, in the time unit of small motions.
fn periods(
    (frequency, strength, damping): (f64, f64, f64),
    from: &State<System>,
    count: u32,
) -> Result<Vec<(f64, f64)>, Box<dyn Error>> {
    let system = System::new(Drive { frequency, strength, damping })?;
    let run = Simulation::of(&system)
        .initial(from.configuration, from.velocity)
        .method(HalfExplicit::hedop5())
        .step(TAU / f64::from(STEPS))
        .end_time(TAU * f64::from(count))
        .run()?;
    Ok(run.states.iter().map(|state| (state.configuration.theta, frequency * state.velocity[0])).collect())
}

/// How far a motion swings.
fn amplitude(way: &[(f64, f64)]) -> f64 {
    way.iter().fold(0.0, |largest, (angle, _)| angle.abs().max(largest))
}

/// The mean angle of a motion, without whole turns.
fn mean(way: &[(f64, f64)]) -> f64 {
    // The last one is the first of the next period.
    let mean = way[1..].iter().map(|(angle, _)| angle).sum::<f64>() / (way.len() - 1) as f64;
    mean - TAU * (mean / TAU).round()
}

/// A motion without whole turns.
fn unwound(way: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let turns = way[1..].iter().map(|(angle, _)| angle).sum::<f64>() / (way.len() - 1) as f64 - mean(way);
    way.iter().map(|(angle, rate)| (angle - turns, *rate)).collect()
}

/// Points of a family, in pieces that are stable or not: `piece(stable?)`.
fn pieces(points: &[OrbitPoint<System>], values: &[f64]) -> Vec<(bool, Vec<(f64, f64)>)> {
    let mut pieces: Vec<(bool, Vec<(f64, f64)>)> = Vec::new();
    for (point, &value) in points.iter().zip(values) {
        let (is_stable, place) = (point.unstable == 0, (point.parameter, value));
        match pieces.last_mut() {
            Some((same, piece)) if *same == is_stable => piece.push(place),
            Some((_, piece)) => {
                piece.push(place);
                pieces.push((is_stable, vec![place]));
            }
            None => pieces.push((is_stable, vec![place])),
        }
    }
    pieces
}

/// The rows of a table of the bifurcations of a family.
fn remarkable(name: &str, family: &OrbitBranch<System>) -> Rows {
    let largest = |orbit: &Orbit<System>| format!("{:+.6}", orbit.multipliers[0].re);
    let row = |(kind, parameter, orbit): (String, f64, &Orbit<System>)| {
        vec![name.to_owned(), kind, format!("{parameter:.8}"), largest(orbit)]
    };
    let rows = family.special.iter().map(|found| (format!("{:?}", found.kind), found.parameter, &found.orbit));
    rows.map(row).collect()
}

/// Resonance: the response curves and their bifurcations.
fn resonance() -> Result<(Panel, Rows), Box<dyn Error>> {
    let families = in_parallel(STRENGTHS.len(), |at| response(STRENGTHS[at]).map_err(|error| error.to_string()))?;
    let (mut series, mut rows) = (Vec::new(), Vec::new());
    for (at, (strength, family)) in STRENGTHS.into_iter().zip(&families).enumerate() {
        let swing = |point: &OrbitPoint<System>| -> Result<f64, Box<dyn Error>> {
            Ok(amplitude(&periods((point.parameter, strength, 0.1), &point.orbit.state, 1)?))
        };
        let values = family.points.iter().map(swing).collect::<Result<Vec<f64>, _>>()?;
        for (is_stable, piece) in pieces(&family.points, &values) {
            let line = |name: &str| Series::line(name, at, piece.clone());
            let name = format!("f = {strength}");
            series.push(if is_stable { line(&name) } else { line(&format!("{name}, unstable")).dashed() });
        }
        rows.extend(remarkable(&format!("strength {strength}"), family));
    }
    let panel =
        Panel::new("Resonance", Axis::linear("drive frequency ω/ω₀"), Axis::linear("amplitude max |θ| [rad]"), series);
    Ok((panel, rows))
}

/// A family with its name, and the number of periods of the drive that its motions take.
type Family = (&'static str, u32, OrbitBranch<System>);

/// The families of the route to chaos: symmetric motions, asymmetric motions from the loss of symmetry, and repeatedly their period-doubled
/// motions.
fn cascade() -> Result<Vec<Family>, Box<dyn Error>> {
    let symmetric = stronger(0.9, 1.1)?;
    let lost = symmetric.of_kind(SpecialOrbitKind::Bifurcation).next().ok_or("symmetry is lost")?;
    let sides = [1.0, -1.0].map(|sign| leaving(lost, (sign, 1.1)));
    let mut families = Vec::new();
    for side in sides {
        let one_sided = side?;
        let doubled = leaving(first_doubling(&one_sided)?, (1.0, 1.1))?;
        let again = leaving(first_doubling(&doubled)?, (1.0, 1.1))?;
        families.extend([("asymmetric", 1, one_sided), ("two periods", 2, doubled), ("four periods", 4, again)]);
    }
    families.insert(0, ("symmetric", 1, symmetric));
    Ok(families)
}

/// The first period doubling of a family.
fn first_doubling(family: &OrbitBranch<System>) -> Result<&SpecialOrbit<System>, Box<dyn Error>> {
    family.of_kind(SpecialOrbitKind::PeriodDoubling).next().ok_or_else(|| "the period doubles".into())
}

/// The route to chaos: mean angles over the strength, for the families and the limits of runs, and some motions.
fn way_to_chaos() -> Result<(Vec<Panel>, Rows), Box<dyn Error>> {
    let Drive { frequency, damping, .. } = CHAOTIC;
    let (mut series, mut rows) = (Vec::new(), Vec::new());
    for (at, (name, rounds, family)) in cascade()?.iter().enumerate() {
        let middle = |point: &OrbitPoint<System>| -> Result<f64, Box<dyn Error>> {
            Ok(mean(&periods((frequency, point.parameter, damping), &point.orbit.state, *rounds)?))
        };
        let values = family.points.iter().map(middle).collect::<Result<Vec<f64>, _>>()?;
        // Both sides have the same colours.
        let style = if at == 0 { 0 } else { 1 + (at - 1) % 3 };
        for (is_stable, piece) in pieces(&family.points, &values) {
            let line = |name: &str| Series::line(name, style, piece.clone());
            series.push(if is_stable { line(name) } else { line("unstable").dashed() });
        }
        rows.extend(remarkable(name, family));
    }
    let strengths: Vec<f64> = (0..=15).map(|at| 0.92 + 0.01 * f64::from(at)).collect();
    let seen = in_parallel(strengths.len(), |at| {
        let strength = strengths[at];
        let told = |error: Box<dyn Error>| error.to_string();
        let system = System::new(Drive { strength, ..CHAOTIC }).map_err(|error| error.to_string())?;
        let state = settled(&system, 400).map_err(told)?;
        Ok::<_, String>((strength, mean(&periods((frequency, strength, damping), &state, 24).map_err(told)?)))
    })?;
    // Each by itself: on which side a run settles is chance.
    series.push(Series::marks("limits of simulations", 6, seen).open());
    let means = Panel::new(
        "Route to chaos: symmetry breaking and period doubling",
        Axis::linear("drive strength f = F/(m g L)"),
        Axis::linear("mean angle θ [rad]"),
        series,
    );
    let loops =
        [("f = 1, symmetric", 1.0, 1, 0), ("f = 1.05, asymmetric", 1.05, 1, 1), ("f = 1.07, two periods", 1.07, 2, 2)];
    let loops = loops.map(|(name, strength, count, colour)| {
        let system = System::new(Drive { strength, ..CHAOTIC })?;
        let way = periods((frequency, strength, damping), &settled(&system, 400)?, count)?;
        Ok::<_, Box<dyn Error>>(Series::line(name, colour, unwound(&way)))
    });
    let loops = loops.into_iter().collect::<Result<Vec<_>, _>>()?;
    let motions =
        Panel::new("Periodic orbits", Axis::linear("angle θ [rad]"), Axis::linear("angular velocity θ'/ω₀"), loops);
    Ok((vec![motions, means], rows))
}

/// Families of motions and their bifurcations.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let (response, mut rows) = resonance()?;
    let (chaos, more) = way_to_chaos()?;
    rows.extend(more);
    let head = ["family", "what happens", "frequency or strength", "largest multiplier"];
    writeln!(out, "Bifurcations of motions with the period of the drive\n{}", plain_table(&head, &rows))?;
    let panels: Vec<Panel> = [response].into_iter().chain(chaos).collect();
    let caption = format!(
        "Pendulum with a periodic torque f m g L cos ωt; ω₀ is the frequency of small motions. Upper left: damping 0.1. Upper right and \
         below: ω = 2/3 ω₀, damping {}. Families of periodic orbits by continuation; solid lines are stable, dashed lines unstable. \
         Markers are the mean angles of simulations after 400 periods. The marker at f = 1.03 belongs to another orbit \
         with three periods.",
        CHAOTIC.damping
    );
    let figure = Figure::new(panels).title("Periodic orbits of a driven pendulum").caption(&caption).columns(2);
    tell_figures(out, &[figure.save_in(folder, "families")?])?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
