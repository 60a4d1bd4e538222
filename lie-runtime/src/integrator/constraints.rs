//! The residuals of the constraints at an iterate of an implicit step.

use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::{IterationResidual, Linearised};

/// Writes h (B v + b) at (t, q, v) to `residual` in the units of θ for a known Φ; returns the largest component of both.
///
/// Velocities must satisfy holonomic rows as well if the formulation `is_stabilised`; otherwise these rows of the rates are zero. The
/// function writes B to `jacobian` if the rates or the caller need it.
#[inline]
#[allow(clippy::too_many_arguments)] // A point of the motion, and buffers.
pub(super) fn largest<M: Linearised>(
    system: &M,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    h: f64,
    is_stabilised: bool,
    needs_jacobian: bool,
    residual: &mut IterationResidual<M>,
    jacobian: &mut M::Jacobian,
    drift: &mut M::Multipliers,
) -> M::Scalar {
    let (rows, holonomic) = (system.constraint_rows(), system.holonomic_rows());
    if rows == 0 {
        return num_traits::Zero::zero();
    }
    let position = residual.position.lane_norm();
    let has_rates = is_stabilised || holonomic < rows;
    if needs_jacobian || has_rates {
        system.constraint_jacobian(t, q, jacobian);
    }
    if !has_rates {
        return position;
    }
    let rate = &mut residual.velocity;
    system.jacobian_times(jacobian, v, rate);
    system.constraint_drift(t, q, drift);
    rate.axpy(num_traits::One::one(), drift);
    rate.scale(M::Scalar::from_f64(h));
    if !is_stabilised {
        for row in 0..holonomic {
            rate.set_component(row, num_traits::Zero::zero());
        }
    }
    Scalar::max(position, rate.lane_norm())
}
