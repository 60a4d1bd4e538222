//! The names of the methods of each kind of value, for "did you mean" suggestions.

use super::matrices::MATRIX_METHODS;
use super::scalar_methods::SCALAR_METHODS;
use super::sequences::ITERATOR_METHODS;
use super::{SymbolicInterpreter, Value};
use crate::expr::Function;
use crate::model::Within;

/// Methods of group elements.
pub(super) const GROUP_METHODS: &[&str] = &[
    "inverse",
    "log",
    "angle",
    "direction",
    "matrix",
    "rotation_matrix",
    "rotation",
    "position",
    "point_velocity",
    "body_point_velocity",
    "twist",
    "clone",
];

/// Methods of an `Option`.
const OPTION_METHODS: &[&str] =
    &["is_some", "is_none", "unwrap", "expect", "unwrap_or", "map", "map_or", "copied", "cloned"];

/// Methods of integers.
const WHOLE_METHODS: &[&str] =
    &["pow", "abs", "signum", "min", "max", "clamp", "rem_euclid", "div_euclid", "is_multiple_of"];

impl SymbolicInterpreter<'_> {
    /// Returns the names of the methods of a value.
    pub(super) fn methods_of(&self, receiver: &Value) -> Vec<&str> {
        let own = |owner: &str| -> Vec<&str> {
            let of_owner = |helper: &&Within<syn::ItemFn>| helper.owner.as_ref().is_some_and(|known| known == owner);
            let names = self.model.helpers.iter().filter(of_owner);
            names.filter_map(|helper| helper.path.rsplit("::").next()).collect()
        };
        match receiver {
            Value::Scalar(_) => {
                Function::ALL.iter().map(|function| function.name()).chain(SCALAR_METHODS.iter().copied()).collect()
            }
            Value::Integer(_) | Value::Count(..) => WHOLE_METHODS.to_vec(),
            Value::Matrix(_) => MATRIX_METHODS.to_vec(),
            Value::Element(_) => GROUP_METHODS.to_vec(),
            Value::Array(_) | Value::Sequence(_) | Value::Range(..) => ITERATOR_METHODS.to_vec(),
            Value::Optional(_) | Value::Invertible(_) => OPTION_METHODS.to_vec(),
            Value::Struct(name, _) => own(name.split("::").next().unwrap_or_default()),
            Value::Parameters => {
                self.model.parameters.iter().flat_map(|whole| own(&whole.item.ident.to_string())).collect()
            }
            Value::Inputs => self.model.inputs.iter().flat_map(|whole| own(&whole.item.ident.to_string())).collect(),
            Value::Configuration => own(&self.model.configuration.item.ident.to_string()),
            Value::Velocity => own("Velocity"),
            _ => Vec::new(),
        }
    }
}
