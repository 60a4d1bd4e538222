//! The rigid body of a declared system: inertia, torque and the derivative of the torque.

use nalgebra::{Matrix3, Vector3};
use num_traits::Zero;

use crate::group::{TangentVector, skew};
use crate::scalar::Scalar;
use crate::system::{Description, KktError, Linearised};

/// The requirement on a system.
pub(super) const REQUIREMENT: &str = "one rotation (SO3 or S3) with constant inertia, without constraints, under \
                                      torques of time and attitude";

/// The tolerance of the test for velocity-dependent torques, in units of round-off.
const ROUND_OFF: f64 = 1e3;

/// The inertia of the body and the buffers for its torque.
pub(super) struct Body<M: Linearised> {
    /// J.
    pub inertia: Matrix3<M::Scalar>,
    /// J⁻¹.
    pub inverse: Matrix3<M::Scalar>,
    /// The attitude of the evaluation.
    pub trial: M::Configuration,
    rest: M::Velocity,
    vector: M::Velocity,
    no_multipliers: M::Multipliers,
    matrix: M::Matrix,
}

/// The first three components.
#[inline]
pub(super) fn components<V: TangentVector>(vector: &V) -> Vector3<V::Scalar> {
    Vector3::new(vector.component(0), vector.component(1), vector.component(2))
}

/// Sets the first three components.
#[inline]
pub(super) fn set_components<V: TangentVector>(vector: &mut V, components: &Vector3<V::Scalar>) {
    for (index, &component) in components.iter().enumerate() {
        vector.set_component(index, component);
    }
}

impl<M: Linearised> Body<M> {
    /// Creates the body of a system that satisfies [`is_rigid_body`]; for other systems its inertia is zero.
    pub fn of(system: &M, configuration: &M::Configuration) -> Self {
        let mut body = Body {
            inertia: Matrix3::from_element(M::Scalar::zero()),
            inverse: Matrix3::from_element(M::Scalar::zero()),
            trial: configuration.clone(),
            rest: system.zero_velocity(),
            vector: system.zero_velocity(),
            no_multipliers: system.zero_multipliers(),
            matrix: system.zero_matrix(),
        };
        if is_rigid_body(system) {
            let t = M::Scalar::zero();
            system.mass_matrix(t, configuration, &mut body.matrix);
            body.inertia = entries(system, &body.matrix);
            body.inverse = crate::solve::inverse_spd(&body.inertia).unwrap_or(body.inverse);
        }
        body
    }

    /// Returns the body-fixed torque at time t and the attitude `trial`.
    #[inline]
    pub fn torque(&mut self, system: &M, t: M::Scalar) -> Vector3<M::Scalar> {
        system.force(t, &self.trial, &self.rest, &mut self.vector);
        components(&self.vector)
    }

    /// Returns the torque and its derivative along q w~; at zero velocity K_t = −D_q T.
    #[inline]
    pub fn torque_and_gradient(&mut self, system: &M, t: M::Scalar) -> (Vector3<M::Scalar>, Matrix3<M::Scalar>) {
        let torque = self.torque(system, t);
        let Body { trial, rest, no_multipliers, matrix, .. } = self;
        system.tangent_stiffness(t, trial, rest, rest, no_multipliers, matrix);
        (torque, -entries(system, matrix))
    }

    /// v' = J⁻¹ (J ω × ω + T).
    pub fn acceleration(
        &mut self,
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &M::Velocity,
    ) -> Vector3<M::Scalar> {
        system.force(t, q, v, &mut self.vector);
        self.inverse * components(&self.vector)
    }

    /// Returns true if the torque depends on the velocity: D_v r differs from the derivative of ω × J ω, here or at zero velocity.
    pub fn has_torque_of_velocity(&mut self, system: &M, t: M::Scalar, v: &M::Velocity) -> bool {
        let at = |v: &M::Velocity, matrix: &mut M::Matrix| {
            let omega = components(v);
            let gyroscopic = skew(&omega) * self.inertia - skew(&(self.inertia * omega));
            system.tangent_damping(t, &self.trial, v, matrix);
            let difference = entries(system, matrix) - gyroscopic;
            let size = |matrix: &Matrix3<M::Scalar>| matrix.iter().fold(0.0_f64, |size, x| size.max(x.magnitude()));
            size(&difference) > ROUND_OFF * M::Scalar::epsilon() * (size(&gyroscopic) + size(&self.inertia))
        };
        at(&self.rest, &mut self.matrix) || at(v, &mut self.matrix)
    }
}

/// Returns true if the system is one rotation with constant inertia and without constraints.
pub(super) fn is_rigid_body<M: Linearised>(system: &M) -> bool {
    applies_to(system.description()) && system.dof() == 3 && system.constraint_rows() == 0
}

/// The entries of a 3 × 3 matrix.
#[inline]
fn entries<M: Linearised>(system: &M, matrix: &M::Matrix) -> Matrix3<M::Scalar> {
    Matrix3::from_fn(|row, column| system.matrix_entry(matrix, row, column))
}

/// A correction of Newton's iteration, J x = F.
#[inline]
pub(super) fn correction<S: Scalar>(jacobian: &Matrix3<S>, residual: &Vector3<S>) -> Result<Vector3<S>, KktError> {
    crate::solve::solve_lu(jacobian, residual)
}

/// Returns true if the methods apply to a system with this description: one rotation, constant inertia, no constraints.
pub fn applies_to(description: &Description) -> bool {
    matches!(&*description.members, [member] if matches!(member.group, "SO(3)" | "S³"))
        && description.mass_is_constant
        && description.constraints.is_empty()
}
