//! An event that is looked for, with what is known of its function.

use super::root_finding::{Bracket, nearest_to_zero};
use super::stepper::Stepper;
use crate::integrator::Solution;
use crate::simulate::event::{Event, Location};
use crate::simulate::failure::Failure;
use crate::simulate::motion::{ScalarOf, Simulated};

/// Part of a step after which the slope of an event's function is looked at.
const NUDGE: f64 = 1e-6;
/// Under this part of the largest value that a function has had it is zero where an event has just been.
const TOUCHING: f64 = 1e-12;
/// Parts of a step that are not looked into.
pub(super) const SHORTEST: f64 = 1e-9;

/// An event with what is known of its function where the next step begins.
pub(super) struct MonitoredEvent<'a, P: Simulated> {
    pub event: Event<'a, P>,
    pub value: f64,
    /// By the time.
    pub slope: f64,
    /// The value where an event has just been, before the state was brought onto the constraints.
    pub unprojected: f64,
    /// The sign that the function has, or is about to have; zero if neither is known.
    pub side: f64,
    /// The largest value so far.
    pub scale: f64,
    /// By how much it changes while the time is the same number: late times have few digits behind the point. After an event the round-off
    /// of its value as well, and of an event that has just been the change over what it is located to.
    pub resolution: f64,
    /// True if its value changes with the state, as it was after the last event.
    pub is_of_state: bool,
    /// The size of its slope where it has been found last.
    pub slope_near: f64,
    /// By how much it changes over the interval within which it has just been located.
    pub located: f64,
    /// When it has changed something last.
    pub last: Option<f64>,
}

/// An event that is found in a step.
pub(super) struct FoundEvent<S> {
    pub event: usize,
    pub rising: bool,
    pub state: S,
}

/// A moment, as a part of a step of size h, that is a difference of two times.
pub(super) fn nudge(time: f64, h: f64) -> f64 {
    (time + NUDGE * h).max(time.next_up()) - time
}

impl<'a, P: Simulated> MonitoredEvent<'a, P> {
    /// Nothing is known yet.
    pub fn of(event: Event<'a, P>) -> Self {
        MonitoredEvent {
            event,
            value: 0.0,
            slope: 0.0,
            unprojected: 0.0,
            side: 0.0,
            scale: 0.0,
            resolution: 0.0,
            is_of_state: false,
            slope_near: 0.0,
            located: 0.0,
            last: None,
        }
    }

    /// The value of the function.
    pub fn at(&mut self, system: &P::System, state: &P::State) -> Result<f64, Failure> {
        self.event.value(system, state)
    }

    /// What is known of an event of this number in a step of about this size.
    pub fn location(&self, event: usize, step: f64) -> Location {
        Location { event, step, scale: self.scale }
    }

    /// Carries a state to the event as it moves, see [`Event::carry`].
    pub fn carry(
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
    pub fn sign(&self, value: f64, slope: f64) -> f64 {
        let zero = self.resolution.max(TOUCHING * self.scale);
        let signum = |number: f64| if number.abs() > zero { number.signum() } else { 0.0 };
        if value.abs() > zero { signum(value) } else { signum(slope) }
    }

    /// Looks where in a step the function changes its sign: once, or twice where a cubic dips towards zero. At the end it has
    /// this value and this slope by the step. What is found stands in the order of time.
    pub fn search(
        &mut self,
        event: usize,
        [value, slope]: [f64; 2],
        stepper: &mut Stepper<'_, P>,
        (from, to): (&P::State, &P::State),
        here: &mut P::State,
        found: &mut Vec<FoundEvent<P::State>>,
    ) -> Result<(), Failure> {
        let h = to.time() - from.time();
        let (side, side_after) = (self.side, self.sign(value, slope));
        if side == 0.0 || side_after == 0.0 {
            return Ok(());
        }
        let mut at = |monitored: &mut Self, part: f64| {
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
            Ok((monitored.at(stepper.source.system(), here)?, here.clone()))
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
                found.insert(place, FoundEvent { event, rising, state });
            }
            rising = !rising;
        }
        Ok(())
    }
}
