//! The result of a simulation.

use core::fmt;

use super::log::RunLog;
use super::statistics::{Statistics, StepRecord};
use crate::integrator::{Problem, Solution};
use crate::simulate::consistent::Consistency;
use crate::simulate::controller::SampledInputs;
use crate::simulate::energy_audit::Balance;
use crate::simulate::event::{DualToPlain, Occurrence, converted};
use crate::simulate::warning::Warning;

/// The recorded states of a motion with statistics and warnings.
#[doc(alias = "solution")]
#[doc(alias = "ODESolution")]
pub struct Trajectory<P: Problem> {
    /// The recorded states, sorted by time.
    pub states: Vec<P::State>,
    /// The energy balance of each recorded state; empty without [`monitor_energy`](crate::simulate::Simulation::monitor_energy).
    pub balances: Vec<Balance>,
    /// Cost and accuracy of the run.
    pub statistics: Statistics,
    /// Every attempted step of an error-controlled simulation, in order; empty with a fixed step.
    pub steps: Vec<StepRecord>,
    /// Corrections of the initial values of a mechanical system.
    pub initial: Consistency,
    /// The identifier of the method.
    pub method: &'static str,
    pub(crate) warnings: Vec<Warning>,
    /// The time at which an observer or an event stopped the run; the last recorded state is at this time.
    pub stopped: Option<f64>,
    /// The [events](crate::simulate::event) of the run, sorted by time.
    pub events: Vec<Occurrence<P>>,
    /// Controller outputs and systems after events.
    pub(in crate::simulate) log: RunLog<P>,
}

impl<P: Problem> Trajectory<P> {
    /// Creates an empty trajectory.
    pub(in crate::simulate) fn new(method: &'static str) -> Self {
        Trajectory {
            states: Vec::new(),
            balances: Vec::new(),
            statistics: Statistics::default(),
            steps: Vec::new(),
            initial: Consistency::default(),
            method,
            warnings: Vec::new(),
            stopped: None,
            events: Vec::new(),
            log: RunLog::none(),
        }
    }

    /// Converts the states and the systems after events to another problem.
    pub(crate) fn into_plain<Q: Problem>(self, by: &mut DualToPlain<'_, P, Q>) -> Trajectory<Q> {
        Trajectory {
            states: converted(self.states, &mut *by.states),
            balances: self.balances,
            statistics: self.statistics,
            steps: self.steps,
            initial: self.initial,
            method: self.method,
            warnings: self.warnings,
            stopped: self.stopped,
            events: converted(self.events, |event| event.into_plain(by)),
            log: self.log.into_plain(by.systems),
        }
    }

    /// Returns true if the last event is at this time.
    pub(crate) fn ends_at_event(&self, time: f64) -> bool {
        self.events.last().is_some_and(|event| event.time == time)
    }

    /// Returns the first recorded state.
    pub fn first(&self) -> Option<&P::State> {
        self.states.first()
    }

    /// Returns the last recorded state.
    pub fn last(&self) -> Option<&P::State> {
        self.states.last()
    }

    /// Returns the outputs of the [controller](crate::simulate::Simulation::controller), in order; empty without a controller.
    pub fn sampled_inputs(&self) -> &[SampledInputs] {
        &self.log.samples
    }

    /// Returns the [events](crate::simulate::event) with this name, in order.
    pub fn events_called(&self, name: &str) -> impl Iterator<Item = &Occurrence<P>> {
        self.events.iter().filter(move |occurrence| occurrence.event == name)
    }

    /// Returns a summary: method, number of steps, times, and energy balance and momentum drift if they are monitored. Every
    /// [warning](Warning) follows in a line of its own.
    ///
    /// `hedop5: 500 steps from t = 0 to 5 in 0.004 s; energy 1 → 0.607, felt −0.393, defect 3.1e-11; momenta drift by 0.393`
    pub fn summary(&self) -> String {
        let Statistics { accepted, rejected, seconds, energy_defect, momentum_drift, .. } = self.statistics;
        if self.states.is_empty() {
            return format!("{}: no recorded state", self.method);
        }
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
        let warnings = self.warnings.iter().map(|warning| format!("\nwarning: {warning}"));
        parts.join("; ") + &warnings.collect::<String>()
    }

    /// Evaluates a function at every recorded state, with the system as it was there.
    pub(super) fn with_systems<T>(&self, system: &P::System, evaluate: impl Fn(&P::System, &P::State) -> T) -> Vec<T> {
        let value = |(number, state): (usize, &P::State)| {
            self.log.with_system(system, (number, state.time()), |system| evaluate(system, state))
        };
        self.states.iter().enumerate().map(value).collect()
    }

    /// Returns the warnings of the run.
    ///
    /// Runs check the following limits, in addition to the warnings that are described at [`Warning`]: 1 % of numerical energy gain, and 0.1 %
    /// of constraint violation.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Calls `show` with the requested states and the system at each of them. If only output times are requested, other states that events
    /// record are omitted. The last state of a stopped run is the last one, even if it is also a sample.
    #[cfg(feature = "ensemble")]
    pub(crate) fn for_each_asked(&self, system: &P::System, mut show: impl FnMut(&P::System, &P::State)) {
        let mut samples = self.log.samples_alone.as_deref();
        for (number, state) in self.states.iter().enumerate() {
            let is_stopped = self.stopped.is_some() && number + 1 == self.states.len();
            let is_asked = match &mut samples {
                Some([time, later @ ..]) if *time <= state.time() => {
                    samples = Some(later);
                    true
                }
                Some(_) => false,
                None => !is_stopped,
            };
            for _ in 0..usize::from(is_asked) + usize::from(is_stopped) {
                self.log.with_system(system, (number, state.time()), |system| show(system, state));
            }
        }
    }

    /// Returns the reason for a stop before the end time.
    #[cfg(feature = "ensemble")]
    pub(crate) fn stopped_by(&self) -> Option<String> {
        let time = self.stopped?;
        Some(match self.events.last().filter(|event| event.time == time) {
            Some(event) => format!("stopped by event `{}` at t = {time:?}", event.event),
            None => format!("stopped by an observer at t = {time:?}"),
        })
    }

    /// Evaluates a function at a recorded state, with the system as it was there.
    #[cfg(feature = "estimation")]
    pub(crate) fn with_system_at<T>(
        &self,
        system: &P::System,
        number: usize,
        evaluate: impl FnOnce(&P::System, &P::State) -> T,
    ) -> T {
        let state = &self.states[number];
        self.log.with_system(system, (number, state.time()), |system| evaluate(system, state))
    }

    /// Returns the recorded times.
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
            warnings: self.warnings.clone(),
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
