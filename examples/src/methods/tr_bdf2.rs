//! TR-BDF2 on the group and its baseline, Newmark's method after Simo and Vu-Quoc (paper 4).
//!
//! | setting | meaning |
//! |---|---|
//! | `correction` | `derived`: the factor 1/24 of the rotation correction; `printed`: 1/48 |
//! | `predictor` | `acceleration` or `velocity`: what the first stage starts from |

use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::tr_bdf2::{METHODS, Options, PRINTED_CORRECTION, Predictor};
use lie_runtime::integrator::{GeneralizedAlpha, TrBdf2};

use super::{Family, Job, MethodCard, unknown};
use crate::example::Model;
use crate::request::Outcome;
use crate::settings::{Settings, UsageError};

/// The baseline's identifier.
const NEWMARK: &str = "simo_vu_quoc";

/// The completions of TR-BDF2, and Newmark.
pub(super) struct TrBdf2Family;

impl Family for TrBdf2Family {
    fn cards() -> Vec<MethodCard> {
        let card = |id, name, order| MethodCard { id, name, order, multiplier_order: order, estimates: true };
        let mut cards: Vec<MethodCard> =
            METHODS.iter().map(|method| card(method.id, method.name, method.order)).collect();
        cards.push(card(NEWMARK, "Newmark after Simo and Vu-Quoc", 2));
        cards
    }

    fn solve<M: Model>(id: &str, mut job: Job<'_, M>) -> Result<Outcome, UsageError> {
        if id == NEWMARK {
            let outcome = job.run(GeneralizedAlpha::index3(Parameters::simo_vu_quoc()))?;
            return Ok(Outcome { method: NEWMARK, ..outcome });
        }
        let Some(method) = TrBdf2::by_id(id) else {
            return Err(unknown(id));
        };
        let options = read(*method.options(), &mut job.settings)?;
        job.run(TrBdf2::with_options(options))
    }
}

/// The choices as the settings have them.
fn read(mut options: Options, settings: &mut Settings) -> Result<Options, UsageError> {
    if settings.choice("correction", &["derived", "printed"], "derived")? == "printed" {
        options.correction = PRINTED_CORRECTION;
    }
    if settings.choice("predictor", &["acceleration", "velocity"], "acceleration")? == "velocity" {
        options.predictor = Predictor::Velocity;
    }
    Ok(options)
}
