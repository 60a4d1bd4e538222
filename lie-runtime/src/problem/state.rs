//! The state of a motion at one time, the data that a method stores with it, and the local error of a step.
//!
//! Generalized-α stores an acceleration-like variable, and a k-step method stores the last k steps. The data are part of the [`State`]: a
//! simulation can continue from any recorded state as if it had not stopped. A state that was changed after its step has no valid memory,
//! for example after an impact. The method then restarts.
//!
//! A recorded state also contains the [observed residuals](Seen) of its constraints. A simulation that continues from the state uses the
//! residuals of the whole motion in its tests.

use core::fmt;

use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{MechanicalSystem, ModelError};

/// The state of a motion at one time.
///
/// Velocity, acceleration and multipliers are vectors of all components: `SVector`, or `DVector` for declarations with chains, with
/// `#[kinematics]` or with terms over members. For every declaration, `system.velocity(&state.velocity)` and
/// `system.multipliers(&state.multipliers)` name the components. The constraint force is −Bᵀ λ.
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
    pub memory: MethodHistory<M>,
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
            memory: MethodHistory::none(),
        }
    }

    /// Returns the total energy, kinetic plus potential. After an event that changes parameters, pass the changed system.
    pub fn energy(&self, system: &M) -> M::Scalar {
        system.energy(M::Scalar::from_f64(self.time), &self.configuration, &self.velocity)
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

impl<M: MechanicalSystem> State<M> {
    /// Converts a state to a state of another system, with the memory of its method.
    #[cfg(feature = "precompiled")]
    pub(crate) fn converted<N: MechanicalSystem>(
        &self,
        configuration: impl Fn(&M::Configuration) -> N::Configuration,
        velocity: impl Fn(&M::Velocity) -> N::Velocity,
        multipliers: impl Fn(&M::Multipliers) -> N::Multipliers,
    ) -> State<N> {
        let memory = &self.memory;
        State {
            time: self.time,
            configuration: configuration(&self.configuration),
            velocity: velocity(&self.velocity),
            multipliers: multipliers(&self.multipliers),
            acceleration: velocity(&self.acceleration),
            memory: MethodHistory {
                owner: memory.owner,
                time: memory.time,
                step: memory.step,
                count: memory.count,
                is_estimated: memory.is_estimated,
                configuration: memory.configuration.as_ref().map(configuration),
                velocities: memory.velocities.iter().map(velocity).collect(),
                multipliers: memory.multipliers.iter().map(multipliers).collect(),
                seen: memory.seen.clone(),
            },
        }
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
    #[doc(hidden)]
    pub fn of(system: &M) -> Self {
        LocalError {
            increment: system.zero_velocity(),
            increment_error: system.zero_velocity(),
            velocity_error: system.zero_velocity(),
        }
    }
}

/// Times with a smaller difference than this part of a step are equal.
const SAME_TIME: f64 = 1e-6;
/// Configurations with a smaller distance are equal: log(q⁻¹ q) need not be exactly zero, and a simulation removes round-off.
const SAME_PLACE: f64 = 1e-12;

/// The owner of a memory: the method and the parameters that its data depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HistoryOwner {
    /// The method's identifier.
    pub method: &'static str,
    /// The parameters that affect the data.
    pub settings: [f64; 4],
}

/// The observed values of a constraint, up to a recorded state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ObservedConstraint {
    /// The residual at the start of the run, which is not an error of the motion.
    pub start: f64,
    /// The change of the terms of the constraint since the start, in the units of the constraint.
    pub scale: f64,
    /// The residual in the recorded state.
    pub residual: f64,
}

/// The data that a method stores with a [`State`]; empty in a state that no method has computed.
///
/// Only the owning method can read the data. Copying into a memory of equal shape allocates nothing.
pub struct MethodHistory<M: MechanicalSystem + ?Sized> {
    owner: Option<HistoryOwner>,
    /// The time of the state.
    time: f64,
    /// The step size h of the step to the state.
    step: f64,
    /// The number of previous steps of this size, as counted by the method.
    count: usize,
    /// True if the method has stored the result of its error estimate for the step.
    is_estimated: bool,
    /// q of the state.
    configuration: Option<M::Configuration>,
    /// v of the state, followed by the vectors of the method.
    velocities: Vec<M::Velocity>,
    multipliers: Vec<M::Multipliers>,
    /// The observed values of every holonomic constraint, in order; empty if no simulation has recorded the state. They belong to no
    /// method.
    seen: Vec<ObservedConstraint>,
}

impl<M: MechanicalSystem + ?Sized> MethodHistory<M> {
    /// Returns an empty memory.
    #[doc(hidden)]
    pub fn none() -> Self {
        MethodHistory {
            owner: None,
            time: 0.0,
            step: 0.0,
            count: 0,
            is_estimated: false,
            configuration: None,
            velocities: Vec::new(),
            multipliers: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// True if no method has stored data.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.owner.is_none()
    }

    /// Removes the data of the method, and keeps the buffers.
    pub fn forget(&mut self) {
        self.owner = None;
    }

    /// The size h of the step to the state.
    #[doc(hidden)]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The number of steps before the state, as counted by the method.
    #[doc(hidden)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The observed values of the constraints; empty if no simulation has recorded the state.
    pub(crate) fn seen(&self) -> &[ObservedConstraint] {
        &self.seen
    }

    /// Stores the observed values of the constraints.
    pub(crate) fn note_seen(&mut self, seen: impl Iterator<Item = ObservedConstraint>) {
        self.seen.clear();
        self.seen.extend(seen);
    }

    /// True if the method has stored the result of its error estimate for the step.
    pub(crate) fn is_estimated(&self) -> bool {
        self.is_estimated
    }

    /// Records that the error estimate is stored; to be called after [`State::remember`].
    pub(crate) fn set_estimated(&mut self) {
        self.is_estimated = true;
    }

    /// The `index`-th vector of the method.
    pub(crate) fn vector(&self, index: usize) -> &M::Velocity {
        &self.velocities[1 + index]
    }

    /// The `index`-th vector of the method, for writing.
    pub(crate) fn vector_mut(&mut self, index: usize) -> &mut M::Velocity {
        &mut self.velocities[1 + index]
    }

    /// The `index`-th multipliers of the method.
    pub(crate) fn multipliers(&self, index: usize) -> &M::Multipliers {
        &self.multipliers[index]
    }

    /// The `index`-th multipliers of the method, for writing.
    pub(crate) fn multipliers_mut(&mut self, index: usize) -> &mut M::Multipliers {
        &mut self.multipliers[index]
    }
}

impl<M: MechanicalSystem> MethodHistory<M> {
    /// Reserves the given numbers of vectors and multipliers, with arbitrary content; allocates only if there are fewer.
    pub(crate) fn make_room(
        &mut self,
        system: &M,
        configuration: &M::Configuration,
        vectors: usize,
        multipliers: usize,
    ) {
        if self.configuration.is_none() {
            self.configuration = Some(configuration.clone());
        }
        while self.velocities.len() < 1 + vectors {
            self.velocities.push(system.zero_velocity());
        }
        while self.multipliers.len() < multipliers {
            self.multipliers.push(system.zero_multipliers());
        }
    }
}

impl<M: MechanicalSystem> State<M> {
    /// Returns the data of `owner` for this state; `None` if another method computed it, or the state was changed since.
    ///
    /// `scratch` is a buffer with arbitrary content.
    pub(crate) fn remembered(
        &self,
        owner: &HistoryOwner,
        system: &M,
        scratch: &mut M::Velocity,
    ) -> Option<&MethodHistory<M>> {
        let memory = self.memory_of(owner)?;
        let place = memory.configuration.as_ref().filter(|place| system.space().check(place).is_ok())?;
        system.space().log_difference(place, &self.configuration, scratch);
        (scratch.max_norm() <= SAME_PLACE).then_some(memory)
    }

    /// Returns the data without a comparison of configurations; used in every step after a checked start.
    #[inline]
    pub(crate) fn memory_of(&self, owner: &HistoryOwner) -> Option<&MethodHistory<M>> {
        let memory = &self.memory;
        let slack = SAME_TIME * memory.step.abs() + 16.0 * f64::EPSILON * self.time.abs();
        if memory.owner.as_ref() != Some(owner) || (self.time - memory.time).abs() > slack {
            return None;
        }
        let velocity = memory.velocities.first()?;
        let count = self.velocity.component_count();
        // Data for a chain of another length belong to another system.
        if memory.velocities.iter().any(|vector| vector.component_count() != count) {
            return None;
        }
        // NaN differs from every value. The comparison is by components: the previous step has just written them, one or two at a time.
        let is_same = |at| (self.velocity.component(at) - velocity.component(at)).magnitude() == 0.0;
        (0..count).all(is_same).then_some(memory)
    }

    /// Marks the content of the [memory](State::memory) as the data of `owner` for this state. The state must be complete except for its
    /// memory. The step to the state has the size `step` and is the `count`-th.
    ///
    /// [`MethodHistory::make_room`] must have reserved the vectors.
    pub(crate) fn remember(&mut self, owner: HistoryOwner, step: f64, count: usize) {
        let memory = &mut self.memory;
        memory.owner = Some(owner);
        (memory.time, memory.step, memory.count) = (self.time, step, count);
        memory.is_estimated = false;
        match &mut memory.configuration {
            Some(configuration) => configuration.clone_from(&self.configuration),
            empty => *empty = Some(self.configuration.clone()),
        }
        match memory.velocities.first_mut() {
            Some(velocity) => velocity.assign(&self.velocity),
            None => memory.velocities.push(self.velocity.clone()),
        }
    }
}

impl<M: MechanicalSystem + ?Sized> Clone for MethodHistory<M> {
    fn clone(&self) -> Self {
        MethodHistory {
            owner: self.owner,
            time: self.time,
            step: self.step,
            count: self.count,
            is_estimated: self.is_estimated,
            configuration: self.configuration.clone(),
            velocities: self.velocities.clone(),
            multipliers: self.multipliers.clone(),
            seen: self.seen.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.seen.clone_from(&source.seen);
        (self.owner, self.time, self.step, self.count) = (source.owner, source.time, source.step, source.count);
        self.is_estimated = source.is_estimated;
        if self.owner.is_none() {
            return;
        }
        match (&mut self.configuration, &source.configuration) {
            (Some(to), Some(from)) => to.clone_from(from),
            (to, from) => to.clone_from(from),
        }
        copy_all(&mut self.velocities, &source.velocities);
        copy_all(&mut self.multipliers, &source.multipliers);
    }
}

/// Existing vectors are copied in place.
fn copy_all<V: TangentVector>(to: &mut Vec<V>, from: &[V]) {
    to.truncate(from.len());
    for (to, from) in to.iter_mut().zip(from) {
        copy(to, from);
    }
    let done = to.len();
    to.extend_from_slice(&from[done..]);
}

impl<M: MechanicalSystem + ?Sized> fmt::Debug for MethodHistory<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.owner {
            None => f.write_str("MethodHistory(none)"),
            Some(owner) => write!(f, "MethodHistory({}, {} steps of {:?})", owner.method, self.count, self.step),
        }
    }
}
