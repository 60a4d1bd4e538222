//! Momenta and forces as covectors: what variational methods need besides the equations of motion.

use super::MechanicalSystem;

/// Momenta as left-trivialised covectors with [`dof`](MechanicalSystem::dof) components.
pub trait Covectors: MechanicalSystem {
    /// The momentum M(q) v, left-trivialised.
    fn momentum(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
}
