//! What a simulation leaves.

use core::fmt;

use super::Consistency;
use super::event::Occurrence;
use super::sampled::{Log, SampledInputs};
use crate::integrator::{Problem, Solution};

/// The recorded states of a motion and how they were found.
pub struct Trajectory<P: Problem> {
    /// The recorded states in the order of time.
    pub states: Vec<P::State>,
    /// Counts and time.
    pub statistics: Statistics,
    /// Every attempted step of an error-controlled simulation, in order; empty with a fixed step.
    pub steps: Vec<StepRecord>,
    /// How far the given initial values of a mechanical system were from consistent ones.
    pub initial: Consistency,
    /// The identifier of the method.
    pub method: &'static str,
    /// The time at which an observer has stopped the run, if one has; the state there is the last one recorded.
    pub stopped: Option<f64>,
    /// The [events](super::event) that have taken place, in the order of time.
    pub events: Vec<Occurrence<P>>,
    /// What a controller has said.
    pub(super) log: Log<P>,
}

/// What a simulation has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Steps that count.
    pub accepted: usize,
    /// Steps that were repeated with another size.
    pub rejected: usize,
    /// Linear systems solved.
    pub linear_solves: u64,
    /// The largest residual of a holonomic constraint, in its own units, in any state that was looked at: those that are
    /// recorded, one in every 32, and the last; 0 without such constraints.
    pub position_residual: f64,
    /// The largest part of the energy of the motion, above the lowest potential that it has come by, that has come from nowhere, in
    /// any state that was looked at: one in every 32 and the last. `None` of systems that need not conserve energy:
    /// [`Description::conserves_energy`](crate::system::Description::conserves_energy). Half of it means that a run with smaller steps
    /// would tell something else.
    pub energy_gained: Option<f64>,
    /// How near the constraints came to losing rank; `None` unless
    /// [`watching_rank`](super::Simulation::watching_rank) was said.
    pub smallest_singular_value: Option<SmallestSingularValue>,
    /// Steps in which constraints that may be redundant came near to losing rank, so that they were made by the equations of index 1
    /// instead of the method.
    pub crossings: usize,
    /// Newton iterations, the mean a step; `None` of explicit methods.
    pub newton_iterations: Option<f64>,
    /// Wall-clock time of the whole run, s.
    pub seconds: f64,
}

/// The smallest singular value of the scaled rows of B that was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestSingularValue {
    /// It, see [`smallest_singular_value`](crate::system::smallest_singular_value).
    pub value: f64,
    /// When it was seen.
    pub time: f64,
}

/// One attempted step of an error-controlled simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRecord {
    /// The time at which the step starts.
    pub time: f64,
    /// Its size.
    pub step: f64,
    /// The error indicator (paper 1, eq. 21); NaN if the step had no result.
    pub error: f64,
    /// True if the step counts.
    pub accepted: bool,
}

impl<P: Problem> Trajectory<P> {
    /// Nothing recorded yet.
    pub(super) fn new(method: &'static str) -> Self {
        Trajectory {
            states: Vec::new(),
            statistics: Statistics::default(),
            steps: Vec::new(),
            initial: Consistency::default(),
            method,
            stopped: None,
            events: Vec::new(),
            log: Log::none(),
        }
    }

    /// The same run, its states told as those of another problem.
    pub(crate) fn told<Q: Problem>(self, mut states: impl FnMut(P::State) -> Q::State) -> Trajectory<Q> {
        Trajectory {
            states: self.states.into_iter().map(&mut states).collect(),
            statistics: self.statistics,
            steps: self.steps,
            initial: self.initial,
            method: self.method,
            stopped: self.stopped,
            events: self.events.into_iter().map(|event| event.told(&mut states)).collect(),
            log: Log::none(),
        }
    }

    /// The first recorded state.
    pub fn first(&self) -> Option<&P::State> {
        self.states.first()
    }

    /// The last recorded state.
    pub fn last(&self) -> Option<&P::State> {
        self.states.last()
    }

    /// What the controller of a [sampled](super::Simulation::sampled_every) run has said, in order; nothing of other runs.
    pub fn sampled_inputs(&self) -> &[SampledInputs] {
        &self.log.samples
    }

    /// The [events](super::event) of this name that have taken place, in order.
    pub fn events_called(&self, name: &str) -> impl Iterator<Item = &Occurrence<P>> {
        self.events.iter().filter(move |occurrence| occurrence.event == name)
    }

    /// The recorded times.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        self.states.iter().map(Solution::time)
    }
}

impl<P: Problem> Clone for Trajectory<P> {
    fn clone(&self) -> Self {
        Trajectory {
            states: self.states.clone(),
            statistics: self.statistics,
            steps: self.steps.clone(),
            initial: self.initial,
            method: self.method,
            stopped: self.stopped,
            events: self.events.clone(),
            log: self.log.clone(),
        }
    }
}

impl<P: Problem> fmt::Debug for Trajectory<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trajectory")
            .field("method", &self.method)
            .field("states", &self.states)
            .field("statistics", &self.statistics)
            .field("initial", &self.initial)
            .finish_non_exhaustive()
    }
}
