//! Post-buckling: a column of elastic links in its plane, its branches of equilibria and its shapes.
//!
//! No paper. The straight column is followed in its load; where it buckles the branches that cross there are followed, too. The branches of
//! the first load are stable and approach the elastica, (2 K(sin(α/2)) / π)² of Euler's load at an angle α of the tip, the branches of the
//! second load are unstable.
//!
//! ```text
//! cargo run --release --example post_buckling                                  # the study: a table and a figure
//! cargo run --release --example post_buckling -- --set load=3 --set damping=0.5 --end 20 --format csv
//! ```

use std::error::Error;
use std::f64::consts::PI;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{Axis, Figure, Panel, Series};
use harness::study::{in_parallel, number, plain_table, tell_figures};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::analysis::{Branch, BranchPoint, Continuation, SpecialKind, SpecialPoint, parameter};
use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;

/// A column in a plane, clamped below.
#[mechanical_system]
pub mod column {
    /// Sections from below; each has its first axis along the column.
    #[configuration]
    pub struct Shape {
        /// Their places and angles.
        #[clamped(first)]
        pub nodes: Vec<SE2>,
    }

    /// A column of length 1 and bending stiffness 1.
    #[parameters]
    pub struct Column {
        /// Against stretch and shear, which all but vanish.
        pub stiffness: f64,
        /// Weight on top.
        pub load: f64,
        /// Torque by the rate of curvature.
        pub damping: f64,
        /// A push on the top to one side.
        pub push: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(length: usize, v: &Vector3<f64>) -> f64 {
        0.5 / (length - 1) as f64 * (v[1] * v[1] + v[2] * v[2] + 1e-3 * v[0] * v[0])
    }

    #[quantity(over = nodes.windows(2))]
    fn strain(length: usize, [a, b]: [&SE2; 2]) -> Vector3<f64> {
        (a.inverse() * b).log() * (length - 1) as f64
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(column: &Column, length: usize, [a, b]: [&SE2; 2]) -> f64 {
        let e = strain(length, [a, b]);
        let stretched = (e[1] - 1.0) * (e[1] - 1.0) + e[2] * e[2];
        0.5 / (length - 1) as f64 * (e[0] * e[0] + column.stiffness * stretched)
    }

    #[dissipation(over = nodes.windows(2))]
    fn internal(column: &Column, length: usize, [a, b]: [&SE2; 2], [va, vb]: [&Vector3<f64>; 2]) -> f64 {
        let rate = strain_rate(length, [a, b], [va, vb]);
        0.5 / (length - 1) as f64 * column.damping * rate[0] * rate[0]
    }

    #[potential(over = nodes.last())]
    fn weight(column: &Column, a: &SE2) -> f64 {
        column.load * a.translation.x - column.push * a.translation.y
    }

    /// Lateral displacement of the top.
    #[observable]
    fn deflection(q: &Shape) -> f64 {
        q.nodes[q.nodes.len() - 1].translation.y
    }
}

use column::{Column, Lengths, Shape, System};

/// Euler's load, π²/4 EI/l².
pub const EULER: f64 = 0.25 * PI * PI;
/// The links of the study.
const LINKS: usize = 32;
/// The largest load, in Euler's.
const LARGEST: f64 = 12.0;

/// The straight column.
fn straight(links: usize) -> Shape {
    let node = |k: usize| SE2::new(SO2::identity(), Vector2::new(k as f64 / links as f64, 0.0));
    Shape { nodes: (0..=links).map(node).collect() }
}

/// A column without load.
fn unloaded(links: usize) -> Result<System, ModelError> {
    let column = Column { stiffness: 1e5, load: 0.0, damping: 0.0, push: 0.0 };
    System::new(column, Lengths { nodes: links + 1 })
}

/// The column that buckles in time.
fn problem(settings: &mut Settings) -> Result<InitialValueProblem<System>, UsageError> {
    let links = 8;
    let load = settings.number("load", 1.5)? * EULER;
    let column = Column { stiffness: 1e3, load, damping: 0.2, push: 1e-2 };
    let column = Column { load, ..settings.apply(column)? };
    let system = System::new(column, Lengths { nodes: links + 1 })?;
    let velocity = system.zero_velocity();
    Ok(InitialValueProblem::new(system, straight(links), velocity))
}

/// The column as an example.
pub fn example() -> Example {
    Example {
        name: "post_buckling",
        about: "A column beyond Euler's load: branches of equilibria, and the elastica.",
        variants: vec![Variant::new("se2", problem)],
        method: "lie_alpha",
        step: 0.01,
        end: 10.0,
        options: &[],
        study: Some(study),
    }
}

/// How far the top has gone to the side.
pub fn deflection(point: &BranchPoint<System>) -> f64 {
    point.state.configuration.nodes.last().map_or(f64::NAN, |node| node.translation.y)
}

/// The angle of the top.
fn angle(point: &BranchPoint<System>) -> f64 {
    point.state.configuration.nodes.last().map_or(f64::NAN, |node| node.rotation.log()[0])
}

/// The load of the elastica whose tip has turned by an angle, in Euler's.
pub fn elastica(angle: f64) -> f64 {
    // K by the arithmetic-geometric mean.
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a.powi(-2)
}

/// The lateral displacement of an elastica whose tip has rotated by an angle: 2 sin(α/2) / √P.
fn sideways(angle: f64) -> f64 {
    2.0 * (0.5 * angle).sin() / (EULER * elastica(angle)).sqrt()
}

/// The straight column, up to this load in Euler's.
///
/// # Errors
/// An error if the branch cannot be followed.
pub fn straight_branch(links: usize, largest: f64) -> Result<Branch<System>, Box<dyn Error>> {
    let system = unloaded(links)?;
    let branch = Continuation::of(parameter(&system, "load"))
        .guess(0.0, straight(links))
        .parameter_end(largest * EULER)
        .step(0.05)
        .run()?;
    Ok(branch)
}

/// The branch that leaves the straight column at a bifurcation, to one side.
///
/// # Errors
/// An error if it cannot be followed.
pub fn buckled(
    links: usize,
    bifurcation: &SpecialPoint<System>,
    (side, largest): (f64, f64),
) -> Result<Branch<System>, Box<dyn Error>> {
    let system = unloaded(links)?;
    let branch = Continuation::of(parameter(&system, "load"))
        .branch_from(bifurcation, side)
        .parameter_end(largest * EULER)
        .step(0.05)
        .run()?;
    Ok(branch)
}

/// The points of a branch for a diagram.
fn diagram(points: &[BranchPoint<System>]) -> Vec<(f64, f64)> {
    points.iter().map(|point| (point.parameter / EULER, deflection(point))).collect()
}

/// The shape of a column, to the side and up.
fn shape(point: &BranchPoint<System>) -> Vec<(f64, f64)> {
    point.state.configuration.nodes.iter().map(|node| (node.translation.y, node.translation.x)).collect()
}

/// The bifurcation diagram with the elastica, and shapes.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let column = straight_branch(LINKS, LARGEST)?;
    let bifurcations: Vec<_> = column.of_kind(SpecialKind::Bifurcation).collect();
    let [first, second] = bifurcations[..] else { return Err("not two bifurcations".into()) };
    let rows: Vec<Vec<String>> = [(first, 1.0), (second, 9.0)]
        .into_iter()
        .map(|(found, exact)| {
            let load = found.parameter / EULER;
            vec![format!("{load:.6}"), format!("{exact}"), number((load / exact - 1.0).abs())]
        })
        .collect();
    writeln!(out, "It buckles at these loads, in Euler's\n{}", plain_table(&["found", "continuum", "off by"], &rows))?;

    let sides = [(first, 1.0, 3.0), (first, -1.0, 3.0), (second, 1.0, LARGEST), (second, -1.0, LARGEST)];
    let branches = in_parallel(sides.len(), |at| {
        let (from, side, largest) = sides[at];
        buckled(LINKS, from, (side, largest)).map_err(|error| error.to_string())
    })?;
    let worst = branches[0].points[1..]
        .iter()
        .map(|point| (point.parameter / EULER / elastica(angle(point)) - 1.0).abs())
        .fold(0.0, f64::max);
    let is_stable = |branch: &Branch<System>| branch.points[1..].iter().all(|point| point.unstable == 0);
    writeln!(
        out,
        "{} points of the first branch, off the elastica by at most {worst:.1e} of the load, {}; {} of the second, {}\n",
        branches[0].points.len(),
        if is_stable(&branches[0]) { "stable" } else { "unstable" },
        branches[2].points.len(),
        if is_stable(&branches[2]) { "stable" } else { "unstable" },
    )?;

    let both = |at: usize| -> Vec<(f64, f64)> {
        // From one side through the bifurcation to the other.
        let mut points: Vec<_> = diagram(&branches[at].points).into_iter().rev().collect();
        points.extend(diagram(&branches[at + 1].points));
        points
    };
    let (mut before, mut beyond): (Vec<_>, Vec<_>) =
        diagram(&column.points).into_iter().partition(|(load, _)| *load * EULER < first.parameter);
    let verge = (first.parameter / EULER, 0.0);
    before.push(verge);
    beyond.insert(0, verge);
    // The quarter waves of the elastica: one for the first branch, three for the second.
    let exact = |waves: f64, largest: f64| {
        let angles =
            (1..=60).map(|k| 0.05 * f64::from(k)).filter(move |&angle| waves * waves * elastica(angle) < largest);
        let points = angles.step_by(5).map(move |angle| (waves * waves * elastica(angle), sideways(angle) / waves));
        points.flat_map(|(load, width)| [(load, width), (load, -width)]).collect::<Vec<_>>()
    };
    let diagram = Panel::new(
        "Equilibria",
        Axis::linear("load P/P_cr"),
        Axis::linear("tip deflection w/L"),
        vec![
            Series::line("straight, stable", 0, before),
            Series::line("straight, unstable", 0, beyond).dashed(),
            Series::line("first mode, stable", 2, both(0)),
            Series::line("second mode, unstable", 1, both(2)).dashed(),
            Series::marks("elastica", 6, [exact(1.0, 3.0), exact(3.0, LARGEST)].concat()).open(),
        ],
    );
    let near = |branch: &Branch<System>, load: f64| {
        let distance = |point: &BranchPoint<System>| (point.parameter / EULER - load).abs();
        branch.points.iter().min_by(|one, other| distance(one).total_cmp(&distance(other))).map(shape)
    };
    let mut shapes =
        Panel::new("Shapes at P/P_cr", Axis::length("deflection w/L"), Axis::length("height x/L"), Vec::new());
    for (load, at) in [(1.05, 0), (1.3, 0), (1.8, 0), (2.9, 0), (10.0, 2)] {
        let Some(points) = near(&branches[at], load) else { continue };
        let tip = points.last().copied().unwrap_or_default();
        shapes = shapes.note(tip, &format!("{load}"));
        let (label, style) = if at == 0 { ("first mode", 2) } else { ("second mode", 1) };
        let line = Series::line(label, style, points);
        shapes.series.push(if at == 0 { line } else { line.dashed() });
    }
    let caption = format!(
        "A cantilever column of {LINKS} links, EI = L = 1, under a dead load P at its tip; P_cr = π² EI / (4 L²). Solid lines are stable, \
         dashed lines are unstable branches, found by pseudo-arclength continuation. The markers are the inextensible elastica in closed \
         form; the load of the first branch differs from it by at most {worst:.0e} of the load."
    );
    let figure = Figure::new(vec![diagram, shapes]).title("Post-buckling of a cantilever column").caption(&caption);
    tell_figures(out, &[figure.save_in(folder, "branches")?])?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
