//! Simulations of equations of first order.

mod start;
mod trajectory;

use core::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::error::{Failure, SetupError};
use super::limits::{Answer, both};
use super::record::Timed;
use super::run::{self, Outcome, Problem};
use super::settings::{Plan, Settings, settings_methods};
use super::trajectory::Statistics;
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::integrator::any::{Erased, Work};
use crate::integrator::{FieldState, Integrator, LocalEstimate, MuntheKaas, StepController, StepError};
use crate::scalar::Scalar;

pub use start::FieldStart;
pub use trajectory::{FieldSimulationError, FieldTrajectory};

/// A simulation of an equation of first order, to be described and run like a [`Simulation`](super::Simulation).
///
/// The method is [`MuntheKaas::rkmk54`] and time starts at zero unless something else is said.
pub struct FieldSimulation<'a, F: FirstOrder, I = MuntheKaas, O = fn(&FieldState<F>) -> ControlFlow<()>> {
    system: &'a F::System,
    initial: FieldState<F>,
    integrator: I,
    settings: Settings,
    observer: O,
}

impl<'a, F: FirstOrder, I, O: FnMut(&FieldState<F>) -> ControlFlow<()>> FieldSimulation<'a, F, I, O> {
    /// Integrates by this method.
    pub fn with<J: Integrator<F>>(self, integrator: J) -> FieldSimulation<'a, F, J, O> {
        let FieldSimulation { system, initial, settings, observer, .. } = self;
        FieldSimulation { system, initial, integrator, settings, observer }
    }

    /// Shows the initial state and every step's to `observer`, which answers nothing, or whether the run goes on, as in a
    /// [`Simulation`](super::Simulation::observe).
    pub fn observe<A: Answer>(
        self,
        observer: impl FnMut(&FieldState<F>) -> A,
    ) -> FieldSimulation<'a, F, I, impl FnMut(&FieldState<F>) -> ControlFlow<()>> {
        let FieldSimulation { system, initial, integrator, settings, observer: earlier } = self;
        FieldSimulation { system, initial, integrator, settings, observer: both(earlier, observer) }
    }

    /// Starts at this time instead of zero.
    #[must_use]
    pub fn from_time(mut self, start: f64) -> Self {
        self.initial.time = start;
        self
    }

    /// Steps whose estimated error is at most `absolute` + `relative` times the length of the step (paper 3, section 4).
    ///
    /// With a relative tolerance of zero this is the algorithm of paper 3, its tolerance `absolute`.
    #[must_use]
    pub fn tolerance(self, relative: f64, absolute: f64) -> Self {
        self.controlled_by(StepController::new(relative, absolute))
    }

    settings_methods!();
}

impl<F, I, O> FieldSimulation<'_, F, I, O>
where
    F: FirstOrder,
    I: Integrator<F>,
    O: FnMut(&FieldState<F>) -> ControlFlow<()>,
{
    /// Runs the simulation.
    ///
    /// # Errors
    /// [`FieldSimulationError`] with the trajectory so far and the last good state.
    pub fn run(self) -> Result<FieldTrajectory<F>, Box<FieldSimulationError<F>>> {
        let FieldSimulation { system, initial, integrator, settings, mut observer } = self;
        // From here on the method is one of many, as in a `Simulation`.
        Described { system, initial, settings, observer: &mut observer }.run(Arc::new(integrator))
    }
}

/// A simulation apart from its method.
struct Described<'a, F: FirstOrder> {
    system: &'a F::System,
    initial: FieldState<F>,
    settings: Settings,
    observer: &'a mut dyn FnMut(&FieldState<F>) -> ControlFlow<()>,
}

impl<F: FirstOrder> Described<'_, F> {
    fn run(self, method: Arc<dyn Erased<F> + '_>) -> Result<FieldTrajectory<F>, Box<FieldSimulationError<F>>> {
        let clock = Instant::now();
        let (id, orders) = (method.id(), (method.order(), method.estimate_order()));
        let failed = |failure| Err(Box::new(FieldSimulationError::before_the_first_step(failure, id)));
        let plan = match self.check(&*method) {
            Ok(plan) => plan,
            Err(error) => return failed(Failure::Setup(error)),
        };
        let Described { system, initial: mut state, settings, observer } = self;
        let mut method = method.begin(system, &state);
        if let Err(error) = method.start(system, &mut state) {
            return failed(Failure::Step(error));
        }
        let problem = Field { system, method, orders };
        let Outcome { states, steps, statistics, stopped, failed } =
            run::run(problem, state, settings, observer, &plan, clock);
        let trajectory = FieldTrajectory { states, statistics, steps, method: id, stopped };
        match failed {
            None => Ok(trajectory),
            Some((failure, last)) => Err(Box::new(FieldSimulationError { failure, trajectory, last: Some(last) })),
        }
    }

    /// Checks all that can be known before the first step.
    fn check(&self, method: &dyn Erased<F>) -> Result<Plan, SetupError> {
        let start = self.initial.time;
        if !start.is_finite() {
            return Err(SetupError::NotFinite { value: "time" });
        }
        if !F::is_finite(self.system, &self.initial.point) {
            return Err(SetupError::NotFinite { value: "point" });
        }
        let (bytes, round_off) = (self.initial.bytes(), F::Scalar::epsilon());
        let plan = self.settings.check(start, bytes, round_off, method.estimate_order().is_some(), method.id())?;
        if !self.settings.without_declaration_check {
            let checked = F::check_declaration(self.system, F::Scalar::from_f64(start), &self.initial.point);
            checked.map_err(SetupError::Declaration)?;
        }
        Ok(plan)
    }
}

/// An equation of first order and a method.
struct Field<'a, F: FirstOrder> {
    system: &'a F::System,
    method: Box<dyn Work<F> + 'a>,
    orders: (usize, Option<usize>),
}

impl<F: FirstOrder> Problem for Field<'_, F> {
    type State = FieldState<F>;

    fn step(&mut self, from: &FieldState<F>, h: f64, to: &mut FieldState<F>) -> Result<(), StepError> {
        self.method.step(self.system, from, h, to)
    }
    /// The error in units of the tolerance.
    fn step_with_estimate(
        &mut self,
        from: &FieldState<F>,
        h: f64,
        to: &mut FieldState<F>,
        controller: &StepController,
    ) -> Result<f64, StepError> {
        let mut estimate = LocalEstimate::default();
        self.method.step_with_estimate(self.system, from, h, to, &mut estimate)?;
        let LocalEstimate { error, increment } = estimate;
        Ok(error / (controller.absolute_tolerance + controller.relative_tolerance * increment))
    }
    fn sample(
        &mut self,
        from: &FieldState<F>,
        _: &FieldState<F>,
        time: f64,
        out: &mut FieldState<F>,
    ) -> Result<(), StepError> {
        self.method.step(self.system, from, time - from.time, out)
    }
    fn orders(&self) -> (usize, Option<usize>) {
        self.orders
    }
    /// One step of unit length takes 1 / |f|.
    fn speed(&self, state: &FieldState<F>) -> (f64, f64) {
        (1.0, state.direction.max_norm())
    }
    fn count(&self, statistics: &mut Statistics) {
        statistics.newton_iterations = self.method.newton_iterations();
    }
}
