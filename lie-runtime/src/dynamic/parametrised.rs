//! Systems with the parameters of their models.

use std::borrow::Cow;
use std::sync::Arc;

use lie_compiler::tape::{TapeParameter, TapeParameterKind, TapeShape};

use super::group_element::element;
use super::model::{ModelData, size_of};
use super::{DynamicError, DynamicModel, DynamicParameters, DynamicSystem};
use crate::inputs::{InputSignal, TableError};
use crate::scalar::{Dual, Scalar};
use crate::system::{Liftable, ModelError, Parametrised, TangentSystem};

impl DynamicModel {
    /// Returns the system with these parameters, each by its name and its scalars: matrices by rows, square matrices also
    /// by the diagonal, group elements as in a configuration. The parameters `active`, `stop` and `slip` of contacts and friction are zero
    /// by default.
    ///
    /// # Errors
    /// [`DynamicError::MissingParameters`], [`DynamicError::UnknownName`], [`DynamicError::WrongSize`], [`DynamicError::NotAnInteger`], [`DynamicError::NotInGroup`]
    /// for a group element with a distance above 10⁻⁶, and [`DynamicError::Model`] for values that are not finite.
    pub fn system<'n>(
        &self,
        parameters: impl IntoIterator<Item = (&'n str, &'n [f64])>,
    ) -> Result<DynamicSystem, DynamicError> {
        let data = &self.data;
        let mut values = vec![f64::NAN; data.parameter_size];
        // Contacts are open and frictions stick, unless their parameters are given.
        let states = data.contacts.iter().map(|contact| contact.flag).chain(data.frictions.iter().map(|one| one.slip));
        let states: Vec<usize> = states.collect();
        for &at in &states {
            values[at] = 0.0;
        }
        let missing = data.parameters.iter().filter(|parameter| !states.contains(&parameter.first));
        let mut missing: Vec<String> = missing.map(|parameter| parameter.name.clone()).collect();
        for (name, scalars) in parameters {
            let Some(parameter) = data.parameters.iter().find(|parameter| parameter.name == name) else {
                return Err(unknown_parameter(data, name));
            };
            assign(parameter, scalars, &mut values)?;
            missing.retain(|known| known != name);
        }
        if !missing.is_empty() {
            return Err(DynamicError::MissingParameters { names: missing });
        }
        Ok(DynamicSystem::new(DynamicParameters { model: Arc::clone(data), values })?)
    }
}

impl DynamicParameters {
    /// Sets a parameter, as [`DynamicModel::system`] does. In contrast to [`ParameterSet`](crate::system::ParameterSet), it accepts flags,
    /// integers and group elements.
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`], [`DynamicError::WrongSize`], [`DynamicError::NotAnInteger`] and [`DynamicError::NotInGroup`].
    pub fn assign(&mut self, name: &str, scalars: &[f64]) -> Result<(), DynamicError> {
        let model = Arc::clone(&self.model);
        match model.parameters.iter().find(|parameter| parameter.name == name) {
            Some(parameter) => assign(parameter, scalars, &mut self.values),
            None => Err(unknown_parameter(&model, name)),
        }
    }
}

fn unknown_parameter(model: &ModelData, name: &str) -> DynamicError {
    let known = model.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    DynamicError::UnknownName { what: "parameter", name: name.to_owned(), known }
}

/// Writes the scalars of a parameter to the values of all parameters.
fn assign(parameter: &TapeParameter, scalars: &[f64], values: &mut [f64]) -> Result<(), DynamicError> {
    let expected = size_of(parameter);
    let scalars = match parameter.kind {
        TapeParameterKind::Element(group) => element(&parameter.name, group, scalars)?,
        _ => diagonal(parameter, scalars).into_owned(),
    };
    if scalars.len() != expected {
        let (name, given) = (parameter.name.clone(), scalars.len());
        return Err(DynamicError::WrongSize { name, expected, order: "matrices by rows or by the diagonal", given });
    }
    let [least, most] = match parameter.kind {
        TapeParameterKind::Flag => [0.0, 1.0],
        TapeParameterKind::Integer(name) => range_of(name),
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    };
    let is_whole = matches!(parameter.kind, TapeParameterKind::Flag | TapeParameterKind::Integer(_));
    if is_whole && !scalars.iter().all(|scalar| scalar.fract() == 0.0 && (least..=most).contains(scalar)) {
        let (name, value) = (parameter.name.clone(), scalars[0]);
        return Err(DynamicError::NotAnInteger { name, value, range: [least, most] });
    }
    values[parameter.first..parameter.first + expected].copy_from_slice(&scalars);
    Ok(())
}

/// Returns the range of an integer. The product of two integers within this range is exact in each type with products.
fn range_of(name: &str) -> [f64; 2] {
    match name {
        "i8" => [-128.0, 127.0],
        "u8" => [0.0, 255.0],
        _ if name.starts_with('u') => [0.0, 32_767.0],
        _ => [-32_767.0, 32_767.0],
    }
}

/// Returns all scalars of a square matrix that is given by its diagonal, and other values as they are.
fn diagonal<'s>(parameter: &TapeParameter, scalars: &'s [f64]) -> Cow<'s, [f64]> {
    match parameter.kind {
        TapeParameterKind::Real(TapeShape::Matrix(n, columns)) if n == columns && n == scalars.len() => {
            let entry = |at: usize| if at / n == at % n { scalars[at / n] } else { 0.0 };
            (0..n * n).map(entry).collect::<Vec<_>>().into()
        }
        _ => scalars.into(),
    }
}

impl<S: Scalar> Parametrised for DynamicSystem<S> {
    type Parameters = DynamicParameters<S>;

    fn parameters(&self) -> &DynamicParameters<S> {
        &self.parameters
    }
    fn with_parameters(&self, parameters: DynamicParameters<S>) -> Result<Self, ModelError> {
        Ok(DynamicSystem::new(parameters)?.driven_by(self.inputs.clone()))
    }
    fn merge_parameters(
        own: &mut DynamicParameters<S>,
        before: &DynamicParameters<S>,
        changed: &DynamicParameters<S>,
    ) -> Result<(), String> {
        for (name, parameter) in own.model.parameters.iter().map(|parameter| (&parameter.name, parameter)) {
            let range = parameter.first..parameter.first + size_of(parameter);
            let [mine, old, new] = [&own.values, &before.values, &changed.values].map(|values| &values[range.clone()]);
            if new == old || new == mine {
                continue;
            }
            if mine != old {
                return Err(name.clone());
            }
            let new = new.to_vec();
            own.values[range].copy_from_slice(&new);
        }
        Ok(())
    }
}

impl TangentSystem for DynamicSystem<f64> {
    fn varied(&self, direction: &DynamicParameters) -> Result<DynamicSystem<Dual<f64>>, ModelError> {
        let pairs = self.parameters.values.iter().zip(&direction.values);
        let mut values: Vec<Dual<f64>> = pairs.map(|(&re, &eps)| Dual { re, eps }).collect();
        for parameter in &self.parameters.model.parameters {
            // Group elements and integers have zero derivatives.
            if !matches!(parameter.kind, TapeParameterKind::Real(_)) {
                for value in &mut values[parameter.first..parameter.first + size_of(parameter)] {
                    value.eps = 0.0;
                }
            }
        }
        let varied = DynamicSystem::new(DynamicParameters { model: Arc::clone(&self.parameters.model), values })?;
        Ok(varied.driven_by(self.inputs.lift()))
    }
    fn lowered_parameters(lifted: &<Self as Liftable>::Lifted) -> [DynamicParameters; 2] {
        let part = |part: fn(&Dual<f64>) -> f64| DynamicParameters {
            model: Arc::clone(&lifted.parameters.model),
            values: lifted.parameters.values.iter().map(part).collect(),
        };
        let [values, mut slopes] = [part(|value| value.re), part(|value| value.eps)];
        for parameter in &values.model.parameters {
            if !matches!(parameter.kind, TapeParameterKind::Real(_)) {
                let range = parameter.first..parameter.first + size_of(parameter);
                slopes.values[range.clone()].copy_from_slice(&values.values[range]);
            }
        }
        [values, slopes]
    }
    fn with_signal(&self, name: &str, signal: &InputSignal) -> Result<Self, TableError> {
        let system = self.clone();
        let set = match signal {
            InputSignal::Constant(value) => system.with_input(name, value),
            InputSignal::Table { times, rows, interpolation } => {
                system.with_input_table(name, times, rows, *interpolation)
            }
        };
        match set {
            Ok(system) => Ok(system),
            Err(DynamicError::InputTable(error)) => Err(error),
            // The name and the sizes are correct.
            Err(_) => Ok(self.clone()),
        }
    }
}
