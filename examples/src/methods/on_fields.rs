//! Methods for equations of first order: Runge-Kutta-Munthe-Kaas, commutator-free and Crouch-Grossman methods.

use lie_runtime::field::{FieldReport, FirstOrder};
use lie_runtime::integrator::{CommutatorFree, MuntheKaas, OnMechanical};

use super::{Family, FieldJob, Job, MethodCard, unknown, unknown_among};
use crate::example::Model;
use crate::request::Outcome;
use crate::settings::UsageError;

/// The methods on (q, v), with constraints in the index-1 form, whose multipliers have the order of q.
pub(super) struct FieldFamily;

/// The methods, as vector fields run them and mechanical systems.
pub(crate) fn cards() -> Vec<MethodCard> {
    let munthe_kaas = MuntheKaas::all().map(|method| {
        let method = *method.method();
        MethodCard {
            id: method.id,
            name: method.name,
            order: method.tableau.order,
            multiplier_order: method.tableau.order,
            estimates: method.tableau.embedded.is_some(),
        }
    });
    let commutator_free = CommutatorFree::all().map(|method| {
        let method = method.method();
        MethodCard {
            id: method.id,
            name: method.name,
            order: method.order,
            multiplier_order: method.order,
            estimates: method.estimate.is_some(),
        }
    });
    munthe_kaas.chain(commutator_free).collect()
}

impl Family for FieldFamily {
    fn cards() -> Vec<MethodCard> {
        cards()
    }

    fn solve<M: Model>(id: &str, job: Job<'_, M>) -> Result<Outcome, UsageError> {
        match (MuntheKaas::by_id(id), CommutatorFree::by_id(id)) {
            (Some(method), _) => job.run(OnMechanical(method)),
            (None, Some(method)) => job.run(OnMechanical(method)),
            (None, None) => Err(unknown(id)),
        }
    }
}

/// Runs a field by the method that the request names.
pub(crate) fn solve<F>(job: FieldJob<'_, F>) -> Result<Outcome, UsageError>
where
    F: FirstOrder<System: Sized + FieldReport<F::Point>, Scalar = f64>,
{
    let id = job.request.method.as_str();
    match (MuntheKaas::by_id(id), CommutatorFree::by_id(id)) {
        (Some(method), _) => job.run(method),
        (None, Some(method)) => job.run(method),
        (None, None) => Err(unknown_among(id, &cards())),
    }
}
