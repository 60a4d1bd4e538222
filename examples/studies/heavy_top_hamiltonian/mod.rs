//! The heavy top of paper 3 as a Hamiltonian system in three formulations: canonical on T*SO(3), Lie-Poisson on se(3)*, and
//! canonical on T*(SO(3) × R³) with a quadratic Hamiltonian (section 3.4).
//!
//! Paper 3, Figs. 2 and 3.
//!
//! ```text
//! cargo run --release --example heavy_top_hamiltonian                      # the study: tables and figures
//! cargo run --release --example heavy_top_hamiltonian -- --group se3_dual --method cf4 --step 1e-3
//! cargo run --release --example heavy_top_hamiltonian -- --method slgi --set theta=0.25 --step 1e-3 --format json
//! ```

mod canonical;
mod lie_poisson;
mod study;

use std::process::ExitCode;

use canonical::{cotangent, extended};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_poisson::LiePoisson;
use lie_runtime::field::{HamiltonianProblem, VectorFieldProblem};
use lie_runtime::prelude::*;
use lie_runtime::space::{Coadjoint, Cotangent};
pub use study::trend;

/// The top about its fixed point.
#[derive(Clone, Copy, Debug)]
pub struct Top {
    /// Principal moments of inertia about the fixed point.
    moments: Vector3<f64>,
    /// M l, the mass times the distance of the centre of mass.
    mass_length: f64,
    /// X, the direction of the centre of mass in the body.
    axis: Vector3<f64>,
    /// Γ₀, which holds g.
    gravity: Vector3<f64>,
}

impl Top {
    /// The data of paper 3, section 3.4.4, with the settings of the user.
    fn new(settings: &mut Settings) -> Result<Self, UsageError> {
        let mass_length = settings.number("mass", 15.0)? * settings.number("length", 2.0)?;
        let moments = Vector3::new(0.234_375, 0.468_75, 0.234_375);
        Ok(Top { moments, mass_length, axis: Vector3::y(), gravity: Vector3::new(0.0, 0.0, -9.81) })
    }
}

/// Ω(0); Q(0) = 1.
fn spin() -> Vector3<f64> {
    Vector3::new(0.0, 150.0, -4.615_38)
}

/// On T*SO(3).
fn on_cotangent_bundle(
    settings: &mut Settings,
) -> Result<InitialValueProblem<HamiltonianProblem<cotangent::System>>, UsageError> {
    let Top { moments, mass_length, axis, gravity } = Top::new(settings)?;
    let system = cotangent::System::new(cotangent::Top { moments, mass_length, axis, gravity })?;
    let configuration = cotangent::Attitude { attitude: SO3::identity() };
    let momentum = system.momentum(&configuration, &spin());
    Ok(InitialValueProblem::from_point(system, Cotangent { configuration, momentum }))
}

/// On se(3)*.
fn on_dual(settings: &mut Settings) -> Result<InitialValueProblem<VectorFieldProblem<LiePoisson>>, UsageError> {
    let top = Top::new(settings)?;
    let (pi, gamma) = (top.moments.component_mul(&spin()), top.gravity);
    let momentum = Vector6::new(pi.x, pi.y, pi.z, gamma.x, gamma.y, gamma.z);
    Ok(InitialValueProblem::from_point(LiePoisson(top), Coadjoint::new(momentum)))
}

/// On T*(SO(3) × R³).
fn on_extended_bundle(
    settings: &mut Settings,
) -> Result<InitialValueProblem<HamiltonianProblem<extended::System>>, UsageError> {
    let Top { moments, mass_length, axis, gravity } = Top::new(settings)?;
    let system = extended::System::new(extended::Top { moments, mass_length, axis, gravity })?;
    let configuration = extended::Pose { attitude: SO3::identity(), position: Vector3::zeros() };
    // p = q' + Qᵀ Γ₀ is to be −M l X.
    let velocity = extended::Velocity { attitude: spin(), position: -axis * mass_length - gravity };
    let momentum = system.momentum(&configuration, &velocity.into());
    Ok(InitialValueProblem::from_point(system, Cotangent { configuration, momentum }))
}

/// The heavy top of paper 3 as an example.
pub fn example() -> Example {
    Example {
        name: "heavy_top_hamiltonian",
        about: "A heavy top as a Hamiltonian system (paper 3, section 3.4) in three formulations.",
        variants: vec![
            Variant::of("cotangent", on_cotangent_bundle),
            Variant::of("se3_dual", on_dual),
            Variant::of("extended", on_extended_bundle),
        ],
        method: "rkmk4",
        step: 1e-3,
        end: 1.0,
        options: &[],
        study: Some(study::study),
    }
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
