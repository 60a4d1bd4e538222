//! Objectives that depend on the individual multipliers of redundant rows.
//!
//! The λ of linearly dependent rows has least norm λᵀ D λ, where D is the diagonal of S = B M⁻¹ Bᵀ. The reverse pass differentiates
//! functions of Bᵀ λ, and not the dependence on D. A function of Bᵀ λ has a cotangent of λ of the form B w.

use num_traits::Zero;

use super::super::error::{Attempted, GradientError};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::system::{MassFactorisation, Reverse};

/// The relative size of the component orthogonal to all B w above which it is not round-off.
const LEFT: f64 = 1e-6;

/// Returns an error if a `cotangent` of λ is not of the form B w; zero rows, which have no reaction, are ignored.
///
/// # Errors
/// [`GradientError::Shares`].
pub(super) fn ensure_reactions<M: Reverse>(
    system: &M,
    state: &State<M>,
    cotangent: &M::Multipliers,
) -> Attempted<M, ()> {
    let size = cotangent.reach();
    if !system.has_least_norm() || system.constraint_rows() == 0 || size == 0.0 {
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
    // The reverse pass of the step reports a singular system.
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
