//! The gradient of an objective with respect to a state and to the parameters.

use num_traits::Zero;

use super::components::part;
use crate::group::TangentVector;
use crate::scalar::Dual;
use crate::system::{Cotangents, Reverse};

/// The derivatives of a scalar with respect to all components of a state and to the parameters.
pub struct AdjointState<M: Reverse> {
    /// The derivative with respect to q, in the algebra: n components.
    pub configuration: M::Velocity,
    /// The derivative with respect to v: n components.
    pub velocity: M::Velocity,
    /// The derivative with respect to λ, one component for each constraint row.
    pub multipliers: M::Multipliers,
    /// The derivative with respect to v': n components.
    pub acceleration: M::Velocity,
    /// The derivative with respect to the scalar parameters, in the order of their names, matrices by rows. Between the kernels of one time
    /// the inputs follow.
    pub parameters: Vec<M::Scalar>,
    /// The derivative with respect to the inputs at the evaluation times, in the order of the reverse pass.
    pub inputs: Vec<(f64, Vec<M::Scalar>)>,
}

impl<M: Reverse> AdjointState<M> {
    /// The cotangent zero.
    pub fn zero(system: &M) -> Self {
        AdjointState {
            configuration: system.zero_velocity(),
            velocity: system.zero_velocity(),
            multipliers: system.zero_multipliers(),
            acceleration: system.zero_velocity(),
            parameters: vec![M::Scalar::zero(); system.parameter_count() + system.input_count()],
            inputs: Vec::new(),
        }
    }

    /// The cotangents of q, v and the parameters, for additions.
    pub(in crate::gradient) fn of_motion(&mut self) -> Cotangents<'_, M::Velocity, M::Scalar> {
        Cotangents {
            of_configuration: &mut self.configuration,
            of_velocity: &mut self.velocity,
            of_parameters: &mut self.parameters,
        }
    }

    /// Moves the cotangents of the inputs at this time from the parameters to the list of inputs.
    pub(in crate::gradient) fn note_inputs(&mut self, system: &M, time: f64) {
        let own = &mut self.parameters[system.parameter_count()..];
        if own.iter().all(Zero::is_zero) {
            return;
        }
        match self.inputs.last_mut() {
            Some((last, sum)) if *last == time => {
                for (sum, &own) in sum.iter_mut().zip(&*own) {
                    *sum += own;
                }
            }
            _ => self.inputs.push((time, own.to_vec())),
        }
        own.fill(M::Scalar::zero());
    }

    /// Swaps the cotangents of parameters and inputs, which can be in only one cotangent at a time.
    pub(in crate::gradient) fn exchange_data(&mut self, other: &mut Self) {
        core::mem::swap(&mut self.parameters, &mut other.parameters);
        core::mem::swap(&mut self.inputs, &mut other.inputs);
    }

    /// The values of a cotangent on dual numbers.
    pub(in crate::gradient) fn lowered<L: Reverse<Scalar = Dual<M::Scalar>>>(
        from: &AdjointState<L>,
        system: &M,
    ) -> Self {
        let mut lowered = AdjointState::zero(system);
        part(&from.configuration, &mut lowered.configuration, |x| x.re);
        part(&from.velocity, &mut lowered.velocity, |x| x.re);
        part(&from.multipliers, &mut lowered.multipliers, |x| x.re);
        part(&from.acceleration, &mut lowered.acceleration, |x| x.re);
        let values = |numbers: &[Dual<M::Scalar>]| numbers.iter().map(|x| x.re).collect();
        lowered.parameters = values(&from.parameters);
        lowered.inputs = from.inputs.iter().map(|(time, inputs)| (*time, values(inputs))).collect();
        lowered
    }

    /// True if all components are finite.
    pub(in crate::gradient) fn is_finite(&self) -> bool {
        use crate::scalar::Scalar;
        self.configuration.all_finite()
            && self.velocity.all_finite()
            && self.multipliers.all_finite()
            && self.acceleration.all_finite()
            && M::Scalar::all_finite(self.parameters.iter().copied())
            && self.inputs.last().is_none_or(|(_, inputs)| M::Scalar::all_finite(inputs.iter().copied()))
    }
}

impl<M: Reverse> Clone for AdjointState<M> {
    fn clone(&self) -> Self {
        AdjointState {
            configuration: self.configuration.clone(),
            velocity: self.velocity.clone(),
            multipliers: self.multipliers.clone(),
            acceleration: self.acceleration.clone(),
            parameters: self.parameters.clone(),
            inputs: self.inputs.clone(),
        }
    }
}

impl<M: Reverse> core::fmt::Debug for AdjointState<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AdjointState")
            .field("configuration", &self.configuration)
            .field("velocity", &self.velocity)
            .field("multipliers", &self.multipliers)
            .field("acceleration", &self.acceleration)
            .field("parameters", &self.parameters)
            .field("inputs", &self.inputs)
            .finish()
    }
}
