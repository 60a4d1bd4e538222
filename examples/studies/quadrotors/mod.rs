//! Two quadrotors that carry a payload along a parabola (paper 3, section 6), on R⁶ × (T SO(3))² × (TS²)².
//!
//! Paper 3, Figs. 13 to 18.
//!
//! ```text
//! cargo run --release --example quadrotors                                        # the study
//! cargo run --release --example quadrotors -- --method cf4 --step 0.0025 --samples 1,2,5
//! cargo run --release --example quadrotors -- --set mass_1=1 --set mass_2=0.6 --set length_2=1.2 --set payload=0.5
//! ```

pub mod model;
mod study;

use std::process::ExitCode;

use harness::{Example, InitialValueProblem, Variant};
use lie_runtime::field::VectorFieldProblem;
use model::Quadrotors;

/// The quadrotors as an example.
pub fn example() -> Example {
    Example {
        name: "quadrotors",
        about: "Two controlled quadrotors with a point mass on rigid links (paper 3, section 6).",
        variants: vec![Variant::of::<VectorFieldProblem<_>>("tangent", |settings| {
            let usual = Quadrotors::default();
            let payload = settings.positive("payload", usual.payload)?;
            let gravity = settings.number("gravity", usual.gravity)?;
            let masses = [settings.positive("mass_1", usual.masses[0])?, settings.positive("mass_2", usual.masses[1])?];
            let lengths =
                [settings.positive("length_1", usual.lengths[0])?, settings.positive("length_2", usual.lengths[1])?];
            let system = Quadrotors { payload, masses, lengths, gravity, ..usual };
            Ok(InitialValueProblem::from_point(system, model::start()))
        })],
        method: "rkmk4",
        step: 0.0025,
        end: 5.0,
        options: &[],
        study: Some(study::study),
    }
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
