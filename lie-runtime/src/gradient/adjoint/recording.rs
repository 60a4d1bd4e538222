//! The recorded states for the reverse pass: all states, or checkpoints from which the steps between them are repeated.
//!
//! A state is stored after every n steps. If the memory is full, every second state is removed, and n doubles. Memory for r states is
//! sufficient for runs of r² / 8 steps, each of which is computed at most twice. If all states fit, the [data of the steps](Trace) are
//! stored as well.

use core::cell::RefCell;
use core::ops::ControlFlow;

use super::super::error::{Attempted, GradientError};
use super::Adjoint;
use super::adjoint_step::Trace;
use super::times::Times;
use super::trace::{Traces, Tracing};
use crate::integrator::{Integrator, State, StepError};
use crate::simulate::{FixedSteps, Motion, Simulation, StepSize, Trajectory};
use crate::system::Reverse;

/// The stored data of a run.
pub(in crate::gradient) struct Recording<M: Reverse> {
    /// The states after 0, stride, 2 stride, … steps.
    kept: Vec<State<M>>,
    stride: usize,
    /// The times of all states.
    times: Times,
    /// The limit in bytes, and the size of a state.
    bytes: u64,
    bytes_of_state: u64,
    /// The size of the data of a step, and the same size while these data are stored.
    bytes_of_traced_step: u64,
    bytes_of_trace: u64,
    is_full: bool,
}

impl<M: Reverse> Recording<M> {
    /// Returns an empty recording with a limit in bytes, for a run with these times.
    pub fn within(bytes: u64, state: &State<M>, times: Times, traces: &mut Traces<M>) -> Self {
        let mut recording = Recording {
            kept: Vec::new(),
            stride: 1,
            times,
            bytes,
            bytes_of_state: state.bytes() as u64,
            bytes_of_traced_step: traces.bytes_of_step(state),
            bytes_of_trace: traces.bytes_of_step(state),
            is_full: false,
        };
        recording.reserve(traces);
        recording
    }

    /// The number of states that fit into the limit.
    fn room(&self) -> u64 {
        self.bytes.saturating_sub(self.times.bytes()) / (self.bytes_of_state + self.bytes_of_trace)
    }

    /// Removes the data of steps, and stores only states from now on.
    fn release(&mut self, traces: &mut Traces<M>) {
        traces.release();
        self.bytes_of_trace = 0;
    }

    /// The number of stored states; with checkpoints, the other half is for the steps between two checkpoints.
    fn room_of_kept(&self) -> u64 {
        if self.stride == 1 { self.room() } else { self.room() / 2 }
    }

    /// Sets the final stride of a run of known length, and allocates the memory.
    fn reserve(&mut self, traces: &mut Traces<M>) {
        let Some(states) = self.times.expected() else { return };
        if states as u64 > self.room() {
            self.release(traces);
        }
        let room = self.room();
        let mut stride = 1;
        while states.div_ceil(stride) as u64 > if stride == 1 { room } else { room / 2 } {
            if stride as u64 > room / 4 {
                return;
            }
            stride *= 2;
        }
        // Without enough contiguous memory the recording allocates during the run.
        if self.kept.try_reserve_exact(states.div_ceil(stride) + 1).is_ok() {
            self.stride = stride;
            traces.reserve(states);
        }
    }

    /// True if one more state fits, including the memory for a reallocation.
    fn has_room(&mut self, traces: &mut Traces<M>) -> bool {
        let (kept, room) = (self.kept.len(), self.room_of_kept());
        // The last state of the run will follow them.
        if kept + 1 < self.kept.capacity() {
            return (kept as u64) < room;
        }
        let more = kept.max(4) + 1;
        let fits = (2 * kept + more) as u64 <= room;
        if fits {
            self.kept.reserve_exact(more);
            traces.reserve(more);
        }
        fits
    }

    /// Stores a state; ends the run if the memory for its reverse pass is exceeded.
    pub fn note(&mut self, state: &State<M>, traces: &mut Traces<M>) -> ControlFlow<()> {
        let at = self.times.count();
        self.times.push(state.time);
        if let Some(before) = at.checked_sub(1).filter(|_| traces.are_kept()) {
            traces.commit(state.time, self.times.step(before));
        }
        if !traces.are_kept() {
            self.bytes_of_trace = 0;
        }
        while at.is_multiple_of(self.stride) && !self.has_room(traces) {
            if traces.are_kept() {
                self.release(traces);
                continue;
            }
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

    /// Replaces the recorded first and last states by the stored states; returns the times of all states.
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

    /// Returns the reverse pass through the recorded run.
    ///
    /// # Errors
    /// [`GradientError::Room`] if the memory was not sufficient.
    pub fn finish<I: Integrator<M>>(
        self,
        method: I,
        size: Option<StepSize>,
        end: Option<f64>,
        trajectory: &mut Trajectory<M>,
        traces: Traces<M>,
    ) -> Result<Checkpoints<M, I>, GradientError<M>> {
        if self.is_full {
            let (steps, bytes) = (self.times.count() - 1, self.bytes);
            return Err(GradientError::Room { steps, bytes });
        }
        let sizes = Sizes::of(&self.times, size, end, trajectory);
        let part = self.stride as u64 * (self.bytes_of_state + self.bytes_of_traced_step);
        let kept = self.kept.capacity() as u64 * self.bytes_of_state + self.times.bytes();
        let traces_parts = kept + part <= self.bytes;
        let (stride, times) = (self.stride, self.into_states(&mut trajectory.states));
        Ok(Checkpoints { method, stride, times, sizes, traces, traces_parts })
    }
}

/// The exact step sizes.
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

/// The state before another one, the size of the step, and the stored data of the step.
type Before<'s, M> = (&'s State<M>, f64, Option<Trace<'s, M>>);

/// A run with some stored states.
pub(in crate::gradient) struct Checkpoints<M: Reverse, I> {
    method: I,
    stride: usize,
    /// The times of all states.
    pub times: Times,
    sizes: Sizes,
    traces: Traces<M>,
    /// True if the data of the steps between two checkpoints fit into the memory.
    traces_parts: bool,
}

impl<M: Reverse, I> Checkpoints<M, I> {
    /// Calls `visit` for all states from the index `begin` down to the first. The arguments are the index, the state before it with the
    /// size and the data of the step, and the state. The slice `known` has the stored states.
    ///
    /// # Errors
    /// The errors of `visit`, and of a step that could not be repeated, with the time at its start.
    pub fn back<E>(
        &self,
        system: &M,
        known: &[State<M>],
        begin: usize,
        told: impl Fn(f64, StepError) -> E,
        mut visit: impl FnMut(usize, Option<Before<'_, M>>, &State<M>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        I: Adjoint<M>,
    {
        if self.stride == 1 {
            for (at, state) in known.iter().enumerate().take(begin + 1).rev() {
                let before = at.checked_sub(1);
                let before = before.map(|before| (&known[before], self.size(at), self.traces.of_step(before)));
                visit(at, before, state)?;
            }
            return Ok(());
        }
        let last = self.times.count() - 1;
        let (mut part, mut estimate) = (Vec::with_capacity(self.stride + 1), <State<M> as Motion>::estimate(system));
        let counts = if self.traces_parts { self.method.traced(system) } else { [0, 0] };
        for segment in (0..begin.div_ceil(self.stride)).rev() {
            let first = segment * self.stride;
            let next = (first + self.stride).min(last);
            let end = next.min(begin);
            let mut traces = Traces::of(counts);
            traces.reserve(end - first);
            // The next checkpoint is stored, but not the data of the step to it.
            let made = if traces.are_kept() || end < next { end } else { end - 1 };
            part.resize(made - first + 1, known[segment].clone());
            part[0].clone_from(&known[segment]);
            let mut workspace = self.method.workspace(system, &part[0]);
            // The run can continue from a recorded state without changes.
            let mut start = part[0].clone();
            self.method.start(system, &mut start, &mut workspace).map_err(|error| told(start.time, error))?;
            for at in first + 1..=made {
                let (before, after) = part.split_at_mut(at - first);
                let (from, to) = (&before[at - first - 1], &mut after[0]);
                let h = self.size(at);
                let made = match &self.sizes {
                    Sizes::Fixed { .. } => self.method.step(system, from, h, to, &mut workspace),
                    Sizes::Controlled(_) => {
                        self.method.step_with_estimate(system, from, h, to, &mut estimate, &mut workspace)
                    }
                };
                made.map_err(|error| told(from.time, error))?;
                to.time = self.times.at(at);
                traces.attempt(to.time, &self.method.trace(system, &workspace));
                traces.commit(to.time, h);
            }
            for at in (first + 1..=end).rev() {
                let state = if at == next { &known[segment + 1] } else { &part[at - first] };
                let before = at - first - 1;
                visit(at, Some((&part[before], self.size(at), traces.of_step(before))), state)?;
            }
        }
        visit(0, None, &known[0])
    }

    /// The exact size of the step to a state: differences of times are rounded.
    fn size(&self, at: usize) -> f64 {
        match &self.sizes {
            Sizes::Fixed { step, whole } if at <= *whole => *step,
            Sizes::Controlled(sizes) if at <= sizes.len() => sizes[at - 1],
            Sizes::Fixed { .. } | Sizes::Controlled(_) => self.times.step(at - 1),
        }
    }
}

/// Runs a simulation, and stores the data for its reverse pass.
///
/// # Errors
/// [`GradientError::Run`], [`GradientError::Crossed`] and [`GradientError::Room`].
pub(in crate::gradient) fn recorded<M, I, O>(
    simulation: Simulation<'_, M, I, O>,
) -> Attempted<M, (Trajectory<M>, Checkpoints<M, I>)>
where
    M: Reverse,
    I: Adjoint<M>,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    let (size, end) = (simulation.settings.size, simulation.settings.end);
    let method = simulation.integrator.clone();
    let times = Times::of(simulation.initial.time, size.as_ref(), end);
    let traces = RefCell::new(Traces::of(method.traced(simulation.system)));
    let bytes = simulation.settings.limits.bytes;
    let mut recording = Recording::within(bytes, &simulation.initial, times, &mut traces.borrow_mut());
    let mut traced = Simulation {
        system: simulation.system,
        initial: simulation.initial,
        integrator: Tracing { method: simulation.integrator, traces: &traces },
        settings: simulation.settings,
        options: simulation.options,
        observer: simulation.observer,
        controller: simulation.controller,
        events: simulation.events,
        audit: simulation.audit,
    };
    traced.settings.output_every = Some(usize::MAX);
    match traced.on_step(|state| recording.note(state, &mut traces.borrow_mut())).trajectory() {
        Ok(run) if run.statistics.crossings > 0 => {
            Err(Box::new(GradientError::Crossed { steps: run.statistics.crossings }))
        }
        Ok(mut run) => {
            let checkpoints = recording.finish(method, size, end, &mut run, traces.into_inner()).map_err(Box::new)?;
            Ok((run, checkpoints))
        }
        Err(mut error) => {
            recording.into_states(&mut error.trajectory.states);
            Err(Box::new(GradientError::Run(error)))
        }
    }
}
