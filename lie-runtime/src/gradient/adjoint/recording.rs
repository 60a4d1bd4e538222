//! The states of a run for the way back through it: all of them, or checkpoints between which the steps are made once more.
//!
//! Every so many steps a state is kept; where there is no room left every other one goes, and the stride doubles. In room for r states
//! runs of r² / 8 steps are gone back through, each of which is made twice at most, however long the run.

use core::ops::ControlFlow;

use super::super::error::{Attempted, GradientError};
use super::times::Times;
use crate::integrator::{Integrator, State, StepError};
use crate::simulate::{FixedSteps, Motion, Simulation, StepSize, Trajectory};
use crate::system::Reverse;

/// What is kept of a run on its way.
pub(in crate::gradient) struct Recording<M: Reverse> {
    /// Those after 0, stride, 2 stride, … steps.
    kept: Vec<State<M>>,
    stride: usize,
    /// Those of all states.
    times: Times,
    /// How many there may be in all, and how many a state takes.
    bytes: u64,
    bytes_of_state: u64,
    is_full: bool,
}

impl<M: Reverse> Recording<M> {
    /// In so many bytes, of a run with these times.
    pub fn within(bytes: u64, state: &State<M>, times: Times) -> Self {
        let bytes_of_state = state.bytes() as u64;
        let mut recording = Recording { kept: Vec::new(), stride: 1, times, bytes, bytes_of_state, is_full: false };
        recording.reserve();
        recording
    }

    /// The states that there is room for.
    fn room(&self) -> u64 {
        self.bytes.saturating_sub(self.times.bytes()) / self.bytes_of_state
    }

    /// The room for what is kept: of a run of which not all is, the other half is for the steps from one checkpoint to the next.
    fn room_of_kept(&self) -> u64 {
        if self.stride == 1 { self.room() } else { self.room() / 2 }
    }

    /// Takes the stride that a run of known length ends with, and the memory for it.
    fn reserve(&mut self) {
        let (Some(states), room) = (self.times.expected(), self.room()) else { return };
        let mut stride = 1;
        while states.div_ceil(stride) as u64 > if stride == 1 { room } else { room / 2 } {
            if stride as u64 > room / 4 {
                return;
            }
            stride *= 2;
        }
        // Where there is no such memory at once, the run takes it as it goes.
        if self.kept.try_reserve_exact(states.div_ceil(stride) + 1).is_ok() {
            self.stride = stride;
        }
    }

    /// True if one state more fits, and with it what it takes to move all to a larger place.
    fn has_room(&mut self) -> bool {
        let (kept, room) = (self.kept.len(), self.room_of_kept());
        // The last state of the run will stand behind them.
        if kept + 1 < self.kept.capacity() {
            return (kept as u64) < room;
        }
        let more = kept.max(4) + 1;
        let fits = (2 * kept + more) as u64 <= room;
        if fits {
            self.kept.reserve_exact(more);
        }
        fits
    }

    /// Takes a state; ends the run where there is no room for its way back.
    pub fn note(&mut self, state: &State<M>) -> ControlFlow<()> {
        let at = self.times.count();
        self.times.push(state.time);
        while at.is_multiple_of(self.stride) && !self.has_room() {
            if self.stride as u64 > self.room() / 4 {
                self.is_full = true;
                return ControlFlow::Break(());
            }
            let mut number = 0_usize;
            self.kept.retain(|_| {
                number += 1;
                !number.is_multiple_of(2)
            });
            self.stride *= 2;
        }
        if at.is_multiple_of(self.stride) {
            self.kept.push(state.clone());
        }
        ControlFlow::Continue(())
    }

    /// The states that were kept, in place of those that the run has recorded itself, the first and the last; the times of all.
    pub fn into_states(self, recorded: &mut Vec<State<M>>) -> Times {
        let last = recorded.pop();
        *recorded = self.kept;
        if let Some(last) = last {
            if recorded.last().is_some_and(|kept| kept.time >= last.time) {
                recorded.pop();
            }
            recorded.push(last);
        }
        self.times
    }

    /// The way back through the run that has been recorded.
    ///
    /// # Errors
    /// [`GradientError::Room`] if there was not enough for it.
    pub fn finish<I: Integrator<M>>(
        self,
        method: I,
        size: Option<StepSize>,
        end: Option<f64>,
        trajectory: &mut Trajectory<M>,
    ) -> Result<Checkpoints<I>, GradientError<M>> {
        if self.is_full {
            let (steps, bytes) = (self.times.count() - 1, self.bytes);
            return Err(GradientError::Room { steps, bytes });
        }
        let sizes = Sizes::of(&self.times, size, end, trajectory);
        let (stride, times) = (self.stride, self.into_states(&mut trajectory.states));
        Ok(Checkpoints { method, stride, times, sizes })
    }
}

/// How long the steps were, to the last bit.
enum Sizes {
    Fixed { step: f64, whole: usize },
    Controlled(Vec<f64>),
}

impl Sizes {
    fn of<M: Reverse>(times: &Times, size: Option<StepSize>, end: Option<f64>, run: &Trajectory<M>) -> Self {
        match (size, end) {
            (Some(StepSize::Fixed(step)), Some(end)) => {
                Sizes::Fixed { step, whole: FixedSteps::of(times.at(0), end, step).whole() }
            }
            _ => Sizes::Controlled(run.steps.iter().filter(|step| step.accepted).map(|step| step.step).collect()),
        }
    }
}

/// A run of which some states are known.
pub(in crate::gradient) struct Checkpoints<I> {
    method: I,
    stride: usize,
    /// The times of all states.
    pub times: Times,
    sizes: Sizes,
}

impl<I> Checkpoints<I> {
    /// Shows all states of which some are `known`, from the last to the first, each with its number and the one before it.
    ///
    /// # Errors
    /// Those of `visit`, and of a step that could not be made once more, with the time before it.
    pub fn back<M: Reverse, E>(
        &self,
        system: &M,
        known: &[State<M>],
        told: impl Fn(f64, StepError) -> E,
        mut visit: impl FnMut(usize, Option<&State<M>>, &State<M>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        I: Integrator<M>,
    {
        if self.stride == 1 {
            for (at, state) in known.iter().enumerate().rev() {
                visit(at, at.checked_sub(1).map(|before| &known[before]), state)?;
            }
            return Ok(());
        }
        let last = self.times.count() - 1;
        let (mut part, mut estimate) = (Vec::with_capacity(self.stride), <State<M> as Motion>::estimate(system));
        for segment in (0..last.div_ceil(self.stride)).rev() {
            let begin = segment * self.stride;
            let end = (begin + self.stride).min(last);
            part.resize(end - begin, known[segment].clone());
            part[0].clone_from(&known[segment]);
            let mut workspace = self.method.workspace(system, &part[0]);
            // A recorded state is one to go on from as it is.
            let mut start = part[0].clone();
            self.method.start(system, &mut start, &mut workspace).map_err(|error| told(start.time, error))?;
            for at in begin + 1..end {
                let (before, after) = part.split_at_mut(at - begin);
                let (from, to) = (&before[at - begin - 1], &mut after[0]);
                let made = match &self.sizes {
                    Sizes::Fixed { step, whole } => {
                        let h = if at <= *whole { *step } else { self.times.step(at - 1) };
                        self.method.step(system, from, h, to, &mut workspace)
                    }
                    Sizes::Controlled(sizes) => {
                        let h = sizes[at - 1];
                        self.method.step_with_estimate(system, from, h, to, &mut estimate, &mut workspace)
                    }
                };
                made.map_err(|error| told(from.time, error))?;
                to.time = self.times.at(at);
            }
            for at in (begin + 1..=end).rev() {
                let state = if at == end { &known[segment + 1] } else { &part[at - begin] };
                visit(at, Some(&part[at - begin - 1]), state)?;
            }
        }
        visit(0, None, &known[0])
    }
}

/// Runs a simulation, and keeps what its way back takes.
///
/// # Errors
/// [`GradientError::Run`], [`GradientError::Crossed`] and [`GradientError::Room`].
pub(in crate::gradient) fn recorded<M, I, O>(
    mut simulation: Simulation<'_, M, I, O>,
) -> Attempted<M, (Trajectory<M>, Checkpoints<I>)>
where
    M: Reverse,
    I: Integrator<M> + Clone,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    let (size, end) = (simulation.settings.size, simulation.settings.end);
    let method = simulation.integrator.clone();
    let times = Times::of(simulation.initial.time, size.as_ref(), end);
    let mut recording = Recording::within(simulation.settings.limits.bytes, &simulation.initial, times);
    simulation.settings.record_every = Some(usize::MAX);
    match simulation.observe(|state| recording.note(state)).run() {
        Ok(run) if run.statistics.crossings > 0 => {
            Err(Box::new(GradientError::Crossed { steps: run.statistics.crossings }))
        }
        Ok(mut run) => {
            let checkpoints = recording.finish(method, size, end, &mut run).map_err(Box::new)?;
            Ok((run, checkpoints))
        }
        Err(mut error) => {
            recording.into_states(&mut error.trajectory.states);
            Err(Box::new(GradientError::Run(error)))
        }
    }
}
