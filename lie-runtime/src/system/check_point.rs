//! The state in which [`derivative_check`](super::derivative_check) compares derivatives.

use super::MechanicalSystem;
use crate::group::TangentVector;

/// A state in which derivatives are compared.
#[derive(Debug)]
pub struct CheckPoint<'a, M: MechanicalSystem> {
    /// The time.
    pub t: M::Scalar,
    /// The configuration.
    pub q: &'a M::Configuration,
    /// The velocity.
    pub v: &'a M::Velocity,
    /// The acceleration.
    pub acceleration: &'a M::Velocity,
    /// The multipliers.
    pub multipliers: &'a M::Multipliers,
}

impl<M: MechanicalSystem> Clone for CheckPoint<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem> Copy for CheckPoint<'_, M> {}

/// The generated Hamiltonian and its derivatives for the motion with a velocity v, in the declared coordinates of the
/// velocity.
#[derive(Clone, Debug)]
pub struct TransformedPoint<V: TangentVector> {
    /// H at the momentum of v.
    pub energy: V::Scalar,
    /// p; on a group Ad_qᵀ μ.
    pub momentum: V,
    /// v; on a group Ad_{q⁻¹} f₁.
    pub velocity: V,
    /// p'; on a group Ad_qᵀ f₂.
    pub force: V,
}
