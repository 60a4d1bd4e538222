//! Errors of TR-BDF2 and of Newmark's method on the cantilever (paper 4, Figs. 8 and 9).
//!
//! Paper 4 has five third-order elements a leg and formulates the beam in velocities: strains follow from the velocities of
//! the stages, not from the positions that the third stage corrects. Its corrections are then a better output of a run that continues from
//! the second stage, "velocities are left unchanged". They are used here in this way: stiff modes grow if the next step starts from the
//! third stage ([`stability`](super::stability)).

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::model::at_rest;
use super::model::cubic::{Cantilever, Lengths, ORDER, Section, System, elbow_displacement};
use harness::figure;
use harness::study::{self, Curve, distance, errors_of, in_parallel, norm};
use harness::{Example, Outcome, Request, Sample};
use lie_runtime::integrator::tr_bdf2::{Completion, METHODS};
use lie_runtime::integrator::{Integrator, LocalError, State, TrBdf2};
use lie_runtime::prelude::*;
use lie_runtime::system::Value;

use super::GROUP;

/// The interval of the paper.
const END: f64 = 4.0;
/// Times at which motions are compared.
const SAMPLES: u32 = 8;
/// Elements of a leg.
const ELEMENTS: usize = 5;

/// The methods that are compared on one structure.
pub struct Rivals {
    /// The name of the figure.
    pub name: &'static str,
    /// The description of the structure.
    pub title: &'static str,
    /// The source of the figure, and its differences.
    pub caption: &'static str,
    /// The elements.
    pub model: &'static str,
    /// The stiffness against shear and stretch, N.
    pub stretching: &'static str,
    /// Steps of the reference, a method of fifth order, as a power of two.
    pub reference: i32,
    /// The variables that the third stage of TR-BDF2 sets, and the name of the method.
    pub method: (Completion, &'static str),
    /// True if there is a curve of the third stage as an output.
    pub has_output: bool,
}

/// The section of the papers, and one whose fastest modes a step of 1/256 resolves.
pub const RIVALS: [Rivals; 2] = [
    Rivals {
        name: "accuracy",
        title: "five cubic elements a leg, GA = EA = 10⁶ N",
        caption: "paper 4, Figs. 8 and 9",
        model: "cubic",
        stretching: "1e6",
        reference: 14,
        method: (Completion::Nothing, "second stage"),
        has_output: true,
    },
    Rivals {
        name: "accuracy_soft",
        title: "five edges a leg, GA = EA = 10³ N",
        caption: "compare paper 4, Figs. 8 and 9: a beam without stiff modes",
        model: "shear_flexible",
        stretching: "1e3",
        reference: 12,
        method: (Completion::Full, "TR-BDF2 of third order"),
        has_output: false,
    },
];

impl Rivals {
    /// Both methods and their names.
    fn methods(&self) -> [(&'static str, &'static str); 2] {
        let (completion, name) = self.method;
        let method = METHODS.iter().find(|method| method.completion == completion);
        [(method.map_or("", |method| method.id), name), ("simo_vu_quoc", "Newmark")]
    }
}

/// Numbers of steps, as powers of two.
const STEPS: core::ops::RangeInclusive<i32> = 5..=10;

/// Displacement and rotation of the elbow at all samples.
fn elbow(run: &Outcome) -> [Vec<f64>; 3] {
    let rotation = |sample: &Sample| match sample.configuration.get("nodes") {
        Some(Value::List(nodes)) => nodes.get(nodes.len() / 2)?.get("rotation").map(Value::numbers),
        _ => None,
    };
    let displacements = run.samples.iter().flat_map(|sample| sample.observable("elbow_displacement"));
    [displacements.collect(), run.samples.iter().filter_map(rotation).flatten().collect(), Vec::new()]
}

fn request(rivals: &Rivals) -> Result<Request, Box<dyn Error + Send + Sync>> {
    let mut request = Request::fixed("hedop5", END * 0.5f64.powi(rivals.reference), END)
        .with("stretching", &[rivals.stretching; 3].join(","))?
        .with("model", rivals.model)?;
    request.samples = (1..=SAMPLES).map(|part| END * f64::from(part) / f64::from(SAMPLES)).collect();
    Ok(request)
}

/// Relative errors of displacement and rotation of the elbow over 0 ≤ t ≤ 4, against a method of fifth order.
///
/// # Errors
/// An error if a run cannot be started or the reference fails.
pub fn accuracy(example: &Example, rivals: &Rivals) -> Result<Vec<Curve>, Box<dyn Error + Send + Sync>> {
    let request = request(rivals)?;
    let ladders: Vec<_> = rivals.methods().map(|(method, _)| (method, STEPS)).to_vec();
    let mut curves = errors_of(example, GROUP, &request, &ladders, elbow)?;
    if rivals.has_output {
        let exact = elbow(&study::history(example, GROUP, &request)?);
        let powers: Vec<i32> = STEPS.collect();
        let points = in_parallel(powers.len(), |index| {
            let steps = 2f64.powi(powers[index]);
            let found = third_stage_as_output(steps)?;
            let error = |k: usize| distance(&found[k], &exact[k], norm(&exact[k]));
            Ok::<_, Box<dyn Error + Send + Sync>>((END / steps, [error(0), error(1), f64::NAN], 0.0))
        })?;
        curves.insert(0, Curve { group: GROUP, method: "third stage as output".to_owned(), points });
    }
    Ok(curves)
}

/// Displacement and rotation of the elbow of cubic elements, as the third stages sum them during a run that continues from second stages.
fn third_stage_as_output(steps: f64) -> Result<[Vec<f64>; 2], Box<dyn Error + Send + Sync>> {
    let edges = ELEMENTS * ORDER;
    let nodes = at_rest(edges)?;
    let system = System::new(Section::of_simo_and_vu_quoc(edges), Lengths { nodes: nodes.len() })?;
    let method = TrBdf2::new();
    let mut told = Cantilever { nodes };
    let mut next = told.clone();
    let mut state = State::at_rest(&system, 0.0, told.clone());
    let mut after = state.clone();
    let mut workspace = Integrator::<System>::workspace(&method, &system, &state);
    let mut estimate = LocalError::of(&system);
    method.start(&system, &mut state, &mut workspace)?;
    let (mut displacements, mut rotations) = (Vec::new(), Vec::new());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A power of two.
    let steps = steps as u32;
    for step in 1..=steps {
        method.step_with_estimate(
            &system,
            &state,
            END / f64::from(steps),
            &mut after,
            &mut estimate,
            &mut workspace,
        )?;
        core::mem::swap(&mut state, &mut after);
        estimate.increment += &estimate.increment_error;
        system.space().compose_exp(&told, &estimate.increment, &mut next);
        core::mem::swap(&mut told, &mut next);
        if step % (steps / SAMPLES) == 0 {
            displacements.extend(elbow_displacement(system.parameters(), &told).iter());
            rotations.extend(told.nodes[edges].rotation.coordinates());
        }
    }
    Ok([displacements, rotations])
}

/// Figs. 8 and 9 of paper 4.
pub(super) fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut figures = Vec::new();
    for rivals in &RIVALS {
        let curves = accuracy(example, rivals).map_err(|error| error.to_string())?;
        let output = rivals.has_output.then_some("third stage as output");
        let labels: Vec<&str> = output.into_iter().chain(rivals.methods().map(|(_, label)| label)).collect();
        let curves: Vec<&Curve> = curves.iter().collect();
        let mut rows = Vec::new();
        for (curve, label) in curves.iter().zip(&labels) {
            let orders = [curve.orders(0), curve.orders(1)];
            for (index, (h, errors, _)) in curve.points.iter().enumerate() {
                let mut row = vec![if index == 0 { *label } else { "" }.to_owned(), study::fraction(*h)];
                for quantity in 0..2 {
                    row.extend([study::number(errors[quantity]), study::order(orders[quantity][index])]);
                }
                rows.push(row);
            }
        }
        writeln!(out, "\nRelative errors of the elbow over 0 ≤ t ≤ 4: {}", rivals.title)?;
        let header = ["method", "h", "displacement", "order", "rotation", "order"];
        writeln!(out, "{}", study::plain_table(&header, &rows))?;
        let panels = [(0, "displacement"), (1, "rotation")].map(|(quantity, name)| {
            let mut panel = figure::convergence(&curves, &labels, quantity, &format!("Error of its {name}"));
            // Triangles under parallel lines would overlap.
            panel.triangles.sort_by(|first, second| first.y.total_cmp(&second.y));
            panel.triangles.dedup_by_key(|triangle| triangle.slope.to_bits());
            panel
        });
        let title = format!("Elbow of the cantilever, {} ({})", rivals.title, rivals.caption);
        figures.push(figure::save_titled(&title, &panels, folder, rivals.name)?);
    }
    Ok(figures)
}
