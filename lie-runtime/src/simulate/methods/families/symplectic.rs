//! Symplectic Lie group integrators, for Hamiltonian systems on T*G.

use crate::field::FirstOrder;
use crate::integrator::symplectic::METHODS;
use crate::integrator::{AnyMethod, Integrator, SymplecticLieGroup};
use crate::simulate::methods::card::{MethodCard, MethodOption, Needs};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;

/// The method whose θ is an option.
const ANY_THETA: &str = "slgi";

const OPTIONS: &[MethodOption] = &[MethodOption { name: "theta", meaning: "θ, from 0 to 1; 0.5" }];

pub fn cards() -> Vec<MethodCard> {
    let card =
        |id, name, order| MethodCard { needs: Needs::Hamiltonian, ..MethodCard::new(id, name, "symplectic", order) };
    let names = ["symplectic, theta = 0", "symplectic, theta = 1/2", "symplectic, theta = 1"];
    let listed = METHODS.iter().zip(names).map(|(method, name)| card(method.id(), name, method.order()));
    let mut cards: Vec<MethodCard> = listed.collect();
    cards.push(MethodCard { options: OPTIONS, ..card(ANY_THETA, "symplectic, theta by an option", 1) });
    cards
}

pub fn method<F: FirstOrder>(choices: &Choices<'_>) -> Result<AnyMethod<F>, MethodError>
where
    SymplecticLieGroup: Integrator<F>,
{
    if choices.method() != ANY_THETA {
        let method = SymplecticLieGroup::by_id(choices.method());
        return method.map(AnyMethod::of).ok_or_else(|| choices.unlisted());
    }
    let theta = choices.number("theta")?.unwrap_or(0.5);
    let method = SymplecticLieGroup::new(theta);
    method.map(AnyMethod::of).map_err(|error| choices.error("theta", &error.theta.to_string(), "in [0, 1]"))
}
