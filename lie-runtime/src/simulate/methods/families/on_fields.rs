//! Methods for first-order equations: Runge-Kutta-Munthe-Kaas, commutator-free and Crouch-Grossman methods.
//!
//! They integrate mechanical systems as (q, v), with constraints in index-1 form. The multipliers have the order of q.

use crate::field::FirstOrder;
use crate::integrator::{AnyMethod, CommutatorFree, MuntheKaas, OnMechanical};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::MethodInfo;
use crate::system::MechanicalSystem;

pub fn infos() -> Vec<MethodInfo> {
    let munthe_kaas = MuntheKaas::all().map(|method| {
        let method = *method.method();
        let info = MethodInfo::new(method.id, method.name, "Runge-Kutta-Munthe-Kaas", method.tableau.order);
        MethodInfo { estimates: method.tableau.embedded.is_some(), ..info }
    });
    let commutator_free = CommutatorFree::all().map(|method| {
        let method = method.method();
        let info = MethodInfo::new(method.id, method.name, "commutator-free", method.order);
        MethodInfo { estimates: method.estimate.is_some(), ..info }
    });
    munthe_kaas.chain(commutator_free).collect()
}

pub fn mechanical<M: MechanicalSystem>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    match (MuntheKaas::by_id(choices.method()), CommutatorFree::by_id(choices.method())) {
        (Some(method), _) => Ok(AnyMethod::of(OnMechanical(method))),
        (None, Some(method)) => Ok(AnyMethod::of(OnMechanical(method))),
        (None, None) => Err(choices.unlisted()),
    }
}

pub fn first_order<F: FirstOrder>(choices: &Choices<'_>) -> Result<AnyMethod<F>, MethodError> {
    match (MuntheKaas::by_id(choices.method()), CommutatorFree::by_id(choices.method())) {
        (Some(method), _) => Ok(AnyMethod::of(method)),
        (None, Some(method)) => Ok(AnyMethod::of(method)),
        (None, None) => Err(choices.unlisted()),
    }
}
