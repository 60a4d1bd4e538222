//! The two rods of paper 1, section 4, as examples, and the results of their studies.

use harness::chains::elements;
use harness::study::rods::{MODELS, RodStudy};
use harness::{Example, InitialValueProblem, Model, Study, UsageError, Variant};
use lie_runtime::prelude::*;

use super::RodSection;

/// The options of examples with rods that have both models.
const OPTIONS: &[(&str, &str)] = &[
    ("elements", "The number of edges of the rod"),
    ("model", "The rod: shear_flexible or kirchhoff [default: shear_flexible]"),
];

/// The free rod that a force and a moment at one end throw.
pub const FLYING_SPAGHETTI: RodStudy = RodStudy {
    group: "s3r3",
    title: "Flying spaghetti",
    // Up to the kink of the loads, which is no multiple of the steps of longer runs.
    end: 2.5,
    reference: 15,
    ladders: [("herk2_heun", 12..=15), ("herk3", 11..=14), ("herk4", 11..=14), ("hedop5", 10..=12)],
    estimate_step: 0.002,
    estimate_end: 5.0,
    snapshots: &[0.0, 2.0, 3.0, 3.8, 4.4, 5.0, 5.8],
    eye: ([-90.0, 90.0], ["x₁ [m]", "x₂ [m]"]),
    ends: ["loaded end", ""],
    observation: "A force and a moment act at the loaded end up to t = 5 s; then the rod flies freely.",
    film: (350, 0.02),
};

/// The clamped rod that a moment at its end rolls up.
pub const ROLL_UP: RodStudy = RodStudy {
    group: "s3r3",
    title: "Roll-up",
    end: 2.0,
    reference: 14,
    ladders: [("herk2_heun", 10..=13), ("herk3", 9..=13), ("herk4", 9..=12), ("hedop5", 8..=11)],
    estimate_step: 0.004,
    estimate_end: 5.0,
    snapshots: &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 60.0],
    eye: ([-90.0, 0.0], ["x₁ [m]", "x₃ [m]"]),
    ends: ["clamped", "moment"],
    observation: "The moment 2π EI/L at the free end bends the clamped, damped rod to a closed ring.",
    film: (500, 0.04),
};

/// A rod at rest on the line from `start` along the unit vector `direction`, with what the user has set.
fn variant<S: RodSection<System: Model> + 'static>(
    id: &'static str,
    damping: f64,
    [start, direction]: [Vector3<f64>; 2],
    edges: usize,
) -> Variant {
    Variant::new(id, move |settings| {
        let section = settings.apply(S::of_paper_1(damping))?;
        UsageError::unless_positive("length", &[section.length()])?;
        let end = start + direction * section.length();
        let nodes = super::straight(start, end, elements(settings, edges, 1)?)
            .map_err(|error| UsageError::new(error.to_string()))?;
        let (system, configuration) = section.through(nodes)?;
        let velocity = system.zero_velocity();
        Ok(InitialValueProblem::new(system, configuration, velocity))
    })
}

/// Both models of the flying spaghetti, from (6, 0, 0) along (−6, 8, 0), 16 edges by default.
#[inline] // Compiled where it is used, not with every example.
pub fn flying_spaghetti(study: Study) -> Example {
    let line = [Vector3::new(6.0, 0.0, 0.0), Vector3::new(-0.6, 0.8, 0.0)];
    let systems = vec![
        variant::<super::flying_spaghetti::Section>(MODELS[0], 0.0, line, 16),
        variant::<super::flying_spaghetti_kirchhoff::Section>(MODELS[1], 0.0, line, 16),
    ];
    let about = "A free rod, thrown by a force and a moment at one end (paper 1, section 4).";
    example("flying_spaghetti", about, systems, study)
}

/// Both models of the roll-up, along e₁, 8 edges by default.
#[inline] // Compiled where it is used, not with every example.
pub fn roll_up(study: Study) -> Example {
    let line = [Vector3::zeros(), Vector3::x()];
    let systems = vec![
        variant::<super::roll_up::Section>(MODELS[0], 100.0, line, 8),
        variant::<super::roll_up_kirchhoff::Section>(MODELS[1], 100.0, line, 8),
    ];
    let about = "A clamped, damped rod that a moment at its end rolls up to a ring (paper 1, section 4).";
    example("roll_up", about, systems, study)
}

fn example(name: &'static str, about: &'static str, systems: Vec<Variant>, study: Study) -> Example {
    Example {
        name,
        about,
        variants: vec![Variant::choice("s3r3", "model", systems)],
        method: "hedop5",
        step: 1e-3,
        end: 5.0,
        options: OPTIONS,
        study: Some(study),
    }
}
