//! Parameters of systems from text.

use std::sync::Arc;

use lie_compiler::tape::{TapeParameter, TapeParameterKind, TapeShape};

use super::model::ModelData;
use crate::scalar::Scalar;
use crate::system::{ModelError, ParameterSet, Value, codegen_runtime};

/// The parameters of a [`DynamicSystem`](super::DynamicSystem), by the names of the declaration.
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
