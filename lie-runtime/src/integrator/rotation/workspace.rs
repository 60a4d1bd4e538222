//! The buffers of a step.

use nalgebra::{Matrix3, Vector3};

use super::body::{Body, is_rigid_body, set_components};
use crate::integrator::implicit::NewtonIteration;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::Linearised;

/// The maximum number of stages.
pub(super) const MOST_STAGES: usize = 8;

/// The maximum number of coupled stages.
pub(super) const MOST_COUPLED: usize = 4;

/// The buffers of a step, for one system with fixed parameters; allocated once.
#[doc(hidden)]
pub struct RotationWorkspace<M: Linearised> {
    pub(super) work: MapWorkspace<M>,
    /// Attitudes between the maps of a step.
    pub(super) between: [M::Configuration; 2],
    /// False if the system is not a rigid body, for which no step is possible.
    pub(super) applies: bool,
    pub(super) steps: u64,
}

/// The data of one map.
pub(super) struct MapWorkspace<M: Linearised> {
    pub body: Body<M>,
    pub newton: NewtonIteration,
    /// The residual of the equations of motion at the last iterate, a torque.
    pub residual: f64,
    pub stages: [RotationStage<M::Scalar>; MOST_STAGES],
    increment: M::Velocity,
}

/// The values of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotationStage<S> {
    /// Ψ.
    pub(super) psi: Vector3<S>,
    /// exp(Ψ).
    pub(super) rotation: Matrix3<S>,
    /// Ψ' = T(Ψ)⁻¹ J⁻¹ Π.
    pub(super) rate: Vector3<S>,
    /// P' = exp(Ψ) T.
    pub(super) impulse: Vector3<S>,
    /// The derivative of P' with respect to Ψ.
    pub(super) impulse_gradient: Matrix3<S>,
    /// T(Ψ)⁻¹ J⁻¹ exp(−Ψ), the derivative of Ψ' with respect to P.
    pub(super) rate_by_momentum: Matrix3<S>,
    /// The derivative of Ψ' with respect to Ψ at constant P.
    pub(super) rate_gradient: Matrix3<S>,
}

impl<S: Scalar> RotationStage<S> {
    pub fn zero() -> Self {
        let (vector, matrix) = (Vector3::from_element(S::zero()), Matrix3::from_element(S::zero()));
        RotationStage {
            psi: vector,
            rotation: matrix,
            rate: vector,
            impulse: vector,
            impulse_gradient: matrix,
            rate_by_momentum: matrix,
            rate_gradient: matrix,
        }
    }
}

/// The start of a map.
pub(super) struct MapStart<'a, M: Linearised> {
    pub time: f64,
    pub configuration: &'a M::Configuration,
    pub velocity: Vector3<M::Scalar>,
}

impl<M: Linearised> RotationWorkspace<M> {
    pub(super) fn of(system: &M, configuration: &M::Configuration, newton: &NewtonIteration) -> Self {
        RotationWorkspace {
            work: MapWorkspace {
                body: Body::of(system, configuration),
                newton: *newton,
                residual: 0.0,
                stages: core::array::from_fn(|_| RotationStage::zero()),
                increment: system.zero_velocity(),
            },
            between: [configuration.clone(), configuration.clone()],
            applies: is_rigid_body(system),
            steps: 0,
        }
    }

    /// Returns the first 16 corrections h |δω| of the last solution by Newton's method, in radians.
    pub fn corrections(&self) -> &[f64] {
        self.work.newton.corrections()
    }
}

impl<M: Linearised> MapWorkspace<M> {
    /// Writes q₀ exp(Ψ) to `q`.
    #[inline]
    pub fn rotate(&mut self, system: &M, from: &M::Configuration, psi: &Vector3<M::Scalar>, q: &mut M::Configuration) {
        set_components(&mut self.increment, psi);
        system.space().compose_exp(from, &self.increment, q);
    }

    /// Returns the body-fixed torque.
    #[inline]
    pub fn torque(&mut self, system: &M, time: f64, q: &M::Configuration) -> Vector3<M::Scalar> {
        self.body.trial.clone_from(q);
        self.body.torque(system, M::Scalar::from_f64(time))
    }

    /// Returns the torque and its derivative at `from` rotated by Ψ, after `h`.
    #[inline]
    pub fn torque_after(
        &mut self,
        system: &M,
        from: &MapStart<'_, M>,
        h: f64,
        psi: &Vector3<M::Scalar>,
    ) -> (Vector3<M::Scalar>, Matrix3<M::Scalar>) {
        set_components(&mut self.increment, psi);
        system.space().compose_exp(from.configuration, &self.increment, &mut self.body.trial);
        self.body.torque_and_gradient(system, M::Scalar::from_f64(from.time + h))
    }
}
