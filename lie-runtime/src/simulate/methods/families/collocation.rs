//! Collocation: Gauss and Radau IIA.

use crate::integrator::collocation::{CollocationMethod, Level, METHODS};
use crate::integrator::{AnyMethod, Collocation};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodOption, MethodRequirement};
use crate::system::Linearised;

const OPTIONS: &[MethodOption] = &[MethodOption {
    name: "newton_tolerance",
    meaning: "the residual that ends the iteration, relative to the forces of the step; 1e-12",
}];

pub fn infos() -> Vec<MethodInfo> {
    let info = |method: &CollocationMethod| {
        let (family, needs) = match method.level {
            Level::Unconstrained => ("Gauss collocation", MethodRequirement::NoConstraints),
            Level::Velocities | Level::Positions => ("Radau IIA collocation", MethodRequirement::Linearisation),
        };
        let multiplier_order = method.multiplier_order;
        MethodInfo {
            multiplier_order,
            needs,
            options: OPTIONS,
            ..MethodInfo::new(method.id, method.name, family, method.order)
        }
    };
    METHODS.iter().map(info).collect()
}

pub fn method<M: Linearised>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    let method = Collocation::by_id(choices.method()).ok_or_else(|| choices.unlisted())?;
    let mut options = *method.options();
    options.tolerance = choices.positive("newton_tolerance", options.tolerance)?;
    method.with_options(options).map(AnyMethod::of).map_err(|error| choices.out_of_range(&error))
}
