//! The sentence that says what is to be simulated.

use super::error::{Failure, SetupError, SimulationError};
use super::run;
use super::trajectory::Trajectory;
use crate::group::TangentVector;
use crate::integrator::{HalfExplicit, Integrator, State, StepController};
use crate::system::MechanicalSystem;

/// A system of which it is not yet said where it starts.
pub struct Start<'a, M: MechanicalSystem> {
    system: &'a M,
}

/// A simulation to be described and run.
///
/// The method is [`HalfExplicit::hedop5`] and time starts at zero unless something else is said.
pub struct Simulation<'a, M: MechanicalSystem, I = HalfExplicit> {
    pub(super) system: &'a M,
    pub(super) initial: Initial<M>,
    pub(super) integrator: I,
    pub(super) end: Option<f64>,
    pub(super) size: Option<StepSize>,
    pub(super) initial_step: Option<f64>,
    pub(super) record_every: Option<usize>,
    pub(super) samples: Option<Vec<f64>>,
    pub(super) observers: Vec<Observer<'a, M>>,
    pub(super) progress: bool,
    pub(super) full_order_multipliers: bool,
}

/// Called with every state.
pub(super) type Observer<'a, M> = Box<dyn FnMut(&State<M>) + 'a>;

/// Where a simulation starts.
pub(super) struct Initial<M: MechanicalSystem> {
    pub state: State<M>,
    /// False if the state is to be taken as it is.
    pub project: bool,
}

/// How the step size is chosen.
#[derive(Clone, Copy)]
pub(super) enum StepSize {
    Fixed(f64),
    Controlled(StepController),
}

impl<'a, M: MechanicalSystem> Simulation<'a, M> {
    /// Begins the description of a simulation.
    #[allow(clippy::new_ret_no_self)] // Where it starts has to be said next.
    pub fn of(system: &'a M) -> Start<'a, M> {
        Start { system }
    }
}

impl<'a, M: MechanicalSystem> Start<'a, M> {
    /// Starts from the consistent values next to q₀ and v₀ (see [`ConsistentValues`](super::ConsistentValues)).
    pub fn starting_at(self, configuration: M::Configuration, velocity: M::Velocity) -> Simulation<'a, M> {
        let mut state = State::at_rest(self.system, 0.0, configuration);
        state.velocity = velocity;
        self.simulation(state, true)
    }

    /// Goes on from a state as it is, λ included, at its time.
    pub fn continuing_from(self, state: State<M>) -> Simulation<'a, M> {
        self.simulation(state, false)
    }

    fn simulation(self, state: State<M>, project: bool) -> Simulation<'a, M> {
        Simulation {
            system: self.system,
            initial: Initial { state, project },
            integrator: HalfExplicit::hedop5(),
            end: None,
            size: None,
            initial_step: None,
            record_every: None,
            samples: None,
            observers: Vec::new(),
            progress: false,
            full_order_multipliers: false,
        }
    }
}

impl<'a, M: MechanicalSystem, I> Simulation<'a, M, I> {
    /// Integrates by this method.
    pub fn with<J: Integrator<M>>(self, integrator: J) -> Simulation<'a, M, J> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator,
            end: self.end,
            size: self.size,
            initial_step: self.initial_step,
            record_every: self.record_every,
            samples: self.samples,
            observers: self.observers,
            progress: self.progress,
            full_order_multipliers: self.full_order_multipliers,
        }
    }

    /// Starts at this time instead of zero.
    #[must_use]
    pub fn from_time(mut self, start: f64) -> Self {
        self.initial.state.time = start;
        self
    }

    /// Ends at this time, hit exactly.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.end = Some(end);
        self
    }

    /// Steps of this size; the last one is shortened where the end asks for it.
    ///
    /// Step n ends at the start plus n h, so that round-off does not add up over many steps.
    #[must_use]
    pub fn step(mut self, h: f64) -> Self {
        self.size = Some(StepSize::Fixed(h));
        self
    }

    /// Steps whose size follows from the estimated error (paper 1, eqs. 21 and 22).
    #[must_use]
    pub fn tolerance(self, relative: f64, absolute: f64) -> Self {
        self.controlled_by(StepController::new(relative, absolute))
    }

    /// Steps whose size is chosen by this controller.
    #[must_use]
    pub fn controlled_by(mut self, controller: StepController) -> Self {
        self.size = Some(StepSize::Controlled(controller));
        self
    }

    /// The size of the first error-controlled step; by default it follows from a trial step.
    #[must_use]
    pub fn initial_step(mut self, h: f64) -> Self {
        self.initial_step = Some(h);
        self
    }

    /// Records the first state, every n-th after it, and the last; by default every state.
    #[must_use]
    pub fn record_every(mut self, steps: usize) -> Self {
        self.record_every = Some(steps);
        self
    }

    /// Records the states at these times, and no others unless [`record_every`](Simulation::record_every) is said too.
    ///
    /// A sample between two steps is a step of its own from the earlier one, of the order of the method (see
    /// [`Integrator::sample`]). Times may come in any order and are recorded in order.
    #[must_use]
    pub fn sample_at(mut self, times: &[f64]) -> Self {
        self.samples.get_or_insert_default().extend_from_slice(times);
        self
    }

    /// Shows the initial state and every step's to `observer`.
    #[must_use]
    pub fn observe(mut self, observer: impl FnMut(&State<M>) + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Draws a progress bar if the run takes more than a second and standard error is a terminal.
    ///
    /// Without the feature `progress` it does nothing.
    #[must_use]
    pub fn with_progress(mut self) -> Self {
        self.progress = true;
        self
    }

    /// Records λ and v' of the index-1 system, which have the order of q and v, instead of the method's own.
    #[must_use]
    pub fn full_order_multipliers(mut self) -> Self {
        self.full_order_multipliers = true;
        self
    }
}

impl<M: MechanicalSystem, I: Integrator<M>> Simulation<'_, M, I> {
    /// Runs the simulation.
    ///
    /// # Errors
    /// [`SimulationError`] with the trajectory so far and the last good state.
    pub fn run(self) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
        match self.check() {
            Ok(end) => run::run(self, end),
            Err(error) => Err(Box::new(SimulationError {
                failure: Failure::Setup(error),
                trajectory: Trajectory::new(self.integrator.id()),
                last: None,
            })),
        }
    }

    /// Checks all that can be known before the first step; returns the end time.
    fn check(&self) -> Result<f64, SetupError> {
        let state = &self.initial.state;
        let finite = |holds, value| {
            if holds { Ok(()) } else { Err(SetupError::NotFinite { value }) }
        };
        state.check(self.system).map_err(SetupError::ForeignState)?;
        finite(state.time.is_finite(), "time")?;
        finite(self.system.configuration_is_finite(&state.configuration), "configuration")?;
        finite(state.velocity.all_finite(), "velocity")?;
        finite(state.multipliers.all_finite(), "multiplier")?;
        let start = state.time;
        let end = checked_end(start, self.end)?;
        let size = self.size.as_ref().ok_or(SetupError::NoStep)?;
        check_size(size, end - start, self.integrator.estimate_order().is_some(), self.integrator.id())?;
        check_records(self.initial_step, self.record_every, self.samples.as_deref(), start, end)?;
        Ok(end)
    }
}

/// An end that can be reached.
pub(super) fn checked_end(start: f64, end: Option<f64>) -> Result<f64, SetupError> {
    let end = end.ok_or(SetupError::NoEnd)?;
    if end.is_finite() && end >= start { Ok(end) } else { Err(SetupError::End { start, end }) }
}

fn check_step(step: f64) -> Result<(), SetupError> {
    if step.is_finite() && step > 0.0 { Ok(()) } else { Err(SetupError::Step { step }) }
}

/// Checks the steps of a run of length `span` by a method that `estimates` errors or does not.
pub(super) fn check_size(size: &StepSize, span: f64, estimates: bool, method: &'static str) -> Result<(), SetupError> {
    match size {
        StepSize::Fixed(step) => {
            check_step(*step)?;
            let steps = span / step;
            if steps > 9.0e15 { Err(SetupError::TooManySteps { steps }) } else { Ok(()) }
        }
        StepSize::Controlled(controller) => {
            controller.check().map_err(SetupError::Controller)?;
            if estimates { Ok(()) } else { Err(SetupError::NoEstimate { method }) }
        }
    }
}

/// Checks what is to be recorded, and the first step.
pub(super) fn check_records(
    initial_step: Option<f64>,
    record_every: Option<usize>,
    samples: Option<&[f64]>,
    start: f64,
    end: f64,
) -> Result<(), SetupError> {
    initial_step.map_or(Ok(()), check_step)?;
    if record_every == Some(0) {
        return Err(SetupError::RecordEvery);
    }
    match samples.into_iter().flatten().find(|&&time| !(start <= time && time <= end)) {
        Some(&time) => Err(SetupError::SampleTime { time, start, end }),
        None => Ok(()),
    }
}
