//! What tells a blow-up, of any kind of problem.

use crate::group::TangentVector;
use crate::integrator::StepFailure;
use crate::scalar::{Scalar, is_single};

/// Speeds that have grown by less since the last calm state say nothing of its stability.
pub(in crate::simulate) const GROWN: f64 = 10.0;
/// No explicit method is stable at steps of so many units of the fastest motion.
pub(in crate::simulate) const HOPELESS: f64 = 3.4;
/// Iterations for the fastest motion; the last half of them count.
const ITERATIONS: u32 = 16;

/// How many times larger than a displacement the change is that it makes of a function, in the direction where it grows
/// fastest: power iteration, where `change` puts the change of the function in the place of the displacement.
///
/// `scale` is the size of the variable; `None` where the function has no value.
pub(in crate::simulate) fn largest_rate<V: TangentVector>(
    zero: V,
    scale: f64,
    mut change: impl FnMut(&mut V) -> Option<()>,
) -> Option<f64> {
    let step = scale * if is_single::<V::Scalar>() { 1e-3 } else { 3e-6 };
    let mut direction = zero;
    for component in 0..direction.component_count() {
        // Any direction with a part in every motion.
        direction.set_component(component, V::Scalar::from_f64((1.0 + 1.7 * component as f64).sin()));
    }
    let mut sum = 0.0;
    for iteration in 0..ITERATIONS {
        let length = direction.max_norm();
        if !(length > 0.0 && length.is_finite()) {
            return length.is_finite().then_some(0.0);
        }
        direction.scale(V::Scalar::from_f64(step / length));
        change(&mut direction)?;
        if iteration >= ITERATIONS / 2 {
            sum += (direction.max_norm() / step).max(f64::MIN_POSITIVE).ln();
        }
    }
    Some((sum / f64::from(ITERATIONS / 2)).exp())
}

/// True of failures that a blow-up may be the cause of.
pub(in crate::simulate) fn may_follow_a_blow_up(failure: &StepFailure) -> bool {
    matches!(
        failure,
        StepFailure::NotFinite { .. }
            | StepFailure::SingularConstraints { .. }
            | StepFailure::MassNotPositiveDefinite { .. }
            | StepFailure::NewtonNotConverged { .. }
            | StepFailure::PoleOfMultipliers
    )
}
