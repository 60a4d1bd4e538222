//! The N-fold spherical pendulum of paper 3, section 5, on (TS²)^N, and in R^6N for comparison.
//!
//! Paper 3, Figs. 5 to 11; an ordinary pair 5(4) in R^6N stands for ODE45.
//!
//! ```text
//! cargo run --release --example spherical_pendulum                                        # the study
//! cargo run --release --example spherical_pendulum -- --links 100 --method rkmk4 --step 1e-3
//! cargo run --release --example spherical_pendulum -- --links 20 --length 0.25 --rtol 0 --atol 1e-6 --end 3
//! ```

pub mod pairs;
pub mod study;

use std::process::ExitCode;

use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::field::{MechanicalField, VectorFieldProblem};
use lie_runtime::prelude::*;
use lie_runtime::space::TS2;
use models::spherical_pendulum::formulations::{Cartesian, Dense, state};
use models::spherical_pendulum::pendulum::{Lengths, Link, System};

/// The chain that the user wants.
fn build(settings: &mut Settings) -> Result<System, UsageError> {
    let links = settings.count("links", 2)?;
    let (mass, length) = (settings.number("mass", 1.0)?, settings.number("length", 1.0)?);
    let gravity = settings.number("gravity", 9.81)?;
    if links == 0 || mass <= 0.0 || length <= 0.0 {
        return Err(UsageError::new("a chain has one link or more, of positive mass and length"));
    }
    System::new(Link { mass, length, gravity }, Lengths { links }).map_err(|error| UsageError::new(error.to_string()))
}

/// The chain of the paper's figures for N = 2.
fn two_links() -> Result<System, UsageError> {
    build(&mut Settings::default())
}

/// The first q and ω of every link (section 5.3); `swing` turns them out of the plane, which that start never leaves.
fn start(settings: &mut Settings) -> Result<(Vector3<f64>, Vector3<f64>), UsageError> {
    let (half, swing) = (0.5_f64.sqrt(), settings.number("swing", 0.0)?);
    Ok((Vector3::new(half, 0.0, half), Vector3::new(-half * swing, 1.0, half * swing)))
}

/// The pendulum as an example.
pub fn example() -> Example {
    Example {
        name: "spherical_pendulum",
        about: "A spherical pendulum of N masses (paper 3, section 5).",
        variants: vec![
            Variant::of::<MechanicalField<_>>("ts2", |settings| {
                let (system, start) = (build(settings)?, start(settings)?);
                let point = state(core::iter::repeat_n(start, system.dof() / 3));
                Ok(InitialValueProblem::from_point(system, point))
            }),
            Variant::of::<VectorFieldProblem<_>>("ts2_dense", |settings| {
                let (system, (q, w)) = (build(settings)?, start(settings)?);
                let point = vec![TS2::new_unchecked(q, w); system.dof() / 3];
                Ok(InitialValueProblem::from_point(Dense(system), point))
            }),
            Variant::of::<VectorFieldProblem<_>>("cartesian", |settings| {
                let (system, (q, w)) = (build(settings)?, start(settings)?);
                let point = vec![Vector6::new(q.x, q.y, q.z, w.x, w.y, w.z); system.dof() / 3];
                Ok(InitialValueProblem::from_point(Cartesian(system), point))
            }),
        ],
        method: "rkmk4",
        step: 1e-3,
        end: 3.0,
        options: &[("links", "The number of links [default: 2]"), ("length", "The length of every link [default: 1]")],
        study: Some(study::study),
    }
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
