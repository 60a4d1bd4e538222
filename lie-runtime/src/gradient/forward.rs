//! Forward sensitivities: derivatives of a run by dual numbers.

use core::ops::ControlFlow;
use std::sync::Arc;

use super::lifting::{lowered, moved, variation};
use super::{Differentiated, DirectionError, EventVariation, SensitivityError, Variable, Variation};
use crate::group::TangentVector;
use crate::integrator::{AnyMethod, Integrator, State};
use crate::simulate::ExportError;
use crate::simulate::event::Event;
use crate::simulate::{DualToPlain, MethodError, Methods, Registered, Simulation, Trajectory};
use crate::system::{MechanicalSystem, TangentSystem};
use crate::system::{Report, Value};

/// A simulation with forward sensitivities, see [`Simulation::with_sensitivities`].
pub type Sensitivities<'a, M, I, O> = Differentiated<'a, M, I, O, ForwardMode>;

/// Derivatives with respect to a few variables, computed along a run.
#[doc(hidden)]
pub struct ForwardMode {
    names: Vec<String>,
}

/// A trajectory with its derivatives.
#[doc(alias = "forward sensitivity analysis")]
pub struct Sensitive<M: MechanicalSystem> {
    /// The names of the variables, by components.
    pub names: Vec<String>,
    /// The trajectory.
    pub trajectory: Trajectory<M>,
    /// The derivatives of each recorded state, in the order of the names. They are derivatives at the fixed time of the state. If an
    /// event has ended the run, the derivatives of the last state are along the moving event.
    pub variations: Vec<Vec<Variation<M>>>,
    /// The derivatives of each of the [events](Trajectory::events), in the order of the names.
    pub events: Vec<Vec<EventVariation<M>>>,
}

impl<M: MechanicalSystem> core::fmt::Debug for Sensitive<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Sensitive")
            .field("names", &self.names)
            .field("trajectory", &self.trajectory)
            .finish_non_exhaustive()
    }
}

impl<'a, M: TangentSystem, I, O> Simulation<'a, M, I, O> {
    /// Computes the derivatives of all recorded states with respect to these variables. They are parameters (`"mass"`, `"inertia"`,
    /// `"inertia[0][0]"`), initial configurations and initial velocities (`"v.attitude[2]"`). Initial configurations are `"q.attitude"`
    /// in the algebra of the body, or `"q"` for all members.
    ///
    /// The results are the derivatives of the numerical solution, [on dual numbers](crate::gradient). Each component costs one more run.
    /// A method by name is set after this call, with [`Sensitivities::method_named`]. A method by type may be set before or after it.
    #[must_use]
    pub fn with_sensitivities<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Sensitivities<'a, M, I, O> {
        let wanted = ForwardMode { names: names.into_iter().map(Into::into).collect() };
        Differentiated { simulation: self, wanted, events: Vec::new() }
    }
}

impl<'a, M: TangentSystem, I, O> Sensitivities<'a, M, I, O> {
    /// Sets the method with this name, one of [`methods`](crate::simulate::methods()).
    ///
    /// # Errors
    /// [`MethodError`] with the most similar name if the name is unknown, or if the method does not apply to the system.
    pub fn method_named(self, id: &str) -> Result<Sensitivities<'a, M, AnyMethod<M::Lifted>, O>, MethodError>
    where
        M::Lifted: Registered<State = State<M::Lifted>>,
    {
        self.method_from(&Methods::all(), id, &[])
    }

    /// Sets the method with this name in a registry, with these options: names and values.
    ///
    /// # Errors
    /// [`MethodError`], as for [`Simulation::method_from`].
    pub fn method_from(
        self,
        methods: &Methods<M::Lifted>,
        id: &str,
        options: &[(&str, &str)],
    ) -> Result<Sensitivities<'a, M, AnyMethod<M::Lifted>, O>, MethodError> {
        let info = methods.info(id)?;
        if !info.needs.are_met_by(self.simulation.system.description()) {
            return Err(MethodError::NotApplicable { method: info.id, needs: info.needs });
        }
        let method = methods.find(id, options)?;
        Ok(self.method(method))
    }
}

/// Repeated runs of other systems of the same declaration, from other initial values.
#[cfg(feature = "estimation")]
impl<M: TangentSystem, I, O> Sensitivities<'_, M, I, O> {
    /// The variables with their full names.
    pub(crate) fn variables(&self) -> Result<Vec<(String, Variable)>, SensitivityError<M>> {
        Variable::named(self.simulation.system, &self.wanted.names).map_err(SensitivityError::Direction)
    }

    pub(crate) fn system(&self) -> &M {
        self.simulation.system
    }

    pub(crate) fn initial(&self) -> &State<M> {
        &self.simulation.initial
    }

    /// Records the states at these times in ascending order, and no others. The run does not end before the last one.
    pub(crate) fn record_at(&mut self, times: Vec<f64>) {
        let settings = &mut self.simulation.settings;
        if let Some(&last) = times.last() {
            settings.end = Some(settings.end.map_or(last, |end| end.max(last)));
        }
        (settings.samples, settings.output_every) = (Some(times), None);
    }

    /// Runs with another system and another initial state.
    pub(crate) fn run_from(&mut self, system: &M, initial: State<M>) -> Result<Sensitive<M>, Box<SensitivityError<M>>>
    where
        I: Integrator<M::Lifted> + Clone,
        O: FnMut(&State<M>) -> ControlFlow<()> + Clone,
    {
        let Simulation { integrator, settings, options, observer, controller, events: plain, .. } = &self.simulation;
        if controller.is_some() {
            return Err(Box::new(SensitivityError::Controlled));
        }
        if !plain.is_empty() {
            return Err(Box::new(SensitivityError::Events));
        }
        let simulation = Simulation {
            system,
            initial,
            integrator: integrator.clone(),
            settings: settings.clone(),
            options: options.clone(),
            observer: observer.clone(),
            controller: None,
            events: Vec::new(),
            audit: None,
        };
        let wanted = ForwardMode { names: self.wanted.names.clone() };
        let events = self.events.iter_mut().map(Event::reborrow).collect();
        Differentiated { simulation, wanted, events }.run()
    }
}

impl<M, I, O> Sensitivities<'_, M, I, O>
where
    M: TangentSystem,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    /// Runs the simulation once for each component of the variables; an observer is called in the first run only.
    ///
    /// # Errors
    /// [`SensitivityError`] if an input or event has no derivatives, or a run did not reach its end.
    pub fn run(self) -> Result<Sensitive<M>, Box<SensitivityError<M>>>
    where
        I: Integrator<M::Lifted> + Clone,
    {
        let Differentiated { simulation, wanted: ForwardMode { names }, mut events } = self;
        let Simulation {
            system, initial, integrator, settings, options, mut observer, controller, events: plain, ..
        } = simulation;
        let directions =
            Variable::named(system, &names).map_err(|error| Box::new(SensitivityError::Direction(error)))?;
        if controller.is_some() {
            return Err(Box::new(SensitivityError::Controlled));
        }
        if !plain.is_empty() {
            return Err(Box::new(SensitivityError::Events));
        }
        system.ensure_inputs_over_time().map_err(|error| Box::new(SensitivityError::Inputs(error)))?;
        if !initial.memory.is_empty() {
            return Err(Box::new(SensitivityError::Remembers { time: initial.time }));
        }
        // The run itself reports a state of another system first.
        if let Err(error) = initial.check(system) {
            return Err(Box::new(SensitivityError::Model(error)));
        }
        let (mut names, mut variations) = (Vec::new(), Vec::<Vec<Variation<M>>>::new());
        let mut moved_events = Vec::<Vec<EventVariation<M>>>::new();
        let mut values: Option<Trajectory<M>> = None;
        let systems = |lifted: &M::Lifted| {
            let [parameters, _] = M::lowered_parameters(lifted);
            system.with_parameters(parameters).ok().map(Arc::new)
        };
        for (by, direction) in directions {
            let lifted = system
                .varied(&Variable::of_parameters(&[(direction.clone(), 1.0)], system.parameters()))
                .map_err(|error| Box::new(SensitivityError::Model(error)))?;
            // Events stop every run automatically.
            let stopped = values.as_ref().map(|values| values.stopped.filter(|time| !values.ends_at_event(*time)));
            let shown = |state: &State<M::Lifted>| match stopped {
                None => observer(&lowered(system, state)),
                // The end of the first run.
                Some(stopped) if stopped.is_some_and(|time| state.time >= time) => ControlFlow::Break(()),
                Some(_) => ControlFlow::Continue(()),
            };
            let run = Simulation {
                system: &lifted,
                initial: moved(system, &lifted, &initial, &[(direction.clone(), 1.0)]),
                integrator: integrator.clone(),
                settings: settings.clone(),
                options: options.clone(),
                observer: shown,
                controller: None,
                events: events.iter_mut().map(Event::reborrow).collect(),
                audit: None,
            };
            let run = run.trajectory().map_err(|error| {
                let error =
                    Box::new(error.into_plain(&mut DualToPlain {
                        states: &mut |state| lowered(system, &state),
                        systems: &systems,
                    }));
                Box::new(SensitivityError::Run { by: by.clone(), error })
            })?;
            let times = |values: &Trajectory<M>| values.times().eq(run.times());
            if !values.as_ref().is_none_or(times) {
                return Err(Box::new(SensitivityError::Times { by }));
            }
            variations.resize_with(run.states.len(), Vec::new);
            for (variations, state) in variations.iter_mut().zip(&run.states) {
                variations.push(variation(system, &lifted, state));
            }
            moved_events.resize_with(run.events.len(), Vec::new);
            for (variations, event) in moved_events.iter_mut().zip(&run.events) {
                let state = variation(system, &lifted, &event.before);
                variations.push(EventVariation { time: event.time_derivative, state });
            }
            names.push(by);
            values.get_or_insert_with(|| {
                run.into_plain(&mut DualToPlain { states: &mut |state| lowered(system, &state), systems: &systems })
            });
        }
        match values {
            Some(trajectory) => Ok(Sensitive { names, trajectory, variations, events: moved_events }),
            None => Err(Box::new(SensitivityError::Direction(DirectionError::Nothing))),
        }
    }
}

/// Records of states with their derivatives.
impl<M: TangentSystem + Report> Sensitive<M> {
    /// Returns the states as records, each with `sensitivities`: the matrices of ∂q, ∂v and ∂λ, whose columns are the
    /// [names](Sensitive::names).
    fn records<'a>(&'a self, system: &'a M) -> Result<impl Iterator<Item = Value> + 'a, ExportError> {
        Ok(self.trajectory.samples(system).map_err(ExportError::ForeignState)?.zip(&self.variations).map(
            |(sample, variations)| {
                let rows = |count: usize, of: &dyn Fn(&Variation<M>, usize) -> f64| {
                    Value::Matrix((0..count).map(|row| variations.iter().map(|one| of(one, row)).collect()).collect())
                };
                let matrices = Value::Record(vec![
                    ("configuration", rows(system.dof(), &|one, row| one.configuration.component(row))),
                    ("velocity", rows(system.dof(), &|one, row| one.velocity.component(row))),
                    ("multipliers", rows(system.constraint_rows(), &|one, row| one.multipliers.component(row))),
                ]);
                match sample.record() {
                    Value::Record(mut entries) => {
                        entries.push(("sensitivities", matrices));
                        Value::Record(entries)
                    }
                    value => value,
                }
            },
        ))
    }

    /// Writes one line for each state: the columns of [`Run::write_csv`](crate::simulate::Run::write_csv), followed by the derivatives. For example,
    /// `sensitivities.velocity[2][0]` is the derivative of component 2 of v with respect to the first of the [names](Sensitive::names).
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_csv(&self, system: &M, writer: impl std::io::Write) -> Result<(), ExportError> {
        crate::simulate::write_csv(self.records(system)?, writer)
    }

    /// Writes the NPZ archive of [`Run::write_npz`](crate::simulate::Run::write_npz) with additional arrays of derivatives, for example `sensitivities.velocity` of
    /// shape (states, n, names).
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_npz(&self, system: &M, writer: impl std::io::Write) -> Result<(), ExportError> {
        crate::simulate::write_npz(self.records(system)?, writer)
    }
}
