//! Half-explicit Runge-Kutta Lie group methods.

use crate::integrator::{AnyMethod, HalfExplicit};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::MethodInfo;
use crate::system::MechanicalSystem;

pub fn infos() -> Vec<MethodInfo> {
    let info = |method: HalfExplicit| {
        let tableau = method.tableau();
        MethodInfo {
            multiplier_order: tableau.multiplier_order,
            estimates: tableau.embedded.is_some(),
            ..MethodInfo::new(tableau.id, tableau.name, "half-explicit Runge-Kutta", tableau.order)
        }
    };
    HalfExplicit::all().map(info).collect()
}

pub fn method<M: MechanicalSystem>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    HalfExplicit::by_id(choices.method()).map(AnyMethod::of).ok_or_else(|| choices.unlisted())
}
