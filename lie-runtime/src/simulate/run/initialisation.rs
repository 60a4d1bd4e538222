//! Initialisation of a run: checks, consistent initial values, first evaluation of the method.

use core::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::event_detection::EventDetector;
use super::run_state::RunState;
use super::step_loop;
use super::stepper::Stepper;
use super::system_source::SystemSource;
use super::warnings::{before_the_first_step, law_without_events};
use crate::inputs::InputError;
use crate::integrator::Solution;
use crate::integrator::any::Erased;
use crate::scalar::Scalar;
use crate::simulate::energy_audit::{AuditRequest, EnergyAudit};
use crate::simulate::event::{Event, take_laws};
use crate::simulate::failure::Failure;
use crate::simulate::motion::{Motion, MotionMonitor, Simulated};
use crate::simulate::outcome::{RunLog, SimulationError, Trajectory};
use crate::simulate::setup::{Options, Plan, Settings, SetupError, StateSize, check_resolution};
use crate::system::ImposedLaws;

/// A simulation without the type of its method.
pub(in crate::simulate) struct ErasedSimulation<'a, P: Simulated> {
    pub source: SystemSource<'a, P>,
    pub initial: P::State,
    pub settings: Settings,
    pub options: Options,
    pub observer: &'a mut dyn FnMut(&P::State) -> ControlFlow<()>,
    pub events: Vec<Event<'a, P>>,
    pub audit: Option<AuditRequest<'a, P::State>>,
}

impl<'a, P: Simulated> ErasedSimulation<'a, P> {
    /// Runs the simulation with this method.
    pub fn run(mut self, method: Arc<dyn Erased<P> + 'a>) -> Result<Trajectory<P>, Box<SimulationError<P>>> {
        let clock = Instant::now();
        let (id, orders) = (method.id(), (method.order(), method.estimate_order()));
        let failed = |failure| SimulationError::before_the_first_step(failure, id);
        let mut plan = self.check(&*method).map_err(|error| failed(Failure::Setup(error)))?;
        let ErasedSimulation { mut source, mut initial, settings, options, observer, mut events, audit } = self;
        if let (SystemSource::Borrowed(system), Some(own)) = (&source, events.iter().find_map(Event::own)) {
            source = SystemSource::Owned(own(system));
        }
        let unhandled = law_without_events(source.system(), &events);
        let laws = method.imposes_laws().then(|| take_laws(&mut events)).filter(|laws| *laws != ImposedLaws::default());
        if let (Some(laws), Some(system)) = (&laws, source.own()) {
            let removed = P::State::remove_laws(system, laws);
            removed.map_err(|error| failed(Failure::Setup(SetupError::ForeignState(error))))?;
        }
        if let Some(system) = source.own() {
            events.iter_mut().try_for_each(|event| event.start(system, &mut initial)).map_err(failed)?;
        }
        let mut log = match &source {
            SystemSource::Borrowed(_) | SystemSource::Owned(_) => RunLog::none(),
            SystemSource::Controlled(controller) => RunLog::of(controller),
        };
        log.samples_alone = settings.samples_alone().map(|times| {
            let mut times = times.to_vec();
            times.sort_by(f64::total_cmp);
            times
        });
        let start = |source: &mut SystemSource<'a, P>, state: &P::State| match source.delays() {
            Some((delays, system)) => delays.start(system, state, orders.0).map_err(Failure::Inputs),
            None => Ok(()),
        };
        start(&mut source, &initial).map_err(failed)?;
        let given_state = initial.clone();
        // Invalid inputs are reported first.
        let blamed = |failure| match given_state.ensure_finite_inputs(source.system(), 0.0) {
            Err(error) => Failure::Inputs(error),
            Ok(()) => failure,
        };
        let (mut state, initial) =
            initial.consistent(source.system(), &options).map_err(|failure| failed(blamed(failure)))?;
        log.samples.extend(source.ask(&state).map_err(failed)?);
        start(&mut source, &state).map_err(failed)?;
        let has_delays = source.delays().is_some();
        let system = source.system();
        if source.period().is_some() || has_delays {
            <P::State as Motion>::Monitor::of(system, &state, &options).restart(system, &mut state).map_err(failed)?;
        }
        let is_known = state.smooth_until(system, state.time(), 1.0).is_known;
        plan.limit_steps(settings.max_step, is_known, state.time());
        let mut warnings = before_the_first_step((system, &state), &*method, &plan);
        warnings.extend(unhandled);
        for warning in &warnings {
            settings.announcer.announce(warning);
        }
        let has_laws = laws.is_some();
        let begin = Box::new(move |system: &P::System, state: &P::State| {
            let mut work = Arc::clone(&method).begin(system, state);
            if let Some(laws) = &laws {
                work.impose_laws(laws);
            }
            work
        });
        let mut work = begin(system, &state);
        work.start(system, &mut state).map_err(|error| failed(Failure::Step(error)))?;
        let (estimate, monitor) = (P::State::estimate(system), MotionMonitor::of(system, &state, &options));
        let may_jump = source.period().is_some() || has_delays || !events.is_empty();
        // Contacts change the momenta of declared symmetries.
        let audit = if has_laws { audit } else { state.audit(source.system(), audit) };
        let open = |audit: AuditRequest<'a, P::State>| EnergyAudit::open(audit, source.system(), &state, may_jump);
        let audit = audit.map(open).transpose().map_err(|error| failed(Failure::Setup(error)))?;
        let detector = EventDetector::of(events, system, &state, plan.first_step(state.time())).map_err(failed)?;
        let mut stepper = Stepper {
            source,
            begin,
            work,
            solved: 0,
            orders,
            estimate,
            monitor,
            passes: false,
            has_laws,
            options,
            audit,
        };
        stepper.note_discontinuity(state.time(), 0);
        let mut run = RunState::of((stepper, id), state, (settings, observer), (detector, log), &plan, clock);
        run.warnings = warnings;
        let ended = run.begin().and_then(|()| step_loop::run(&mut run, &plan));
        run.into_trajectory(ended, initial, clock)
    }

    /// Performs all checks that are possible before the first step.
    fn check(&mut self, method: &dyn Erased<P>) -> Result<Plan, SetupError> {
        let state = &self.initial;
        state.check(self.source.system(), &self.options)?;
        if let Some((delays, system)) = self.source.delays() {
            delays.resolve(system, state).map_err(SetupError::Inputs)?;
        }
        self.events.iter().try_for_each(Event::ensure_valid)?;
        if method.imposes_laws() && self.events.iter().any(|event| event.settings.law.is_some()) {
            // They follow from the accelerations of the system without contacts.
            let settings = [
                ("monitor_energy", self.audit.is_some()),
                ("full_order_multipliers", self.options.full_order_multipliers),
                ("delayed", self.source.delays().is_some()),
            ];
            if let Some((setting, _)) = settings.into_iter().find(|(_, is_set)| *is_set) {
                return Err(SetupError::TimeStepping { method: method.id(), setting });
            }
        }
        let system = self.source.system();
        let round_off = <P::State as Motion>::Scalar::epsilon();
        let estimates = method.estimate_order().is_some();
        let numbers = StateSize { round_off, size: state.size(), bytes: state.bytes() };
        let mut plan = self.settings.check(state.time(), numbers, estimates, method.id())?;
        let is_resolved = |period: f64| period > 0.0 && check_resolution(period, state.time(), plan.end).is_ok();
        if let Some(period) = self.source.period().filter(|period| !(period.is_finite() && is_resolved(*period))) {
            return Err(SetupError::Inputs(InputError::Period { period }));
        }
        state.ensure_inputs(system, plan.end).map_err(SetupError::Inputs)?;
        if !self.settings.without_declaration_check {
            state.check_declaration(system).map_err(SetupError::Declaration)?;
        }
        if let Some((delays, _)) = self.source.delays() {
            delays.limit_steps(&mut plan, state.time()).map_err(SetupError::Inputs)?;
        }
        Ok(plan)
    }
}
