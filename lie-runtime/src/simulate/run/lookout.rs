//! Who looks for events in the steps of a run.

use std::sync::Arc;

use super::locate::{Bracket, nearest_to_zero};
use super::round_off;
use super::stepper::Stepper;
use crate::integrator::{Problem, Solution};
use crate::scalar::Scalar;
use crate::simulate::event::{Action, Event, Location, Made, Occurrence};
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};

/// Part of a step after which the slope of an event's function is looked at.
const NUDGE: f64 = 1e-6;
/// Under this part of the largest value that a function has had it is zero where an event has just been.
const TOUCHING: f64 = 1e-12;
/// Parts of a step that are not looked into.
const SHORTEST: f64 = 1e-9;
/// So many events without a whole step in between are no motion.
const CHATTERING: usize = 100;

/// Who looks for events in the steps of a run.
pub(super) struct Lookout<'a, P: Simulated> {
    watched: Vec<Watched<'a, P>>,
    /// Those that have taken place.
    pub occurrences: Vec<Occurrence<P>>,
    /// A state within a step.
    here: P::State,
    /// A state a moment later.
    later: P::State,
    /// Events that have cut a step since the last whole one.
    in_a_row: usize,
}

/// An event with what is known of its function where the next step begins.
struct Watched<'a, P: Simulated> {
    event: Event<'a, P>,
    value: f64,
    /// By the time.
    slope: f64,
    /// The value where an event has just been, before the state was brought onto the constraints.
    given: f64,
    /// The sign that the function has, or is about to have; zero if neither is known.
    side: f64,
    /// The largest value so far.
    scale: f64,
    /// By how much it changes while the time is the same number: late times have few digits behind the point.
    resolution: f64,
    /// When it has changed something last.
    last: Option<f64>,
}

/// The system that an event leaves, if it may have changed, and whether the run ends.
type Taken<P> = (Option<Arc<<P as Problem>::System>>, bool);

/// An event that is found in a step.
struct Found<S> {
    event: usize,
    rising: bool,
    state: S,
}

/// What is found in a step that ends it before its time.
pub(super) struct Cut<S> {
    /// The number of the event.
    event: usize,
    rising: bool,
    /// The state there.
    pub state: S,
    /// How its time changes with what a run is differentiated by, if it ends the run.
    time_slope: f64,
    /// True if the run ends there.
    pub ends: bool,
    /// The events that are at the same time, and whether they rise: they come after it.
    with_it: Vec<(usize, bool)>,
}

impl<'a, P: Simulated> Lookout<'a, P> {
    /// Looks for these events from the first state on.
    pub fn of(events: Vec<Event<'a, P>>, system: &P::System, state: &P::State, step: f64) -> Result<Self, Failure> {
        let watched = events.into_iter().map(|event| Watched {
            event,
            value: 0.0,
            slope: 0.0,
            given: 0.0,
            side: 0.0,
            scale: 0.0,
            resolution: 0.0,
            last: None,
        });
        let mut lookout = Lookout {
            watched: watched.collect(),
            occurrences: Vec::new(),
            here: state.clone(),
            later: state.clone(),
            in_a_row: 0,
        };
        lookout.begin(system, state, state, step)?;
        Ok(lookout)
    }

    /// Looks where the functions are in a state that no step has led to, on the side on which it was `given`, before it was brought onto the
    /// constraints; steps are about so large.
    fn begin(&mut self, system: &P::System, state: &P::State, given: &P::State, step: f64) -> Result<(), Failure> {
        let nudge = nudge(state.time(), step);
        state.moved(system, nudge, &mut self.later);
        for watched in &mut self.watched {
            let value = watched.at(system, state)?;
            watched.slope = (watched.at(system, &self.later)? - value) / nudge;
            watched.resolution = watched.slope.abs() * round_off(state.time());
            (watched.value, watched.scale) = (value, watched.scale.max(value.abs()));
            watched.given = watched.at(system, given)?;
            watched.side = watched.sign(watched.given, step * watched.slope);
        }
        Ok(())
    }

    /// Looks at a step: notes the events in it up to the first one that cuts it, which is the answer, in a box: hardly any step has one.
    pub fn look(
        &mut self,
        stepper: &mut Stepper<'_, P>,
        from: &P::State,
        to: &P::State,
    ) -> Result<Option<Box<Cut<P::State>>>, Failure> {
        if self.watched.is_empty() {
            return Ok(None);
        }
        let h = to.time() - from.time();
        let mut found = Vec::new();
        let nudge = nudge(to.time(), h);
        to.moved(stepper.given.system(), nudge, &mut self.later);
        let Lookout { watched, here, later, .. } = self;
        for (event, watched) in watched.iter_mut().enumerate() {
            let system = stepper.given.system();
            let value = watched.at(system, to)?;
            let slope = (watched.at(system, later)? - value) / nudge;
            watched.resolution = watched.slope.abs().max(slope.abs()) * round_off(to.time());
            watched.scale = watched.scale.max(value.abs());
            watched.search(event, [value, h * slope], stepper, (from, to), here, &mut found)?;
            (watched.value, watched.slope) = (value, slope);
            let side = watched.sign(value, h * slope);
            if side != 0.0 {
                watched.side = side;
            }
        }
        let mut found = found.into_iter();
        while let Some(Found { event, rising, mut state }) = found.next() {
            let watched = &mut self.watched[event];
            let (notes, ends) =
                (matches!(watched.event.action, Action::Note), matches!(watched.event.action, Action::Stop));
            // What changes a motion takes place in it, what does not moves with the event.
            let time_slope =
                if notes || ends { watched.carry(event, stepper.given.system(), &mut state, h)?.slope() } else { 0.0 };
            if !notes {
                let latest = state.time() + (SHORTEST * h).max(round_off(state.time()));
                let mut with_it = Vec::new();
                for Found { event, rising, mut state } in found.take_while(|other| other.state.time() <= latest) {
                    let watched = &mut self.watched[event];
                    // Before anything changes.
                    if matches!(watched.event.action, Action::Note) {
                        let time_slope = watched.carry(event, stepper.given.system(), &mut state, h)?.slope();
                        self.note((event, h), rising, time_slope, state);
                    } else {
                        with_it.push((event, rising));
                    }
                }
                return Ok(Some(Box::new(Cut { event, rising, state, time_slope, ends, with_it })));
            }
            self.note((event, h), rising, time_slope, state);
        }
        self.in_a_row = 0;
        Ok(None)
    }

    /// Notes an event that changes nothing.
    fn note(&mut self, (event, step): (usize, f64), rising: bool, time_slope: f64, state: P::State) {
        let (name, time) = (self.watched[event].event.name.clone(), state.time());
        self.occurrences.push(Occurrence {
            location: self.watched[event].location(event, step),
            event: name,
            time,
            time_slope,
            rising,
            before: state,
            after: None,
            system: None,
            impulses: Vec::new(),
        });
    }

    /// Lets the event that has cut a step take place in the `state` there; the system that it leaves, and whether the run ends.
    /// The next step is to be about so large.
    pub fn take_place(
        &mut self,
        cut: Cut<P::State>,
        stepper: &mut Stepper<'a, P>,
        state: &mut P::State,
        step: f64,
    ) -> Result<Taken<P>, Failure> {
        let Cut { event, rising, state: mut before, time_slope, with_it, .. } = cut;
        let watched = &mut self.watched[event];
        let (name, time) = (watched.event.name.clone(), before.time());
        let failed = |error| Failure::Event { event: name.clone(), time, error: Box::new(error) };
        if matches!(watched.event.action, Action::Stop) {
            self.note((event, step), rising, time_slope, before);
            return Ok((None, true));
        }
        self.in_a_row += 1;
        let at_once = watched.last.is_some_and(|last| time - last <= SHORTEST * step);
        if at_once || self.in_a_row > CHATTERING {
            return Err(failed(EventError::Chattering { times: self.in_a_row }));
        }
        watched.last = Some(time);
        let location = watched.location(event, step);
        let by = watched.event.carry(stepper.given.system(), &mut before, &location)?;
        if ScalarOf::<P>::HAS_DERIVATIVES {
            state.clone_from(&before);
        }
        let Action::Change(change) = &mut watched.event.action else { return Ok((None, true)) };
        let Some(Made { struck, ends, as_changed }) = stepper.change(&name, change, state, by)? else {
            return Ok((None, false));
        };
        let left = change.copy(stepper.given.system());
        self.begin(stepper.given.system(), state, &as_changed, step)?;
        // What is zero with it, and still is, has yet to leave its side.
        for (other, rising) in with_it {
            let other = &mut self.watched[other];
            if other.sign(other.given, 0.0) == 0.0 {
                other.side = if rising { -1.0 } else { 1.0 };
            }
        }
        // Back at once to where it came from.
        let watched = &mut self.watched[event];
        if watched.side == 0.0 {
            watched.side = if rising { -1.0 } else { 1.0 };
        }
        let after = Some(state.clone());
        let system = Some(left.clone());
        let time_slope = by.slope();
        self.occurrences.push(Occurrence {
            event: name,
            time,
            time_slope,
            rising,
            before,
            after,
            system,
            impulses: struck,
            location,
        });
        Ok((Some(left), ends))
    }

    /// What the states that are kept take, of so many bytes each.
    pub fn bytes(&self, state: u64) -> u64 {
        2 * state * self.occurrences.len() as u64
    }
}

/// A moment, as a part of a step of size h, that is a difference of two times.
fn nudge(time: f64, h: f64) -> f64 {
    (time + NUDGE * h).max(time.next_up()) - time
}

impl<P: Simulated> Watched<'_, P> {
    /// The value of the function.
    fn at(&mut self, system: &P::System, state: &P::State) -> Result<f64, Failure> {
        self.event.value(system, state)
    }

    /// What is known of an event of this number in a step of about this size.
    fn location(&self, event: usize, step: f64) -> Location {
        Location { event, step, scale: self.scale }
    }

    /// Carries a state to the event as it moves, see [`Event::carry`].
    fn carry(
        &mut self,
        event: usize,
        system: &P::System,
        state: &mut P::State,
        step: f64,
    ) -> Result<ScalarOf<P>, Failure> {
        let location = self.location(event, step);
        self.event.carry(system, state, &location)
    }

    /// The sign of a value; of one that is zero, the sign that it is about to have by this slope; zero if it stays there.
    fn sign(&self, value: f64, slope: f64) -> f64 {
        let zero = self.resolution.max(TOUCHING * self.scale);
        let signum = |number: f64| if number.abs() > zero { number.signum() } else { 0.0 };
        if value.abs() > zero { signum(value) } else { signum(slope) }
    }

    /// Looks where in a step the function changes its sign: once, or twice where a cubic dips towards zero. At the end it has
    /// this value and this slope by the step. What is found stands in the order of time.
    fn search(
        &mut self,
        event: usize,
        [value, slope]: [f64; 2],
        stepper: &mut Stepper<'_, P>,
        (from, to): (&P::State, &P::State),
        here: &mut P::State,
        found: &mut Vec<Found<P::State>>,
    ) -> Result<(), Failure> {
        let h = to.time() - from.time();
        let (side, side_after) = (self.side, self.sign(value, slope));
        if side == 0.0 || side_after == 0.0 {
            return Ok(());
        }
        let mut at = |watched: &mut Self, part: f64| {
            let time = from.time() + part * h;
            // Of a step of little more than the round-off of the time hardly a part is another time than its ends.
            if part <= 0.0 || time <= from.time() {
                here.clone_from(from);
            } else if part >= 1.0 || time >= to.time() {
                here.clone_from(to);
            } else {
                stepper.sample(from, to, time, here).map_err(Failure::Step)?;
                here.set_time(time);
                stepper.complete(here, part)?;
            }
            Ok((watched.at(stepper.given.system(), here)?, here.clone()))
        };
        // Where an event has just been, the value is round-off and the side is known.
        let first = if self.sign(self.value, 0.0) == side { self.value } else { 0.0 };
        let mut crossings: [Option<Bracket>; 2] = [None; 2];
        if side * side_after < 0.0 {
            let mut start = (0.0, first);
            // It leaves zero for its side, and comes back within the step.
            let mut part = 0.5;
            while start.1 == 0.0 && part > SHORTEST {
                let (value, _) = at(self, part)?;
                if self.sign(value, 0.0) == side {
                    start = (part, value);
                }
                part *= 0.5;
            }
            crossings[0] = Some(Bracket { ends: [start.0, 1.0], values: [start.1, value] });
        } else if let Some(dip) = nearest_to_zero([side * first, side * value], [side * h * self.slope, side * slope]) {
            let (lowest, _) = at(self, dip)?;
            if self.sign(lowest, 0.0) == -side {
                crossings = [([0.0, dip], [first, lowest]), ([dip, 1.0], [lowest, value])]
                    .map(|(ends, values)| Some(Bracket { ends, values }));
            }
        }
        let mut rising = side < 0.0;
        for bracket in crossings.into_iter().flatten() {
            if self.event.crossing.is(rising) {
                let part = if bracket.holds_a_root() {
                    bracket.root(&mut |part| at(self, part).map(|(value, _)| value))?.0
                } else if bracket.values[0] == 0.0 {
                    // It has left zero for the other side.
                    bracket.ends[0]
                } else {
                    // It ends on zero, about to leave its side.
                    bracket.ends[1]
                };
                let state = at(self, part)?.1;
                let place = found.partition_point(|other| other.state.time() <= state.time());
                found.insert(place, Found { event, rising, state });
            }
            rising = !rising;
        }
        Ok(())
    }
}
