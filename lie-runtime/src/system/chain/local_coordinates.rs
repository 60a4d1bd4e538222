//! The blocks of the members in the linear systems of implicit methods in local coordinates.
//!
//! A change δx of the coordinates changes q by y = P δx, and v and v', in the units of y, by V δx and A δx (see
//! [`LocalPoint`](crate::system::LocalPoint)). In the unknowns y, V P⁻¹ multiplies C and A P⁻¹ multiplies M in the
//! balance of forces, where a method on the group has T⁻¹; and δx = P⁻¹ y.

use core::ops::Range;

use nalgebra::{SMatrix, SVector};

use crate::group::{CoordinateMap, LocalCoordinates};
use crate::scalar::Scalar;
use crate::solve::LuFactors;
use crate::space::visitors::vector;
use crate::space::{ChainSpace, EachField, Field, Fields, Span};
use crate::system::LocalPoint;

/// The blocks of all free members, by rows, one after the other.
#[derive(Clone, Debug)]
pub struct ChainBlocks<S> {
    /// P⁻¹; T⁻¹ for methods on the group.
    pub position: Vec<S>,
    /// V P⁻¹; not used by methods on the group.
    pub velocity: Vec<S>,
    /// A P⁻¹; not used by methods on the group.
    pub acceleration: Vec<S>,
}

impl<S: Scalar> ChainBlocks<S> {
    /// Sets the blocks of some members at a motion in local coordinates; `scales` are 1/γ', γ' and 1/β' of the method.
    ///
    /// A singular P results in NaN.
    pub(super) fn set_local<Q>(
        &mut self,
        space: &ChainSpace<Q>,
        at: &LocalPoint<'_, nalgebra::DVector<S>>,
        scales: [S; 3],
        members: Range<usize>,
    ) where
        Q: Fields<Scalar = S>,
    {
        let at = LocalPoint { map: at.map, x: at.x.as_slice(), rate: at.rate.as_slice(), second: at.second.as_slice() };
        let members = Members { wanted: members, before: 0, place: 0 };
        Q::visit(&mut LocalBlocks { spans: space.spans(), at: &at, scales, out: self, members });
    }

    /// Sets the first blocks of some members to T(θ)⁻¹, for methods on the group.
    pub(super) fn set_tangent_inverse<Q: Fields<Scalar = S>>(
        &mut self,
        space: &ChainSpace<Q>,
        theta: &[S],
        members: Range<usize>,
    ) {
        let members = Members { wanted: members, before: 0, place: 0 };
        Q::visit(&mut TangentInverse { spans: space.spans(), theta, out: &mut self.position, members });
    }
}

/// Some free members by their numbers, and the number and block sizes of the free members in earlier fields.
struct Members {
    wanted: Range<usize>,
    before: usize,
    place: usize,
}

impl Members {
    /// Returns the members of the next field, by their numbers in it, and the start of the first of their blocks.
    fn of_next(&mut self, span: &Span) -> (Range<usize>, usize) {
        let (count, size) = (span.free().len(), span.dimension * span.dimension);
        let inside = |member: usize| member.saturating_sub(self.before).min(count);
        let own = inside(self.wanted.start)..inside(self.wanted.end);
        let first = self.place + own.start * size;
        self.before += count;
        self.place += count * size;
        (own, first)
    }
}

struct TangentInverse<'a, S> {
    spans: &'a [Span],
    theta: &'a [S],
    out: &'a mut [S],
    members: Members,
}

impl<Q: Fields> EachField<Q> for TangentInverse<'_, Q::Scalar> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &self.spans[I];
        let (members, place) = self.members.of_next(span);
        let theta = &self.theta[span.offset + members.start * N..span.offset + members.end * N];
        set_tangent_inverses::<Q::Group, _, N>(theta.as_chunks().0, &mut self.out[place..]);
    }
}

/// Sets the blocks to T(θ)⁻¹ of the members of a field.
#[inline(never)]
pub(super) fn set_tangent_inverses<G: LocalCoordinates<S, N>, S: Scalar, const N: usize>(
    theta: &[[S; N]],
    blocks: &mut [S],
) {
    for (theta, block) in theta.iter().zip(blocks.chunks_exact_mut(N * N)) {
        let theta = vector(theta);
        for column in 0..N {
            let mut unit = SVector::<S, N>::from_element(Scalar::from_f64(0.0));
            unit[column] = Scalar::from_f64(1.0);
            let image = G::tangent_inverse(&theta, &unit);
            for row in 0..N {
                block[row * N + column] = image[row];
            }
        }
    }
}

struct LocalBlocks<'a, S> {
    spans: &'a [Span],
    at: &'a LocalPoint<'a, [S]>,
    scales: [S; 3],
    out: &'a mut ChainBlocks<S>,
    members: Members,
}

impl<Q: Fields> EachField<Q> for LocalBlocks<'_, Q::Scalar> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &self.spans[I];
        let (members, place) = self.members.of_next(span);
        let blocks = place..place + members.len() * N * N;
        let ChainBlocks { position, velocity, acceleration } = &mut *self.out;
        let out = [position, velocity, acceleration].map(|list| &mut list[blocks.clone()]);
        let own = span.offset + members.start * N..span.offset + members.end * N;
        let at = [self.at.x, self.at.rate, self.at.second].map(|of| of[own.clone()].as_chunks::<N>().0);
        set_local_blocks::<Q::Group, _, N>(self.at.map, at, self.scales, out);
    }
}

/// Sets the blocks of the members of a field at x, x' and x''.
#[inline(never)]
pub(super) fn set_local_blocks<G: LocalCoordinates<S, N>, S: Scalar, const N: usize>(
    map: &CoordinateMap,
    [x, rate, second]: [&[[S; N]]; 3],
    [by_rate, rate_scale, by_second]: [S; 3],
    out: [&mut [S]; 3],
) {
    let [positions, velocities, accelerations] = out.map(|blocks| blocks.chunks_exact_mut(N * N));
    if G::IS_FLAT {
        let one = SMatrix::<S, N, N>::identity();
        return positions.chain(velocities).chain(accelerations).for_each(|block| put(block, &one));
    }
    let blocks = positions.zip(velocities).zip(accelerations);
    for (((x, rate), second), ((to_position, to_velocity), to_acceleration)) in
        x.iter().zip(rate).zip(second).zip(blocks)
    {
        let gradient = G::local_gradient(map, &vector(x), &vector(rate), &vector(second));
        let position: SMatrix<S, N, N> = gradient.tangent;
        let velocity = position + gradient.velocity_by_position * by_rate;
        let acceleration =
            position + (gradient.acceleration_by_position + gradient.acceleration_by_rate * rate_scale) * by_second;
        let inverse = inverse(&position);
        put(to_position, &inverse);
        put(to_velocity, &(velocity * inverse));
        put(to_acceleration, &(acceleration * inverse));
    }
}

fn inverse<S: Scalar, const N: usize>(matrix: &SMatrix<S, N, N>) -> SMatrix<S, N, N> {
    let mut factors = LuFactors::<S, N>::zeros();
    let mut inverse = SMatrix::<S, N, N>::from_fn(|i, j| if i == j { S::one() } else { S::zero() });
    match factors.factorise(matrix) {
        Ok(()) => factors.solve(&mut inverse),
        // The elimination reports an error for NaN.
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
