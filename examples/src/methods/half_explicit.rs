//! Half-explicit Runge-Kutta Lie group methods.

use lie_runtime::integrator::HalfExplicit;

use super::{Family, Job, MethodCard, unknown};
use crate::example::Model;
use crate::request::Outcome;
use crate::settings::UsageError;

/// All tableaux of the runtime.
pub(super) struct HalfExplicitFamily;

impl Family for HalfExplicitFamily {
    fn cards() -> Vec<MethodCard> {
        HalfExplicit::all()
            .map(|method| {
                let tableau = method.tableau();
                MethodCard {
                    id: tableau.id,
                    name: tableau.name,
                    order: tableau.order,
                    multiplier_order: tableau.multiplier_order,
                    estimates: tableau.embedded.is_some(),
                }
            })
            .collect()
    }

    fn solve<M: Model>(id: &str, job: Job<'_, M>) -> Result<Outcome, UsageError> {
        HalfExplicit::by_id(id).map_or_else(|| Err(unknown(id)), |method| job.run(method))
    }
}
