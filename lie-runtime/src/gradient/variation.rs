//! The derivative of a state.

use crate::system::MechanicalSystem;

/// The derivative of a state with respect to one variable.
pub struct Variation<M: MechanicalSystem> {
    /// ∂q: δq = q δθ~, n body-fixed components.
    pub configuration: M::Velocity,
    /// ∂v, n components.
    pub velocity: M::Velocity,
    /// ∂λ, one component for each constraint row.
    pub multipliers: M::Multipliers,
    /// ∂v', n components.
    pub acceleration: M::Velocity,
}

impl<M: MechanicalSystem> Clone for Variation<M> {
    fn clone(&self) -> Self {
        Variation {
            configuration: self.configuration.clone(),
            velocity: self.velocity.clone(),
            multipliers: self.multipliers.clone(),
            acceleration: self.acceleration.clone(),
        }
    }
}

impl<M: MechanicalSystem> core::fmt::Debug for Variation<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Variation")
            .field("configuration", &self.configuration)
            .field("velocity", &self.velocity)
            .field("multipliers", &self.multipliers)
            .field("acceleration", &self.acceleration)
            .finish()
    }
}
