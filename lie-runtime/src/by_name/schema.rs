//! Names, shapes, units and documentation of the quantities of a system.

use crate::simulate::{Sample, arrays_of};
use crate::system::{Description, ParameterSet, Value, unit};

/// The names, shapes, units and documentation of the quantities of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schema {
    /// The real parameters, in the order of the declaration.
    pub parameters: Vec<QuantityDescription>,
    /// The columns of a run, with their sections: `configuration.attitude`, `inputs.torque`, `observables.tilt`.
    pub columns: Vec<QuantityDescription>,
}

/// The name, the shape, the unit and the documentation of a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuantityDescription {
    /// The name.
    pub name: String,
    /// The shape: empty for a scalar, `[3]` for a vector, `[3, 3]` for a matrix.
    pub shape: Vec<usize>,
    /// The unit: the text in square brackets at the end of the first paragraph of the doc comment, such as `m` of `Length of the rod [m]`.
    pub unit: Option<String>,
    /// The doc comment of the field or the function of the declaration; empty without a comment.
    pub documentation: String,
}

impl Schema {
    pub(super) fn of<P: ParameterSet>(description: &Description, parameters: &P, sample: &Sample) -> Self {
        let described = |record: &Value, section: &str| {
            let describe = |(name, shape)| {
                let documentation = description.documentation_of(&format!("{section}{name}"));
                let unit = unit(documentation).map(str::to_owned);
                QuantityDescription { name, shape, unit, documentation: documentation.to_owned() }
            };
            arrays_of(record).into_iter().map(describe).collect()
        };
        let value = |name: &&'static str| Some((*name, parameters.get(name)?));
        let parameters = Value::Record(parameters.names().iter().filter_map(value).collect());
        Schema { parameters: described(&parameters, "parameters."), columns: described(&sample.record(), "") }
    }
}
