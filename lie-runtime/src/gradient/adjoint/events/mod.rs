//! The reverse pass through runs with events.
//!
//! The part of a run between two events is a separate run: of the system after the previous event, with a restarted method. The last step
//! before an event is a fraction of a whole step. The cotangents at an event are mapped [across it](crossing).

mod crossing;
mod reading;

use core::ops::ControlFlow;
use std::sync::Arc;

use super::super::error::{Attempted, GradientError};
use super::super::events::Differentiated;
use super::super::objective::Objective;
use super::Adjoint;
use super::adjoint_step::CONSISTENT;
use super::derivatives::{Back, Derivatives, Gradient, names_of};
use super::initial::KktWorkspace;
use super::jacobian::{self, Jacobian};
use super::sweep::{Schedule, Sweep};
use super::times::Times;
use crate::integrator::{Integrator, State, StepError};
use crate::simulate::Occurrence;
use crate::simulate::event::Event;
use crate::simulate::{Motion, SHORT_SAMPLE, Simulation, Trajectory};
use crate::system::{Reverse, TangentSystem};
use crossing::ReverseEventPass;

/// A simulation with a reverse pass, see [`Simulation::with_gradients`].
pub type Gradients<'a, M, I, O> = Differentiated<'a, M, I, O, ReverseMode>;

/// The derivatives of one objective with respect to all variables.
#[doc(hidden)]
pub struct ReverseMode(());

impl<'a, M: TangentSystem, I, O> Simulation<'a, M, I, O> {
    /// Makes the following events functions on dual numbers, for the reverse pass in [`gradient_of`](Gradients::gradient_of).
    #[must_use]
    pub fn with_gradients(self) -> Gradients<'a, M, I, O> {
        Differentiated { simulation: self, wanted: ReverseMode(()), events: Vec::new() }
    }
}

impl<M: TangentSystem, I, O> Gradients<'_, M, I, O> {
    /// Computes the gradient of an objective by a reverse pass through the run and its events, like [`Simulation::gradient_of`] without
    /// events.
    ///
    /// The [trajectory](Gradient::trajectory) contains the states before and after each event that changes the state. All states must fit
    /// into [`Limits::bytes`](crate::simulate::Limits). The function and the change of each such event are called for every component of
    /// the state, and for blocks of parameters that contain a parameter they depend on.
    ///
    /// # Errors
    /// [`GradientError`] if a part of the run has no gradient, or the run did not reach its end.
    pub fn gradient_of(self, objective: &Objective<'_, M>) -> Result<Gradient<M>, Box<GradientError<M>>>
    where
        M: Reverse<Scalar = f64> + Clone + 'static,
        I: Adjoint<M>,
        O: FnMut(&State<M>) -> ControlFlow<()>,
    {
        let (found, trajectory) = self.gone_back_by(|back| back(objective))?;
        Ok(Gradient::of(found, trajectory))
    }

    /// Computes the derivatives of several objectives of one run, like [`Simulation::jacobian_of`] without events.
    ///
    /// # Errors
    /// [`GradientError`], as for [`gradient_of`](Self::gradient_of).
    pub fn jacobian_of<N: AsRef<str>>(
        self,
        objectives: &[Objective<'_, M>],
        names: impl IntoIterator<Item = N>,
    ) -> Result<Jacobian<M>, Box<GradientError<M>>>
    where
        M: Reverse<Scalar = f64> + Clone + 'static,
        I: Adjoint<M>,
        O: FnMut(&State<M>) -> ControlFlow<()>,
    {
        let system = self.simulation.system;
        let directions = jacobian::named(system, names)?;
        Ok(Jacobian::of(system, directions, self.gone_back_by(|back| jacobian::each(objectives, back))?))
    }
}

impl<M, I, O> Gradients<'_, M, I, O>
where
    M: Reverse<Scalar = f64> + TangentSystem + Clone + 'static,
    I: Adjoint<M>,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    /// Runs the simulation once; `passes` runs any number of reverse passes through it and its events.
    fn gone_back_by<T>(
        self,
        passes: impl FnOnce(&mut Back<'_, M>) -> Attempted<M, T>,
    ) -> Attempted<M, (T, Trajectory<M>)> {
        let Differentiated { simulation, mut events, .. } = self;
        if events.is_empty() {
            return simulation.gone_back_by(passes);
        }
        if let Some(refused) = simulation.refused() {
            return Err(Box::new(refused));
        }
        let Simulation { system, initial, integrator, settings, options, observer, .. } = simulation;
        integrator.retraced(system, &initial).map_err(Box::new)?;
        if !integrator.steps_to_events() {
            let method = Integrator::<M>::id(&integrator);
            let why = "interpolates the states at events";
            let instead = "`HalfExplicit::hedop5()`, `GeneralizedAlpha::lie_alpha()` or `TrBdf2::new()`";
            return Err(Box::new(GradientError::Method { method, why, instead }));
        }
        let (given, method) = (initial.clone(), integrator.clone());
        let run = Simulation {
            system,
            initial,
            integrator,
            settings,
            options: options.clone(),
            observer,
            controller: None,
            events: events.iter_mut().map(reading::on_values).collect(),
            audit: None,
        };
        let (mut trajectory, cuts) = recorded(run)?;
        let initial = trajectory.initial;
        let moved = initial.configuration.distance.max(initial.velocity.distance);
        if moved > CONSISTENT {
            return Err(Box::new(GradientError::Inconsistent { moved }));
        }
        let states = core::mem::take(&mut trajectory.states);
        let names = names_of(system);
        let passed = Passed { system, names: &names, states: &states, trajectory: &trajectory, cuts: &cuts };
        let found = passes(&mut |objective| {
            let crossing = ReverseEventPass { events: &mut events, options: &options };
            passed.gone_back(objective, &method, &given, crossing)
        })?;
        trajectory.states = states;
        Ok((found, trajectory))
    }
}

/// The events that have ended a step: the index of the state before each, and the index of the event in the run.
type Cuts = Vec<(usize, usize)>;

/// Runs a simulation and stores all its states; the state after an event follows the state before it.
fn recorded<M, I, O>(mut simulation: Simulation<'_, M, I, O>) -> Attempted<M, (Trajectory<M>, Cuts)>
where
    M: Reverse,
    I: Integrator<M> + Clone,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    let noted: Vec<bool> = simulation.events.iter().map(Event::is_recorded_only).collect();
    let bytes = simulation.settings.limits.bytes;
    let room = bytes / simulation.initial.bytes() as u64;
    let (mut kept, mut is_full) = (Vec::new(), false);
    simulation.settings.output_every = Some(usize::MAX);
    let keep = |state: &State<M>| {
        is_full = kept.len() as u64 >= room;
        if is_full {
            return ControlFlow::Break(());
        }
        kept.push(state.clone());
        ControlFlow::Continue(())
    };
    let mut run = match simulation.on_step(keep).trajectory() {
        Ok(run) => run,
        Err(mut error) => {
            error.trajectory.states = kept;
            return Err(Box::new(GradientError::Run(error)));
        }
    };
    if run.statistics.crossings > 0 {
        return Err(Box::new(GradientError::Crossed { steps: run.statistics.crossings }));
    }
    if is_full {
        return Err(Box::new(GradientError::RoomForEvents { steps: kept.len(), bytes }));
    }
    let cuts = run.events.iter().enumerate().filter(|(_, event)| !noted[event.location.event]);
    let mut cuts = cuts.map(|(number, event)| (number, event.time)).peekable();
    let times: Vec<f64> = kept.iter().map(|state| state.time).collect();
    let (mut states, mut found) = (Vec::with_capacity(kept.len()), Vec::new());
    for (at, state) in kept.into_iter().enumerate() {
        let time = state.time;
        states.push(state);
        let Some(&(number, _)) = cuts.peek().filter(|(_, event)| *event == time) else { continue };
        // The last of several states at one time: each of them has an event.
        let states_left = times[at..].iter().take_while(|other| **other == time).count();
        let cuts_left = run.events[number..].iter().filter(|event| !noted[event.location.event] && event.time == time);
        if states_left <= cuts_left.count() {
            cuts.next();
            found.push((states.len() - 1, number));
            states.extend(run.events[number].after.clone());
        }
    }
    run.states = states;
    Ok((run, found))
}

/// A completed run with events.
struct Passed<'p, M: Reverse> {
    system: &'p M,
    /// The names of the parameters.
    names: &'p Arc<[String]>,
    /// The states at the ends of all steps, and the states after events.
    states: &'p [State<M>],
    /// The other data of the run.
    trajectory: &'p Trajectory<M>,
    cuts: &'p Cuts,
}

impl<M: Reverse<Scalar = f64> + TangentSystem + 'static> Passed<'_, M> {
    /// The event at the end of the step to a state.
    fn cut(&self, at: usize) -> Option<&Occurrence<M>> {
        self.cuts.iter().find(|(before, _)| *before == at).map(|&(_, number)| &self.trajectory.events[number])
    }

    /// The system after the given number of changes.
    fn system(&self, changes: usize) -> &M {
        let (_, number) = match changes.checked_sub(1) {
            Some(last) => self.cuts[last],
            None => return self.system,
        };
        self.trajectory.events[number].system.as_deref().unwrap_or(self.system)
    }

    /// Returns the objective and its derivatives.
    fn gone_back<I: Adjoint<M>>(
        &self,
        objective: &Objective<'_, M>,
        method: &I,
        given: &State<M>,
        mut crossing: ReverseEventPass<'_, '_, M>,
    ) -> Attempted<M, (f64, Derivatives<M>)> {
        let (states, last) = (self.states, self.states.len() - 1);
        let times = Times::Listed(states.iter().map(|state| state.time).collect());
        let events: Vec<_> =
            self.cuts.iter().map(|&(at, number)| (at, &*self.trajectory.events[number].event)).collect();
        let mut schedule = Schedule::of(objective, &times, &events).map_err(Box::new)?;
        let begin = schedule.begin();
        let mut changes = (0..=begin).filter_map(|at| self.cut(at)).filter(|event| event.after.is_some()).count();
        let retraced = |changes: usize, at: usize| method.retraced(self.system(changes), &states[at]).map_err(Box::new);
        let mut sweep = Sweep::of(self.system(changes), objective, retraced(changes, begin)?);
        // The derivative of the integral over the steps after an event with respect to the time of the event.
        let mut behind = 0.0;
        for (at, state) in states.iter().enumerate().take(begin + 1).rev() {
            let terms = schedule.terms(at).to_vec();
            let cut = self.cut(at);
            if let Some(event) = cut {
                changes -= usize::from(event.after.is_some());
                sweep.system = self.system(changes);
                (sweep.lifted, sweep.method) = (sweep.system.lift(), retraced(changes, at)?);
                let before = at.checked_sub(1).map(|before| &states[before]);
                let moment = behind + crossing::moment(&sweep, (before, state), &terms)?;
                crossing.back(&mut sweep, state, event, moment)?;
            }
            sweep.evaluate(state, &terms)?;
            let Some(before) = at.checked_sub(1) else {
                sweep.start(given, state)?;
                break;
            };
            if self.cut(before).is_some() {
                // The state after an event that ends the run moves with the event, and is not an initial state.
                if at < last {
                    behind = crossing::moment(&sweep, (Some(&states[at + 1]), state), &terms)?
                        - 2.0 * crossing::half(&sweep, [state, &states[at + 1]]);
                    sweep.start(state, state)?;
                }
            } else if states[before].time < state.time {
                if let Some(event) = cut
                    && state.time - states[before].time < SHORT_SAMPLE * event.location.step
                {
                    let mut kkt = KktWorkspace::of(sweep.system);
                    let back = kkt.back_through_accelerations(sweep.system, state, &mut sweep.cotangent);
                    let failed = |error| StepError::of_kkt(error, sweep.system, state, 0.0);
                    sweep.ensure(state.time, back.map_err(failed))?;
                }
                sweep.step((&states[before], state), state.time - states[before].time, None)?;
            }
        }
        let whole = (0..=last).filter(|&at| self.cut(at).is_none()).map(|at| states[at].time).collect();
        let whole = Times::Listed(whole);
        Ok((sweep.value, Derivatives::of(self.system, self.names, &sweep.cotangent, &whole, |number| number)))
    }
}
