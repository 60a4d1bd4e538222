//! Generalized-α, on the group and in local coordinates.
//!
//! | setting | meaning |
//! |---|---|
//! | `rho_inf` | Chung and Hulbert's parameters for this spectral radius at infinity; 0.9 unless said |
//! | `hht_alpha` | Hilber, Hughes and Taylor's parameters instead |
//! | `newton` | `exact`: the iteration matrix in every iteration; `modified`: kept while it converges |
//! | `start` | `settled`, `second_order` or `first_order`: where a₀ and v₀ come from |
//! | `newton_tolerance` | the residual that ends the iteration, relative to the forces of the step |

use lie_runtime::integrator::GeneralizedAlpha;
use lie_runtime::integrator::generalized_alpha::{Formulation, METHODS, Newton, Options, Parameters, Start};

use super::{Family, Job, MethodCard};
use crate::example::Model;
use crate::request::Outcome;
use crate::settings::{Settings, UsageError};

/// The spectral radius at infinity of paper 2's examples.
const RHO_INF: f64 = 0.9;

/// The listed methods of the runtime.
pub(super) struct GeneralizedAlphaFamily;

impl Family for GeneralizedAlphaFamily {
    fn cards() -> Vec<MethodCard> {
        METHODS
            .iter()
            .map(|method| MethodCard {
                id: method.id,
                name: method.name,
                order: 2,
                multiplier_order: 2,
                estimates: true,
            })
            .collect()
    }

    fn solve<M: Model>(id: &str, mut job: Job<'_, M>) -> Result<Outcome, UsageError> {
        let Some(method) = METHODS.iter().find(|method| method.id == id) else {
            return Err(super::unknown(id));
        };
        let method = read(method.formulation, &mut job.settings)?;
        job.run(method)
    }
}

/// The method as the settings have it.
fn read(formulation: Formulation, settings: &mut Settings) -> Result<GeneralizedAlpha, UsageError> {
    let mut options = Options { formulation, ..Options::default() };
    let told = |error: lie_runtime::integrator::generalized_alpha::ParameterError| UsageError::new(error.to_string());
    let (rho_inf, alpha) = (settings.number("rho_inf", f64::NAN)?, settings.number("hht_alpha", f64::NAN)?);
    let parameters = match (rho_inf.is_nan(), alpha.is_nan()) {
        (false, false) => return Err(UsageError::new("`rho_inf` and `hht_alpha` exclude each other")),
        (true, false) => Parameters::hht(alpha),
        (false, true) => Parameters::chung_hulbert(rho_inf),
        (true, true) => Parameters::chung_hulbert(RHO_INF),
    };
    options.newton = match settings.choice("newton", &["exact", "modified"], "exact")? {
        "modified" => Newton::Modified,
        _ => Newton::Exact,
    };
    options.start = match settings.choice("start", &["settled", "second_order", "first_order"], "settled")? {
        "first_order" => Start::FirstOrder,
        "second_order" => Start::SecondOrder,
        _ => Start::Settled,
    };
    options.tolerance = settings.number("newton_tolerance", options.tolerance)?;
    GeneralizedAlpha::new(parameters.map_err(told)?, options).map_err(told)
}
