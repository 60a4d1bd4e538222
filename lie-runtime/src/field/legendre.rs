//! The Legendre transform: Hamiltonian systems whose momenta correspond to velocities.

use super::HamiltonianSystem;
use super::hamiltonian::AlgebraVector;
use crate::group::TangentVector;
use crate::problem::StepFailure;
use crate::scalar::Scalar;
use crate::system::{KktError, MechanicalSystem};

/// The Hamiltonian system of a Lagrangian L(q, v) = T − V with the body velocity v: H = p · v − L with p = ∂L/∂v.
///
/// Implemented by every `System` of [`mechanical_system`](macro@crate::mechanical_system) that is conservative and autonomous: without
/// constraints, forces, dissipation and explicit time. Its members are groups and spheres, and they may be chains, with terms over
/// members. The momentum of a sphere belongs to its spatial angular velocity. The inertia may depend on q, and T may have terms of first
/// and of zeroth degree in v. The documentation of any other `System` states the reason.
///
/// ```
/// use lie_runtime::field::HamiltonianSystem;
/// use lie_runtime::integrator::SymplecticLieGroup;
/// use lie_runtime::prelude::*;
///
/// /// A body that rotates about a fixed point under its weight.
/// #[mechanical_system]
/// pub mod top {
///     #[configuration]
///     pub struct Attitude { pub attitude: SO3 }
///
///     #[parameters]
///     pub struct Body { pub moments: Vector3<f64>, pub weight: f64 }
///
///     #[kinetic_energy]
///     fn kinetic(body: &Body, v: &Velocity) -> f64 {
///         0.5 * v.attitude.dot(&body.moments.component_mul(&v.attitude))
///     }
///
///     #[potential]
///     fn weight(body: &Body, q: &Attitude) -> f64 { body.weight * (q.attitude * Vector3::z()).z }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = top::System::new(top::Body { moments: Vector3::new(1.0, 1.0, 0.5), weight: 2.0 })?;
/// let q0 = top::Attitude { attitude: SO3::exp(&Vector3::new(0.3, 0.0, 0.0)) };
/// let v0 = Vector3::new(0.0, 0.2, 8.0);
///
/// let run = Simulation::of_hamiltonian(&system)
///     .initial_velocity(q0, v0)
///     .method(SymplecticLieGroup::new(0.5)?)
///     .step(0.01)
///     .end_time(10.0)
///     .run()?;
/// let (first, last) = (&run.states[0].point, &run.last().point);
///
/// // The energy is nearly constant, the momentum about the vertical is constant, and the momentum determines the velocity.
/// let energy = |point: &lie_runtime::space::Cotangent<_>| system.hamiltonian(&point.configuration, &point.momentum);
/// assert!((energy(last) / energy(first) - 1.0).abs() < 1e-4);
/// assert!((last.momentum.z - first.momentum.z).abs() < 1e-12);
/// let v = system.body_velocity(&last.configuration, &last.momentum)?;
/// assert!((v.z - 8.0).abs() < 1e-12); // Two moments are equal: the spin is constant.
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Hamiltonian that is the Legendre transform of a Lagrangian",
    label = "no Legendre transform",
    note = "a declared system has a Hamiltonian if it has no constraints, forces, dissipation, explicit time and frames; the \
            documentation of its `System` states the reason"
)]
pub trait LegendreTransform: HamiltonianSystem {
    /// Computes the spatial momentum μ = Ad*_{q⁻¹} ∂L/∂v of the motion with the body velocity v.
    fn momentum(&self, q: &Self::Point, v: &AlgebraVector<Self>) -> AlgebraVector<Self>;
    /// Computes the body velocity of the motion with the spatial momentum μ.
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`] if M(q) has no Cholesky factorisation.
    fn body_velocity(&self, q: &Self::Point, mu: &AlgebraVector<Self>) -> Result<AlgebraVector<Self>, KktError>;
}

/// Returns the body velocity, or NaN if it is undefined.
#[inline]
pub fn velocity_or_nan<H: LegendreTransform>(system: &H, q: &H::Point, mu: &AlgebraVector<H>) -> AlgebraVector<H> {
    system.body_velocity(q, mu).unwrap_or_else(|_| {
        let mut none = system.zero();
        none.fill(H::Scalar::from_f64(f64::NAN));
        none
    })
}

/// Returns the body velocity; the error has the names of the declaration.
#[inline]
#[allow(clippy::missing_errors_doc)] // Called by generated code alone.
pub fn velocity_of_momentum<H: LegendreTransform + MechanicalSystem>(
    system: &H,
    q: &H::Point,
    mu: &AlgebraVector<H>,
) -> Result<AlgebraVector<H>, StepFailure> {
    system.body_velocity(q, mu).map_err(|error| StepFailure::of_kkt(error, system.description()))
}

/// Computes f₂ with [`HamiltonianSystem::derivatives`]; NaN if it is undefined.
#[inline]
pub fn force_or_nan<H: HamiltonianSystem>(system: &H, q: &H::Point, mu: &AlgebraVector<H>, out: &mut AlgebraVector<H>) {
    let mut velocity = system.zero();
    if system.derivatives(q, mu, &mut velocity, out).is_err() {
        out.fill(H::Scalar::from_f64(f64::NAN));
    }
}
