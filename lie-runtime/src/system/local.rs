//! The linear systems of methods that step in local coordinates: the chain rule, factor by factor.
//!
//! An updated Lagrangian method changes x, x' and x'' of q = q₀ ∘ μ(x) by δx, γ' δx and β' δx. Left-trivialised, that
//! changes
//!
//! ```text
//! q by T δx,    v by γ' (T + D_x v / γ') δx,    v' by β' (T + (D_x v' + γ' D_x' v') / β') δx,
//! ```
//!
//! so that the columns of K, C and M are multiplied by these blocks where a method on the group has T, I and I.

use nalgebra::{SMatrix, SVector};

use super::support::{part, set_part, times_block};
use super::{IterationCoefficients, IterationMatrices, MechanicalSystem};
use crate::group::{CoordinateMap, LocalCoordinates};
use crate::scalar::Scalar;

/// A motion in local coordinates, q = q₀ ∘ μ(x).
#[derive(Debug)]
pub struct LocalPoint<'a, M: MechanicalSystem + ?Sized> {
    /// μ.
    pub map: &'a CoordinateMap,
    /// x.
    pub x: &'a M::Velocity,
    /// x'.
    pub rate: &'a M::Velocity,
    /// x''.
    pub second: &'a M::Velocity,
}

impl<M: MechanicalSystem + ?Sized> Clone for LocalPoint<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem + ?Sized> Copy for LocalPoint<'_, M> {}

/// θ, v and v' of one factor of the group.
pub fn local_motion<G, M, S: Scalar, const D: usize, const N: usize>(
    point: &LocalPoint<'_, M>,
    offset: usize,
    theta: &mut SVector<S, D>,
    velocity: &mut SVector<S, D>,
    acceleration: &mut SVector<S, D>,
) where
    G: LocalCoordinates<S, N>,
    M: MechanicalSystem<Scalar = S, Velocity = SVector<S, D>> + ?Sized,
{
    let [x, rate, second] = [point.x, point.rate, point.second].map(|vector| part::<S, D, N>(vector, offset));
    let motion = G::local_motion(point.map, &x, &rate, &second);
    set_part(theta, offset, &motion.theta);
    set_part(velocity, offset, &motion.velocity);
    set_part(acceleration, offset, &motion.acceleration);
}

/// Multiplies the columns of one factor by its blocks.
#[inline(never)]
pub fn in_local_coordinates<G, M, S: Scalar, const D: usize, const R: usize, const N: usize>(
    matrices: &mut IterationMatrices<S, D, R>,
    point: &LocalPoint<'_, M>,
    coefficients: &IterationCoefficients<S>,
    offset: usize,
) where
    G: LocalCoordinates<S, N>,
    M: MechanicalSystem<Scalar = S, Velocity = SVector<S, D>> + ?Sized,
{
    let [x, rate, second] = [point.x, point.rate, point.second].map(|vector| part::<S, D, N>(vector, offset));
    let gradient = G::local_gradient(point.map, &x, &rate, &second);
    let c = coefficients;
    // 1/γ', γ' and 1/β'.
    let (by_rate, rate, by_second) = (c.rate_gradient / c.rate, c.rate / c.rate_gradient, c.stiffness / c.mass);
    let position: SMatrix<S, N, N> = gradient.tangent;
    let velocity = position + gradient.velocity_by_position * by_rate;
    let acceleration =
        position + (gradient.acceleration_by_position + gradient.acceleration_by_rate * rate) * by_second;
    times_block(&mut matrices.stiffness, offset, &position);
    times_block(&mut matrices.jacobian_tangent, offset, &position);
    times_block(&mut matrices.rate_gradient, offset, &position);
    times_block(&mut matrices.damping, offset, &velocity);
    times_block(&mut matrices.jacobian_rate, offset, &velocity);
    times_block(&mut matrices.mass, offset, &acceleration);
}
