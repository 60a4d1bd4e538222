//! Events and controllers with functions in Python.
//!
//! An action returns its changes as a list, which is applied after the call. Python has no reference to a state of the run.

use std::sync::Mutex;

use lie_runtime::dynamic::DynamicSystem;
use lie_runtime::integrator::State;
use lie_runtime::simulate::event::{Change, EventBuilder};
use lie_runtime::simulate::{Sampled, Simulated, Simulation};
use lie_runtime::system::{MechanicalSystem, Parametrised, Report, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::Columns;
use crate::errors::of_model;

/// An event of a run, from a dictionary with all of these entries.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct EventSetting {
    pub name: String,
    /// −1, 0 or 1.
    direction: i32,
    /// Whether the event ends the run.
    stop: bool,
    /// The event function; a declared event has none.
    function: Option<Py<PyAny>>,
    action: Option<Py<PyAny>>,
}

/// Names and scalars.
type NamedValues = Vec<(String, Vec<f64>)>;

/// The first exception of a function in Python.
#[derive(Default)]
pub struct Raised(Mutex<Option<PyErr>>);

impl Raised {
    /// Calls the interpreter, and keeps the first exception.
    fn call<T>(&self, run: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        let result = Python::attach(run);
        let mut first = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        result.map_err(|error| first.get_or_insert(error)).ok()
    }

    /// Returns true after an exception.
    pub fn is_raised(&self) -> bool {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).is_some()
    }

    /// Returns the exception.
    pub fn into_error(self) -> Option<PyErr> {
        self.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn columns<'py>(py: Python<'py>, system: &DynamicSystem, state: &State<DynamicSystem>) -> PyResult<Bound<'py, PyDict>> {
    Columns::of(std::iter::once(Sampled::<DynamicSystem>::sample(system, state))).into_arrays(py)
}

/// Returns the outputs of a controller; there are none after an exception.
pub fn outputs(
    raised: &Raised,
    function: &Py<PyAny>,
    system: &DynamicSystem,
    state: &State<DynamicSystem>,
) -> NamedValues {
    let (t, q, v) = (state.time, &state.configuration, &state.velocity);
    // Multipliers and accelerations depend on the outputs.
    let values = Value::Record(vec![
        ("t", Value::Scalar(t)),
        ("configuration", system.report_configuration(q)),
        ("velocity", system.report_velocity(v)),
        ("states", system.report_states(v)),
        ("observables", system.report_observables(t, q, v)),
    ]);
    let called = raised.call(|py| function.call1(py, (Columns::of_record(&values).into_arrays(py)?,))?.extract(py));
    called.unwrap_or_default()
}

/// Adds the events with functions or actions in Python, and declared events.
pub fn add<'a, I, O>(
    mut simulation: Simulation<'a, DynamicSystem, I, O>,
    events: &'a [EventSetting],
    raised: &'a Raised,
) -> Simulation<'a, DynamicSystem, I, O> {
    for event in events {
        let builder = match &event.function {
            None => simulation.declared_event(&event.name),
            // A function without a value has no sign; the exception is the reason of the end.
            Some(function) => simulation.event(event.name.clone(), |system, state| {
                let value = |py: Python<'_>| -> PyResult<f64> {
                    function.call1(py, (columns(py, system, state)?,))?.extract(py)
                };
                raised.call(value).unwrap_or(f64::NAN)
            }),
        };
        simulation = match &event.action {
            None => with_use(builder, event),
            Some(action) => directed(builder, event.direction).apply(move |at| {
                let state = at.state().clone();
                let changed = raised.call(|py| {
                    let changes: Vec<(String, NamedValues)> =
                        action.call1(py, (columns(py, at.system(), &state)?,))?.extract(py)?;
                    changes.iter().try_for_each(|(what, values)| change(py, at, what, values))
                });
                if changed.is_none() || event.stop {
                    at.stop();
                }
            }),
        };
    }
    simulation
}

fn directed<P: Simulated, B>(event: EventBuilder<'_, P, B>, direction: i32) -> EventBuilder<'_, P, B> {
    match direction {
        ..0 => event.falling(),
        0 => event,
        1.. => event.rising(),
    }
}

/// Adds the direction and the use of an event without an action in Python.
pub fn with_use<P: Simulated, B>(builder: EventBuilder<'_, P, B>, event: &EventSetting) -> B {
    let builder = directed(builder, event.direction);
    if event.stop { builder.stop() } else { builder.record() }
}

/// Applies one change of an action.
fn change(py: Python<'_>, at: &mut Change<'_, DynamicSystem>, what: &str, values: &NamedValues) -> PyResult<()> {
    let named = || values.iter().map(|(name, values)| (name.as_str(), values.as_slice()));
    let of_values = |error| of_model(error, None).into_error(py);
    match what {
        "set" => {
            let mut parameters = at.system().parameters().clone();
            named().try_for_each(|(name, scalars)| parameters.assign(name, scalars)).map_err(of_values)?;
            at.set(|own| *own = parameters);
        }
        "velocity" => {
            // Errors of names and sizes; the result has zeros for the other members.
            let given = at.system().velocity(named()).map_err(of_values)?;
            let members = &at.system().description().members;
            let parts = members.iter().filter(|member| values.iter().any(|(name, _)| name == member.name));
            let parts: Vec<_> = parts.map(|member| member.offset..member.offset + member.dof).collect();
            let velocity = &mut at.state().velocity;
            for component in parts.into_iter().flatten() {
                velocity[component] = given[component];
            }
        }
        // All members.
        "configuration" => at.state().configuration = at.system().configuration(named()).map_err(of_values)?,
        "stop" => at.stop(),
        _ => return Err(PyValueError::new_err(format!("unknown change `{what}`"))),
    }
    Ok(())
}
