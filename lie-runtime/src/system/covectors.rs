//! Momenta and forces as covectors: what variational methods need besides the equations of motion.

use super::MechanicalSystem;

/// Operations on the dual of the Lie algebra; every vector has [`dof`](MechanicalSystem::dof) components.
pub trait Covectors: MechanicalSystem {
    /// The momentum M(q) v, left-trivialised.
    fn momentum(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
    /// ad_vᵀ p, the right-hand side of the Euler-Poincaré equations p' = ad_vᵀ p.
    fn coadjoint(&self, v: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity);
    /// T(θ)⁻ᵀ p.
    fn tangent_inverse_transpose(&self, theta: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity);
}
