//! The result of the search for an equilibrium.

use core::fmt;

use crate::integrator::State;
use crate::system::MechanicalSystem;

/// A static equilibrium.
pub struct StaticState<M: MechanicalSystem> {
    /// The configuration at rest with its auxiliary states and multipliers; a [`Simulation`](crate::simulate::Simulation) can start from it.
    pub state: State<M>,
    /// The number of Newton iterations.
    pub iterations: usize,
    /// The largest component of each correction, in the units of q. The correction of an auxiliary state z is relative to 1 + |z|.
    pub corrections: Vec<f64>,
    /// The largest component of the residual g + Bᵀ λ, and of the rates of auxiliary states.
    pub force: f64,
    /// The largest component of the residual Φ.
    pub constraint: f64,
}

impl<M: MechanicalSystem> fmt::Debug for StaticState<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticState")
            .field("time", &self.state.time)
            .field("configuration", &self.state.configuration)
            .field("multipliers", &self.state.multipliers)
            .field("iterations", &self.iterations)
            .field("corrections", &self.corrections)
            .field("force", &self.force)
            .field("constraint", &self.constraint)
            .finish()
    }
}

impl<M: MechanicalSystem> Clone for StaticState<M> {
    fn clone(&self) -> Self {
        StaticState {
            state: self.state.clone(),
            iterations: self.iterations,
            corrections: self.corrections.clone(),
            force: self.force,
            constraint: self.constraint,
        }
    }
}
