//! The component maps of methods.
//!
//! For Π = J ω and E = exp(h ω~) the two Euler methods of a rigid body are, in the form of rates (paper 5, eqs. 11 and 12)
//!
//! ```text
//! forward:    Π₁ = Π₀ + h (Π₀ × ω₀ + T₀),   q₁ = q₀ exp(h ω₀)
//! backward:   Π₁ = Π₀ + h (Π₁ × ω₁ + T₁),   q₁ = q₀ exp(h ω₁)
//! ```
//!
//! and in the form that keeps the momentum in space (eqs. 18 and 19)
//!
//! ```text
//! forward:    Π₁ = exp(−h ω₀) (Π₀ + h T₀),  q₁ = q₀ exp(h ω₀)
//! backward:   Π₁ = exp(−h ω₁) Π₀ + h T₁,    q₁ = q₀ exp(h ω₁).
//! ```
//!
//! Section 4 of the paper contains the methods of one increment, Ψ = h ω with the mean velocity ω as the unknown. The derivative of exp(−h
//! ω) p along δω is h p~ T(h ω) δω. The derivative of T(q₀ exp(h ω)) is h D_q T T(h ω) δω.

use nalgebra::{Matrix3, Vector3};

use super::algebra::{cayley_tangent, cayley_vector, exponential, tangent};
use super::workspace::{MapStart, MapWorkspace};
use crate::group::skew;
use crate::integrator::implicit::Unsolved;
use crate::scalar::Scalar;
use crate::system::Linearised;

/// The discretised form of the momentum balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum MomentumBalance {
    /// Its rate in the body (paper 5, eq. 10).
    Rate,
    /// Its integral in space (eq. 17), which conserves the spatial momentum.
    Momentum,
}

/// A map of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum RotationMap {
    /// Forward Euler, explicit.
    Forward(MomentumBalance),
    /// Backward Euler, its adjoint.
    Backward(MomentumBalance),
    /// SWC1 of Simo and Wong: Ψ = h/2 (ω₀ + ω₁), Π₁ = exp(−Ψ) Π₀ + h exp(−Ψ/2) T_{1/2}.
    SimoWong,
    /// AKW of Austin, Krishnaprasad and Wang: the midpoint rule for Π, the Cayley map for q.
    Cayley,
    /// BBTRAP of Bottasso and Borri: Ψ as in SWC1, Π₁ = exp(−Ψ) (Π₀ + h/2 T₀) + h/2 T₁.
    BottassoBorri,
}

impl RotationMap {
    /// Applies one map over h from `from` and writes the attitude to `q`.
    #[inline]
    pub(super) fn apply<M: Linearised>(
        self,
        system: &M,
        from: &MapStart<'_, M>,
        h: f64,
        work: &mut MapWorkspace<M>,
        q: &mut M::Configuration,
    ) -> Result<Vector3<M::Scalar>, Unsolved> {
        match self {
            RotationMap::Forward(balance) => Ok(forward(balance, system, from, h, work, q)),
            RotationMap::Backward(balance) => backward(balance, system, from, h, work, q),
            RotationMap::SimoWong => simo_wong(system, from, h, work, q),
            RotationMap::Cayley => cayley(system, from, h, work, q),
            RotationMap::BottassoBorri => bottasso_borri(system, from, h, work, q),
        }
    }
}

/// Applies the explicit half of the pair.
#[inline]
fn forward<M: Linearised>(
    balance: MomentumBalance,
    system: &M,
    from: &MapStart<'_, M>,
    h: f64,
    work: &mut MapWorkspace<M>,
    q: &mut M::Configuration,
) -> Vector3<M::Scalar> {
    let step = M::Scalar::from_f64(h);
    let torque = work.torque(system, from.time, from.configuration);
    let momentum = work.body.inertia * from.velocity;
    let psi = from.velocity * step;
    work.rotate(system, from.configuration, &psi, q);
    let change = match balance {
        MomentumBalance::Rate => (momentum.cross(&from.velocity) + torque) * step,
        MomentumBalance::Momentum => exponential(&psi).tr_mul(&(momentum + torque * step)) - momentum,
    };
    // J⁻¹ J would round the velocity in the same direction in every step.
    from.velocity + work.body.inverse * change
}

/// Applies the implicit half.
#[inline]
fn backward<M: Linearised>(
    balance: MomentumBalance,
    system: &M,
    from: &MapStart<'_, M>,
    h: f64,
    work: &mut MapWorkspace<M>,
    q: &mut M::Configuration,
) -> Result<Vector3<M::Scalar>, Unsolved> {
    let step = M::Scalar::from_f64(h);
    let momentum = work.body.inertia * from.velocity;
    let velocity = work.solve(from, h, |work, h, omega| {
        let step = M::Scalar::from_f64(h);
        let psi = omega * step;
        let (torque, gradient) = work.torque_after(system, from, h, &psi);
        let own = work.body.inertia * omega;
        let tangent = tangent(&psi);
        let by_attitude = gradient * tangent * step;
        match balance {
            MomentumBalance::Rate => (
                own - momentum - (own.cross(omega) + torque) * step,
                work.body.inertia + (gyroscopic(&work.body.inertia, omega, &own) - by_attitude) * step,
            ),
            MomentumBalance::Momentum => {
                let carried = exponential(&psi).tr_mul(&momentum);
                let by_rotation = skew(&carried) * tangent;
                (own - carried - torque * step, work.body.inertia - (by_rotation + by_attitude) * step)
            }
        }
    })?;
    work.rotate(system, from.configuration, &(velocity * step), q);
    Ok(velocity)
}

/// The derivative of ω × J ω.
#[inline]
fn gyroscopic<S: Scalar>(inertia: &Matrix3<S>, omega: &Vector3<S>, momentum: &Vector3<S>) -> Matrix3<S> {
    skew(omega) * inertia - skew(momentum)
}

/// Paper 5, algorithm SWC1.
#[inline]
fn simo_wong<M: Linearised>(
    system: &M,
    from: &MapStart<'_, M>,
    h: f64,
    work: &mut MapWorkspace<M>,
    q: &mut M::Configuration,
) -> Result<Vector3<M::Scalar>, Unsolved> {
    let real = M::Scalar::from_f64;
    let momentum = work.body.inertia * from.velocity;
    let mean = work.solve(from, h, |work, h, omega| {
        let (psi, half) = (omega * real(h), omega * real(0.5 * h));
        let (torque, gradient) = work.torque_after(system, from, 0.5 * h, &half);
        let carried = exponential(&psi).tr_mul(&momentum);
        let rotation = exponential(&half);
        let impulse = rotation.tr_mul(&torque) * real(h);
        let by_half = (skew(&impulse) + rotation.tr_mul(&gradient) * real(h)) * tangent(&half) * real(0.5 * h);
        let jacobian = work.body.inertia * real(2.0) - skew(&carried) * tangent(&psi) * real(h) - by_half;
        let last = work.body.inertia * (omega * real(2.0) - from.velocity);
        (last - carried - impulse, jacobian)
    })?;
    work.rotate(system, from.configuration, &(mean * real(h)), q);
    Ok(mean * real(2.0) - from.velocity)
}

/// Paper 5, algorithm BBTRAP.
#[inline]
fn bottasso_borri<M: Linearised>(
    system: &M,
    from: &MapStart<'_, M>,
    h: f64,
    work: &mut MapWorkspace<M>,
    q: &mut M::Configuration,
) -> Result<Vector3<M::Scalar>, Unsolved> {
    let real = M::Scalar::from_f64;
    let torque = work.torque(system, from.time, from.configuration);
    let momentum = work.body.inertia * from.velocity;
    let mean = work.solve(from, h, |work, h, omega| {
        let psi = omega * real(h);
        let carried = exponential(&psi).tr_mul(&(momentum + torque * real(0.5 * h)));
        let (torque, gradient) = work.torque_after(system, from, h, &psi);
        let by_rotation = (skew(&carried) + gradient * real(0.5 * h)) * tangent(&psi) * real(h);
        let last = work.body.inertia * (omega * real(2.0) - from.velocity);
        (last - carried - torque * real(0.5 * h), work.body.inertia * real(2.0) - by_rotation)
    })?;
    work.rotate(system, from.configuration, &(mean * real(h)), q);
    Ok(mean * real(2.0) - from.velocity)
}

/// Paper 5, algorithm AKW.
#[inline]
fn cayley<M: Linearised>(
    system: &M,
    from: &MapStart<'_, M>,
    h: f64,
    work: &mut MapWorkspace<M>,
    q: &mut M::Configuration,
) -> Result<Vector3<M::Scalar>, Unsolved> {
    let real = M::Scalar::from_f64;
    let first = work.torque(system, from.time, from.configuration);
    let momentum = work.body.inertia * from.velocity;
    let mean = work.solve(from, h, |work, h, omega| {
        let theta = omega * real(h);
        let (torque, gradient) = work.torque_after(system, from, h, &cayley_vector(&theta));
        let middle = work.body.inertia * omega;
        let residual =
            (middle - momentum) * real(2.0) - middle.cross(omega) * real(h) - (first + torque) * real(0.5 * h);
        let by_attitude = gradient * cayley_tangent(&theta) * real(0.5 * h * h);
        let by_rate = gyroscopic(&work.body.inertia, omega, &middle) * real(h);
        (residual, work.body.inertia * real(2.0) + by_rate - by_attitude)
    })?;
    work.rotate(system, from.configuration, &cayley_vector(&(mean * real(h))), q);
    Ok(mean * real(2.0) - from.velocity)
}
