//! An event function during a run: its last value, its sign and its scale.

use super::root_finding::{Bracket, nearest_to_zero};
use super::stepper::Stepper;
use crate::integrator::Solution;
use crate::simulate::event::{Event, Location};
use crate::simulate::failure::Failure;
use crate::simulate::motion::{Motion, ScalarOf, Simulated};

/// Part of a step after which the time derivative of an event function is evaluated.
const NUDGE: f64 = 1e-6;
/// A value below this part of the largest value counts as zero immediately after an event.
const TOUCHING: f64 = 1e-12;
/// Smallest part of a step that is searched.
pub(super) const SHORTEST: f64 = 1e-9;

/// An event and the data of its function at the beginning of the next step.
pub(super) struct MonitoredEvent<'a, P: Simulated> {
    pub event: Event<'a, P>,
    pub value: f64,
    /// Derivative with respect to time.
    pub slope: f64,
    /// The value immediately after an event, before the projection onto the constraint manifold.
    pub unprojected: f64,
    /// The current or next sign of the function; zero if it is unknown.
    pub side: f64,
    /// The largest absolute value so far.
    pub scale: f64,
    /// Uncertainty of the value. It results from the resolution of the time. After an event, the round-off of the value is added, and for
    /// the event itself its change within the location interval.
    pub resolution: f64,
    /// True if the value depended on the state after the last event.
    pub is_of_state: bool,
    /// The absolute derivative at the last location.
    pub slope_near: f64,
    /// Change of the value within the last location interval.
    pub located: f64,
    /// The time of the last change by the event.
    pub last: Option<f64>,
}

/// An event that was located in a step.
pub(super) struct FoundEvent<S> {
    pub event: usize,
    pub rising: bool,
    pub state: S,
}

/// Returns a small time offset for a step of size h. It is an exact difference of two times.
pub(super) fn nudge(time: f64, h: f64) -> f64 {
    (time + NUDGE * h).max(time.next_up()) - time
}

impl<'a, P: Simulated> MonitoredEvent<'a, P> {
    /// Creates the record of an event without data.
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

    /// Returns the value of the function.
    pub fn at(&mut self, system: &P::System, state: &P::State) -> Result<f64, Failure> {
        self.event.value(system, state)
    }

    /// Returns the time derivative at a state by the difference to the state `later` after a nudge. At the end of a table of inputs, the
    /// function has no value later: the derivative is the difference to an `earlier` state.
    pub fn time_derivative(
        &mut self,
        system: &P::System,
        (state, value): (&P::State, f64),
        (later, nudge): (&P::State, f64),
        earlier: &mut P::State,
    ) -> Result<f64, Failure> {
        if let Ok(next) = self.at(system, later) {
            return Ok((next - value) / nudge);
        }
        state.moved(system, -nudge, earlier);
        Ok((value - self.at(system, earlier)?) / nudge)
    }

    /// Returns the location data of this event for a step of this size.
    pub fn location(&self, event: usize, step: f64) -> Location {
        Location { event, step, scale: self.scale }
    }

    /// Moves a state to the event, see [`Event::carry`].
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

    /// Returns the sign of a value. If the value is zero, the sign follows from the derivative; zero if both vanish.
    pub fn sign(&self, value: f64, slope: f64) -> f64 {
        let zero = self.resolution.max(TOUCHING * self.scale);
        let signum = |number: f64| if number.abs() > zero { number.signum() } else { 0.0 };
        if value.abs() > zero { signum(value) } else { signum(slope) }
    }

    /// Checks a function that must not be negative, at the start or at the end of a step. At the start a function of zero must not decrease.
    pub fn ensure_one_sided(&self, time: f64, is_start: bool) -> Result<(), Failure> {
        let Some(limit) = self.event.settings.one_sided else { return Ok(()) };
        let is_negative = if is_start { self.side < 0.0 } else { self.sign(self.value, 0.0) < 0.0 };
        let recovers = !is_start && limit.may_recover && self.slope > 0.0;
        if is_negative && !recovers {
            return Err(self.event.failed(time, (limit.error)(self.value)));
        }
        Ok(())
    }

    /// Searches a step for sign changes of the function: one, or two if a cubic interpolant approaches zero. `value` and `slope` (with
    /// respect to the relative step) are those at the end of the step. The results are sorted by time.
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
            // In a step of little more than the round-off of the time, interior times coincide with an end.
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
        // Immediately after an event, the value is round-off and the side is known.
        let first = if self.sign(self.value, 0.0) == side { self.value } else { 0.0 };
        let mut crossings: [Option<Bracket>; 2] = [None; 2];
        if side * side_after < 0.0 {
            let mut start = (0.0, first);
            // The function leaves zero towards its side and returns within the step.
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
            if self.event.settings.crossing.admits(rising) {
                let part = if bracket.holds_a_root() {
                    bracket.root(&mut |part| at(self, part).map(|(value, _)| value))?.0
                } else if bracket.values[0] == 0.0 {
                    // The function has left zero towards the other side.
                    bracket.ends[0]
                } else {
                    // The function is zero at the end and leaves its side there.
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
