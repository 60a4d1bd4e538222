//! BLieDF; the setting `newton_tolerance` is the residual that ends its iteration, relative to the forces of the step.

use lie_runtime::integrator::BLieDF;

use super::{Family, Job, MethodCard};
use crate::example::Model;
use crate::request::Outcome;
use crate::settings::UsageError;

/// k = 1 … 4 in both formulations.
pub(super) struct BLieDFFamily;

/// The name of a method.
fn name(method: BLieDF) -> &'static str {
    let names = if method.options().stabilised {
        [
            "BLieDF, k = 1, stabilised index 2",
            "BLieDF, k = 2, stabilised index 2",
            "BLieDF, k = 3, stabilised index 2",
            "BLieDF, k = 4, stabilised index 2",
        ]
    } else {
        ["BLieDF, k = 1, index 3", "BLieDF, k = 2, index 3", "BLieDF, k = 3, index 3", "BLieDF, k = 4, index 3"]
    };
    names[method.steps() - 1]
}

impl Family for BLieDFFamily {
    fn cards() -> Vec<MethodCard> {
        let card = |method: BLieDF| {
            let (order, multiplier_order) = (method.steps(), method.steps());
            MethodCard { id: method.id(), name: name(method), order, multiplier_order, estimates: false }
        };
        BLieDF::all().map(card).collect()
    }

    fn solve<M: Model>(id: &str, mut job: Job<'_, M>) -> Result<Outcome, UsageError> {
        let Some(method) = BLieDF::by_id(id) else {
            return Err(super::unknown(id));
        };
        let mut options = *method.options();
        options.tolerance = job.settings.positive("newton_tolerance", options.tolerance)?;
        job.run(method.with_options(options))
    }
}
