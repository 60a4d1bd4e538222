//! Local coordinates of the members: the loops that generated code calls, and the blocks of the linear systems.
//!
//! A change δx of the coordinates moves q by y = P δx and changes v and v', in the units of y, by V δx and A δx (see
//! [`LocalPoint`](crate::system::LocalPoint)). In the unknowns y the balance of forces needs V P⁻¹ where a method on the
//! group has T⁻¹ beside C, A P⁻¹ beside M, and δx = P⁻¹ y.

use nalgebra::{SMatrix, SVector};

use super::Span;
use super::members::{free, free_mut, vector};
use crate::group::{CoordinateMap, LocalCoordinates};
use crate::scalar::Scalar;
use crate::solve::LuFactors;

/// The coordinates x, x' and x'' of all free members.
#[derive(Clone, Copy, Debug)]
pub struct ChainCoordinates<'a, S> {
    /// μ.
    pub map: &'a CoordinateMap,
    /// x.
    pub x: &'a [S],
    /// x'.
    pub rate: &'a [S],
    /// x''.
    pub second: &'a [S],
}

/// The blocks of all free members, by rows, one after the other.
#[derive(Clone, Debug)]
pub struct ChainBlocks<S> {
    /// P⁻¹: T⁻¹ of methods on the group.
    pub position: Vec<S>,
    /// V P⁻¹; not used by methods on the group.
    pub velocity: Vec<S>,
    /// A P⁻¹; not used by methods on the group.
    pub acceleration: Vec<S>,
}

/// θ, v and v' of the free members of a field.
pub fn chain_local_motion<G, S: Scalar, const N: usize>(
    span: &Span,
    at: &ChainCoordinates<'_, S>,
    [theta, velocity, acceleration]: [&mut [S]; 3],
) where
    G: LocalCoordinates<S, N>,
{
    let given = free::<S, N>(span, at.x).zip(free::<S, N>(span, at.rate)).zip(free::<S, N>(span, at.second));
    let results =
        free_mut::<S, N>(span, theta).zip(free_mut::<S, N>(span, velocity)).zip(free_mut::<S, N>(span, acceleration));
    for ((((_, x), (_, rate)), (_, second)), (((_, theta), (_, velocity)), (_, acceleration))) in given.zip(results) {
        let motion = G::local_motion(at.map, &vector(x), &vector(rate), &vector(second));
        *theta = motion.theta.into();
        *velocity = motion.velocity.into();
        *acceleration = motion.acceleration.into();
    }
}

/// The blocks of the free members of a field from number `start` on; returns the number after them.
///
/// `scales` are 1/γ', γ' and 1/β' of the method. A singular P leaves numbers that are not finite.
pub fn chain_local_blocks<G, S: Scalar, const N: usize>(
    span: &Span,
    at: &ChainCoordinates<'_, S>,
    scales: [S; 3],
    out: &mut ChainBlocks<S>,
    start: usize,
) -> usize
where
    G: LocalCoordinates<S, N>,
{
    let [by_rate, rate_scale, by_second] = scales;
    let given = free::<S, N>(span, at.x).zip(free::<S, N>(span, at.rate)).zip(free::<S, N>(span, at.second));
    let mut place = start;
    for (((_, x), (_, rate)), (_, second)) in given {
        let gradient = G::local_gradient(at.map, &vector(x), &vector(rate), &vector(second));
        let position: SMatrix<S, N, N> = gradient.tangent;
        let velocity = position + gradient.velocity_by_position * by_rate;
        let acceleration =
            position + (gradient.acceleration_by_position + gradient.acceleration_by_rate * rate_scale) * by_second;
        let inverse = inverse(&position);
        put(&mut out.position[place..place + N * N], &inverse);
        put(&mut out.velocity[place..place + N * N], &(velocity * inverse));
        put(&mut out.acceleration[place..place + N * N], &(acceleration * inverse));
        place += N * N;
    }
    place
}

/// The blocks of members of vector spaces and of SO(2): identities.
pub fn chain_flat_blocks<S: Scalar, const N: usize>(span: &Span, out: &mut ChainBlocks<S>, start: usize) -> usize {
    let end = start + span.free().len() * N * N;
    let one = SMatrix::<S, N, N>::from_fn(|i, j| if i == j { S::one() } else { S::zero() });
    for blocks in [&mut out.position, &mut out.velocity, &mut out.acceleration] {
        for block in blocks[start..end].chunks_exact_mut(N * N) {
            put(block, &one);
        }
    }
    end
}

fn inverse<S: Scalar, const N: usize>(matrix: &SMatrix<S, N, N>) -> SMatrix<S, N, N> {
    let mut factors = LuFactors::<S, N>::zeros();
    let mut inverse = SMatrix::<S, N, N>::from_fn(|i, j| if i == j { S::one() } else { S::zero() });
    match factors.factorise(matrix) {
        Ok(()) => factors.solve(&mut inverse),
        // The elimination of the band refuses it.
        Err(_) => inverse = SMatrix::from_element(S::from_f64(f64::NAN)),
    }
    inverse
}

fn put<S: Scalar, const N: usize>(out: &mut [S], matrix: &SMatrix<S, N, N>) {
    for (row, out) in out.chunks_exact_mut(N).enumerate() {
        let row: SVector<S, N> = SVector::from_fn(|column, _| matrix[(row, column)]);
        out.copy_from_slice(row.as_slice());
    }
}
