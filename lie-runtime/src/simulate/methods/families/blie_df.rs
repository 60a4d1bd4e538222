//! BLieDF.

use crate::integrator::{AnyMethod, BLieDF};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodOption, MethodRequirement};
use crate::system::Linearised;

const OPTIONS: &[MethodOption] = &[MethodOption {
    name: "newton_tolerance",
    meaning: "the residual that ends the iteration, relative to the forces of the step; 1e-12",
}];

/// Returns the description of a method in one line.
fn name(method: BLieDF) -> &'static str {
    let names = if method.options().stabilised {
        [
            "BLieDF, k = 1, stabilised index 2",
            "BLieDF, k = 2, stabilised index 2",
            "BLieDF, k = 3, stabilised index 2",
            "BLieDF, k = 4, stabilised index 2",
        ]
    } else {
        ["BLieDF, k = 1, index 3", "BLieDF, k = 2, index 3", "BLieDF, k = 3, index 3", "BLieDF, k = 4, index 3"]
    };
    names[method.steps() - 1]
}

pub fn infos() -> Vec<MethodInfo> {
    let info = |method: BLieDF| MethodInfo {
        needs: MethodRequirement::Linearisation,
        options: OPTIONS,
        ..MethodInfo::new(method.id(), name(method), "backward differentiation", method.steps())
    };
    BLieDF::all().map(info).collect()
}

pub fn method<M: Linearised>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    let method = BLieDF::by_id(choices.method()).ok_or_else(|| choices.unlisted())?;
    let mut options = *method.options();
    options.tolerance = choices.positive("newton_tolerance", options.tolerance)?;
    method.with_options(options).map(AnyMethod::of).map_err(|error| choices.out_of_range(&error))
}
