//! Multipliers of least norm at the end of a stage.

use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::system::{KktError, MechanicalSystem};

/// The projection that removes the null-space part of multipliers.
///
/// An iteration changes λ of the previous step by a correction of least norm. If rows are redundant, λ would keep the part in their
/// previous null space. The solution of M a + Bᵀ μ = Bᵀ λ, B a = 0 is a = 0 and the μ of least norm with Bᵀ μ = Bᵀ λ.
pub(super) struct LeastNorm<M: MechanicalSystem> {
    mass: M::Mass,
    jacobian: M::Jacobian,
    reaction: M::Velocity,
    motion: M::Velocity,
    rates: M::Multipliers,
}

impl<M: MechanicalSystem> LeastNorm<M> {
    /// The buffers, for systems with possibly redundant constraints.
    pub(super) fn of(system: &M) -> Option<Box<Self>> {
        let is_needed = system.has_least_norm() && system.constraint_rows() > 0;
        is_needed.then(|| {
            Box::new(LeastNorm {
                mass: system.zero_mass(),
                jacobian: system.zero_jacobian(),
                reaction: system.zero_velocity(),
                motion: system.zero_velocity(),
                rates: system.zero_multipliers(),
            })
        })
    }

    /// Replaces λ of `state`, at `time`, in a step of size `h` from `from`.
    pub(super) fn settle(
        &mut self,
        system: &M,
        from: &State<M>,
        (time, h): (f64, f64),
        state: &mut State<M>,
    ) -> Result<(), StepError> {
        let LeastNorm { mass, jacobian, reaction, motion, rates } = self;
        let (t, q) = (M::Scalar::from_f64(time), &state.configuration);
        let mut solve = || -> Result<(), KktError> {
            system.mass(t, q, mass)?;
            system.constraint_jacobian(t, q, jacobian);
            system.jacobian_transpose_times(jacobian, &state.multipliers, reaction);
            system.solve_kkt(mass, jacobian, jacobian, reaction, rates, motion, &mut state.multipliers)
        };
        solve().map_err(|error| StepError::of_kkt(error, system, from, h))
    }
}
