//! Multipliers of least norm at the end of a stage.

use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::system::{KktError, MechanicalSystem};

/// What takes from multipliers the part that acts on nothing.
///
/// An iteration changes λ by the least that will do, from that of the step before; where rows are redundant, what was part of their null
/// space there would stay with it. The solution of M a + Bᵀ μ = Bᵀ λ, B a = 0 is a = 0 and the μ of least norm with Bᵀ μ = Bᵀ λ.
pub(super) struct LeastNorm<M: MechanicalSystem> {
    mass: M::Mass,
    jacobian: M::Jacobian,
    reaction: M::Velocity,
    motion: M::Velocity,
    rates: M::Multipliers,
}

impl<M: MechanicalSystem> LeastNorm<M> {
    /// The buffers, for systems whose constraints may be redundant.
    pub(super) fn of(system: &M) -> Option<Box<Self>> {
        let is_needed = const { M::REDUNDANCY.is_minimum_norm() } && system.constraint_rows() > 0;
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
        solve().map_err(|error| StepError::of_saddle(error, system, from, h))
    }
}
