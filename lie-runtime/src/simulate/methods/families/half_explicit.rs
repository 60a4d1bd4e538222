//! Half-explicit Runge-Kutta Lie group methods.

use crate::integrator::{AnyMethod, HalfExplicit};
use crate::simulate::methods::card::MethodCard;
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::system::MechanicalSystem;

pub fn cards() -> Vec<MethodCard> {
    let card = |method: HalfExplicit| {
        let tableau = method.tableau();
        MethodCard {
            multiplier_order: tableau.multiplier_order,
            estimates: tableau.embedded.is_some(),
            ..MethodCard::new(tableau.id, tableau.name, "half-explicit Runge-Kutta", tableau.order)
        }
    };
    HalfExplicit::all().map(card).collect()
}

pub fn method<M: MechanicalSystem>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    HalfExplicit::by_id(choices.method()).map(AnyMethod::of).ok_or_else(|| choices.unlisted())
}
