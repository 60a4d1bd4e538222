//! Accelerations and multipliers of full order.

use num_traits::One;

use super::consistency::ConsistencyError;
use super::values::ConsistentValues;
use crate::group::TangentVector;
use crate::integrator::{State, StepFailure};
use crate::scalar::Scalar;
use crate::system::{Evaluation, KktError, MechanicalSystem};

/// Relative tolerance for a consistent acceleration.
const EXPLAINED: f64 = 1e-6;

impl<M: MechanicalSystem> ConsistentValues<M> {
    /// Computes v' and λ of the index-1 system [M Bᵀ; B 0] (v', λ) = (−g, −curvature). Both have the order of q and v.
    ///
    /// Does not allocate memory.
    ///
    /// # Errors
    /// [`ConsistencyError::Failed`].
    #[doc(hidden)]
    pub fn accelerations(&mut self, system: &M, state: &mut State<M>) -> Result<(), ConsistencyError> {
        self.accelerations_at(system, M::Scalar::from_f64(state.time), state)
    }

    /// Computes v' and λ at a time that may be a dual number.
    pub(in crate::simulate) fn accelerations_at(
        &mut self,
        system: &M,
        t: M::Scalar,
        state: &mut State<M>,
    ) -> Result<(), ConsistencyError> {
        let (q, v) = (&state.configuration, &state.velocity);
        let failed = |error| ConsistencyError::Failed(StepFailure::of_kkt_at(error, system, t, q));
        let Self { inertia, here, residual, .. } = self;
        inertia.forget();
        let (acceleration, multipliers) = (&mut state.acceleration, &mut state.multipliers);
        here.accelerations(system, (t, q, v), inertia, residual, acceleration, multipliers).map_err(failed)?;
        if state.acceleration.all_finite() { Ok(()) } else { Err(failed(KktError::NotFinite)) }
    }

    /// Returns true if v' = M⁻¹(−g − Bᵀ λ) in a state up to iteration errors, which holds for a motion of this system with any method.
    ///
    /// Also true if M is singular; the step reports this error.
    pub(in crate::simulate) fn explain(&mut self, system: &M, state: &State<M>) -> bool {
        let t = M::Scalar::from_f64(state.time);
        let (q, v) = (&state.configuration, &state.velocity);
        let Self { inertia, here: Evaluation { jacobian, force }, correction, .. } = self;
        inertia.forget();
        let Ok(mass) = inertia.at(system, t, q) else { return true };
        system.force(t, q, v, force);
        system.solve_mass(mass, force, correction);
        let mut size = state.acceleration.max_norm() + correction.max_norm();
        let mut missing = state.acceleration.clone();
        missing.axpy(-M::Scalar::one(), correction);
        if system.constraint_rows() > 0 {
            system.constraint_jacobian(t, q, jacobian);
            system.jacobian_transpose_times(jacobian, &state.multipliers, force);
            system.solve_mass(mass, force, correction);
            size += correction.max_norm();
            missing.axpy(M::Scalar::one(), correction);
        }
        size.is_finite() && missing.max_norm() <= EXPLAINED.max(1e3 * M::Scalar::epsilon()) * size
    }
}
