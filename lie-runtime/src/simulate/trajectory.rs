//! What a simulation leaves.

use core::fmt;

use super::event::Occurrence;
use super::sampled::{Log, SampledInputs};
use super::{Balance, Consistency, Notice};
use crate::integrator::{Problem, Solution};

/// The recorded states of a motion and how they were found.
pub struct Trajectory<P: Problem> {
    /// The recorded states in the order of time.
    pub states: Vec<P::State>,
    /// The accounts at each of them; empty unless [`watching_balance`](super::Simulation::watching_balance) was said.
    pub balances: Vec<Balance>,
    /// Counts and time.
    pub statistics: Statistics,
    /// Every attempted step of an error-controlled simulation, in order; empty with a fixed step.
    pub steps: Vec<StepRecord>,
    /// How far the given initial values of a mechanical system were from consistent ones.
    pub initial: Consistency,
    /// The identifier of the method.
    pub method: &'static str,
    /// What is worth knowing of the run that is no error.
    pub notices: Vec<Notice>,
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
    /// The largest difference, after any step, of the energy and of what it was at the start with all that it has been given and taken,
    /// in units of energy: what has come from nowhere, from the method. `None` unless
    /// [`watching_balance`](super::Simulation::watching_balance) was said of a declared system.
    pub energy_defect: Option<f64>,
    /// The largest change of a momentum after any step, since the start or the last event that has changed something; `None` unless
    /// [`watching_momentum`](super::Simulation::watching_momentum) was said or the declaration has a symmetry.
    pub momentum_drift: Option<f64>,
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
            balances: Vec::new(),
            statistics: Statistics::default(),
            steps: Vec::new(),
            initial: Consistency::default(),
            method,
            notices: Vec::new(),
            stopped: None,
            events: Vec::new(),
            log: Log::none(),
        }
    }

    /// The same run, its states told as those of another problem.
    pub(crate) fn told<Q: Problem>(self, states: &mut dyn FnMut(P::State) -> Q::State) -> Trajectory<Q> {
        Trajectory {
            states: self.states.into_iter().map(&mut *states).collect(),
            balances: self.balances,
            statistics: self.statistics,
            steps: self.steps,
            initial: self.initial,
            method: self.method,
            notices: self.notices,
            stopped: self.stopped,
            events: self.events.into_iter().map(|event| event.told(states)).collect(),
            log: Log::none(),
        }
    }

    /// True if an event has taken place at this time last.
    pub(crate) fn ends_at_event(&self, time: f64) -> bool {
        self.events.last().is_some_and(|event| event.time == time)
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

    /// The run in a line: method, steps, time; where the balance was watched what has become of the energy and of the momenta, and what
    /// is worth [noticing](Notice).
    ///
    /// `hedop5: 500 steps from t = 0 to 5 in 0.004 s; energy 1 → 0.607, felt −0.393, defect 3.1e-11; momenta drift by 0.393`
    pub fn summary(&self) -> String {
        let Statistics { accepted, rejected, seconds, energy_defect, momentum_drift, .. } = self.statistics;
        let span = |pick: fn(&Self) -> Option<&P::State>| pick(self).map_or(f64::NAN, Solution::time);
        let repeated = if rejected > 0 { format!(" and {rejected} repeated") } else { String::new() };
        let (start, end) = (span(Self::first), span(Self::last));
        let mut parts =
            vec![format!("{}: {accepted} steps{repeated} from t = {start} to {end:.6} in {seconds:.3} s", self.method)];
        if let (Some(first), Some(last)) = (self.balances.first(), self.balances.last()) {
            let works = last.work.iter().filter(|(_, work)| *work != 0.0);
            let mut energy = vec![format!("energy {:.6} → {:.6}", first.energy, last.energy)];
            energy.extend(works.map(|(name, work)| format!("{name} {work:+.3e}")));
            energy.extend(energy_defect.map(|defect| format!("defect {defect:.1e}")));
            parts.push(energy.join(", "));
            parts.extend(momentum_drift.map(|drift| format!("momenta drift by {drift:.1e}")));
        }
        parts.extend(self.notices.iter().map(ToString::to_string));
        parts.join("; ")
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
            balances: self.balances.clone(),
            statistics: self.statistics,
            steps: self.steps.clone(),
            initial: self.initial,
            method: self.method,
            notices: self.notices.clone(),
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
