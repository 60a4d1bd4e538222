//! Inputs with dead time.

use std::sync::Arc;

use super::simulation::Simulation;
use crate::inputs::{DelayedInput, DelayedInputs, InitialHistory, InputError, InputSet};
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::controller::Controller;
use crate::simulate::delay::{DeadTime, DelayFunctions, DelayedQuantity, Delays};
use crate::simulate::outcome::{ColumnError, ColumnNames};
use crate::system::{Driven, Report, Value};

/// The sections of a state with quantities that do not depend on accelerations.
const SECTIONS: [&str; 4] = ["configuration", "velocity", "states", "observables"];

impl<M: Driven<Scalar = f64> + Report, I, O> Simulation<'_, M, I, O> {
    /// Sets an input to the value of a quantity at an earlier time, u(t) = y(t − T), with the dead time T in units of time.
    ///
    /// The quantity is an observable, a member of the configuration or of the velocity, or an auxiliary state, with the name of its column in
    /// tables. Before the start it has its initial value; [`delayed_with_history`](Self::delayed_with_history) sets other values. Inputs
    /// without dead time keep their values. A step is at most as long as the shortest dead time.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// #[mechanical_system]
    /// pub mod axis {
    ///     #[configuration]
    ///     pub struct Axis { pub x: f64 }
    ///
    ///     #[inputs]
    ///     pub struct Inputs { pub push: f64 }
    ///
    ///     #[kinetic_energy]
    ///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///
    ///     #[force(on = x)]
    ///     fn motor(u: &Inputs) -> f64 { u.push }
    ///
    ///     #[observable]
    ///     fn command(q: &Axis, v: &Velocity) -> f64 { -200.0 * q.x - 20.0 * v.x }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = axis::System::new()?;
    /// let run = Simulation::of(&system).at_rest(axis::Axis { x: 1.0 }).delayed("push", "command", 0.02).end_time(0.1).run()?;
    /// assert!((run.last().configuration.x - 0.357_164_68).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The run returns an [`InputError`] with the input if a name is unknown, the numbers of values differ, a step exceeds the dead time, or
    /// a constraint or a potential reads the input.
    #[must_use]
    #[doc(alias = "dead time")]
    #[doc(alias = "time delay")]
    #[doc(alias = "latency")]
    #[doc(alias = "DDEProblem")]
    #[doc(alias = "dde23")]
    pub fn delayed(self, input: impl Into<String>, quantity: impl Into<String>, dead_time: f64) -> Self {
        self.with_dead_time(DeadTime {
            input: input.into(),
            quantity: quantity.into(),
            duration: dead_time,
            before: None,
        })
    }

    /// Sets an input with dead time, like [`delayed`](Self::delayed), with the values of the quantity before the start as a smooth function
    /// of time. Set them to continue a run: a recorded state does not contain its past.
    ///
    /// ```text
    /// .delayed_with_history("push", "command", 0.02, |t| [0.1 * t])
    /// ```
    #[must_use]
    pub fn delayed_with_history<H: IntoIterator<Item = f64>>(
        self,
        input: impl Into<String>,
        quantity: impl Into<String>,
        dead_time: f64,
        history: impl Fn(f64) -> H + Send + Sync + 'static,
    ) -> Self {
        let before: InitialHistory = Arc::new(move |time| history(time).into_iter().collect());
        self.with_dead_time(DeadTime {
            input: input.into(),
            quantity: quantity.into(),
            duration: dead_time,
            before: Some(before),
        })
    }

    fn with_dead_time(mut self, dead_time: DeadTime) -> Self {
        let own = self.controller.get_or_insert_with(|| Controller::of(self.system));
        let delays = own.delays.get_or_insert_with(|| {
            Delays::of(DelayFunctions {
                resolve: resolved::<M>,
                visit: visit_section::<M>,
                set: |system, inputs| system.delay(inputs),
                copy: |system| Box::new(system.clone()),
            })
        });
        delays.requested.push(dead_time);
        self
    }
}

/// Visits the values of a section of a state.
fn visit_section<M: Report>(system: &M, state: &State<M>, section: usize, visit: &mut dyn FnMut(f64)) {
    let (q, v) = (&state.configuration, &state.velocity);
    match section {
        0 => system.visit_configuration(q, visit),
        1 => system.visit_velocity(v, visit),
        2 => system.report_states(v).for_each_number(visit),
        _ => system.visit_observables(M::Scalar::from_f64(state.time), q, v, visit),
    }
}

/// Finds the inputs and the quantities of dead times.
fn resolved<M: Driven<Scalar = f64> + Report>(
    system: &M,
    state: &State<M>,
    requested: &[DeadTime],
) -> Result<(DelayedInputs, Vec<DelayedQuantity>), InputError> {
    let (q, v) = (&state.configuration, &state.velocity);
    let values = [
        system.report_configuration(q),
        system.report_velocity(v),
        system.report_states(v),
        system.report_observables(state.time, q, v),
    ];
    let counts = values.each_ref().map(|section| section.numbers().len());
    let names = ColumnNames::of(&Value::Record(SECTIONS.into_iter().zip(values).collect()));
    let (mut inputs, mut quantities) = (Vec::<DelayedInput>::new(), Vec::new());
    let mut offset = 0;
    for DeadTime { input, quantity, duration, before } in requested {
        let (name, values) = input_values::<M::Inputs>(input)?;
        if inputs.iter().any(|other| other.name == name) {
            return Err(InputError::DelayedTwice { input: input.clone() });
        }
        if !(*duration > 0.0 && duration.is_finite()) {
            return Err(InputError::DeadTime { input: input.clone(), dead_time: *duration });
        }
        let columns = names.find(quantity).map_err(|error| {
            let known = if let ColumnError::Unknown { known, .. } = error { known } else { names.known() };
            InputError::UnknownQuantity { input: input.clone(), name: quantity.clone(), known }
        })?;
        let check = |source_name: String, found: usize| {
            let (input, expected) = (input.clone(), values.len());
            if found == expected {
                Ok(())
            } else {
                Err(InputError::DelayedShape { input, expected, source_name, found })
            }
        };
        check(format!("the quantity `{quantity}`"), columns.len())?;
        if let Some(before) = before {
            check("its initial history".to_owned(), before(state.time - duration).len())?;
        }
        let mut first = 0;
        for (section, count) in counts.iter().enumerate() {
            if columns.iter().all(|column| (first..first + count).contains(column)) {
                quantities.push(DelayedQuantity { section, values: columns.iter().map(|at| at - first).collect() });
                break;
            }
            first += count;
        }
        // The declared functions are compared before the initial values are consistent.
        let initial = vec![1.0; values.len()];
        offset += values.len();
        inputs.push(DelayedInput {
            name,
            offset: offset - values.len(),
            values,
            dead_time: *duration,
            before: before.clone(),
            initial,
            begun: 0,
        });
    }
    Ok((DelayedInputs::of(inputs), quantities))
}

/// Returns the declared name of an input and the indices of its values.
fn input_values<U: InputSet<Scalar = f64>>(input: &str) -> Result<(&'static str, core::ops::Range<usize>), InputError> {
    let mut start = 0;
    for (name, shape) in U::FIELDS {
        let end = start + shape.iter().product::<usize>();
        if *name == input {
            let mut changed = U::all(0.0);
            changed.prescribe(&U::all(1.0));
            let is_prescribed = changed.numbers()[start..end].iter().any(|value| *value != 0.0);
            let function = U::NEEDS.smooth.or(U::NEEDS.over_time).filter(|_| is_prescribed);
            return match function {
                Some(function) => Err(InputError::DelayedPrescribed { input: input.to_owned(), function }),
                None => Ok((name, start..end)),
            };
        }
        start = end;
    }
    let known = U::FIELDS.iter().map(|(name, _)| *name).collect();
    Err(InputError::UnknownInput { name: input.to_owned(), known })
}
