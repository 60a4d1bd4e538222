//! Rotation of a rigid body: the methods of paper 5.

use lie_runtime::integrator::Rotation;
use lie_runtime::integrator::rotation::{METHODS, applies_to};
use lie_runtime::system::Description;

use super::{Family, Job, MethodCard, unknown};
use crate::example::Model;
use crate::request::Outcome;
use crate::settings::UsageError;

/// All methods of the runtime's list.
pub(super) struct RotationFamily;

impl Family for RotationFamily {
    fn cards() -> Vec<MethodCard> {
        METHODS
            .iter()
            .map(|method| MethodCard {
                id: method.id,
                name: method.name,
                order: method.order,
                multiplier_order: method.order,
                estimates: false,
            })
            .collect()
    }

    fn applies(system: &Description) -> bool {
        applies_to(system)
    }

    fn solve<M: Model>(id: &str, job: Job<'_, M>) -> Result<Outcome, UsageError> {
        Rotation::by_id(id).map_or_else(|| Err(unknown(id)), |method| job.run(method))
    }
}
