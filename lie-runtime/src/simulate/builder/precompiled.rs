//! Runs with the integrators that this crate compiles once, for all systems.
//!
//! [`run`] and [`method`] are not generic: their code, with all integrators, belongs to this crate. The crate of a user compiles the
//! functions of its system and the conversions below.

use core::ops::ControlFlow;
use std::sync::Arc;

use super::simulation::Simulation;
use crate::group::TangentVector;
use crate::integrator::{AnyMethod, Problem, State};
use crate::messages::see;
use crate::simulate::event::DualToPlain;
use crate::simulate::methods::{MethodError, Methods};
use crate::simulate::outcome::{Run, SimulationError, Trajectory};
use crate::simulate::run::{ErasedSimulation, SystemSource};
use crate::system::Description;
use crate::system::erased::{Erasable, ErasedSystem, ErasedValue};

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

/// Copies the components of a vector to a vector of another type.
fn copied<V: TangentVector<Scalar = f64>, W: TangentVector<Scalar = f64>>(from: &V, mut to: W) -> W {
    for at in 0..from.component_count() {
        to.set_component(at, from.component(at));
    }
    to
}

fn typed_state<M: Erasable>(erased: &ErasedSystem, state: &State<ErasedSystem>) -> State<M> {
    let system = erased.typed::<M>();
    state.converted(
        |q| q.get::<M::Configuration>().clone(),
        |vector| copied(vector, system.zero_velocity()),
        |rows| copied(rows, system.zero_multipliers()),
    )
}

/// Hides the type of a state, whose vectors may have wrong lengths.
fn erased_state<M: Erasable>(state: &State<M>) -> State<ErasedSystem> {
    state.converted(
        |q| ErasedValue::of(q.clone()),
        |vector| copied(vector, nalgebra::DVector::zeros(vector.component_count())),
        |rows| copied(rows, nalgebra::DVector::zeros(rows.component_count())),
    )
}

/// Returns the method with this name, if the system meets its requirements.
fn method(description: &Description, id: &str) -> Result<AnyMethod<ErasedSystem>, MethodError> {
    let methods = Methods::<ErasedSystem>::all();
    let info = methods.info(id)?;
    if !info.needs.are_met_by(description) {
        return Err(MethodError::NotApplicable { method: info.id, needs: info.needs });
    }
    methods.find(id, &[])
}

/// Runs a simulation of a system without its type.
fn run(
    simulation: ErasedSimulation<'_, ErasedSystem>,
    method: AnyMethod<ErasedSystem>,
) -> Result<Trajectory<ErasedSystem>, Box<SimulationError<ErasedSystem>>> {
    simulation.run(Arc::new(method))
}

impl<'a, M: Erasable, I, O: FnMut(&State<M>) -> ControlFlow<()>> Simulation<'a, M, I, O> {
    /// Runs the simulation with the method of this name, which the library has compiled for all systems.
    ///
    /// The result is equal to the result of [`method_named`](Self::method_named) and [`run`](Self::run). Your crate does not compile the
    /// integrators, so that a build after an edit takes less time. A step calls the equations of motion through virtual functions, which
    /// costs more for small systems; see the page `howto/compile_times.md` of the book.
    ///
    /// Declared systems, observers, monitors, and events that are recorded or that stop the run are supported.
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
    /// [`PrecompiledError::Method`] for an unknown method, [`PrecompiledError::Unsupported`] for a controller or dead time, for an event that changes
    /// the motion, and for a system with `redundant = minimum_norm`, and [`PrecompiledError::Run`] for the errors of [`run`](Self::run).
    #[doc(alias = "compile time")]
    pub fn run_precompiled(self, id: &str) -> Result<Run<'a, M>, PrecompiledError<M>> {
        let Simulation { system, initial, integrator: _, settings, options, mut observer, controller, events, audit } =
            self;
        let unsupported = |feature| Err(PrecompiledError::Unsupported { feature });
        if system.has_least_norm() {
            return unsupported("systems with `redundant = minimum_norm`");
        }
        if let Some(controller) = controller {
            let has_delays = controller.delays.is_some();
            return unsupported(if has_delays { "inputs with dead time" } else { "controllers" });
        }
        let events: Option<Vec<_>> =
            events.into_iter().map(|event| event.for_other(ErasedSystem::typed::<M>, typed_state::<M>)).collect();
        let Some(events) = events else { return unsupported("events that change the motion") };
        let method = method(system.description(), id).map_err(PrecompiledError::Method)?;
        let erased = ErasedSystem::of(system);
        let simulation = ErasedSimulation {
            source: SystemSource::Borrowed(&erased),
            initial: erased_state(&initial),
            settings,
            options,
            observer: &mut |state| observer(&typed_state(&erased, state)),
            events,
            audit: audit.map(|audit| audit.erased(ErasedSystem::typed::<M>, typed_state::<M>)),
        };
        let typed = &mut DualToPlain { states: &mut |state| typed_state(&erased, &state), systems: &|_| None };
        match run(simulation, method) {
            Ok(trajectory) => Ok(Run::new(system, trajectory.into_plain(typed))),
            Err(error) => Err(PrecompiledError::Run(Box::new(error.into_plain(typed)))),
        }
    }
}
