//! The stiffness along a rod from its measured motion.
//!
//! No paper. A rod that is clamped at one end falls and swings; eight marks on it are filmed fifty times in a second. By the gradient of
//! the simulated motion, which costs the same for however many stiffnesses, a quasi-Newton method finds the stiffness of every edge, a
//! damaged part and all.
//!
//! ```text
//! cargo run --release --example tune_rod --features estimation                                # the study, in some seconds
//! cargo run --release --example tune_rod --features estimation -- --set density=0.2 --samples 0.5,1 --format json
//! ```

mod fit;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub use fit::{Film, fit};
use harness::figure::{self, Axis, Band, Figure, Panel, Series};
use harness::study::{plain_table, tell_figures};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

/// A rod that falls.
#[mechanical_system(gradients)]
pub mod rod {
    /// The frames of the nodes.
    #[configuration]
    pub struct Rod {
        /// Their third axes are along the rod.
        #[clamped(first)]
        pub nodes: Vec<S3R3>,
    }

    /// Its data, per length but for the length.
    #[parameters]
    pub struct Section {
        /// The length of the rod.
        pub length: f64,
        /// The bending stiffness of each edge.
        pub bending: Vec<f64>,
        /// Stiffness of torsion.
        pub torsion: f64,
        /// Stiffness of shear and stretch.
        pub stretching: f64,
        /// The mass.
        pub density: f64,
        /// The rotary inertia.
        pub inertia: f64,
        /// The stress that a unit of strain rate adds, in parts of the stiffness.
        pub damping: f64,
    }

    /// The trapezoidal rule: half an edge at both ends.
    fn share(rod: &Section, index: usize, length: usize) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        if index == 0 || index + 1 == length { 0.5 * edge } else { edge }
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        0.5 * share(rod, index, length)
            * (rod.density * v.linear().norm_squared() + rod.inertia * v.angular().norm_squared())
    }

    #[potential(over = nodes)]
    fn weight(rod: &Section, index: usize, length: usize, node: &S3R3) -> f64 {
        9.81 * share(rod, index, length) * rod.density * node.translation.z
    }

    /// The strain of an edge.
    #[quantity(over = nodes.windows(2))]
    pub fn strain(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> Vector6<f64> {
        (a.inverse() * b).log() * ((length - 1) as f64 / rod.length)
    }

    /// The stiffness of an edge.
    fn stiffness(rod: &Section, index: usize) -> [Vector3<f64>; 2] {
        let bending = rod.bending[index];
        [Vector3::new(bending, bending, rod.torsion), Vector3::new(1.0, 1.0, 1.0) * rod.stretching]
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, index: usize, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let strain = strain(rod, length, [a, b]);
        let [bending, stretching] = stiffness(rod, index);
        let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * rod.length / (length - 1) as f64
            * (curvature.dot(&bending.component_mul(&curvature)) + stretch.dot(&stretching.component_mul(&stretch)))
    }

    #[dissipation(over = nodes.windows(2))]
    fn internal(rod: &Section, index: usize, length: usize, nodes: [&S3R3; 2], v: [&Vector6<f64>; 2]) -> f64 {
        let rate = strain_rate(rod, length, nodes, v);
        let [bending, stretching] = stiffness(rod, index);
        0.5 * rod.damping * rod.length / (length - 1) as f64
            * (rate.angular().dot(&bending.component_mul(&rate.angular()))
                + rate.linear().dot(&stretching.component_mul(&rate.linear())))
    }

    /// Position of the free end.
    #[observable]
    pub fn tip(q: &Rod) -> Vector3<f64> {
        q.nodes[q.nodes.len() - 1].translation
    }
}

/// How many edges the rod has.
pub const EDGES: usize = 24;

/// The stiffness of each edge: less and less towards the end, and half of it where the rod is damaged.
pub fn true_stiffness() -> Vec<f64> {
    let of_edge = |edge: usize| {
        let place = (edge as f64 + 0.5) / EDGES as f64;
        let damage = 0.5 * (-((place - 0.4) / 0.06).powi(2)).exp();
        (1.2 - 0.5 * place) * (1.0 - damage)
    };
    (0..EDGES).map(of_edge).collect()
}

/// A rod of these stiffnesses.
pub fn section(bending: Vec<f64>) -> rod::Section {
    rod::Section { length: 1.0, bending, torsion: 0.8, stretching: 2e3, density: 0.3, inertia: 1e-4, damping: 5e-3 }
}

/// Straight, away from the wall, and at rest.
pub fn start(length: f64) -> (rod::Rod, DVector<f64>) {
    let along = S3::exp(&Vector3::new(0.0, 0.5 * core::f64::consts::PI, 0.0));
    let node = |at: usize| S3R3::new(along, Vector3::new(length * at as f64 / EDGES as f64, 0.0, 0.0));
    (rod::Rod { nodes: (0..=EDGES).map(node).collect() }, DVector::zeros(6 * EDGES))
}

/// The rod as an example.
pub fn example() -> Example {
    let clamped = Variant::new("clamped", |settings: &mut Settings| -> Result<_, UsageError> {
        let section = settings.apply(section(true_stiffness()))?;
        let (configuration, velocity) = start(section.length);
        let system = rod::System::new(section, rod::Lengths { nodes: EDGES + 1 })?;
        Ok(InitialValueProblem::new(system, configuration, velocity))
    });
    Example {
        name: "tune_rod",
        about: "The stiffness along a rod from its measured motion.",
        variants: vec![clamped],
        method: "lie_alpha",
        step: 5e-3,
        end: 1.0,
        options: &[],
        study: Some(study),
    }
}

/// One search.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let film = Film::made(2024)?;
    let found = fit(&film)?;
    let truth = true_stiffness();
    let errors = truth.iter().zip(&found.stiffness).map(|(truth, found)| (found / truth - 1.0).abs());
    let (worst, mean) = (errors.clone().fold(0.0, f64::max), errors.sum::<f64>() / EDGES as f64);
    let shown = |place: usize| {
        vec![format!("{place}"), format!("{:.3}", truth[place]), format!("{:.3}", found.stiffness[place])]
    };
    writeln!(
        out,
        "{} measured numbers, {EDGES} stiffnesses, {} runs with their gradients; mean square of the residuals, in deviations: {:.3}",
        film.count(),
        found.evaluations,
        found.left
    )?;
    writeln!(out, "stiffness found to {:.1} % in the mean, {:.1} % at worst", 100.0 * mean, 100.0 * worst)?;
    let rows: Vec<Vec<String>> = (0..EDGES).map(shown).collect();
    writeln!(out, "{}", plain_table(&["edge", "truth [N m²]", "found [N m²]"], &rows))?;

    let along = |stiffness: &[f64]| {
        stiffness.iter().enumerate().map(|(edge, &value)| ((edge as f64 + 0.5) / EDGES as f64, value)).collect()
    };
    let edges = found.stiffness.iter().zip(&found.deviations).enumerate();
    let edges = edges.map(|(edge, (value, deviation))| {
        let factor = (1.96 * deviation).exp();
        ((edge as f64 + 0.5) / EDGES as f64, value / factor, value * factor)
    });
    let band = Band { label: "95 % interval".to_owned(), style: 1, opacity: 0.25, edges: edges.collect() };
    let stiffness = Panel::new(
        "Stiffness along the rod",
        Axis::linear("position along the rod s/L"),
        Axis::linear("bending stiffness EI [N m²]"),
        vec![
            Series::line("true value", 6, along(&truth)).dashed(),
            Series::marked("estimate", 1, along(&found.stiffness)),
            Series::line("initial guess", 2, along(&fit::guess())).dotted(),
        ],
    )
    .with_bands(vec![band]);
    let progress = Panel::new(
        "Optimisation",
        Axis::linear("simulations with their gradients"),
        Axis::log("normalised residual χ²/n"),
        vec![Series::line("L-BFGS", 0, found.progress.clone())],
    );
    let names = ["guessed", "found", "filmed"];
    let tips = [fit::tip_of(&fit::guess())?, fit::tip_of(&found.stiffness)?, film.tip()];
    let tips = names.iter().zip(tips).enumerate().map(|(style, (name, points))| match style {
        2 => Series::marked(name, style, points),
        _ => Series::line(name, style, points),
    });
    let tip = Panel::over_time("Height of the free end", Axis::linear("height [m]"), tips.collect());
    let caption = format!(
        "{} stiffnesses of a rod with a local damage at s/L = 0.4, from {} measured coordinates of its motion. Left: the penalty on changes \
         along the rod smooths the damage; the intervals (Laplace's approximation) do not contain this bias. Right: peaks are trial steps \
         of the line search; the minimum is χ²/n = {:.3}.",
        EDGES,
        film.count(),
        found.left
    );
    let figure =
        Figure::new(vec![stiffness, progress]).title("Bending stiffness of a rod from its motion").caption(&caption);
    let figures = [figure.save_in(folder, "stiffness")?, figure::save(&[tip], folder, "tip")?];
    tell_figures(out, &figures)?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
