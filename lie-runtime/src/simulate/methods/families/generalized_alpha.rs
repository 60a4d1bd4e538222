//! Generalized-α, on the group and in local coordinates.

use crate::integrator::generalized_alpha::{
    GeneralizedAlphaMethod, GeneralizedAlphaOptions, METHODS, NewtonUpdate, Parameters, StartingValues,
};
use crate::integrator::{AnyMethod, GeneralizedAlpha, ParameterError};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodOption, MethodRequirement};
use crate::system::Linearised;

const OPTIONS: &[MethodOption] = &[
    MethodOption {
        name: "rho_inf",
        meaning: "spectral radius at infinity, for the parameters of Chung and Hulbert; 0.9",
    },
    MethodOption { name: "hht_alpha", meaning: "the parameters of Hilber, Hughes and Taylor instead of `rho_inf`" },
    MethodOption {
        name: "newton",
        meaning: "the iteration matrix: `exact` (every iteration), `simplified` (every step) or `modified` (kept across steps); \
                  recomputed if the iteration does not converge; exact",
    },
    MethodOption {
        name: "start",
        meaning: "the computation of a₀ and v₀: `settled`, `second_order` or `first_order`; settled",
    },
    MethodOption {
        name: "newton_tolerance",
        meaning: "the residual that ends the iteration, relative to the forces of the step; 1e-12",
    },
];

pub fn infos() -> Vec<MethodInfo> {
    let info = |method: &GeneralizedAlphaMethod| MethodInfo {
        estimates: true,
        needs: MethodRequirement::Linearisation,
        options: OPTIONS,
        ..MethodInfo::new(method.id, method.name, "generalized-α", 2)
    };
    METHODS.iter().map(info).collect()
}

pub fn method<M: Linearised>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    let listed = METHODS.iter().find(|method| method.id == choices.method()).ok_or_else(|| choices.unlisted())?;
    let parameters = |option: &str, parameters: Result<Parameters, ParameterError>| {
        parameters.map_err(|error| choices.error(option, choices.text(option).unwrap_or_default(), error.expected))
    };
    let parameters = match (choices.number("rho_inf")?, choices.number("hht_alpha")?) {
        (Some(_), Some(_)) => {
            let alpha = choices.text("hht_alpha").unwrap_or_default();
            return Err(choices.error("hht_alpha", alpha, "absent if `rho_inf` is set"));
        }
        (None, Some(alpha)) => parameters("hht_alpha", Parameters::hht(alpha)),
        (Some(radius), None) => parameters("rho_inf", Parameters::chung_hulbert(radius)),
        (None, None) => Ok(Parameters::default()),
    }?;
    let mut options = GeneralizedAlphaOptions::default().formulation(listed.formulation);
    let words = [
        ("exact", NewtonUpdate::Exact),
        ("simplified", NewtonUpdate::Simplified),
        ("modified", NewtonUpdate::Modified),
    ];
    options.newton = choices.word("newton", &words, options.newton)?;
    let starts = [
        ("settled", StartingValues::Settled),
        ("second_order", StartingValues::SecondOrder),
        ("first_order", StartingValues::FirstOrder),
    ];
    options.start = choices.word("start", &starts, options.start)?;
    options.tolerance = choices.positive("newton_tolerance", options.tolerance)?;
    let method = GeneralizedAlpha::new(parameters, options);
    method.map(AnyMethod::of).map_err(|error| choices.out_of_range(&error))
}
