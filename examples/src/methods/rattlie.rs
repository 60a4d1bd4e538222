//! RATTLie; the setting `newton_tolerance` is the residual that ends its iteration, relative to the momenta of the step.

use lie_runtime::integrator::Rattlie;
use lie_runtime::integrator::rattlie::Options;

use super::{Family, Job, MethodCard};
use crate::example::Model;
use crate::request::Outcome;
use crate::settings::UsageError;

/// The one method.
pub(super) struct RattlieFamily;

impl Family for RattlieFamily {
    fn cards() -> Vec<MethodCard> {
        let name = "RATTLie, symmetric and variational, for constant mass matrices";
        vec![MethodCard { id: Rattlie::ID, name, order: 2, multiplier_order: 2, estimates: false }]
    }

    fn solve<M: Model>(_: &str, mut job: Job<'_, M>) -> Result<Outcome, UsageError> {
        let mut options = Options::default();
        options.tolerance = job.settings.positive("newton_tolerance", options.tolerance)?;
        job.run(Rattlie::with_options(options))
    }
}
