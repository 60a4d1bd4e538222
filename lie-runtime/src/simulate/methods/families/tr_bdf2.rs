//! TR-BDF2 on the group and its baseline, Newmark's method after Simo and Vu-Quoc (paper 4).

use crate::integrator::tr_bdf2::{CORRECTION, METHODS, PRINTED_CORRECTION, TrBdf2Predictor};
use crate::integrator::{AnyMethod, GeneralizedAlpha, TrBdf2};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodOption, MethodRequirement};
use crate::system::Linearised;

/// The identifier of the baseline.
const NEWMARK: &str = "simo_vu_quoc";

const OPTIONS: &[MethodOption] = &[
    MethodOption {
        name: "correction",
        meaning: "the factor of the rotation correction: `derived`, 1/24, or `printed`, 1/48; derived",
    },
    MethodOption {
        name: "predictor",
        meaning: "the predictor of the stages: `acceleration`, `velocity` or `previous_stage`; acceleration",
    },
];

pub fn infos() -> Vec<MethodInfo> {
    let info = |id, name, order| MethodInfo {
        estimates: true,
        needs: MethodRequirement::Linearisation,
        ..MethodInfo::new(id, name, "TR-BDF2", order)
    };
    let mut infos: Vec<MethodInfo> = METHODS
        .iter()
        .map(|method| MethodInfo { options: OPTIONS, ..info(method.id, method.name, method.order) })
        .collect();
    infos.push(info(NEWMARK, "Newmark after Simo and Vu-Quoc", 2));
    infos
}

pub fn method<M: Linearised>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    if choices.method() == NEWMARK {
        let newmark = GeneralizedAlpha::simo_vu_quoc();
        return Ok(AnyMethod::of(newmark).called(NEWMARK));
    }
    let method = TrBdf2::by_id(choices.method()).ok_or_else(|| choices.unlisted())?;
    let mut options = *method.options();
    options.correction =
        choices.word("correction", &[("derived", CORRECTION), ("printed", PRINTED_CORRECTION)], options.correction)?;
    let predictors = [
        ("acceleration", TrBdf2Predictor::Acceleration),
        ("velocity", TrBdf2Predictor::Velocity),
        ("previous_stage", TrBdf2Predictor::PreviousStage),
    ];
    options.predictor = choices.word("predictor", &predictors, options.predictor)?;
    TrBdf2::with_options(options).map(AnyMethod::of).map_err(|error| choices.out_of_range(&error))
}
