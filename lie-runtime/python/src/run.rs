//! Runs of simulations.

use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use lie_runtime::dynamic::{DynamicConfiguration, DynamicError, DynamicSystem, StateValue};
use lie_runtime::gradient::{
    DirectionError, GradientError, Jacobian, Objective, Sensitive, SensitivityError, Variable, Variation,
};
use lie_runtime::integrator::State;
use lie_runtime::nalgebra::DVector;
use lie_runtime::scalar::Dual;
use lie_runtime::simulate::{
    ColumnError, Failure, Limits, MethodError, Methods, Sample, Sampled, Simulation, SimulationError, Statistics,
    Trajectory, Warning, methods as known_methods,
};
use lie_runtime::system::MechanicalSystem;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::{Columns, array};
use crate::errors::{Report, of_method, of_model, of_run, of_sensitivity};
use crate::events::{self, EventSetting, Raised};

/// The least time between two calls of the interpreter during a run.
const PAUSE: Duration = Duration::from_millis(100);

/// All methods for runs without sensitivities.
static METHODS: LazyLock<Methods<DynamicSystem>> = LazyLock::new(Methods::all);

/// The settings of a run, from a dictionary with all of these entries.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Settings {
    method: String,
    options: Vec<(String, String)>,
    rtol: Option<f64>,
    atol: Option<f64>,
    step: Option<f64>,
    initial_step: Option<f64>,
    max_step: Option<f64>,
    t_start: f64,
    t_end: Option<f64>,
    t_eval: Option<Vec<f64>>,
    output_every: Option<usize>,
    fix_initial: Vec<String>,
    max_initial_correction: Option<f64>,
    constraint_tolerance: Option<f64>,
    max_velocity_growth: Option<f64>,
    monitor_energy: bool,
    monitor_rank: bool,
    full_order_multipliers: bool,
    max_steps: Option<u64>,
    max_seconds: Option<f64>,
    max_bytes: Option<u64>,
    events: Vec<EventSetting>,
    progress: Option<Py<PyAny>>,
    inputs: Vec<Input>,
    /// The sampling period and the function of a controller.
    controller: Option<(f64, Py<PyAny>)>,
    /// The contacts and their coefficients of restitution.
    contacts: Vec<(String, f64)>,
    /// The variables of differentiation.
    sensitivities: Vec<String>,
    /// The weights of values at all times of `t_eval`, for a gradient by a reverse pass.
    adjoint: Option<Vec<(String, Vec<f64>)>>,
}

/// The reasons why a run does not start.
enum RunError {
    Method(MethodError),
    Model(Report),
    Gradient(Box<GradientError<DynamicSystem>>),
    Sensitivity(Box<SensitivityError<DynamicSystem>>),
    Column(ColumnError),
}

impl From<ColumnError> for RunError {
    fn from(error: ColumnError) -> Self {
        RunError::Column(error)
    }
}

impl From<DynamicError> for RunError {
    fn from(error: DynamicError) -> Self {
        RunError::Model(of_model(error, None))
    }
}

impl From<MethodError> for RunError {
    fn from(error: MethodError) -> Self {
        RunError::Method(error)
    }
}

/// The data of a finished or failed run, collected without the interpreter.
struct Outcome {
    columns: Columns,
    trajectory: Trajectory<DynamicSystem>,
    events: Vec<(Columns, Option<Columns>)>,
    failure: Option<(Failure, String)>,
    derivatives: Option<Derivatives>,
    gradient: Option<Gradient>,
}

/// A gradient by a reverse pass: the value, the names of the variables, and the derivatives.
type Gradient = (f64, Vec<String>, Vec<f64>);

/// Calls the interpreter at most ten times a second: signals, then the progress function.
struct Watch {
    last: Instant,
    progress: Option<Py<PyAny>>,
    interrupt: Option<PyErr>,
}

impl Watch {
    fn observe(&mut self, time: f64) -> ControlFlow<()> {
        if self.last.elapsed() < PAUSE {
            return ControlFlow::Continue(());
        }
        let result = Python::attach(|py| {
            py.check_signals()?;
            self.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (time,)).map(drop))
        });
        self.last = Instant::now();
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.interrupt = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// Runs a simulation without the global interpreter lock.
pub fn simulate<'py>(
    py: Python<'py>,
    system: &DynamicSystem,
    initial: (DynamicConfiguration, DVector<f64>),
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let driven = with_inputs(system, &settings.inputs).map_err(|error| of_model(error, None).into_error(py))?;
    let system = &driven;
    if system.has_dry_friction() && !settings.sensitivities.is_empty() {
        let message = "dry friction has no derivatives; remove `sensitivities`, or declare a smooth friction force";
        return Err(of_sensitivity(message.to_owned()).into_error(py));
    }
    let progress = settings.progress.as_ref().map(|progress| progress.clone_ref(py));
    let mut watch = Watch { last: Instant::now(), progress, interrupt: None };
    let raised = Raised::default();
    let outcome = py.detach(|| {
        if let Some(weights) = &settings.adjoint {
            let (result, gradient) = reverse(system, initial, &settings, (weights, &mut watch))?;
            return Ok(Outcome { gradient, ..Outcome::new(system, result, None)? });
        }
        if settings.sensitivities.is_empty() {
            let result = run(system, initial, &settings, (&mut watch, &raised))?;
            return Outcome::new(system, result, None);
        }
        let (result, derivatives) = differentiate(system, &initial, &settings, &mut watch)?;
        Outcome::new(system, result, derivatives)
    });
    let outcome = outcome.map_err(|error| match error {
        // An interrupted reverse pass has no result.
        _ if watch.interrupt.is_some() => watch.interrupt.take().unwrap_or_else(|| PyRuntimeError::new_err("")),
        RunError::Method(error) => of_method(&error).into_error(py),
        RunError::Model(report) => report.into_error(py),
        RunError::Gradient(error) => of_sensitivity(error.to_string()).into_error(py),
        RunError::Sensitivity(error) => of_sensitivity(error.to_string()).into_error(py),
        RunError::Column(error) => PyRuntimeError::new_err(error.to_string()),
    })?;
    let result = into_dictionary(py, system, outcome)?;
    let interrupt = watch.interrupt.or(raised.into_error());
    result.set_item("interrupt", interrupt.map(|error| error.into_value(py)))?;
    Ok(result)
}

/// An input: name, times, and the scalars of all times. A constant has no times.
pub type Input = (String, Vec<f64>, Vec<f64>);

/// Returns the system with these inputs.
pub fn with_inputs(system: &DynamicSystem, inputs: &[Input]) -> Result<DynamicSystem, DynamicError> {
    inputs.iter().try_fold(system.clone(), |system, (name, times, scalars)| {
        if times.is_empty() {
            return system.with_input(name, scalars);
        }
        let interpolation = system.interpolation_of_input(name)?;
        let rows: Vec<&[f64]> = scalars.chunks((scalars.len() / times.len()).max(1)).collect();
        system.with_input_table(name, times, &rows, interpolation)
    })
}

type RunResult = Result<Trajectory<DynamicSystem>, Box<SimulationError<DynamicSystem>>>;

fn run(
    system: &DynamicSystem,
    (configuration, velocity): (DynamicConfiguration, DVector<f64>),
    settings: &Settings,
    (watch, raised): (&mut Watch, &Raised),
) -> Result<RunResult, RunError> {
    let observe = |state: &State<DynamicSystem>| {
        if raised.is_raised() { ControlFlow::Break(()) } else { watch.observe(state.time) }
    };
    let simulation = configured(Simulation::of(system).initial(configuration, velocity), settings).on_step(observe);
    let mut simulation = simulation.method_from(&METHODS, &settings.method, &settings.options())?;
    if settings.monitor_energy {
        simulation = simulation.monitor_energy();
    }
    for (name, restitution) in &settings.contacts {
        simulation = simulation.contact(name, *restitution);
    }
    if let Some((period, function)) = &settings.controller {
        let outputs = |system: &_, state: &_| events::outputs(raised, function, system, state);
        simulation = simulation.controller_by_name(*period, outputs);
    }
    if system.has_dry_friction() {
        simulation = simulation.dry_friction();
    }
    simulation = events::add(simulation, &settings.events, raised);
    Ok(simulation.run().map(lie_runtime::simulate::Run::into_trajectory))
}

/// Runs the simulation on dual numbers, once for each component of the variables.
///
/// Each run has its own observer, so that an interrupt ends all of them.
fn differentiate(
    system: &DynamicSystem,
    (configuration, velocity): &(DynamicConfiguration, DVector<f64>),
    settings: &Settings,
    watch: &mut Watch,
) -> Result<(RunResult, Option<Derivatives>), RunError> {
    let of_direction = |error| RunError::Sensitivity(Box::new(SensitivityError::Direction(error)));
    let variables = Variable::named(system, &settings.sensitivities).map_err(of_direction)?;
    let mut values = None;
    let mut derivatives = Derivatives::default();
    for (name, _) in variables {
        let observe = |state: &State<DynamicSystem>| watch.observe(state.time);
        let start = Simulation::of(system).initial(configuration.clone(), velocity.clone());
        let simulation = configured(start, settings).on_step(observe).with_sensitivities([name.as_str()]);
        let mut simulation = simulation.method_from(&Methods::all(), &settings.method, &settings.options())?;
        for event in &settings.events {
            simulation = events::with_use(simulation.declared_event(&event.name), event);
        }
        let run = match simulation.run() {
            Ok(run) => run,
            Err(error) => {
                return match *error {
                    SensitivityError::Run { error, .. } => Ok((Err(error), None)),
                    error => Err(RunError::Sensitivity(Box::new(error))),
                };
            }
        };
        if watch.interrupt.is_some() {
            return Ok((Ok(run.trajectory), None));
        }
        derivatives.push(name, &run);
        let first = values.get_or_insert(run.trajectory);
        if first.states.len() != derivatives.states {
            let by = derivatives.names.pop().unwrap_or_default();
            return Err(RunError::Sensitivity(Box::new(SensitivityError::Times { by })));
        }
    }
    match values {
        Some(trajectory) => Ok((Ok(trajectory), Some(derivatives))),
        None => Err(of_direction(DirectionError::Nothing)),
    }
}

/// Runs the simulation, and computes the gradient of a weighted sum of values by a reverse pass.
fn reverse(
    system: &DynamicSystem,
    (configuration, velocity): (DynamicConfiguration, DVector<f64>),
    settings: &Settings,
    (weights, watch): (&[(String, Vec<f64>)], &mut Watch),
) -> Result<(RunResult, Option<Gradient>), RunError> {
    let values = weights.iter().map(|(name, weights)| Ok((system.state_value(name)?, &weights[..])));
    let values: Vec<(StateValue, &[f64])> = values.collect::<Result<_, DynamicError>>()?;
    let sum = |at: usize, state: &State<DynamicSystem<Dual<f64>>>| {
        let parts = values.iter().flat_map(|(value, weights)| {
            let scalars = value.of(&state.configuration, &state.velocity, &state.multipliers);
            let weights = weights.iter().skip(at * value.size());
            scalars.into_iter().zip(weights).map(|(scalar, &weight)| scalar * weight)
        });
        parts.fold(Dual::default(), |sum, part| sum + part)
    };
    let objective = Objective::<DynamicSystem>::new().at_times(settings.t_eval.clone().unwrap_or_default(), sum);
    let observe = |state: &State<DynamicSystem>| watch.observe(state.time);
    let simulation = configured(Simulation::of(system).initial(configuration, velocity), settings).on_step(observe);
    let simulation = simulation.method_from(&METHODS, &settings.method, &settings.options())?;
    let mut simulation = simulation.with_gradients();
    for event in &settings.events {
        simulation = events::with_use(simulation.declared_event(&event.name), event);
    }
    match simulation.jacobian_of(&[objective], &settings.sensitivities) {
        Ok(Jacobian { names, values, matrix, trajectory, .. }) => {
            Ok((Ok(trajectory), Some((values[0], names, matrix.row(0).iter().copied().collect()))))
        }
        Err(error) => match *error {
            GradientError::Run(error) => Ok((Err(error), None)),
            GradientError::Among { error, .. } => Err(RunError::Gradient(error)),
            error => Err(RunError::Gradient(Box::new(error))),
        },
    }
}

impl Settings {
    fn options(&self) -> Vec<(&str, &str)> {
        self.options.iter().map(|(name, value)| (&name[..], &value[..])).collect()
    }
}

/// Applies the settings that runs with and without sensitivities share.
fn configured<'a, I, O>(
    mut simulation: Simulation<'a, DynamicSystem, I, O>,
    settings: &Settings,
) -> Simulation<'a, DynamicSystem, I, O>
where
    O: FnMut(&State<DynamicSystem>) -> ControlFlow<()>,
{
    simulation = simulation.start_time(settings.t_start).on_warning(announce).fix_initial(settings.fix_initial.clone());
    macro_rules! set {
        ($($field:ident $setter:ident,)*) => {
            $(if let Some(value) = settings.$field {
                simulation = simulation.$setter(value);
            })*
        };
    }
    set! {
        rtol rtol,
        atol atol,
        step step,
        initial_step initial_step,
        max_step max_step,
        t_end end_time,
        output_every output_every,
        max_initial_correction max_initial_correction,
        constraint_tolerance constraint_tolerance,
        max_velocity_growth max_velocity_growth,
    }
    if let Some(times) = settings.t_eval.as_ref().filter(|_| settings.adjoint.is_none()) {
        simulation = simulation.output_times(times);
    }
    if settings.monitor_rank {
        simulation = simulation.monitor_rank();
    }
    if settings.full_order_multipliers {
        simulation = simulation.full_order_multipliers();
    }
    let mut limits = Limits::default();
    limits = settings.max_steps.map_or(limits, |steps| limits.steps(steps));
    limits = settings.max_seconds.map_or(limits, |seconds| limits.seconds(seconds));
    limits = settings.max_bytes.map_or(limits, |bytes| limits.bytes(bytes));
    simulation.limits(limits)
}

/// The derivatives of the recorded states and of the event times, by variable.
#[derive(Default)]
struct Derivatives {
    names: Vec<String>,
    states: usize,
    /// For each variable the components of ∂q, ∂v and ∂λ at all states.
    of_states: Vec<[Vec<f64>; 3]>,
    of_events: Vec<Vec<f64>>,
}

impl Derivatives {
    fn push(&mut self, name: String, run: &Sensitive<DynamicSystem>) {
        let all = |part: fn(&Variation<DynamicSystem>) -> &DVector<f64>| {
            let states = run.variations.iter().filter_map(|variations| variations.first());
            states.flat_map(|variation| part(variation).iter().copied()).collect()
        };
        self.of_states.push([
            all(|variation| &variation.configuration),
            all(|variation| &variation.velocity),
            all(|variation| &variation.multipliers),
        ]);
        let events = run.events.iter().filter_map(|variations| variations.first());
        self.of_events.push(events.map(|event| event.time).collect());
        self.names.push(name);
        self.states = run.variations.len();
    }

    /// Returns the names of the variables and the arrays by member, with the variables along the last axis.
    fn into_dictionary<'py>(self, py: Python<'py>, system: &DynamicSystem) -> PyResult<Bound<'py, PyDict>> {
        let (arrays, description, variables) = (PyDict::new(py), system.description(), self.names.len());
        let add = |name: String, part: usize, size: usize, components: std::ops::Range<usize>| {
            let mut values = Vec::with_capacity(self.states * components.len() * variables);
            for state in 0..self.states {
                for component in components.clone() {
                    values.extend(self.of_states.iter().map(|parts| parts[part][state * size + component]));
                }
            }
            arrays.set_item(name, array(py, &[self.states, components.len(), variables], values)?)
        };
        for member in &*description.members {
            let components = member.offset..member.offset + member.dof;
            add(format!("configuration.{}", member.name), 0, description.dof, components.clone())?;
            add(format!("velocity.{}", member.name), 1, description.dof, components)?;
        }
        for constraint in &*description.constraints {
            let rows = constraint.offset..constraint.offset + constraint.rows;
            add(format!("multipliers.{}", constraint.name), 2, system.constraint_rows(), rows)?;
        }
        let events = self.of_events.first().map_or(0, Vec::len);
        let times = (0..events).flat_map(|event| self.of_events.iter().map(move |times| times[event])).collect();
        let result = PyDict::new(py);
        result.set_item("names", self.names.clone())?;
        result.set_item("columns", arrays)?;
        result.set_item("event_times", array(py, &[events, variables], times)?)?;
        Ok(result)
    }
}

/// Returns true for a warning that is shown during the run.
fn is_of_cost(warning: &Warning) -> bool {
    matches!(warning, Warning::Costly { .. } | Warning::SlowStep { .. })
}

/// Shows a warning of cost as soon as it arises. The others are shown after the run.
fn announce(warning: &Warning) {
    if is_of_cost(warning) {
        Python::attach(|py| {
            let shown = py
                .import("liemech._errors")
                .and_then(|errors| errors.getattr("announce")?.call1((warning.kind(), warning.to_string())));
            // A filter that turns warnings into errors does not end the run.
            drop(shown);
        });
    }
}

impl Outcome {
    /// Evaluates all named values.
    fn new(system: &DynamicSystem, result: RunResult, derivatives: Option<Derivatives>) -> Result<Self, RunError> {
        let (trajectory, failure) = match result {
            Ok(trajectory) => (trajectory, None),
            Err(error) => {
                let message = error.to_string();
                let SimulationError { failure, trajectory, .. } = *error;
                (trajectory, Some((failure, message)))
            }
        };
        // A run that did not start has no states and no system.
        let (columns, trajectory) = if trajectory.states.is_empty() {
            (Columns::default(), trajectory)
        } else {
            let run = trajectory.with_system(system)?;
            (Columns::of(run.samples()), run.into_trajectory())
        };
        let sample = |system: &DynamicSystem, state: &State<DynamicSystem>| -> Columns {
            let sample: Sample = Sampled::<DynamicSystem>::sample(system, state);
            Columns::of(std::iter::once(sample))
        };
        let events = trajectory.events.iter().map(|event| {
            let after = event.after.as_ref().map(|state| sample(event.system.as_deref().unwrap_or(system), state));
            (sample(system, &event.before), after)
        });
        let events = events.collect();
        Ok(Outcome { columns, trajectory, events, failure, derivatives, gradient: None })
    }
}

fn into_dictionary<'py>(py: Python<'py>, system: &DynamicSystem, outcome: Outcome) -> PyResult<Bound<'py, PyDict>> {
    let Outcome { columns, trajectory, events, failure, derivatives, gradient } = outcome;
    let result = PyDict::new(py);
    let units = PyDict::new(py);
    for name in columns.names() {
        if let Some(unit) = system.description().unit_of(name) {
            units.set_item(name, unit)?;
        }
    }
    result.set_item("units", units)?;
    result.set_item("columns", columns.into_arrays(py)?)?;
    result.set_item("method", trajectory.method)?;
    result.set_item("summary", trajectory.summary())?;
    let warnings = trajectory.warnings().iter();
    let warnings = warnings.map(|warning| (warning.kind(), warning.to_string(), is_of_cost(warning)));
    result.set_item("warnings", warnings.collect::<Vec<_>>())?;
    result.set_item("stopped", trajectory.stopped)?;
    result.set_item("statistics", statistics(py, &trajectory.statistics)?)?;
    let corrections = [trajectory.initial.configuration, trajectory.initial.velocity];
    result.set_item("initial_corrections", corrections.map(|projection| projection.distance))?;
    let occurrences = PyList::empty(py);
    for (event, (before, after)) in trajectory.events.iter().zip(events) {
        let entry = PyDict::new(py);
        entry.set_item("name", &event.event)?;
        entry.set_item("time", event.time)?;
        entry.set_item("rising", event.rising)?;
        entry.set_item("before", before.into_arrays(py)?)?;
        entry.set_item("after", after.map(|columns| columns.into_arrays(py)).transpose()?)?;
        occurrences.append(entry)?;
    }
    result.set_item("events", occurrences)?;
    let failure = failure.map(|(failure, message)| of_run(&failure, &message).into_exception(py));
    result.set_item("failure", failure.transpose()?)?;
    let derivatives = derivatives.map(|derivatives| derivatives.into_dictionary(py, system));
    result.set_item("sensitivities", derivatives.transpose()?)?;
    let gradient = gradient.map(|(value, names, derivatives)| {
        array(py, &[derivatives.len()], derivatives).map(|derivatives| (value, names, derivatives))
    });
    result.set_item("gradient", gradient.transpose()?)?;
    Ok(result)
}

fn statistics<'py>(py: Python<'py>, statistics: &Statistics) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    found.set_item("accepted", statistics.accepted)?;
    found.set_item("rejected", statistics.rejected)?;
    found.set_item("linear_solves", statistics.linear_solves)?;
    found.set_item("position_residual", statistics.position_residual)?;
    found.set_item("energy_gained", statistics.energy_gained)?;
    found.set_item("energy_defect", statistics.energy_defect)?;
    found.set_item("crossings", statistics.crossings)?;
    found.set_item("newton_iterations", statistics.newton_iterations)?;
    found.set_item("seconds", statistics.seconds)?;
    Ok(found)
}

/// Returns the information about all methods for mechanical systems.
pub fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let infos = known_methods().into_iter().filter(|info| METHODS.info(info.id).is_ok());
    let entry = |info: lie_runtime::simulate::MethodInfo| {
        let entry = PyDict::new(py);
        entry.set_item("id", info.id)?;
        entry.set_item("name", info.name)?;
        entry.set_item("family", info.family)?;
        entry.set_item("order", info.order)?;
        entry.set_item("multiplier_order", info.multiplier_order)?;
        entry.set_item("controls_step", info.estimates)?;
        entry.set_item("needs", info.needs.to_string())?;
        let options = PyDict::new(py);
        for option in info.options {
            options.set_item(option.name, option.meaning)?;
        }
        entry.set_item("options", options)?;
        Ok(entry)
    };
    infos.map(entry).collect()
}
