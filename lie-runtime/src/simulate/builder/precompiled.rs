//! Runs with the integrators that this crate compiles once, for all systems.
//!
//! [`run`] and [`method`] are not generic: their code, with all integrators, belongs to this crate. The crate of a user compiles the
//! functions of its system and the conversions below.

use core::ops::ControlFlow;
use std::sync::Arc;

use super::simulation::Simulation;
use crate::integrator::{AnyMethod, Integrator, Problem, State};
use crate::messages::see;
use crate::simulate::controller::{Ask, Controller, Hold};
use crate::simulate::event::{ChangeBy, DualToPlain, Event, converted, erased_state, typed_state};
use crate::simulate::methods::{MethodError, Methods};
use crate::simulate::outcome::{Run, SimulationError, Trajectory};
use crate::simulate::run::{ErasedSimulation, SystemSource};
use crate::system::Description;
use crate::system::erased::{Erasable, ErasedSystem};

/// The error of a run with a [precompiled method](Simulation::run_precompiled).
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum PrecompiledError<P: Problem + 'static> {
    /// The method is unknown, or it does not apply to the system.
    #[error(transparent)]
    Method(MethodError),
    /// The run has a feature that precompiled methods do not support.
    #[error(
        "precompiled methods do not support {feature}; use `.method_named(…)` and `.run()` {}",
        see("precompiled-methods")
    )]
    Unsupported {
        /// The feature.
        feature: &'static str,
    },
    /// The run failed. The error contains its results so far.
    #[error(transparent)]
    Run(Box<SimulationError<P>>),
}

crate::messages::debug_is_the_message!([P: Problem + 'static] PrecompiledError<P>);

/// Returns the method with this name, if the system meets its requirements.
fn method(
    description: &Description,
    id: &str,
    options: &[(&str, &str)],
) -> Result<AnyMethod<ErasedSystem>, MethodError> {
    let methods = Methods::<ErasedSystem>::all();
    let info = methods.info(id)?;
    if !info.needs.are_met_by(description) {
        return Err(MethodError::NotApplicable { method: info.id, needs: info.needs });
    }
    methods.find(id, options)
}

/// Hides the type of the system of a controller without dead time.
fn erased_controller<M: Erasable>(controller: Controller<'_, M>) -> Controller<'_, ErasedSystem> {
    let Controller { system, sampled, .. } = controller;
    let sampled = sampled.map(|(period, mut ask)| {
        let ask: Box<Ask<'_, ErasedSystem>> = Box::new(move |system, state| {
            let state = typed_state::<M>(system, state);
            ask(system.typed_mut::<M>(), &state)
        });
        (period, ask)
    });
    // The trajectory with the type of the system has its own function.
    let hold: Hold<ErasedSystem> = |system, _| Box::new(system.clone());
    Controller { system: Box::new(ErasedSystem::of(&*system)), sampled, delays: None, hold }
}

/// Runs a simulation of a system without its type.
fn run(
    simulation: ErasedSimulation<'_, ErasedSystem>,
    method: AnyMethod<ErasedSystem>,
) -> Result<Trajectory<ErasedSystem>, Box<SimulationError<ErasedSystem>>> {
    simulation.run(Arc::new(method))
}

/// A simulation without a method, whose observer has no type.
type Described<'a, 'o, M> = Simulation<'a, M, (), &'o mut dyn FnMut(&State<M>) -> ControlFlow<()>>;

/// Runs a simulation with a method for systems without their type. The function does not depend on the type of the observer.
fn run_erased<'a, M: Erasable>(
    simulation: Described<'a, '_, M>,
    method: AnyMethod<ErasedSystem>,
) -> Result<Run<'a, M>, PrecompiledError<M>> {
    let Simulation { system, initial, integrator: (), settings, options, observer, controller, events, audit } =
        simulation;
    let unsupported = |feature| Err(PrecompiledError::Unsupported { feature });
    if controller.as_ref().is_some_and(|controller| controller.delays.is_some()) {
        return unsupported("inputs with dead time");
    }
    if Integrator::imposes_laws(&method) && events.iter().any(|event| event.settings.law.is_some()) {
        return unsupported("contacts and dry friction with a time-stepping method");
    }
    let (erased, is_observed) = (ErasedSystem::of(system), options.is_observed);
    let hold = controller.as_ref().map(|controller| controller.hold);
    let typed_event =
        |event: Event<'a, M>| event.for_other(ErasedSystem::typed::<M>, typed_state::<M>, ChangeBy::erased);
    let simulation = ErasedSimulation {
        source: match controller {
            None => SystemSource::Borrowed(&erased),
            Some(controller) => SystemSource::Controlled(erased_controller(controller)),
        },
        initial: erased_state(&initial),
        settings,
        options,
        observer: &mut |state| {
            if is_observed { observer(&typed_state(&erased, state)) } else { ControlFlow::Continue(()) }
        },
        events: converted(events, typed_event),
        audit: audit.map(|audit| audit.erased(ErasedSystem::typed::<M>, typed_state::<M>)),
    };
    let typed = &mut DualToPlain {
        states: &mut |state| typed_state(&erased, &state),
        systems: &|system: &ErasedSystem| Some(Arc::new(system.typed::<M>().clone())),
    };
    let with_hold = |trajectory: Trajectory<M>| Trajectory { log: trajectory.log.with_hold(hold), ..trajectory };
    match run(simulation, method) {
        Ok(trajectory) => Ok(Run::new(system, with_hold(trajectory.into_plain(typed)))),
        Err(error) => {
            let error = error.into_plain(typed);
            let trajectory = with_hold(error.trajectory);
            Err(PrecompiledError::Run(Box::new(SimulationError { trajectory, ..error })))
        }
    }
}

impl<'a, M: Erasable, I, O: FnMut(&State<M>) -> ControlFlow<()>> Simulation<'a, M, I, O> {
    /// Runs the simulation with the method of this name, which the library has compiled for all systems.
    ///
    /// The result is equal to the result of [`method_named`](Self::method_named) and [`run`](Self::run) up to round-off. Your crate does not
    /// compile the integrators, so that a build after an edit takes less time. A step calls the equations of motion through virtual
    /// functions, which costs more for small systems; see the page `howto/compile_times.md` of the book.
    ///
    /// Declared systems, observers, monitors, events, contacts, impacts and sampled controllers are supported.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// #[mechanical_system]
    /// mod oscillator {
    ///     #[configuration]
    ///     pub struct Position { pub x: f64 }
    ///
    ///     #[kinetic_energy]
    ///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///
    ///     #[potential]
    ///     fn spring(q: &Position) -> f64 { 0.5 * q.x * q.x }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = oscillator::System::new()?;
    /// let simulation = Simulation::of(&system).at_rest(oscillator::Position { x: 1.0 }).step(0.01).end_time(1.0);
    /// let run = simulation.run_precompiled("hedop5")?;
    /// assert!((run.last().configuration.x - 1.0_f64.cos()).abs() < 1e-10);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`PrecompiledError::Method`] for an unknown method, [`PrecompiledError::Unsupported`] for inputs with dead time and for contacts and
    /// dry friction with a time-stepping method, and [`PrecompiledError::Run`] for the errors of [`run`](Self::run).
    #[doc(alias = "compile time")]
    pub fn run_precompiled(self, id: &str) -> Result<Run<'a, M>, PrecompiledError<M>> {
        self.run_precompiled_with(id, &[])
    }

    /// Runs the simulation like [`run_precompiled`](Self::run_precompiled), with options of the method, such as `("rho_inf", "0.8")`.
    ///
    /// # Errors
    /// The errors of [`run_precompiled`](Self::run_precompiled), and [`PrecompiledError::Method`] for an invalid option.
    pub fn run_precompiled_with(
        self,
        id: &str,
        method_options: &[(&str, &str)],
    ) -> Result<Run<'a, M>, PrecompiledError<M>> {
        let Simulation { system, initial, integrator: _, settings, options, mut observer, controller, events, audit } =
            self;
        let method = method(system.description(), id, method_options).map_err(PrecompiledError::Method)?;
        let observer: &mut dyn FnMut(&State<M>) -> ControlFlow<()> = &mut observer;
        let simulation =
            Simulation { system, initial, integrator: (), settings, options, observer, controller, events, audit };
        run_erased(simulation, method)
    }
}
