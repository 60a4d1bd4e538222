//! Rotation of a rigid body: the methods of paper 5.

use super::{Choices, MethodCard, MethodError, Needs};
use crate::integrator::rotation::METHODS;
use crate::integrator::{AnyMethod, Rotation};
use crate::system::Linearised;

pub(super) fn cards() -> Vec<MethodCard> {
    let card = |method: &crate::integrator::rotation::Method| MethodCard {
        needs: Needs::OneRotation,
        ..MethodCard::new(method.id, method.name, "rotation of a rigid body", method.order)
    };
    METHODS.iter().map(card).collect()
}

pub(super) fn method<M: Linearised>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    Rotation::by_id(choices.method()).map(AnyMethod::of).ok_or_else(|| choices.unlisted())
}
