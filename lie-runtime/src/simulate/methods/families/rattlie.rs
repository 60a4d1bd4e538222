//! RATTLie.

use crate::integrator::rattlie::RattlieOptions;
use crate::integrator::{AnyMethod, Rattlie};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodOption, MethodRequirement};
use crate::system::{Linearised, MomentumRate};

const OPTIONS: &[MethodOption] = &[MethodOption {
    name: "newton_tolerance",
    meaning: "the residual that ends the iteration, relative to the momenta of the step; 1e-12",
}];

pub fn infos() -> Vec<MethodInfo> {
    let name = "RATTLie, symmetric and variational; requires small steps for stiff systems";
    let info = MethodInfo::new(Rattlie::ID, name, "variational", 2);
    vec![MethodInfo { needs: MethodRequirement::Linearisation, options: OPTIONS, ..info }]
}

pub fn method<M: Linearised + MomentumRate>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    let mut options = RattlieOptions::default();
    options.tolerance = choices.positive("newton_tolerance", options.tolerance)?;
    Rattlie::with_options(options).map(AnyMethod::of).map_err(|error| choices.out_of_range(&error))
}
