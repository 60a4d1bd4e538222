//! Names and shapes of the quantities of a system.

use crate::simulate::{Sample, arrays_of};
use crate::system::{ParameterSet, Value};

/// The names and shapes of the quantities of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schema {
    /// The real parameters, in the order of the declaration.
    pub parameters: Vec<QuantityDescription>,
    /// The columns of a run, with their sections: `configuration.attitude`, `inputs.torque`, `observables.tilt`.
    pub columns: Vec<QuantityDescription>,
}

/// The name and the shape of a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuantityDescription {
    /// The name.
    pub name: String,
    /// The shape: empty for a scalar, `[3]` for a vector, `[3, 3]` for a matrix.
    pub shape: Vec<usize>,
}

fn described(record: &Value) -> Vec<QuantityDescription> {
    let describe = |(name, shape)| QuantityDescription { name, shape };
    arrays_of(record).into_iter().map(describe).collect()
}

impl Schema {
    pub(super) fn of<P: ParameterSet>(parameters: &P, sample: &Sample) -> Self {
        let value = |name: &&'static str| Some((*name, parameters.get(name)?));
        let parameters = Value::Record(parameters.names().iter().filter_map(value).collect());
        Schema { parameters: described(&parameters), columns: described(&sample.record()) }
    }
}
