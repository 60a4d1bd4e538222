//! What tells a blow-up, of any kind of problem.

use crate::integrator::StepFailure;

/// Speeds that have grown by less since the last calm state say nothing of its stability.
pub(in crate::simulate) const GROWN: f64 = 10.0;
/// No explicit method is stable at steps of so many units of the fastest motion.
pub(in crate::simulate) const HOPELESS: f64 = 3.4;

/// True of failures that a blow-up may be the cause of.
pub(in crate::simulate) fn may_follow_a_blow_up(failure: &StepFailure) -> bool {
    matches!(
        failure,
        StepFailure::NotFinite { .. }
            | StepFailure::SingularConstraints { .. }
            | StepFailure::MassNotPositiveDefinite { .. }
            | StepFailure::SingularConfiguration { .. }
            | StepFailure::NewtonNotConverged { .. }
            | StepFailure::PoleOfMultipliers
    )
}
