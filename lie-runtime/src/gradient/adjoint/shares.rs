//! Objectives that read how redundant rows share a reaction.
//!
//! Of rows that depend on one another λ is that of least norm λᵀ D λ, D the diagonal of S = B M⁻¹ Bᵀ. The way back knows what Bᵀ λ is a
//! function of, not how D moves: it has the gradient of what depends on Bᵀ λ, whose cotangent of λ is some B w.

use num_traits::Zero;

use super::super::error::{Attempted, GradientError};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::system::{MassFactorisation, Reverse};

/// What is left of a cotangent beside every B w, in parts of it, that is more than round-off.
const LEFT: f64 = 1e-6;

/// Refuses a `cotangent` of λ that is none of B w, but for rows that are zero and so have no reaction.
///
/// # Errors
/// [`GradientError::Shares`].
pub(super) fn ensure_reactions<M: Reverse>(
    system: &M,
    state: &State<M>,
    cotangent: &M::Multipliers,
) -> Attempted<M, ()> {
    let size = cotangent.reach();
    if const { !M::REDUNDANCY.is_minimum_norm() } || system.constraint_rows() == 0 || size == 0.0 {
        return Ok(());
    }
    let (t, q) = (M::Scalar::from_f64(state.time), &state.configuration);
    let (mut inertia, mut jacobian) = (MassFactorisation::of(system), system.zero_jacobian());
    let (zero, mut w) = (system.zero_velocity(), system.zero_velocity());
    let (mut multipliers, mut met) = (system.zero_multipliers(), system.zero_multipliers());
    let solved = inertia.at(system, t, q).map(|_| ()).and_then(|()| {
        system.constraint_jacobian(t, q, &mut jacobian);
        system.solve_kkt(inertia.factors(), &jacobian, &jacobian, &zero, cotangent, &mut w, &mut multipliers)
    });
    // What cannot be solved is told by the step.
    if solved.is_err() {
        return Ok(());
    }
    system.jacobian_times(&jacobian, &w, &mut met);
    met.axpy(M::Scalar::from_f64(-1.0), cotangent);
    for row in 0..system.constraint_rows() {
        if met.component(row).magnitude() <= LEFT * size {
            continue;
        }
        multipliers.fill(M::Scalar::zero());
        multipliers.set_component(row, M::Scalar::from_f64(1.0));
        system.jacobian_transpose_times(&jacobian, &multipliers, &mut w);
        if w.reach() > 0.0 {
            return Err(Box::new(GradientError::Shares {
                time: state.time,
                constraint: system.description().constraint_of_row(row),
            }));
        }
    }
    Ok(())
}
