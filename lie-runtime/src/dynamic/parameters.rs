//! Parameters of systems from text.

use std::sync::Arc;

use lie_compiler::tape::{TapeParameter, TapeParameterKind, TapeShape};

use super::DynamicSystem;
use super::model::{ModelData, size_of};
use crate::scalar::{Dual, Scalar};
use crate::system::{Liftable, ModelError, ParameterSet, Parametrised, TangentSystem, Value, codegen_runtime};

/// The parameters of a [`DynamicSystem`], by the names of the declaration.
#[derive(Clone, Debug)]
pub struct DynamicParameters<S: Scalar = f64> {
    pub(super) model: Arc<ModelData>,
    /// All scalars, in the order of the declaration.
    pub(super) values: Vec<S>,
}

impl<S: Scalar> DynamicParameters<S> {
    fn find(&self, name: &str) -> Option<&TapeParameter> {
        self.model.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl ParameterSet for DynamicParameters<f64> {
    fn names(&self) -> &'static [&'static str] {
        self.model.settable
    }
    fn get(&self, name: &str) -> Option<Value> {
        let parameter = self.find(name)?;
        let TapeParameterKind::Real(shape) = parameter.kind else { return None };
        Some(value(shape, &self.values[parameter.first..parameter.first + shape.size()]))
    }
    fn set(&mut self, name: &str, components: &[f64]) -> Result<(), ModelError> {
        let real = self.find(name).and_then(|parameter| match parameter.kind {
            TapeParameterKind::Real(shape) => Some((parameter.first, shape)),
            _ => None,
        });
        let Some((first, shape)) = real else {
            return Err(codegen_runtime::unknown_parameter(name, self.names()));
        };
        let values = &mut self.values[first..first + shape.size()];
        match shape {
            // A square matrix by its diagonal.
            TapeShape::Matrix(rows, columns) if rows == columns && components.len() == rows => {
                for (at, value) in values.iter_mut().enumerate() {
                    let (row, column) = (at / columns, at % columns);
                    *value = if row == column { components[row] } else { 0.0 };
                }
                Ok(())
            }
            _ if components.len() == values.len() => {
                values.copy_from_slice(components);
                Ok(())
            }
            _ => {
                let parameter = self.model.settable.iter().copied().find(|known| *known == name).unwrap_or_default();
                Err(ModelError::ParameterShape { parameter, expected: shape.size(), given: components.len() })
            }
        }
    }
}

/// Returns scalars as a named value.
pub(super) fn value(shape: TapeShape, scalars: &[f64]) -> Value {
    match shape {
        TapeShape::Scalar => Value::Scalar(scalars[0]),
        TapeShape::Vector(_) | TapeShape::Scalars(_) => Value::Vector(scalars.to_vec()),
        TapeShape::Matrix(_, columns) => Value::Matrix(scalars.chunks(columns).map(<[f64]>::to_vec).collect()),
        TapeShape::Vectors(_, dimension) => {
            Value::List(scalars.chunks(dimension).map(|vector| Value::Vector(vector.to_vec())).collect())
        }
    }
}

impl<S: Scalar> Parametrised for DynamicSystem<S> {
    type Parameters = DynamicParameters<S>;

    fn parameters(&self) -> &DynamicParameters<S> {
        &self.parameters
    }
    fn with_parameters(&self, parameters: DynamicParameters<S>) -> Result<Self, ModelError> {
        DynamicSystem::new(parameters)
    }
    fn merge_parameters(
        own: &mut DynamicParameters<S>,
        before: &DynamicParameters<S>,
        changed: &DynamicParameters<S>,
    ) -> Result<(), &'static str> {
        for (name, parameter) in own.model.parameters.iter().map(|parameter| (&parameter.name, parameter)) {
            let range = parameter.first..parameter.first + size_of(parameter);
            let [mine, old, new] = [&own.values, &before.values, &changed.values].map(|values| &values[range.clone()]);
            if new == old || new == mine {
                continue;
            }
            if mine != old {
                let known = own.model.settable.iter().copied().find(|known| known == name);
                return Err(known.unwrap_or("parameters"));
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
        DynamicSystem::new(DynamicParameters { model: Arc::clone(&self.parameters.model), values })
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
}
