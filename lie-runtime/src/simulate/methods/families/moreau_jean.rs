//! Moreau-Jean time stepping.

use crate::integrator::moreau_jean::MoreauJeanOptions;
use crate::integrator::{AnyMethod, MoreauJean};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodOption};
use crate::system::MechanicalSystem;

const OPTIONS: &[MethodOption] = &[MethodOption {
    name: "impulse_tolerance",
    meaning: "the error of the rates of contacts and frictions, relative to the largest rate of the step; 1e-10",
}];

pub fn infos() -> Vec<MethodInfo> {
    let name = "Moreau-Jean, for many contacts with friction";
    vec![MethodInfo { options: OPTIONS, ..MethodInfo::new(MoreauJean::ID, name, "time stepping", 1) }]
}

pub fn method<M: MechanicalSystem>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    let mut options = MoreauJeanOptions::default();
    options.tolerance = choices.positive("impulse_tolerance", options.tolerance)?;
    MoreauJean::with_options(options).map(AnyMethod::of).map_err(|error| choices.out_of_range(&error))
}
