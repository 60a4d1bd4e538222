//! The gradient of an objective with respect to a state, and to the parameters.

use num_traits::Zero;

use super::lifting::part;
use crate::group::TangentVector;
use crate::scalar::Dual;
use crate::system::{Cotangents, Reverse};

/// The derivatives of a number by all that a state consists of, and by the parameters.
pub struct Cotangent<M: Reverse> {
    /// By q, in the algebra: n components.
    pub configuration: M::Velocity,
    /// By v: n components.
    pub velocity: M::Velocity,
    /// By λ, one component a row.
    pub multipliers: M::Multipliers,
    /// By v': n components.
    pub acceleration: M::Velocity,
    /// By the numbers of the parameters, in the order of their names, matrices by rows; then, between the kernels at one time, by
    /// those of the inputs.
    pub parameters: Vec<M::Scalar>,
    /// By the inputs at the times at which the equations were evaluated, in the order in which they were gone back through.
    pub inputs: Vec<(f64, Vec<M::Scalar>)>,
}

impl<M: Reverse> Cotangent<M> {
    /// Of a number that depends on nothing.
    pub fn zero(system: &M) -> Self {
        Cotangent {
            configuration: system.zero_velocity(),
            velocity: system.zero_velocity(),
            multipliers: system.zero_multipliers(),
            acceleration: system.zero_velocity(),
            parameters: vec![M::Scalar::zero(); system.parameter_count() + system.input_count()],
            inputs: Vec::new(),
        }
    }

    /// Of q, v and the parameters, to be added to.
    pub(in crate::gradient) fn of_motion(&mut self) -> Cotangents<'_, M::Velocity, M::Scalar> {
        Cotangents {
            of_configuration: &mut self.configuration,
            of_velocity: &mut self.velocity,
            of_parameters: &mut self.parameters,
        }
    }

    /// Notes the cotangents of the inputs that the kernels at this time have left.
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

    /// Exchanges what belongs to no state: for a moment another cotangent takes it.
    pub(in crate::gradient) fn exchange_data(&mut self, other: &mut Self) {
        core::mem::swap(&mut self.parameters, &mut other.parameters);
        core::mem::swap(&mut self.inputs, &mut other.inputs);
    }

    /// The values of one on dual numbers.
    pub(in crate::gradient) fn lowered<L: Reverse<Scalar = Dual<M::Scalar>>>(from: &Cotangent<L>, system: &M) -> Self {
        let mut lowered = Cotangent::zero(system);
        part(&from.configuration, &mut lowered.configuration, |x| x.re);
        part(&from.velocity, &mut lowered.velocity, |x| x.re);
        part(&from.multipliers, &mut lowered.multipliers, |x| x.re);
        part(&from.acceleration, &mut lowered.acceleration, |x| x.re);
        let values = |numbers: &[Dual<M::Scalar>]| numbers.iter().map(|x| x.re).collect();
        lowered.parameters = values(&from.parameters);
        lowered.inputs = from.inputs.iter().map(|(time, inputs)| (*time, values(inputs))).collect();
        lowered
    }

    /// True if all numbers are finite.
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

impl<M: Reverse> Clone for Cotangent<M> {
    fn clone(&self) -> Self {
        Cotangent {
            configuration: self.configuration.clone(),
            velocity: self.velocity.clone(),
            multipliers: self.multipliers.clone(),
            acceleration: self.acceleration.clone(),
            parameters: self.parameters.clone(),
            inputs: self.inputs.clone(),
        }
    }
}

impl<M: Reverse> core::fmt::Debug for Cotangent<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Cotangent")
            .field("configuration", &self.configuration)
            .field("velocity", &self.velocity)
            .field("multipliers", &self.multipliers)
            .field("acceleration", &self.acceleration)
            .field("parameters", &self.parameters)
            .field("inputs", &self.inputs)
            .finish()
    }
}
