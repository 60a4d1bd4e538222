//! The simulation builder.

use core::ops::ControlFlow;
use std::sync::Arc;

use crate::integrator::{AnyMethod, Integrator, Problem, Solution, StepController};
use crate::simulate::controller::Controller;
use crate::simulate::energy_audit::AuditRequest;
use crate::simulate::event::Event;
use crate::simulate::methods::{MethodError, Methods, Registered};
use crate::simulate::motion::{Motion, Simulated};
use crate::simulate::outcome::{Run, SimulationError, Trajectory};
use crate::simulate::run::{ErasedSimulation, SystemSource};
use crate::simulate::setup::{Limits, Options, Settings, StepSize};
use crate::simulate::warning::{Announcer, Warning};

/// A simulation of a mechanical system ([`of`](Simulation::of)), a vector field ([`of_field`](Simulation::of_field)) or a Hamiltonian
/// ([`of_hamiltonian`](Simulation::of_hamiltonian)).
///
/// The default method is [`HalfExplicit::hedop5`](crate::integrator::HalfExplicit::hedop5) for mechanical systems and
/// [`MuntheKaas::rkmk54`](crate::integrator::MuntheKaas::rkmk54) for fields and Hamiltonians. The default start time is zero.
///
/// A simulation is [`Send`] if its observers are.
#[doc(alias = "solve_ivp")]
#[doc(alias = "ODEProblem")]
#[doc(alias = "odeint")]
#[doc(alias = "time integration")]
pub struct Simulation<
    'a,
    P: Simulated,
    I = <<P as Problem>::State as Motion>::Method,
    O = fn(&<P as Problem>::State) -> ControlFlow<()>,
> {
    pub(crate) system: &'a P::System,
    pub(crate) initial: P::State,
    pub(crate) integrator: I,
    pub(crate) settings: Settings,
    pub(crate) options: Options,
    pub(crate) observer: O,
    pub(crate) controller: Option<Controller<'a, P>>,
    pub(crate) events: Vec<Event<'a, P>>,
    pub(crate) audit: Option<AuditRequest<'a, P::State>>,
}

impl<'a, P: Simulated, I, O: FnMut(&P::State) -> ControlFlow<()>> Simulation<'a, P, I, O> {
    /// Sets the integrator. Default: [`HalfExplicit::hedop5`](crate::integrator::HalfExplicit::hedop5) for mechanical systems.
    #[doc(alias("solver", "integrator", "algorithm"))]
    pub fn method<J: Integrator<P>>(self, integrator: J) -> Simulation<'a, P, J, O> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator,
            settings: self.settings,
            options: self.options,
            observer: self.observer,
            controller: self.controller,
            events: self.events,
            audit: self.audit,
        }
    }

    /// Calls `observer` with the initial state and with the state after every step. The observer returns `()` or a `ControlFlow`.
    ///
    /// `ControlFlow::Break(())` stops the run. The state is recorded, and [`Trajectory::stopped`] contains its time.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// # #[mechanical_system]
    /// # pub mod stone {
    /// #     #[configuration]
    /// #     pub struct Height { pub z: R1 }
    /// #     #[kinetic_energy]
    /// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.z.norm_squared() }
    /// #     #[potential]
    /// #     fn weight(q: &Height) -> f64 { 9.81 * q.z.x }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = stone::System::new()?;
    /// # let (height, at_rest) = (stone::Height { z: Vector1::new(1.0) }, Vector1::new(0.0));
    /// use std::ops::ControlFlow;
    ///
    /// let until_it_lands = |state: &State<stone::System>| match state.configuration.z.x > 0.0 {
    ///     true => ControlFlow::Continue(()),
    ///     false => ControlFlow::Break(()),
    /// };
    /// let fall = Simulation::of(&system).initial(height, at_rest).step(0.01).end_time(10.0).on_step(until_it_lands).run()?;
    /// assert!((fall.stopped.unwrap() - (2.0_f64 / 9.81).sqrt()).abs() < 0.01);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "callback")]
    #[doc(alias = "DiscreteCallback")]
    pub fn on_step<A: Answer>(
        self,
        observer: impl FnMut(&P::State) -> A,
    ) -> Simulation<'a, P, I, impl FnMut(&P::State) -> ControlFlow<()>> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator: self.integrator,
            settings: self.settings,
            options: Options { is_observed: true, ..self.options },
            observer: both(self.observer, observer),
            controller: self.controller,
            events: self.events,
            audit: self.audit,
        }
    }

    /// Sets the start time. Default: 0.
    #[must_use]
    #[doc(alias("tspan", "t0"))]
    pub fn start_time(mut self, start: f64) -> Self {
        self.initial.set_time(start);
        self
    }

    /// Sets the relative tolerance of the step-size control (paper 1, eqs. 21 and 22). Default: 1e-6.
    ///
    /// The step size follows from the estimated local error. For fields and Hamiltonians the estimate is at most `atol` + `rtol` times the
    /// length of the step; a relative tolerance of zero gives the algorithm of paper 3, section 4.
    #[must_use]
    #[doc(alias("reltol", "tolerance", "RelTol"))]
    pub fn rtol(self, relative: f64) -> Self {
        let controller = self.settings.controller().relative_tolerance(relative);
        self.step_controller(controller)
    }

    /// Sets the absolute tolerance of the step-size control, in the units of each component. Default: 1e-8.
    #[must_use]
    #[doc(alias("abstol", "tolerance", "AbsTol"))]
    pub fn atol(self, absolute: f64) -> Self {
        let controller = self.settings.controller().absolute_tolerance(absolute);
        self.step_controller(controller)
    }

    /// Sets the end time. The last step ends there exactly.
    #[must_use]
    #[doc(alias("tspan", "t_end", "until"))]
    pub fn end_time(mut self, end: f64) -> Self {
        self.settings.end = Some(end);
        self
    }

    /// Sets a fixed step size. The last step is shortened to end at the end time.
    ///
    /// Step n ends at the start time plus n h, so that round-off does not accumulate over many steps.
    #[must_use]
    #[doc(alias("dt", "step size", "fixed step"))]
    pub fn step(mut self, h: f64) -> Self {
        self.settings.size = Some(StepSize::Fixed(h));
        self
    }

    /// Sets the controller of the step size, with all its settings; see [`rtol`](Self::rtol) and [`atol`](Self::atol).
    #[must_use]
    pub fn step_controller(mut self, controller: StepController) -> Self {
        self.settings.size = Some(StepSize::Controlled(controller));
        self
    }

    /// Sets the size of the first error-controlled step. By default, it follows from a trial step.
    #[must_use]
    #[doc(alias = "h0")]
    #[doc(alias = "dt0")]
    pub fn initial_step(mut self, h: f64) -> Self {
        self.settings.initial_step = Some(h);
        self
    }

    /// Limits the size of error-controlled steps, in units of time. Fixed steps must not be longer.
    ///
    /// Set it to the duration of the shortest event in a closure of inputs or in a declared function of time. Changes between the
    /// evaluations of a step remain unnoticed. For such systems the default is 1/100 of the run; otherwise there is no limit. In addition,
    /// steps end at the bends of input [tables](crate::inputs).
    #[doc(alias = "maximum_step")]
    #[doc(alias = "dtmax")]
    #[must_use]
    pub fn max_step(mut self, step: f64) -> Self {
        self.settings.max_step = Some(step);
        self
    }

    /// Records the first state, every n-th state after it, and the last one. Default: every state.
    #[must_use]
    #[doc(alias = "save_every")]
    pub fn output_every(mut self, steps: usize) -> Self {
        self.settings.output_every = Some(steps);
        self
    }

    /// Records the states at these times. Other states are not recorded unless [`output_every`](Self::output_every) is set. Exceptions are
    /// the states before and after an [event](crate::simulate::event) with changes, the last state of a stopped run, and the last state if
    /// the list is empty.
    ///
    /// A sample between two steps has the order of the method: one-step methods make an additional step from the previous state (see
    /// [`Integrator::sample`](crate::integrator::Integrator::sample)). Times may be given in any order. They are recorded in order and as
    /// often as they are given.
    #[must_use]
    #[doc(alias = "saveat")]
    #[doc(alias = "t_eval")]
    pub fn output_times(mut self, times: &[f64]) -> Self {
        self.settings.samples.get_or_insert_default().extend_from_slice(times);
        self
    }

    /// Sets the limits of the cost of the run.
    #[must_use]
    #[doc(alias = "max_steps")]
    #[doc(alias = "maxiters")]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Disables the comparison of the declared functions with the generated code at the start, see
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    ///
    /// Use it for short runs with many repetitions, and for functions that must not be evaluated close to the initial state.
    #[must_use]
    pub fn without_declaration_check(mut self) -> Self {
        self.settings.without_declaration_check = true;
        self
    }

    /// Sets a function that is called with each [warning](crate::simulate::Warning) of the run as soon as it arises.
    ///
    /// By default, warnings of cost are written to standard error. [`Trajectory::warnings`](crate::simulate::Trajectory::warnings) contains
    /// all warnings in any case.
    #[must_use]
    pub fn on_warning(mut self, show: impl Fn(&Warning) + Send + Sync + 'static) -> Self {
        self.settings.announcer = Announcer::of(show);
        self
    }

    /// Draws a progress bar if the run takes more than a second and standard error is a terminal.
    #[must_use]
    pub fn progress_bar(mut self) -> Self {
        self.settings.progress = true;
        self
    }
}

impl<'a, P: Simulated, I: Integrator<P>, O: FnMut(&P::State) -> ControlFlow<()>> Simulation<'a, P, I, O> {
    /// Runs the simulation.
    ///
    /// # Errors
    /// [`SimulationError`] with the trajectory so far and the last valid state.
    pub fn run(self) -> Result<Run<'a, P>, Box<SimulationError<P>>> {
        let system = self.system;
        self.trajectory().map(|trajectory| Run::new(system, trajectory))
    }

    /// [`run`](Simulation::run), without the system.
    pub(crate) fn trajectory(self) -> Result<Trajectory<P>, Box<SimulationError<P>>> {
        let Simulation { system, initial, integrator, settings, options, mut observer, controller, events, audit } =
            self;
        let source = controller.map_or(SystemSource::Borrowed(system), SystemSource::Controlled);
        // The following code is not generic over the method, to reduce the generated code.
        ErasedSimulation { source, initial, settings, options, observer: &mut observer, events, audit }
            .run(Arc::new(integrator))
    }
}

impl<'a, P: Simulated + 'static, I, O: FnMut(&P::State) -> ControlFlow<()>> Simulation<'a, P, I, O> {
    /// Sets the method with this name, see [`methods`](crate::simulate::methods()).
    ///
    /// # Errors
    /// [`MethodError`] if the name is unknown, with the most similar name, or if the method does not apply to the system.
    pub fn method_named(self, id: &str) -> Result<Simulation<'a, P, AnyMethod<P>, O>, MethodError>
    where
        P: Registered,
    {
        self.method_from(&Methods::all(), id, &[])
    }

    /// Sets the method with this name in a registry and its options, as names and values.
    ///
    /// # Errors
    /// [`MethodError`] if the method or an option is unknown, a value is invalid, or the method does not apply to the system.
    pub fn method_from(
        self,
        methods: &Methods<P>,
        id: &str,
        options: &[(&str, &str)],
    ) -> Result<Simulation<'a, P, AnyMethod<P>, O>, MethodError> {
        let info = methods.info(id)?;
        if P::State::description(self.system).is_some_and(|description| !info.needs.are_met_by(description)) {
            return Err(MethodError::NotApplicable { method: info.id, needs: info.needs });
        }
        let method = methods.find(id, options)?;
        Ok(self.method(method))
    }
}

/// The return value of an observer: `()` or a `ControlFlow`.
pub trait Answer {
    /// Converts the value; `Break` ends the run.
    fn into_control_flow(self) -> ControlFlow<()>;
}

impl Answer for () {
    fn into_control_flow(self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Answer for ControlFlow<()> {
    fn into_control_flow(self) -> ControlFlow<()> {
        self
    }
}

/// The default observer, without effect.
pub(super) fn unobserved<S>(_: &S) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Combines two observers; both receive every state.
fn both<S, A: Answer>(
    mut first: impl FnMut(&S) -> ControlFlow<()>,
    mut second: impl FnMut(&S) -> A,
) -> impl FnMut(&S) -> ControlFlow<()> {
    move |state| {
        let (first, second) = (first(state), second(state).into_control_flow());
        if first.is_break() { first } else { second }
    }
}
