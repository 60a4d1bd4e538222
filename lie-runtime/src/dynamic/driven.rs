//! Systems from text with inputs: their sources and the checks of their values.

use lie_compiler::tape::{TapeInputs, TapeParameter, TapeShape};

use super::inputs::{DynamicInputs, InputScalar, ScalarDriver, scalars_of};
use super::model::interned;
use super::parameters::value;
use super::{DynamicError, DynamicSystem};
use crate::inputs::{Constant, Driver, InputError, Interpolation, Jet, OverTime, SmoothStretch, Table, TableError};
use crate::messages::{counted, listed, suggested};
use crate::scalar::Scalar;
use crate::system::{InputValues, NamedInputs, Value};

/// Replaces the names in an error of one scalar by the names of the declaration.
fn named(error: InputError, name: &'static str) -> InputError {
    match error {
        InputError::OutOfRange { time, range, .. } => InputError::OutOfRange { time, range, inputs: name },
        InputError::NotFinite { time, .. } => InputError::NotFinite { field: name, time },
        other => other,
    }
}

impl<S: Scalar> DynamicSystem<S> {
    fn declared_inputs(&self) -> Option<&TapeInputs> {
        self.data().inputs.as_ref()
    }

    pub(super) fn ensure_declared_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
        let Some(declared) = self.declared_inputs() else { return Ok(()) };
        let missing = |field: &&TapeParameter| self.inputs.drivers[scalars_of(field)].iter().any(Driver::is_missing);
        let missing: Vec<&str> = declared.fields.iter().filter(missing).map(|field| interned(&field.name)).collect();
        if !missing.is_empty() {
            return Err(InputError::MissingByName { fields: missing });
        }
        for (number, field) in declared.fields.iter().enumerate() {
            let name = interned(&field.name);
            for driver in &self.inputs.drivers[scalars_of(field)] {
                driver.ensure(start, end).map_err(|error| named(error, name))?;
                if let Some(function) = declared.smooth.as_deref().filter(|_| declared.prescribed.contains(&number))
                    && !(driver.has_signal() && driver.is_smooth())
                {
                    return Err(InputError::NotSmooth { function: interned(function) });
                }
            }
        }
        Ok(())
    }

    pub(super) fn smooth_until_of_inputs(&self, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        let start = SmoothStretch { until: end, is_known: !self.data().depends_on_time };
        self.inputs.drivers.iter().fold(start, |stretch, driver| {
            let own = driver.smooth_until(from, end, tolerance);
            SmoothStretch { until: stretch.until.min(own.until), is_known: stretch.is_known && own.is_known }
        })
    }

    pub(super) fn noted_input_error(&self) -> Option<InputError> {
        let mut scalars = self.inputs.each(self.declared_inputs()?);
        scalars.find_map(|(field, driver)| driver.noted().map(|error| named(error, interned(&field.name))))
    }

    pub(super) fn ensure_finite_scalars(&self, t: S) -> Result<(), InputError> {
        let Some(declared) = self.declared_inputs() else { return Ok(()) };
        self.inputs.each(declared).try_for_each(|(field, driver)| {
            let is_finite = driver.at_time(t).0.is_finite();
            if is_finite {
                Ok(())
            } else {
                Err(InputError::NotFinite { field: interned(&field.name), time: t.value() })
            }
        })
    }
}

impl DynamicSystem<f64> {
    /// Sets an input to a constant. Matrices are given by rows.
    ///
    /// ```
    /// use lie_runtime::dynamic::DynamicModel;
    /// use lie_runtime::inputs::Interpolation;
    /// use lie_runtime::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let model = DynamicModel::from_text("
    ///     #[mechanical_system]
    ///     mod cart {
    ///         #[configuration] pub struct Rail { pub x: f64 }
    ///         #[inputs] pub struct Inputs { pub push: f64 }
    ///         #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///         #[force(on = x)] fn motor(u: &Inputs) -> f64 { u.push }
    ///     }")?;
    /// let system = model.system([])?.with_input("push", &[2.0])?;
    /// let start = system.configuration([])?;
    /// let run = Simulation::of(&system).at_rest(start.clone()).end_time(1.0).run()?;
    /// assert!((run.column("x")?[run.len() - 1] - 1.0).abs() < 1e-6);
    ///
    /// let system = system.with_input_csv("push", "t,push\n0,0\n1,2\n3,2\n", Interpolation::Linear)?;
    /// let run = Simulation::of(&system).at_rest(start).end_time(3.0).run()?;
    /// assert!((run.last().velocity[0] - 5.0).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`] and [`DynamicError::WrongSize`].
    pub fn with_input(self, name: &str, scalars: &[f64]) -> Result<Self, DynamicError> {
        self.with_input_from(name, scalars.iter().map(|&scalar| Constant(InputScalar(scalar))).collect())
    }

    /// Sets an input to a table over time: one row of scalars for each time, with `interpolation` in between.
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`], [`DynamicError::WrongSize`] for a row, and [`DynamicError::InputTable`].
    pub fn with_input_table<R: AsRef<[f64]>>(
        self,
        name: &str,
        times: &[f64],
        rows: &[R],
        interpolation: Interpolation,
    ) -> Result<Self, DynamicError> {
        let count = scalars_of(self.input(name)?.1).len();
        if let Some(row) = rows.iter().find(|row| row.as_ref().len() != count) {
            return Err(wrong_size(name, count, row.as_ref().len()));
        }
        let column = |at: usize| {
            let rows = rows.iter().map(|row| InputScalar(row.as_ref()[at])).collect();
            Table::new(times.to_vec(), rows, interpolation).map_err(|error| match error {
                TableError::NotFinite { row, column } if column != "t" => {
                    TableError::NotFinite { row, column: name.to_owned() }
                }
                other => other,
            })
        };
        let tables = (0..count).map(column).collect::<Result<Vec<_>, TableError>>()?;
        self.with_input_from(name, tables)
    }

    /// Sets an input to a table in CSV text: a header with `t` and the input (`wind[0]`, `wind[1]` for a vector, `gains[0][1]` for a
    /// matrix), and one line for each time.
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`], and [`DynamicError::InputTable`] with the column or the line.
    pub fn with_input_csv(self, name: &str, text: &str, interpolation: Interpolation) -> Result<Self, DynamicError> {
        let field = self.input(name)?.1;
        let shape = match field.shape() {
            TapeShape::Scalar => vec![],
            TapeShape::Vector(n) | TapeShape::Scalars(n) => vec![n],
            TapeShape::Matrix(rows, columns) | TapeShape::Vectors(rows, columns) => vec![rows, columns],
        };
        let (times, rows) = crate::inputs::read_csv(text, &[(name, &shape)])?;
        self.with_input_table(name, &times, &rows, interpolation)
    }

    /// Returns the interpolation for a table of an input: cubic for inputs of constraints, which must be smooth, otherwise linear.
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`].
    pub fn interpolation_of_input(&self, name: &str) -> Result<Interpolation, DynamicError> {
        let (number, _) = self.input(name)?;
        let is_smooth =
            self.declared_inputs().is_some_and(|inputs| inputs.smooth.is_some() && inputs.prescribed.contains(&number));
        Ok(if is_smooth { Interpolation::Cubic } else { Interpolation::Linear })
    }

    /// Sets an input to a smooth function of time, which dual numbers differentiate.
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`], and [`DynamicError::WrongSize`] for a function that returns another number of scalars at t = 0.
    pub fn with_input_over_time(
        self,
        name: &str,
        function: impl Fn(Jet<f64>) -> Vec<Jet<f64>> + Clone + Send + Sync + 'static,
    ) -> Result<Self, DynamicError> {
        let count = function(Jet::from_f64(0.0)).len();
        let component = |at: usize| {
            let function = function.clone();
            Driver::of_jets(move |t| {
                InputScalar(function(t).get(at).copied().unwrap_or_else(|| Jet::from_f64(f64::NAN)))
            })
        };
        self.with_drivers(name, (0..count).map(component).collect())
    }

    /// Sets an input to functions of time, one for each scalar. A [`Table`] can extrapolate here, see
    /// [`Table::constant_extrapolation`].
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`] and [`DynamicError::WrongSize`].
    pub fn with_input_from<T: OverTime<InputScalar> + 'static>(
        self,
        name: &str,
        signals: Vec<T>,
    ) -> Result<Self, DynamicError> {
        self.with_drivers(name, signals.into_iter().map(Driver::over_time).collect())
    }

    fn with_drivers(mut self, name: &str, drivers: Vec<ScalarDriver<f64>>) -> Result<Self, DynamicError> {
        let scalars = scalars_of(self.input(name)?.1);
        if drivers.len() != scalars.len() {
            return Err(wrong_size(name, scalars.len(), drivers.len()));
        }
        self.inputs.drivers.splice(scalars, drivers);
        let inputs = self.inputs.clone();
        Ok(self.driven_by(inputs))
    }

    /// Returns the position and the description of an input.
    fn input(&self, name: &str) -> Result<(usize, &TapeParameter), DynamicError> {
        let fields = self.declared_inputs().map_or(&[][..], |inputs| &inputs.fields);
        let found = fields.iter().enumerate().find(|(_, field)| field.name == name);
        found.ok_or_else(|| DynamicError::UnknownName {
            what: "input",
            name: name.to_owned(),
            known: fields.iter().map(|field| field.name.clone()).collect(),
        })
    }

    pub(super) fn input_values(&self, t: f64) -> Value {
        let fields = self.declared_inputs().into_iter().flat_map(|inputs| &inputs.fields);
        let record = fields.map(|field| {
            let scalars: Vec<f64> = scalars_of(field).map(|at| self.inputs.at(t, at, 0)).collect();
            (interned(&field.name), value(field.shape(), &scalars))
        });
        Value::Record(record.collect())
    }
}

fn wrong_size(name: &str, expected: usize, given: usize) -> DynamicError {
    DynamicError::WrongSize { name: name.to_owned(), expected, order: "matrices by rows", given }
}

impl<S: Scalar> InputValues for DynamicSystem<S> {
    fn fix_values(&mut self, next: &mut dyn FnMut() -> S) {
        let constant = |_: &_| Driver::over_time(Constant(InputScalar(next())));
        let drivers = self.inputs.drivers.iter().map(constant).collect();
        *self = self.clone().driven_by(DynamicInputs { drivers });
    }
}

impl NamedInputs for DynamicSystem<f64> {
    fn with_outputs(
        &self,
        time: f64,
        outputs: &mut dyn Iterator<Item = (&str, &[f64])>,
    ) -> Result<Vec<f64>, InputError> {
        let fields = self.declared_inputs().map_or(&[][..], |declared| &declared.fields);
        let signal = |driver: &ScalarDriver<f64>| driver.has_signal().then(|| driver.at_time(time).0);
        let mut scalars: Vec<Option<f64>> = self.inputs.drivers.iter().map(signal).collect();
        for (name, values) in outputs {
            let refused = |reason| Err(InputError::ControllerOutput { input: name.to_owned(), reason });
            let Some(field) = fields.iter().find(|field| field.name == name) else {
                let known: Vec<&str> = fields.iter().map(|field| &field.name[..]).collect();
                return refused(format!(
                    "which is unknown; the inputs are {}{}",
                    listed(&known),
                    suggested(name, &known)
                ));
            };
            let (range, count) = (scalars_of(field), counted(values.len(), "value"));
            if self.inputs.drivers[range.clone()].iter().any(Driver::has_signal) {
                return refused("which is a function of time; remove one of the two sources".to_owned());
            }
            if values.len() != range.len() {
                return refused(format!("with {count}; it must have {}", range.len()));
            }
            if values.iter().any(|value| !value.is_finite()) {
                return Err(InputError::NotFinite { field: interned(name), time });
            }
            scalars[range].iter_mut().zip(values).for_each(|(scalar, &value)| *scalar = Some(value));
        }
        let missing = fields.iter().filter(|field| scalars[scalars_of(field)].contains(&None));
        let missing: Vec<_> = missing.map(|field| interned(&field.name)).collect();
        if missing.is_empty() {
            Ok(scalars.into_iter().flatten().collect())
        } else {
            Err(InputError::MissingByName { fields: missing })
        }
    }
    fn hold_scalars(&mut self, scalars: &[f64]) {
        let mut inputs = self.inputs.clone();
        inputs.hold(scalars);
        *self = self.clone().driven_by(inputs);
    }
}
