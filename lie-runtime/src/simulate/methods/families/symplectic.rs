//! Symplectic Lie group integrators, for Hamiltonian systems on T*G.

use crate::field::FirstOrder;
use crate::integrator::symplectic::METHODS;
use crate::integrator::{AnyMethod, Integrator, SymplecticLieGroup};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodOption, MethodRequirement};

/// The method with the option θ.
const ANY_THETA: &str = "slgi";

const OPTIONS: &[MethodOption] = &[MethodOption { name: "theta", meaning: "θ, from 0 to 1; 0.5" }];

pub fn infos() -> Vec<MethodInfo> {
    let info = |id, name, order| MethodInfo {
        needs: MethodRequirement::Hamiltonian,
        ..MethodInfo::new(id, name, "symplectic", order)
    };
    let names = ["symplectic, theta = 0", "symplectic, theta = 1/2", "symplectic, theta = 1"];
    let listed = METHODS.iter().zip(names).map(|(method, name)| info(method.id(), name, method.order()));
    let mut infos: Vec<MethodInfo> = listed.collect();
    infos.push(MethodInfo { options: OPTIONS, ..info(ANY_THETA, "symplectic, theta by an option", 1) });
    infos
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
