//! Bushings: elastic joints between two frames.
//!
//! The deformation of a bushing between the frames a and b is the twist ξ = log(a⁻¹ b), the angular part first, in the axes of a. It is zero
//! if the frames coincide. For small deformations it contains the angles and the displacements about and along the axes of a.

use lie_runtime::prelude::*;

/// Returns the deformation of a bushing between two frames.
pub fn bushing_deformation(a: &SE3, b: &SE3) -> Vector6<f64> {
    (a.inverse() * *b).log()
}

/// Returns the energy of a bushing, ½ Σ kᵢ ξᵢ², with three torsional stiffnesses followed by three translational stiffnesses.
pub fn bushing_energy(deformation: &Vector6<f64>, stiffness: &Vector6<f64>) -> f64 {
    0.5 * deformation.dot(&stiffness.component_mul(deformation))
}

/// Returns the dissipation of a bushing, ½ Σ dᵢ ξ'ᵢ², with the rate ξ' of its deformation. Half of the dissipated power is the value of a
/// `#[dissipation]` function.
pub fn bushing_dissipation(rate: &Vector6<f64>, damping: &Vector6<f64>) -> f64 {
    0.5 * rate.dot(&damping.component_mul(rate))
}
