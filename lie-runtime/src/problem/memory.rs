//! What a method remembers besides the state it has come to.
//!
//! Generalized-α carries an acceleration-like variable from step to step, a k-step method the k steps behind it. They go
//! with the [`State`], so that any recorded state can be gone on from as if there had been no stop. A state that was
//! changed since its method left it (a velocity after an impact, another place) remembers nothing: the method begins anew.
//!
//! Beside that a state that a run has recorded carries how far off its constraints the run has [seen](Seen) it, so that a
//! run that goes on from there judges it by the motion that lies behind it.

use core::fmt;

use super::State;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Times that differ by less than this part of a step are the same.
const SAME_TIME: f64 = 1e-6;
/// Configurations nearer than this are the same: log(q⁻¹ q) need not be zero to the last bit, and a run removes round-off.
const SAME_PLACE: f64 = 1e-12;

/// Whose memory it is: the method and the numbers that what it remembers depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Owner {
    /// The method's identifier.
    pub method: &'static str,
    /// Its parameters, as far as they matter.
    pub settings: [f64; 4],
}

/// What a run has seen of a constraint until it recorded a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    /// The residual that is not held against the motion: that where it began.
    pub start: f64,
    /// How much the terms of the constraint have changed since, in the units of the constraint.
    pub scale: f64,
    /// The residual in the state itself.
    pub residual: f64,
}

/// What the method that led to a [`State`] remembers besides it; nothing in a state that no method has led to.
///
/// Private to the method: another one finds nothing in it. Copying it into a memory of the same shape allocates nothing.
pub struct Memory<M: MechanicalSystem + ?Sized> {
    owner: Option<Owner>,
    /// The time of the state.
    time: f64,
    /// The h of the step that led to it.
    step: f64,
    /// How many steps of this size lie behind it, as far as the method counts.
    count: usize,
    /// True if the method has kept what an estimate of the error of that step found.
    is_estimated: bool,
    /// q of the state.
    configuration: Option<M::Configuration>,
    /// v of the state, then what the method keeps.
    velocities: Vec<M::Velocity>,
    multipliers: Vec<M::Multipliers>,
    /// Of every holonomic constraint, in order; empty in a state that no run has recorded. It is of no method.
    seen: Vec<Seen>,
}

impl<M: MechanicalSystem + ?Sized> Memory<M> {
    /// No memory.
    pub fn none() -> Self {
        Memory {
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

    /// True if no method has left something.
    pub fn is_empty(&self) -> bool {
        self.owner.is_none()
    }

    /// Forgets all that is of the method, and keeps the buffers.
    pub fn forget(&mut self) {
        self.owner = None;
    }

    /// The size h of the step that led to the state.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// How many steps lie behind the state, as the method has counted them.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What the run that has recorded the state has seen of its constraints; empty if none has.
    pub(crate) fn seen(&self) -> &[Seen] {
        &self.seen
    }

    /// Notes what a run has seen of the constraints of the state.
    pub(crate) fn note_seen(&mut self, seen: impl Iterator<Item = Seen>) {
        self.seen.clear();
        self.seen.extend(seen);
    }

    /// True if the method has kept what an estimate of the error of that step found.
    pub(crate) fn is_estimated(&self) -> bool {
        self.is_estimated
    }

    /// Says so, after [`State::remember`].
    pub(crate) fn set_estimated(&mut self) {
        self.is_estimated = true;
    }

    /// The `index`-th vector that the method keeps.
    pub(crate) fn vector(&self, index: usize) -> &M::Velocity {
        &self.velocities[1 + index]
    }

    /// The same, to be written to.
    pub(crate) fn vector_mut(&mut self, index: usize) -> &mut M::Velocity {
        &mut self.velocities[1 + index]
    }

    /// The `index`-th multipliers that the method keeps.
    pub(crate) fn multipliers(&self, index: usize) -> &M::Multipliers {
        &self.multipliers[index]
    }

    /// The same, to be written to.
    pub(crate) fn multipliers_mut(&mut self, index: usize) -> &mut M::Multipliers {
        &mut self.multipliers[index]
    }
}

impl<M: MechanicalSystem> Memory<M> {
    /// Makes room for so many vectors and multipliers, of any content; allocates only where there is less.
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
    /// What `owner` remembers of this state; `None` if it has not led here, or the state was changed since.
    ///
    /// `scratch` may hold anything.
    pub(crate) fn remembered(&self, owner: &Owner, system: &M, scratch: &mut M::Velocity) -> Option<&Memory<M>> {
        let memory = self.memory_of(owner)?;
        let place = memory.configuration.as_ref().filter(|place| system.space().check(place).is_ok())?;
        system.space().log_difference(place, &self.configuration, scratch);
        (scratch.max_norm() <= SAME_PLACE).then_some(memory)
    }

    /// The same without a look at the configuration: for every step, after a start that has looked.
    #[inline]
    pub(crate) fn memory_of(&self, owner: &Owner) -> Option<&Memory<M>> {
        let memory = &self.memory;
        let slack = SAME_TIME * memory.step.abs() + 16.0 * f64::EPSILON * self.time.abs();
        if memory.owner.as_ref() != Some(owner) || (self.time - memory.time).abs() > slack {
            return None;
        }
        let velocity = memory.velocities.first()?;
        let count = self.velocity.component_count();
        // What was made for a chain of another length is of another system.
        if memory.velocities.iter().any(|vector| vector.component_count() != count) {
            return None;
        }
        // A NaN is not the same. Number by number: the step before has just written them, one at a time or two.
        let is_same = |at| (self.velocity.component(at) - velocity.component(at)).magnitude() == 0.0;
        (0..count).all(is_same).then_some(memory)
    }

    /// Declares what has been written into the [memory](State::memory) to be that of `owner`, which has come to this state,
    /// complete but for its memory, by a step of size `step`, the `count`-th.
    ///
    /// Takes [room](Memory::make_room) for the vectors to have been made.
    pub(crate) fn remember(&mut self, owner: Owner, step: f64, count: usize) {
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

impl<M: MechanicalSystem + ?Sized> Clone for Memory<M> {
    fn clone(&self) -> Self {
        Memory {
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

/// Vectors are copied in place where there is room.
fn copy_all<V: TangentVector>(to: &mut Vec<V>, from: &[V]) {
    to.truncate(from.len());
    for (to, from) in to.iter_mut().zip(from) {
        super::state::copy(to, from);
    }
    let done = to.len();
    to.extend_from_slice(&from[done..]);
}

impl<M: MechanicalSystem + ?Sized> fmt::Debug for Memory<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.owner {
            None => f.write_str("Memory(none)"),
            Some(owner) => write!(f, "Memory({}, {} steps of {:?})", owner.method, self.count, self.step),
        }
    }
}
