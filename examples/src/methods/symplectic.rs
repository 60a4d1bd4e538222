//! Symplectic Lie group integrators, for Hamiltonian systems on T*G.

use lie_runtime::field::{Canonical, FieldReport, FirstOrder, LiftedHamiltonian};
use lie_runtime::integrator::symplectic::METHODS;
use lie_runtime::integrator::{FieldIntegrator, SymplecticLieGroup};
use lie_runtime::space::Cotangent;

use super::{FieldJob, MethodCard, on_fields, unknown_among};
use crate::request::Outcome;
use crate::settings::UsageError;

/// The method whose θ is a setting.
const ANY_THETA: &str = "slgi";

/// The symplectic methods, and all others for fields.
pub(crate) fn cards() -> Vec<MethodCard> {
    let card = |id, name, order| MethodCard { id, name, order, multiplier_order: order, estimates: false };
    let names = ["symplectic, theta = 0", "symplectic, theta = 1/2", "symplectic, theta = 1"];
    let listed = METHODS.iter().zip(names).map(|(method, name)| card(method.id(), name, method.order()));
    let mut cards: Vec<MethodCard> = listed.collect();
    cards.push(card(ANY_THETA, "symplectic, theta by --set theta=...", 1));
    cards.extend(on_fields::cards());
    cards
}

/// Runs a Hamiltonian system by the method that the request names.
pub(crate) fn solve<H>(mut job: FieldJob<'_, Canonical<H>>) -> Result<Outcome, UsageError>
where
    H: LiftedHamiltonian<Scalar = f64> + FieldReport<Cotangent<H::Group>>,
    Canonical<H>: FirstOrder<System = H, Scalar = f64, Point = Cotangent<H::Group>>,
    SymplecticLieGroup: FieldIntegrator<Canonical<H>>,
{
    let id = job.request.method.as_str();
    if let Some(method) = SymplecticLieGroup::by_id(id) {
        return job.run(method);
    }
    if id == ANY_THETA {
        let theta = job.settings.number("theta", 0.5)?;
        let method = SymplecticLieGroup::new(theta).map_err(|error| UsageError::new(error.to_string()))?;
        return job.run(method);
    }
    if on_fields::cards().iter().all(|card| card.id != id) {
        return Err(unknown_among(id, &cards()));
    }
    on_fields::solve::<Canonical<H>>(job)
}
