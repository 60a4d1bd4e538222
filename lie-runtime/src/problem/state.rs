//! The state of a motion at one time, and the local error of a step.

use core::fmt;

use super::Memory;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{MechanicalSystem, ModelError};

/// The state of a motion at one time.
///
/// Velocity, acceleration and multipliers are vectors of all components. The conversions `Velocity::from(state.velocity)` and
/// `Multipliers::from(state.multipliers)` of a generated module name the components. Systems with chains use
/// `system.velocity(&state.velocity)` and `system.multipliers(&state.multipliers)`. The constraint force is −Bᵀ λ.
pub struct State<M: MechanicalSystem + ?Sized> {
    /// The time t.
    pub time: f64,
    /// The configuration q.
    pub configuration: M::Configuration,
    /// The velocity v, left-trivialised.
    pub velocity: M::Velocity,
    /// The multipliers λ.
    pub multipliers: M::Multipliers,
    /// v' = M⁻¹(−g − Bᵀ λ) at this time, with the λ above (paper 1, eq. 5b).
    pub acceleration: M::Velocity,
    /// The data that the method stores for the next step; empty in a state that no method has computed.
    pub memory: Memory<M>,
}

impl<M: MechanicalSystem> State<M> {
    /// Returns a state at rest in `configuration`, without forces.
    pub fn at_rest(system: &M, time: f64, configuration: M::Configuration) -> Self {
        State {
            time,
            configuration,
            velocity: system.zero_velocity(),
            multipliers: system.zero_multipliers(),
            acceleration: system.zero_velocity(),
            memory: Memory::none(),
        }
    }

    /// Checks that the state belongs to this system. The lengths of its chains and of its vectors must agree. The values of its
    /// configuration must represent an element of the group to 1e-8.
    ///
    /// # Errors
    /// [`ModelError::ChainLength`], [`ModelError::NotAnElement`] or [`ModelError::VectorLength`].
    pub fn check(&self, system: &M) -> Result<(), ModelError> {
        system.space().check(&self.configuration)?;
        // Other checks report NaN.
        let tolerance = f64::max(1e-8, 1e3 * M::Scalar::epsilon());
        if let Some(worst) = system.space().worst_member(&self.configuration).filter(|worst| worst.defect > tolerance) {
            return Err(ModelError::NotAnElement(worst));
        }
        for (vector, given, expected) in [
            ("velocity", self.velocity.component_count(), system.dof()),
            ("vector of multipliers", self.multipliers.component_count(), system.constraint_rows()),
            ("acceleration", self.acceleration.component_count(), system.dof()),
        ] {
            if given != expected {
                return Err(ModelError::VectorLength { vector, expected, given });
            }
        }
        Ok(())
    }
}

impl<M: MechanicalSystem + ?Sized> Clone for State<M> {
    fn clone(&self) -> Self {
        State {
            time: self.time,
            configuration: self.configuration.clone(),
            velocity: self.velocity.clone(),
            multipliers: self.multipliers.clone(),
            acceleration: self.acceleration.clone(),
            memory: self.memory.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.copy_motion_from(source);
        self.memory.clone_from(&source.memory);
    }
}

impl<M: MechanicalSystem + ?Sized> State<M> {
    /// Copies everything except the memory, of which only the allocation is kept.
    pub(crate) fn copy_motion_from(&mut self, source: &Self) {
        self.time = source.time;
        self.configuration.clone_from(&source.configuration);
        copy(&mut self.velocity, &source.velocity);
        copy(&mut self.multipliers, &source.multipliers);
        copy(&mut self.acceleration, &source.acceleration);
        self.memory.forget();
    }
}

/// The implementation of `clone_from` allocates for vectors with a length that is known at run time.
pub(super) fn copy<V: TangentVector>(to: &mut V, from: &V) {
    if to.component_count() == from.component_count() {
        to.assign(from);
    } else {
        *to = from.clone();
    }
}

impl<M: MechanicalSystem + ?Sized> fmt::Debug for State<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("time", &self.time)
            .field("configuration", &self.configuration)
            .field("velocity", &self.velocity)
            .field("multipliers", &self.multipliers)
            .field("acceleration", &self.acceleration)
            .field("memory", &self.memory)
            .finish()
    }
}

/// The local error of a step, estimated by an embedded method in y = (θ, v) (paper 1, section 3).
pub struct LocalError<M: MechanicalSystem + ?Sized> {
    /// θ of the step, q_{n+1} = q_n ∘ exp(θ).
    pub increment: M::Velocity,
    /// θ̂ − θ.
    pub increment_error: M::Velocity,
    /// v̂ − v.
    pub velocity_error: M::Velocity,
}

impl<M: MechanicalSystem> LocalError<M> {
    /// Returns buffers for the estimates of `system`.
    pub fn of(system: &M) -> Self {
        LocalError {
            increment: system.zero_velocity(),
            increment_error: system.zero_velocity(),
            velocity_error: system.zero_velocity(),
        }
    }
}
