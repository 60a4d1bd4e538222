//! The left action on products, and the spatial velocities of their members.

use core::marker::PhantomData;

use super::left::{FramedSpace, LeftSpace};
use super::members::{free, free_mut, vector};
use super::{Components, ConfigurationSpace, EachField, Factor, Field, Fields, Places, ProductSpace, Span};
use crate::group::TangentVector;
use crate::group::operations::{Bracket, Coadjoint, DexpInverse, OnElement, OnVectors, PullBack, TangentTranspose};
use crate::scalar::Scalar;

struct Move<'a, Q: Fields> {
    spans: &'a [Span],
    q: &'a Q,
    xi: &'a [Q::Scalar],
    out: &'a mut Q,
}

impl<Q: Fields> EachField<Q> for Move<'_, Q> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &self.spans[I];
        let (from, to) = (Field::<I, N>::members(self.q), Field::<I, N>::members_mut(&mut *self.out));
        super::members::copy_clamped(from, span, to);
        for (member, xi) in free::<_, N>(span, self.xi) {
            to[member] = from[member].moved_from_left(&vector(xi));
        }
    }
}

/// An operation of the acting groups on pairs of vectors.
struct Pairs<'a, O, Q: Fields> {
    spans: &'a [Span],
    a: &'a [Q::Scalar],
    b: &'a [Q::Scalar],
    out: &'a mut [Q::Scalar],
    /// If set, the result is added to the output with this factor.
    factor: Option<f64>,
    of: PhantomData<O>,
}

impl<O: OnVectors, Q: Fields> EachField<Q> for Pairs<'_, O, Q> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &self.spans[I];
        let given = free::<_, N>(span, self.a).zip(free::<_, N>(span, self.b));
        for (((_, a), (_, b)), (_, out)) in given.zip(free_mut::<_, N>(span, self.out)) {
            let mut value = <Q::Group as Factor>::spatial::<O>(&vector(a), &vector(b));
            if let Some(factor) = self.factor {
                value *= Q::Scalar::from_f64(factor);
                value += vector(out);
            }
            *out = value.into();
        }
    }
}

/// An operation of the members on vectors.
struct Acting<'a, O, Q: Fields> {
    spans: &'a [Span],
    q: &'a Q,
    vector: &'a [Q::Scalar],
    out: &'a mut [Q::Scalar],
    of: PhantomData<O>,
}

impl<O: OnElement, Q: Fields> EachField<Q> for Acting<'_, O, Q> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let (span, members) = (&self.spans[I], Field::<I, N>::members(self.q));
        for ((member, own), (_, out)) in free::<_, N>(span, self.vector).zip(free_mut::<_, N>(span, self.out)) {
            *out = members[member].framed::<O>(&vector(own)).into();
        }
    }
}

/// The velocities of the frames.
struct Frames<'a, Q: Fields> {
    spans: &'a [Span],
    w: &'a [Q::Scalar],
    out: &'a mut [Q::Scalar],
}

impl<Q: Fields> EachField<Q> for Frames<'_, Q> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &self.spans[I];
        for ((_, w), (_, out)) in free::<_, N>(span, self.w).zip(free_mut::<_, N>(span, self.out)) {
            *out = <Q::Group as Factor>::frame_velocity(&vector(w)).into();
        }
    }
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> ProductSpace<Q, V, P> {
    /// Writes an operation of the acting groups on two vectors in spatial components into `out`. With a factor, the result is added.
    #[inline]
    pub(crate) fn spatial<O: OnVectors>(&self, a: &V, b: &V, factor: Option<f64>, out: &mut V) {
        if !self.own([a, b, out]) {
            return foreign(out);
        }
        let (spans, out) = (self.spans(), out.slice_mut());
        Q::visit(&mut Pairs::<O, Q> { spans, a: a.slice(), b: b.slice(), out, factor, of: PhantomData });
    }
}

/// Sets NaN, the result for vectors or points of another space.
#[cold]
fn foreign<V: TangentVector>(out: &mut V) {
    out.fill(V::Scalar::from_f64(f64::NAN));
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> LeftSpace for ProductSpace<Q, V, P> {
    type Scalar = Q::Scalar;
    type Point = Q;
    type Algebra = V;

    #[inline]
    fn move_along(&self, y: &Q, xi: &V, out: &mut Q) {
        Q::visit(&mut Move { spans: self.spans(), q: y, xi: xi.slice(), out });
    }
    #[inline]
    fn dexp_inverse(&self, sigma: &V, v: &V, out: &mut V) {
        self.spatial::<DexpInverse>(sigma, v, None, out);
    }
    #[inline]
    fn bracket(&self, v: &V, w: &V, out: &mut V) {
        self.spatial::<Bracket>(v, w, None, out);
    }
    #[inline]
    fn add_coadjoint(&self, factor: f64, v: &V, mu: &V, out: &mut V) {
        self.spatial::<Coadjoint>(v, mu, Some(factor), out);
    }
    #[inline]
    fn pull_back(&self, xi: &V, mu: &V, out: &mut V) {
        self.spatial::<PullBack>(xi, mu, None, out);
    }
    #[inline]
    fn tangent_transpose(&self, xi: &V, mu: &V, out: &mut V) {
        self.spatial::<TangentTranspose>(xi, mu, None, out);
    }
    fn remove_spins(&self, y: &Q, velocity: &mut V) {
        if self.check(y).is_ok() && self.own([velocity]) {
            ConfigurationSpace::remove_spins(self, y, velocity);
        }
    }
    fn distance(&self, a: &Q, b: &Q) -> f64 {
        ConfigurationSpace::distance(self, a, b)
    }
    fn is_finite(&self, y: &Q) -> bool {
        ConfigurationSpace::is_finite(self, y)
    }
    fn membership_defect(&self, y: &Q) -> f64 {
        self.worst_member(y).map_or(0.0, |member| member.defect)
    }
    fn renormalize(&self, y: &mut Q) {
        ConfigurationSpace::renormalize(self, y);
    }
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> FramedSpace for ProductSpace<Q, V, P> {
    #[inline]
    fn framed<O: OnElement>(&self, q: &Q, vector: &V, out: &mut V) {
        if self.check(q).is_err() || !self.own([vector, out]) {
            return foreign(out);
        }
        let (spans, out) = (self.spans(), out.slice_mut());
        Q::visit(&mut Acting::<O, Q> { spans, q, vector: vector.slice(), out, of: PhantomData });
    }
    #[inline]
    fn frame_velocity(&self, w: &V, out: &mut V) {
        if !self.own([w, out]) {
            return foreign(out);
        }
        Q::visit(&mut Frames::<Q> { spans: self.spans(), w: w.slice(), out: out.slice_mut() });
    }
}
