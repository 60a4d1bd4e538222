//! Event detection: searches for zero crossings of the event functions within each step.

use std::sync::Arc;

use super::monitored_event::{FoundEvent, MonitoredEvent, SHORTEST, nudge};
use super::root_finding::RESOLUTION;
use super::round_off;
use super::stepper::Stepper;
use crate::integrator::{Problem, Solution};
use crate::scalar::Scalar;
use crate::simulate::event::{Action, Event, GroupOutcome, Occurrence};
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::simulate::warning::Warning;

/// Events are simultaneous if their times differ by at most this multiple of their location uncertainty.
const COINCIDING: f64 = 4.0;
/// Number of consecutive events without a complete step that is reported as chattering.
const CHATTERING: usize = 100;

/// Searches for events in the steps of a run.
pub(super) struct EventDetector<'a, P: Simulated> {
    monitored: Vec<MonitoredEvent<'a, P>>,
    /// The events that have occurred.
    pub occurrences: Vec<Occurrence<P>>,
    /// Buffer for a state within a step.
    here: P::State,
    /// Buffer for a state shortly after `here`.
    later: P::State,
    /// Number of interrupted steps since the last complete step.
    in_a_row: usize,
    /// Warnings of event functions that were zero up to round-off after an event.
    pub warnings: Vec<Warning>,
}

/// The system after an event, if it may have changed, and true if the run ends.
type Taken<P> = (Option<Arc<<P as Problem>::System>>, bool);

/// A step that is interrupted by a group of simultaneous events.
pub(super) struct Interruption<S> {
    /// The acting events in the order of their declaration, each with true if its function rises.
    group: Vec<(usize, bool)>,
    /// The state at the events.
    pub state: S,
    /// Derivative of the time of the first event with respect to the differentiated data, if it ends the run.
    time_derivative: f64,
    /// True if the run ends at the events and nothing changes before.
    pub ends: bool,
}

impl<'a, P: Simulated> EventDetector<'a, P> {
    /// Initialises the search at the first state.
    pub fn of(events: Vec<Event<'a, P>>, system: &P::System, state: &P::State, step: f64) -> Result<Self, Failure> {
        let mut detector = EventDetector {
            monitored: events.into_iter().map(MonitoredEvent::of).collect(),
            occurrences: Vec::new(),
            here: state.clone(),
            later: state.clone(),
            in_a_row: 0,
            warnings: Vec::new(),
        };
        detector.begin(system, state, state, step)?;
        for monitored in &detector.monitored {
            monitored.ensure_one_sided(state.time(), true)?;
        }
        Ok(detector)
    }

    /// Evaluates the event functions in a state that was not reached by a step. The signs are taken from the `unprojected` state, before
    /// its projection onto the constraint manifold. `step` is the approximate step size.
    fn begin(
        &mut self,
        system: &P::System,
        state: &P::State,
        unprojected: &P::State,
        step: f64,
    ) -> Result<(), Failure> {
        let nudge = nudge(state.time(), step);
        let EventDetector { monitored, here, later, .. } = self;
        state.moved(system, nudge, later);
        for monitored in monitored.iter_mut() {
            let value = monitored.at(system, state)?;
            monitored.slope = monitored.time_derivative(system, (state, value), (later, nudge), here)?;
            monitored.unprojected = monitored.at(system, unprojected)?;
            (monitored.value, monitored.scale) = (value, monitored.scale.max(value.abs()));
        }
        for sign in [1.0, -1.0] {
            unprojected.disturbed(system, (sign, step), here);
            for monitored in monitored.iter_mut() {
                // If the disturbed function cannot be evaluated, its round-off is unknown.
                let round_off = monitored.at(system, here).map_or(0.0, |value| (value - monitored.unprojected).abs());
                monitored.resolution = if sign > 0.0 { round_off } else { monitored.resolution.max(round_off) };
            }
        }
        for monitored in monitored.iter_mut() {
            monitored.is_of_state = monitored.resolution > 0.0;
            // The difference quotient contains the round-off of two values.
            let uncertain = 2.0 * monitored.resolution / nudge;
            let slope = if monitored.slope.abs() > uncertain { monitored.slope } else { 0.0 };
            let late = monitored.slope.abs() * round_off(state.time());
            monitored.resolution = monitored.resolution.max(late).max(core::mem::take(&mut monitored.located));
            monitored.side = monitored.sign(monitored.unprojected, step * slope);
            if monitored.side == 0.0 && monitored.event.settings.one_sided.is_some_and(|limit| limit.starts_positive) {
                monitored.side = 1.0;
            }
        }
        Ok(())
    }

    /// Searches a step for events. Records the events up to the first one that interrupts the step, and returns that one. The result is
    /// boxed because it is rare.
    pub fn look(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        from: &P::State,
        to: &P::State,
    ) -> Result<Option<Box<Interruption<P::State>>>, Failure> {
        if self.monitored.is_empty() {
            return Ok(None);
        }
        let h = to.time() - from.time();
        let mut found = Vec::new();
        let nudge = nudge(to.time(), h);
        to.moved(stepper.source.system(), nudge, &mut self.later);
        let EventDetector { monitored, here, later, .. } = self;
        for (event, monitored) in monitored.iter_mut().enumerate() {
            let system = stepper.source.system();
            let value = monitored.at(system, to)?;
            let slope = monitored.time_derivative(system, (to, value), (later, nudge), here)?;
            monitored.resolution = monitored.slope.abs().max(slope.abs()) * round_off(to.time());
            monitored.scale = monitored.scale.max(value.abs());
            monitored.search(event, [value, h * slope], stepper, (from, to), here, &mut found)?;
            (monitored.value, monitored.slope) = (value, slope);
            let side = monitored.sign(value, h * slope);
            if side != 0.0 {
                monitored.side = side;
            }
        }
        let mut found = found.into_iter();
        while let Some(FoundEvent { event, rising, mut state }) = found.next() {
            let monitored = &mut self.monitored[event];
            let (notes, ends) =
                (matches!(monitored.event.action, Action::Record), matches!(monitored.event.action, Action::Stop));
            // An event that changes the motion occurs at a fixed state. Any other event moves with the differentiated data.
            let time_derivative = if notes || ends {
                monitored.carry(event, stepper.source.system(), &mut state, h)?.slope()
            } else {
                0.0
            };
            if !notes {
                let (mut group, mut ends) = (vec![(event, rising)], ends);
                let own = self.uncertainty(event, stepper.source.system(), &state, h)?;
                for FoundEvent { event, rising, state: mut other } in found {
                    let uncertain = own.max(self.uncertainty(event, stepper.source.system(), &other, h)?);
                    if other.time() > state.time() + COINCIDING * uncertain {
                        break;
                    }
                    let monitored = &mut self.monitored[event];
                    // Recorded before the changes.
                    if matches!(monitored.event.action, Action::Record) {
                        let time_derivative = monitored.carry(event, stepper.source.system(), &mut other, h)?.slope();
                        self.note((event, h), rising, time_derivative, other);
                    } else {
                        monitored.located = monitored.slope_near * (other.time() - state.time());
                        ends &= matches!(monitored.event.action, Action::Stop);
                        group.push((event, rising));
                    }
                }
                group.sort_unstable();
                group.dedup_by_key(|(event, _)| *event);
                return Ok(Some(Box::new(Interruption { group, state, time_derivative, ends })));
            }
            self.note((event, h), rising, time_derivative, state);
        }
        for monitored in &self.monitored {
            monitored.ensure_one_sided(to.time(), false)?;
        }
        self.in_a_row = 0;
        Ok(None)
    }

    /// Returns the uncertainty of the time of an event at this state, for a step of this size. It results from the search, from the
    /// resolution of the time, and from the round-off of the event function.
    fn uncertainty(&mut self, event: usize, system: &P::System, state: &P::State, step: f64) -> Result<f64, Failure> {
        let EventDetector { monitored, here, later, .. } = self;
        let monitored = &mut monitored[event];
        let (nudge, value) = (nudge(state.time(), step), monitored.at(system, state)?);
        state.moved(system, nudge, later);
        monitored.slope_near = monitored.time_derivative(system, (state, value), (later, nudge), here)?.abs();
        let mut of_value = 0.0_f64;
        for sign in [1.0, -1.0] {
            state.disturbed(system, (sign, step), here);
            of_value = monitored.at(system, here).map_or(of_value, |disturbed| of_value.max((disturbed - value).abs()));
        }
        let longest = SHORTEST * step;
        let of_function =
            if of_value < longest * monitored.slope_near { of_value / monitored.slope_near } else { longest };
        Ok(of_function.max(RESOLUTION * step).max(round_off(state.time())))
    }

    /// Records an event that changes nothing.
    fn note(&mut self, (event, step): (usize, f64), rising: bool, time_derivative: f64, state: P::State) {
        let (name, time) = (self.monitored[event].event.settings.name.clone(), state.time());
        self.occurrences.push(Occurrence {
            location: self.monitored[event].location(event, step),
            event: name,
            time,
            time_derivative,
            rising,
            before: state,
            after: None,
            system: None,
            impulses: Vec::new(),
            simultaneous: Vec::new(),
        });
    }

    /// Applies the group of events that interrupts a step to `state`. Returns the system after the events and true if the run ends. `step`
    /// is the approximate size of the next step.
    pub fn apply_group(
        &mut self,
        cut: Interruption<P::State>,
        stepper: &mut Stepper<'a, P>,
        state: &mut P::State,
        step: f64,
    ) -> Result<Taken<P>, Failure> {
        let Interruption { group, state: mut before, time_derivative, ends, .. } = cut;
        let [(first, _), others @ ..] = &group[..] else { return Ok((None, false)) };
        let (time, names) = (before.time(), self.names(&group));
        let failed = |event: usize, error| Failure::Event { event: names[event].clone(), time, error: Box::new(error) };
        if !others.is_empty() && self.monitored[*first].event.settings.is_differentiated {
            return Err(failed(0, EventError::Simultaneous { with: names[1..].to_vec() }));
        }
        if ends {
            for &(event, rising) in &group {
                self.note((event, step), rising, time_derivative, before.clone());
            }
            self.tell_of_group(&names);
            return Ok((None, true));
        }
        self.in_a_row += 1;
        for (at, &(event, _)) in group.iter().enumerate() {
            let monitored = &mut self.monitored[event];
            let shortest = COINCIDING * (RESOLUTION * step).max(round_off(time));
            let at_once = monitored.last.is_some_and(|last| time - last <= shortest);
            if at_once || self.in_a_row > CHATTERING {
                return Err(failed(at, EventError::Chattering { times: self.in_a_row }));
            }
            monitored.last = Some(time);
        }
        let location = self.monitored[*first].location(*first, step);
        // Derivatives of a group of several events do not exist.
        let by = self.monitored[*first].event.carry(stepper.source.system(), &mut before, &location)?;
        if ScalarOf::<P>::HAS_DERIVATIVES {
            state.clone_from(&before);
        }
        let is_in_group = |event: usize| group.iter().any(|(one, _)| *one == event);
        let (mut acting, mut stops) = (Vec::new(), false);
        let mut places = vec![None; group.len()];
        for (event, monitored) in self.monitored.iter_mut().enumerate().filter(|(event, _)| is_in_group(*event)) {
            match &mut monitored.event.action {
                Action::Change(change) => {
                    let at = group.partition_point(|(one, _)| *one < event);
                    places[at] = Some(acting.len());
                    acting.push((monitored.event.settings.name.clone(), change));
                }
                Action::Stop => stops = true,
                Action::Record => {}
            }
        }
        let Some(GroupOutcome { mut impulses, ends, as_changed }) = stepper.change(&mut acting, state, by)? else {
            return Ok((None, false));
        };
        let left = acting.first().map(|(_, change)| change.copy(stepper.source.system()));
        self.begin(stepper.source.system(), state, &as_changed, step)?;
        for &(event, rising) in &group {
            // If the function returns to the same side immediately, the side is known.
            let monitored = &mut self.monitored[event];
            if monitored.side == 0.0 {
                monitored.side = if rising { -1.0 } else { 1.0 };
            }
        }
        self.warn_of_round_off(&names, is_in_group, time);
        for (&(event, rising), place) in group.iter().zip(&places) {
            self.occurrences.push(Occurrence {
                location: self.monitored[event].location(event, step),
                event: self.monitored[event].event.settings.name.clone(),
                time,
                time_derivative: by.slope(),
                rising,
                before: before.clone(),
                after: Some(state.clone()),
                system: left.clone(),
                impulses: place.map_or_else(Vec::new, |place| core::mem::take(&mut impulses[place])),
                simultaneous: Vec::new(),
            });
        }
        self.tell_of_group(&names);
        Ok((left, ends || stops))
    }

    fn names(&self, group: &[(usize, bool)]) -> Vec<String> {
        group.iter().map(|(event, _)| self.monitored[*event].event.settings.name.clone()).collect()
    }

    /// Lists the other events of the group in each of the last occurrences.
    fn tell_of_group(&mut self, names: &[String]) {
        let first = self.occurrences.len() - names.len();
        for (at, occurrence) in self.occurrences[first..].iter_mut().enumerate() {
            let others = names.iter().enumerate().filter(|(other, _)| *other != at);
            occurrence.simultaneous = others.map(|(_, name)| name.clone()).collect();
        }
    }

    /// Records the functions of other events that are zero up to round-off after this group, so that their signs are unknown.
    fn warn_of_round_off(&mut self, after: &[String], is_in_group: impl Fn(usize) -> bool, time: f64) {
        let others = self.monitored.iter().enumerate().filter(|(event, _)| !is_in_group(*event));
        for (_, monitored) in others.filter(|(_, monitored)| monitored.side == 0.0 && monitored.is_of_state) {
            let is_known = |warning: &Warning| {
                matches!(warning, Warning::EventAtRoundOff { event, after: known, .. }
                    if *event == monitored.event.settings.name && known == after)
            };
            if !self.warnings.iter().any(is_known) {
                self.warnings.push(Warning::EventAtRoundOff {
                    event: monitored.event.settings.name.clone(),
                    after: after.to_vec(),
                    time,
                    value: monitored.unprojected,
                });
            }
        }
    }

    /// Returns the memory of the recorded states for a given size of a state, in bytes.
    pub fn bytes(&self, state: u64) -> u64 {
        2 * state * self.occurrences.len() as u64
    }
}
