//! The linear systems of methods in local coordinates: the chain rule for each factor of the group.
//!
//! An updated Lagrangian method changes x, x' and x'' of q = q₀ ∘ μ(x) by δx, γ' δx and β' δx. The left-trivialised
//! changes are
//!
//! ```text
//! q by T δx,    v by γ' (T + D_x v / γ') δx,    v' by β' (T + (D_x v' + γ' D_x' v') / β') δx.
//! ```
//!
//! Therefore the columns of K, C and M are multiplied by these blocks; a method on the group has T, I and I instead.

use nalgebra::{SMatrix, SVector};

use super::codegen_runtime::{part, times_block};
use super::{IterationCoefficients, IterationMatrices, LocalPoint};
use crate::group::LocalCoordinates;
use crate::scalar::Scalar;
use crate::space::{EachField, Field, FixedFields};

/// Multiplies the columns of the matrices of an iteration by the blocks of the step's coordinates: by those of `local`,
/// or by T(θ).
///
/// `needed` states whether K is used, and whether D_q (B v + b) is used.
#[inline]
pub fn change_coordinates<Q, S: Scalar, const D: usize, const R: usize>(
    matrices: &mut IterationMatrices<S, D, R>,
    theta: &SVector<S, D>,
    local: Option<&LocalPoint<'_, SVector<S, D>>>,
    coefficients: &IterationCoefficients<S>,
    needed: [bool; 2],
) where
    Q: FixedFields<Scalar = S>,
{
    match local {
        Some(point) => Q::visit(&mut InLocalCoordinates { matrices, point, coefficients }),
        None => Q::visit(&mut TimesTangent { matrices, theta, needed }),
    }
}

struct InLocalCoordinates<'a, S, const D: usize, const R: usize> {
    matrices: &'a mut IterationMatrices<S, D, R>,
    point: &'a LocalPoint<'a, SVector<S, D>>,
    coefficients: &'a IterationCoefficients<S>,
}

impl<Q, S: Scalar, const D: usize, const R: usize> EachField<Q> for InLocalCoordinates<'_, S, D, R>
where
    Q: FixedFields<Scalar = S>,
{
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        if !<Q::Group as LocalCoordinates<S, N>>::IS_FLAT {
            let span = &Q::SPANS[I];
            for member in 0..span.length {
                let offset = span.offset + member * N;
                in_local_coordinates::<Q::Group, S, D, R, N>(self.matrices, self.point, self.coefficients, offset);
            }
        }
    }
}

struct TimesTangent<'a, S, const D: usize, const R: usize> {
    matrices: &'a mut IterationMatrices<S, D, R>,
    theta: &'a SVector<S, D>,
    needed: [bool; 2],
}

impl<Q, S: Scalar, const D: usize, const R: usize> EachField<Q> for TimesTangent<'_, S, D, R>
where
    Q: FixedFields<Scalar = S>,
{
    // Inlined, so that all offsets are constants.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        if !<Q::Group as LocalCoordinates<S, N>>::IS_FLAT {
            let span = &Q::SPANS[I];
            for member in 0..span.length {
                let offset = span.offset + member * N;
                let angular = <Q::Group as LocalCoordinates<S, N>>::ANGULAR;
                let block = Q::Group::tangent_matrix(&part::<S, D, N>(self.theta, offset));
                let [needs_stiffness, needs_gradient] = self.needed;
                times_block(&mut self.matrices.jacobian_tangent, offset, &block, angular);
                if needs_stiffness {
                    times_block(&mut self.matrices.stiffness, offset, &block, angular);
                }
                if needs_gradient {
                    times_block(&mut self.matrices.rate_gradient, offset, &block, angular);
                }
            }
        }
    }
}

/// Multiplies the columns of one factor by its blocks.
#[inline(never)]
fn in_local_coordinates<G, S: Scalar, const D: usize, const R: usize, const N: usize>(
    matrices: &mut IterationMatrices<S, D, R>,
    point: &LocalPoint<'_, SVector<S, D>>,
    coefficients: &IterationCoefficients<S>,
    offset: usize,
) where
    G: LocalCoordinates<S, N>,
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
    times_block(&mut matrices.stiffness, offset, &position, G::ANGULAR);
    times_block(&mut matrices.jacobian_tangent, offset, &position, G::ANGULAR);
    times_block(&mut matrices.rate_gradient, offset, &position, G::ANGULAR);
    times_block(&mut matrices.damping, offset, &velocity, G::ANGULAR);
    times_block(&mut matrices.jacobian_rate, offset, &velocity, G::ANGULAR);
    times_block(&mut matrices.mass, offset, &acceleration, G::ANGULAR);
}
