//! The blocks of the members in the linear systems of implicit methods.
//!
//! A change δx of the coordinates moves q by y = P δx and changes v and v', in the units of y, by V δx and A δx (see
//! [`LocalPoint`](crate::system::LocalPoint)). In the unknowns y the balance of forces needs V P⁻¹ where a method on the
//! group has T⁻¹ beside C, A P⁻¹ beside M, and δx = P⁻¹ y.

use nalgebra::{SMatrix, SVector};

use crate::group::LocalCoordinates;
use crate::scalar::Scalar;
use crate::solve::LuFactors;
use crate::space::members::{free, vector};
use crate::space::{ChainSpace, EachField, Factor, Field, Fields, Span};
use crate::system::LocalPoint;

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

impl<S: Scalar> ChainBlocks<S> {
    /// Sets the blocks to those at a motion in local coordinates; `scales` are 1/γ', γ' and 1/β' of the method.
    ///
    /// A singular P leaves numbers that are not finite.
    pub(super) fn set_local<Q>(
        &mut self,
        space: &ChainSpace<Q>,
        at: &LocalPoint<'_, nalgebra::DVector<S>>,
        scales: [S; 3],
    ) where
        Q: Fields<Scalar = S>,
    {
        let at = LocalPoint { map: at.map, x: at.x.as_slice(), rate: at.rate.as_slice(), second: at.second.as_slice() };
        Q::visit(&mut Local { spans: space.spans(), at: &at, scales, out: self, place: 0 });
    }

    /// Sets the first blocks to T(θ)⁻¹, for methods on the group.
    pub(super) fn set_tangent_inverse<Q: Fields<Scalar = S>>(&mut self, space: &ChainSpace<Q>, theta: &[S]) {
        Q::visit(&mut TangentInverse { spans: space.spans(), theta, out: &mut self.position, place: 0 });
    }
}

struct TangentInverse<'a, S> {
    spans: &'a [Span],
    theta: &'a [S],
    out: &'a mut [S],
    place: usize,
}

impl<Q: Fields> EachField<Q> for TangentInverse<'_, Q::Scalar> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let blocks = self.out[self.place..].chunks_exact_mut(N * N);
        for ((_, theta), block) in free::<_, N>(&self.spans[I], self.theta).zip(blocks) {
            let theta = vector(theta);
            for column in 0..N {
                let mut unit = SVector::<Q::Scalar, N>::from_element(Scalar::from_f64(0.0));
                unit[column] = Scalar::from_f64(1.0);
                let image = Q::Group::tangent_inverse(&theta, &unit);
                for row in 0..N {
                    block[row * N + column] = image[row];
                }
            }
            self.place += N * N;
        }
    }
}

struct Local<'a, S> {
    spans: &'a [Span],
    at: &'a LocalPoint<'a, [S]>,
    scales: [S; 3],
    out: &'a mut ChainBlocks<S>,
    place: usize,
}

impl<Q: Fields> EachField<Q> for Local<'_, Q::Scalar> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &self.spans[I];
        if <Q::Group as LocalCoordinates<Q::Scalar, N>>::IS_FLAT {
            let end = self.place + span.free().len() * N * N;
            let one = SMatrix::<Q::Scalar, N, N>::identity();
            for blocks in [&mut self.out.position, &mut self.out.velocity, &mut self.out.acceleration] {
                blocks[self.place..end].chunks_exact_mut(N * N).for_each(|block| put(block, &one));
            }
            self.place = end;
            return;
        }
        let [by_rate, rate_scale, by_second] = self.scales;
        let given = free::<_, N>(span, self.at.x).zip(free::<_, N>(span, self.at.rate));
        for (((_, x), (_, rate)), (_, second)) in given.zip(free::<_, N>(span, self.at.second)) {
            let gradient = Q::Group::local_gradient(self.at.map, &vector(x), &vector(rate), &vector(second));
            let position: SMatrix<Q::Scalar, N, N> = gradient.tangent;
            let velocity = position + gradient.velocity_by_position * by_rate;
            let acceleration =
                position + (gradient.acceleration_by_position + gradient.acceleration_by_rate * rate_scale) * by_second;
            let inverse = inverse(&position);
            let block = self.place..self.place + N * N;
            put(&mut self.out.position[block.clone()], &inverse);
            put(&mut self.out.velocity[block.clone()], &(velocity * inverse));
            put(&mut self.out.acceleration[block], &(acceleration * inverse));
            self.place += N * N;
        }
    }
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
