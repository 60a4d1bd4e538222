//! The cost of a gradient over the number of parameters, for three methods.
//!
//! No paper. A falling rope has a mass, a stiffness and a damping for each piece. The final positions of its nodes are differentiated with
//! respect to all of them: in reverse mode by adjoints, in forward mode by dual numbers, and by central differences.
//!
//! ```text
//! cargo run --release --example gradient_cost                     # the study: a table and a figure, in half a minute
//! cargo run --release --example gradient_cost -- --elements 20 --samples 0.1,0.2 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use cpu_time::ThreadTime;
use harness::figure::{self, Axis, Panel, Series};
use harness::study::{number, plain_table};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::gradient::Objective;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;

/// Masses on springs and dampers.
#[mechanical_system(gradients)]
pub mod rope {
    /// Positions of the masses.
    #[configuration]
    pub struct Rope {
        /// The first one is held [m].
        #[clamped(first)]
        pub nodes: Vec<R3>,
    }

    /// The data of each node and of each piece.
    #[parameters]
    pub struct Pieces {
        /// Mass of each node [kg].
        pub mass: Vec<f64>,
        /// Stiffness of each piece [N/m].
        pub stiffness: Vec<f64>,
        /// Force by rate of stretch of each piece [N s/m].
        pub damping: Vec<f64>,
        /// The length of a piece without force [m].
        pub length: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rope: &Pieces, index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * rope.mass[index] * v.norm_squared()
    }

    #[potential(over = nodes)]
    fn weight(rope: &Pieces, index: usize, node: &R3) -> f64 {
        9.81 * rope.mass[index] * node.z
    }

    /// How much longer than without force a piece is.
    #[quantity(over = nodes.windows(2))]
    pub fn stretch(rope: &Pieces, [a, b]: [&R3; 2]) -> f64 {
        (b - a).norm() - rope.length
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rope: &Pieces, index: usize, nodes: [&R3; 2]) -> f64 {
        0.5 * rope.stiffness[index] * stretch(rope, nodes).powi(2)
    }

    #[dissipation(over = nodes.windows(2))]
    fn internal(rope: &Pieces, index: usize, nodes: [&R3; 2], v: [&Vector3<f64>; 2]) -> f64 {
        0.5 * rope.damping[index] * stretch_rate(rope, nodes, v).powi(2)
    }
}

type Start = (rope::Rope, DVector<f64>);

/// The rope of a meter in so many pieces, no two of them alike.
///
/// # Errors
/// [`UsageError`] of a rope that cannot be.
fn rope(pieces: usize, settings: &mut Settings) -> Result<(rope::System, Start), UsageError> {
    let of_each = |count: usize, size: f64| (0..count).map(|at| size * (1.0 + 0.2 * (at as f64).sin())).collect();
    let length = 1.0 / pieces as f64;
    let data = rope::Pieces {
        mass: of_each(pieces + 1, 0.2 * length),
        stiffness: of_each(pieces, 100.0 / length),
        damping: of_each(pieces, 0.05),
        length,
    };
    let system = rope::System::new(settings.apply(data)?, rope::Lengths { nodes: pieces + 1 })?;
    let node = |at: usize| Vector3::new(1.01 * length * at as f64, 0.0, 0.0);
    let start = rope::Rope { nodes: (0..=pieces).map(node).collect() };
    Ok((system, (start, DVector::zeros(3 * pieces))))
}

/// The rope as an example.
pub fn example() -> Example {
    let held = Variant::new("held", |settings: &mut Settings| -> Result<_, UsageError> {
        let pieces = settings.count_in("elements", 16, 1..=4096)?;
        let (system, (configuration, velocity)) = rope(pieces, settings)?;
        Ok(InitialValueProblem::new(system, configuration, velocity))
    });
    Example {
        name: "gradient_cost",
        about: "The cost of a gradient over the number of parameters.",
        variants: vec![held],
        method: "hedop5",
        step: 1e-4,
        end: 0.2,
        options: &[("elements", "how many pieces the rope has")],
        study: Some(study),
    }
}

/// The numbers of pieces: of eleven to ten thousand parameters.
const PIECES: [usize; 7] = [3, 10, 33, 100, 333, 1000, 3333];
/// Up to here a gradient is taken by each parameter in turn: the time grows with the square of the number.
const ONE_BY_ONE: usize = 100;
/// How many steps a run has.
const STEPS: usize = 200;
/// At least so often runs and gradients are measured, and at least so long [s].
const TIMES: usize = 3;
const SPAN: f64 = 0.5;

/// The cost of gradients of a rope, and their differences.
pub struct Cost {
    /// How many numbers the gradient has.
    pub parameters: usize,
    /// Time of a run [s].
    pub run: f64,
    /// Backwards, with its run [s].
    pub backwards: f64,
    /// Times of the other methods, if measured.
    pub one_by_one: Option<OneByOne>,
}

/// By dual numbers and by central differences.
pub struct OneByOne {
    /// [s].
    pub seconds: [f64; 2],
    /// The largest difference to the adjoint gradient, relative to its largest component.
    pub deviations: [f64; 2],
}

/// The result of some work, and its processor time, the least of several.
fn least<T>(mut work: impl FnMut() -> Result<T, Box<dyn Error>>) -> Result<(T, f64), Box<dyn Error>> {
    let (begin, mut least, mut count) = (ThreadTime::now(), f64::INFINITY, 0);
    loop {
        let clock = ThreadTime::now();
        let result = work()?;
        least = least.min(clock.elapsed().as_secs_f64());
        count += 1;
        if count >= TIMES && begin.elapsed().as_secs_f64() > SPAN {
            return Ok((result, least));
        }
    }
}

/// A run of the steps that are measured.
fn begun<'a>(system: &'a rope::System, (q0, v0): &Start, step: f64) -> Simulation<'a, rope::System> {
    let run = Simulation::of(system).initial(q0.clone(), v0.clone()).without_declaration_check();
    run.step(step).end_time(STEPS as f64 * step)
}

/// Measures the gradient of ½ Σ |x|² over the nodes in the end by all parameters.
///
/// # Errors
/// An error if a run fails.
pub fn measure(pieces: usize) -> Result<Cost, Box<dyn Error>> {
    let (system, start) = rope(pieces, &mut Settings::default())?;
    // A tenth of the time in which stretch crosses a piece.
    let step = 0.1 * (0.2_f64 / 100.0).sqrt() / pieces as f64;
    let value = |system: &rope::System| -> Result<_, Box<dyn Error>> {
        let run = begun(system, &start, step).output_every(STEPS).run()?;
        let last = run.last().clone();
        Ok((0.5 * last.configuration.nodes.iter().map(Vector3::norm_squared).sum::<f64>(), last))
    };
    let objective = Objective::<rope::System>::new().at_end(|state| {
        let squares = state.configuration.nodes.iter().map(|node| node.dot(node));
        squares.fold(Dual::lift(0.0), |sum, square| sum + square) * Dual::lift(0.5)
    });
    let ((_, last), run) = least(|| value(&system))?;
    let (gradient, backwards) = least(|| Ok(begun(&system, &start, step).gradient_of(&objective)?))?;
    let of_gradient = &gradient.parameters;
    let cost = Cost { parameters: of_gradient.len(), run, backwards, one_by_one: None };
    if pieces > ONE_BY_ONE {
        return Ok(cost);
    }

    let clock = ThreadTime::now();
    let forwards = begun(&system, &start, step)
        .output_every(STEPS)
        .with_sensitivities(system.parameters().names().to_vec())
        .run()?;
    let variations = forwards.variations.last().ok_or("no state")?;
    // The first node, which is held, is none of the coordinates.
    let places = last.configuration.nodes.iter().skip(1).flat_map(|node| [node.x, node.y, node.z]);
    let places = DVector::from_vec(places.collect());
    let by_duals: Vec<f64> = variations.iter().map(|variation| variation.configuration.dot(&places)).collect();
    let of_duals = clock.elapsed().as_secs_f64();

    let clock = ThreadTime::now();
    let mut by_differences = Vec::new();
    for name in system.parameters().names() {
        let numbers = system.parameters().get(name).map(|value| value.numbers()).unwrap_or_default();
        for at in 0..numbers.len() {
            // Where truncation and round-off are alike.
            let change = f64::EPSILON.cbrt() * numbers[at];
            let changed = |change: f64| -> Result<f64, Box<dyn Error>> {
                let (mut parameters, mut numbers) = (system.parameters().clone(), numbers.clone());
                numbers[at] += change;
                parameters.set(name, &numbers)?;
                Ok(value(&rope::System::new(parameters, rope::Lengths { nodes: pieces + 1 })?)?.0)
            };
            by_differences.push((changed(change)? - changed(-change)?) / (2.0 * change));
        }
    }
    let seconds = [of_duals, clock.elapsed().as_secs_f64()];
    let largest = of_gradient.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
    let deviations = [by_duals, by_differences].map(|other| {
        let differences = of_gradient.iter().zip(&other).map(|(own, other)| (own - other).abs());
        differences.fold(0.0, f64::max) / largest
    });
    Ok(Cost { one_by_one: Some(OneByOne { seconds, deviations }), ..cost })
}

/// Measures and draws.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let costs = PIECES.into_iter().map(measure).collect::<Result<Vec<Cost>, _>>()?;
    let row = |cost: &Cost| {
        let of = |number_of: &dyn Fn(&OneByOne) -> String| cost.one_by_one.as_ref().map_or(String::new(), number_of);
        vec![
            cost.parameters.to_string(),
            format!("{:.3}", 1e3 * cost.run),
            format!("{:.2}", cost.backwards / cost.run),
            of(&|other| format!("{:.0}", other.seconds[0] / cost.run)),
            of(&|other| format!("{:.0}", other.seconds[1] / cost.run)),
            of(&|other| number(other.deviations[0])),
            of(&|other| number(other.deviations[1])),
        ]
    };
    writeln!(
        out,
        "Processor time of a gradient by all parameters, in runs of {STEPS} steps of hedop5, its run included"
    )?;
    let header =
        ["parameters", "run [ms]", "adjoint", "dual numbers", "differences", "duals off by", "differences off by"];
    writeln!(out, "{}", plain_table(&header, &costs.iter().map(row).collect::<Vec<_>>()))?;

    let at = |cost: &Cost| cost.parameters as f64;
    let backwards = costs.iter().map(|cost| (at(cost), cost.backwards / cost.run)).collect();
    let others = |of: &dyn Fn(&Cost, &OneByOne) -> f64| -> Vec<(f64, f64)> {
        costs.iter().filter_map(|cost| Some((at(cost), of(cost, cost.one_by_one.as_ref()?)))).collect()
    };
    let names = ["dual numbers", "central differences"];
    let one_by_one = names
        .iter()
        .enumerate()
        .map(|(way, name)| Series::marked(name, way + 1, others(&|cost, other| other.seconds[way] / cost.run)));
    let time = Panel::new(
        "Time of a gradient",
        Axis::log("number of parameters p"),
        Axis::log("cost / cost of one simulation"),
        core::iter::once(Series::marked("adjoint", 0, backwards)).chain(one_by_one).collect(),
    );
    let deviation = names.iter().enumerate().map(|(way, name)| {
        // Zero has no place on the axis.
        Series::marked(name, way + 1, others(&|_, other| other.deviations[way].max(f64::EPSILON)))
    });
    let deviation = Panel::new(
        "Difference to the adjoint gradient",
        Axis::log("number of parameters p"),
        Axis::log("relative difference"),
        deviation.collect(),
    );
    writeln!(out, "\nFigure (SVG):\n  {}", figure::save(&[time, deviation], folder, "gradient_cost")?.display())?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
