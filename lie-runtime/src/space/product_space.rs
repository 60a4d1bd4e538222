//! The space of a product: every operation field by field.

use core::fmt::Debug;
use core::marker::PhantomData;

use nalgebra::{DVector, SVector};

use super::configuration::{ConfigurationSpace, ForeignLength, LocalPoint, LocalSpace, ReverseSpace};
use super::visitors::{
    AddPairs, Bracket, Check, Coadjoint, ComposeExp, ComposeExpAt, Directions, Extent, FrameVelocities, Framed,
    IsFinite, LocalMotion, LocalPullback, LogDifference, MotionPullback, MoveFromLeft, MoveState, MovesVelocities,
    Operator, Pairs, RatePullback, Renormalize, Spatial, SpinPullback, Spins, StateRate, Tangent, TangentInverse,
    TangentInverseTranspose, Worst,
};
use super::{Fields, FixedFields, FramedSpace, LeftSpace, MemberDefect, OnElement, Span};
use crate::group::TangentVector;
use crate::group::operations;
use crate::scalar::Scalar;

/// A vector with contiguous components.
pub trait Components: TangentVector {
    /// `count` zeros.
    fn zeros(count: usize) -> Self;
    /// The components.
    fn slice(&self) -> &[Self::Scalar];
    /// The components, mutably.
    fn slice_mut(&mut self) -> &mut [Self::Scalar];
}

impl<S: Scalar, const D: usize> Components for SVector<S, D> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zeros(_: usize) -> Self {
        crate::scalar::zeros()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slice(&self) -> &[S] {
        self.as_slice()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slice_mut(&mut self) -> &mut [S] {
        self.as_mut_slice()
    }
}

impl<S: Scalar> Components for DVector<S> {
    fn zeros(count: usize) -> Self {
        DVector::from_element(count, S::from_f64(0.0))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slice(&self) -> &[S] {
        self.as_slice()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slice_mut(&mut self) -> &mut [S] {
        self.as_mut_slice()
    }
}

/// The spans of the fields of a configuration in a velocity.
#[doc(hidden)]
pub trait Places: Clone + Debug {
    /// The fields, in order.
    fn spans(&self) -> &[Span];
    /// Components of a velocity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dof(&self) -> usize {
        self.spans().last().map_or(0, Span::end)
    }
}

impl Places for Vec<Span> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn spans(&self) -> &[Span] {
        self
    }
}

/// The spans of a configuration with lengths known at compile time.
#[derive(Debug)]
#[doc(hidden)]
pub struct FixedPlaces<Q>(PhantomData<fn() -> Q>);

impl<Q> Clone for FixedPlaces<Q> {
    #[inline]
    fn clone(&self) -> Self {
        FixedPlaces(PhantomData)
    }
}

impl<Q: FixedFields> Places for FixedPlaces<Q> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn spans(&self) -> &[Span] {
        Q::SPANS
    }
}

/// The product of the fields of a configuration `Q`, with velocities of type `V`.
#[derive(Debug)]
#[doc(hidden)]
pub struct ProductSpace<Q, V, P> {
    places: P,
    of: PhantomData<fn() -> (Q, V)>,
}

/// The space of a fixed configuration of dimension `D`; its size is zero.
pub type FixedSpace<Q, const D: usize> = ProductSpace<Q, SVector<<Q as Fields>::Scalar, D>, FixedPlaces<Q>>;

/// The space of a configuration with chains.
pub type ChainSpace<Q> = ProductSpace<Q, DVector<<Q as Fields>::Scalar>, Vec<Span>>;

impl<Q, V, P: Clone> Clone for ProductSpace<Q, V, P> {
    fn clone(&self) -> Self {
        ProductSpace { places: self.places.clone(), of: PhantomData }
    }
}

impl<Q: FixedFields, const D: usize> FixedSpace<Q, D> {
    /// The space.
    pub const NEW: Self = ProductSpace { places: FixedPlaces(PhantomData), of: PhantomData };
}

impl<Q: Fields> ChainSpace<Q> {
    /// Returns the space with these lengths and clamped members; components are in the order of the fields.
    pub fn new(spans: impl IntoIterator<Item = Span>) -> Self {
        let mut end = 0;
        let place = |span: Span| {
            let span = span.at_offset(end);
            end = span.end();
            span
        };
        ProductSpace { places: spans.into_iter().map(place).collect(), of: PhantomData }
    }

    /// The space with another scalar type.
    pub fn on<R: Fields>(&self) -> ChainSpace<R> {
        ProductSpace { places: self.places.clone(), of: PhantomData }
    }
}

impl<Q: Fields, V, P: Places> ProductSpace<Q, V, P> {
    /// The spans of the fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn spans(&self) -> &[Span] {
        self.places.spans()
    }

    /// The configuration of the [origins](crate::group::LocalCoordinates::origin) of all members, clamped ones included.
    pub fn origin(&self) -> Q {
        Q::origins(self.spans())
    }
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> ProductSpace<Q, V, P> {
    /// True if the vectors have the length of this space.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn own<const N: usize>(&self, vectors: [&V; N]) -> bool {
        let dof = self.places.dof();
        vectors.iter().all(|vector| vector.slice().len() == dof)
    }

    /// Writes an operator on two vectors into `out`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn operate<O: Operator>(&self, a: &V, b: &V, out: &mut V) {
        if !self.own([a, b, out]) {
            return foreign(out);
        }
        let (spans, out) = (self.spans(), out.slice_mut());
        Q::visit(&mut Pairs::<Q, O> { spans, a: a.slice(), b: b.slice(), out, of: PhantomData });
    }
}

/// Returns the components with this name, such as `bodies[2].attitude`.
fn components_of(spans: &[Span], name: &str) -> Option<core::ops::Range<usize>> {
    let own = |span: &Span| {
        let (index, rest) = name.strip_prefix(span.name)?.strip_prefix('[')?.split_once(']')?;
        let index: usize = index.parse().ok()?;
        if index >= span.length {
            return None;
        }
        let free = span.free();
        let is_free = free.contains(&index);
        let mut first = if is_free { span.offset + (index - free.start) * span.dimension } else { span.offset };
        if rest.is_empty() {
            return Some(first..first + if is_free { span.dimension } else { 0 });
        }
        let field = rest.strip_prefix('.')?;
        span.parts.iter().find_map(|&(part, dimension)| {
            let components = first..first + if is_free { dimension } else { 0 };
            first = components.end;
            (part == field).then_some(components)
        })
    };
    spans.iter().find_map(own)
}

/// Sets NaN, the result for vectors of another space.
#[cold]
fn foreign<V: TangentVector>(out: &mut V) {
    out.fill(V::Scalar::from_f64(f64::NAN));
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> ConfigurationSpace for ProductSpace<Q, V, P> {
    type Scalar = Q::Scalar;
    type Configuration = Q;
    type Velocity = V;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dof(&self) -> usize {
        self.places.dof()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero_velocity(&self) -> V {
        V::zeros(self.dof())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose_exp(&self, q: &Q, theta: &V, out: &mut Q) {
        Q::visit(&mut ComposeExp { spans: self.spans(), q, theta: theta.slice(), out });
    }
    fn compose_exp_at(&self, component: usize, q: &Q, theta: &V, out: &mut Q) {
        Q::visit(&mut ComposeExpAt { spans: self.spans(), component, q, theta: theta.slice(), out });
    }
    fn log_difference(&self, from: &Q, to: &Q, out: &mut V) {
        if self.check(from).is_err() || self.check(to).is_err() || !self.own([out]) {
            return foreign(out);
        }
        Q::visit(&mut LogDifference { spans: self.spans(), from, to, out: out.slice_mut() });
    }
    #[inline]
    fn tangent(&self, theta: &V, v: &V, out: &mut V) {
        self.operate::<Tangent>(theta, v, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent_inverse(&self, theta: &V, v: &V, out: &mut V) {
        self.operate::<TangentInverse>(theta, v, out);
    }
    #[inline]
    fn tangent_inverse_transpose(&self, theta: &V, p: &V, out: &mut V) {
        self.operate::<TangentInverseTranspose>(theta, p, out);
    }
    #[inline]
    fn coadjoint(&self, v: &V, p: &V, out: &mut V) {
        self.operate::<Coadjoint>(v, p, out);
    }
    fn extent(&self, q: &Q) -> f64 {
        let mut largest = Extent { q, extent: 0.0 };
        Q::visit(&mut largest);
        largest.extent
    }
    fn is_finite(&self, q: &Q) -> bool {
        let mut all = IsFinite { q, holds: true };
        Q::visit(&mut all);
        all.holds
    }
    // Inlined: a call would pass the state in memory, in pieces of other sizes than the loads.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_state(&self, (q, v): (&Q, &V), xi: (&V, &V), out: (&mut Q, &mut V)) {
        if !MovesVelocities::<Q>::of(self.spans()).all {
            out.1.assign_sum(v, num_traits::One::one(), xi.1);
        }
        let state = (&mut *out.0, out.1.slice_mut());
        Q::visit(&mut MoveState { spans: self.spans(), q, v: v.slice(), xi: [xi.0.slice(), xi.1.slice()], out: state });
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn state_rate(&self, sigma: (&V, &V), direction: (&V, &V), out: (&mut V, &mut V)) {
        if !MovesVelocities::<Q>::of(self.spans()).all {
            out.1.assign(direction.1);
        }
        Q::visit(&mut StateRate::<Q> {
            spans: self.spans(),
            sigma: [sigma.0.slice(), sigma.1.slice()],
            direction: [direction.0.slice(), direction.1.slice()],
            out: [out.0.slice_mut(), out.1.slice_mut()],
        });
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn state_direction(&self, q: &Q, acceleration: &V, out: &mut V) {
        if !MovesVelocities::<Q>::of(self.spans()).all {
            out.assign(acceleration);
        }
        Q::visit(&mut Directions { spans: self.spans(), q, acceleration: acceleration.slice(), out: out.slice_mut() });
    }
    fn remove_spins(&self, q: &Q, v: &mut V) -> f64 {
        let mut spins = Spins { spans: self.spans(), q, v: v.slice_mut(), square: 0.0 };
        Q::visit(&mut spins);
        spins.square.sqrt()
    }
    fn moves_velocities(&self) -> bool {
        MovesVelocities::<Q>::of(self.spans()).any
    }
    #[inline]
    fn check(&self, q: &Q) -> Result<(), ForeignLength> {
        let mut check = Check { spans: self.spans(), q, foreign: None };
        Q::visit(&mut check);
        check.foreign.map_or(Ok(()), Err)
    }
    fn worst_member(&self, q: &Q) -> Option<MemberDefect> {
        let mut worst = Worst { spans: self.spans(), q, farthest: None };
        Q::visit(&mut worst);
        worst.farthest
    }
    fn components_of(&self, name: &str) -> Option<core::ops::Range<usize>> {
        components_of(self.spans(), name)
    }
    fn renormalize(&self, q: &mut Q) {
        Q::visit(&mut Renormalize { q });
    }
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> LocalSpace for ProductSpace<Q, V, P> {
    fn local_motion(&self, point: &LocalPoint<'_, V>, [theta, velocity, acceleration]: [&mut V; 3]) {
        // T = I on vector spaces and on SO(2).
        theta.assign(point.x);
        velocity.assign(point.rate);
        acceleration.assign(point.second);
        Q::visit(&mut LocalMotion::<Q> {
            spans: self.spans(),
            map: point.map,
            at: [point.x.slice(), point.rate.slice(), point.second.slice()],
            out: [theta.slice_mut(), velocity.slice_mut(), acceleration.slice_mut()],
        });
    }
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> ReverseSpace for ProductSpace<Q, V, P> {
    fn local_motion_pullback(&self, point: &LocalPoint<'_, V>, cotangents: [&V; 3], [x, rate, second]: [&mut V; 3]) {
        Q::visit(&mut LocalPullback::<Q> {
            spans: self.spans(),
            map: point.map,
            at: [point.x.slice(), point.rate.slice(), point.second.slice()],
            cotangents: cotangents.map(Components::slice),
            out: [x.slice_mut(), rate.slice_mut(), second.slice_mut()],
        });
    }
    #[inline]
    fn bracket(&self, v: &V, w: &V, out: &mut V) {
        self.operate::<Bracket>(v, w, out);
    }
    #[inline]
    fn motion_pullback(&self, theta: &V, cotangent: &V, of_start: &mut V, of_theta: &mut V) {
        Q::visit(&mut MotionPullback::<Q> {
            spans: self.spans(),
            theta: theta.slice(),
            cotangent: cotangent.slice(),
            out: [of_start.slice_mut(), of_theta.slice_mut()],
        });
    }
    #[inline]
    fn coordinate_rate_pullback(&self, at: [&V; 2], cotangent: &V, of_theta: &mut V, of_velocity: &mut V) {
        Q::visit(&mut RatePullback::<Q> {
            spans: self.spans(),
            at: at.map(Components::slice),
            cotangent: cotangent.slice(),
            out: [of_theta.slice_mut(), of_velocity.slice_mut()],
        });
    }
    fn spin_pullback(&self, q: &Q, v: &V, of_configuration: &mut V, of_velocity: &mut V) {
        let out = [of_configuration.slice_mut(), of_velocity.slice_mut()];
        Q::visit(&mut SpinPullback { spans: self.spans(), q, v: v.slice(), out });
    }
}

impl<Q: Fields, V: Components<Scalar = Q::Scalar>, P: Places> LeftSpace for ProductSpace<Q, V, P> {
    type Scalar = Q::Scalar;
    type Point = Q;
    type Algebra = V;

    #[inline]
    fn move_along(&self, y: &Q, xi: &V, out: &mut Q) {
        Q::visit(&mut MoveFromLeft { spans: self.spans(), q: y, xi: xi.slice(), out });
    }
    #[inline]
    fn dexp_inverse(&self, sigma: &V, v: &V, out: &mut V) {
        self.operate::<Spatial<operations::DexpInverse>>(sigma, v, out);
    }
    #[inline]
    fn bracket(&self, v: &V, w: &V, out: &mut V) {
        self.operate::<Spatial<operations::Bracket>>(v, w, out);
    }
    #[inline]
    fn add_coadjoint(&self, factor: f64, v: &V, mu: &V, out: &mut V) {
        if !self.own([v, mu, out]) {
            return foreign(out);
        }
        let (spans, out) = (self.spans(), out.slice_mut());
        let (a, b) = (v.slice(), mu.slice());
        Q::visit(&mut AddPairs::<Q, Spatial<operations::Coadjoint>> { spans, factor, a, b, out, of: PhantomData });
    }
    #[inline]
    fn pull_back(&self, xi: &V, mu: &V, out: &mut V) {
        self.operate::<Spatial<operations::PullBack>>(xi, mu, out);
    }
    #[inline]
    fn tangent_transpose(&self, xi: &V, mu: &V, out: &mut V) {
        self.operate::<Spatial<operations::TangentTranspose>>(xi, mu, out);
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
        Q::visit(&mut Framed::<Q, O> { spans, q, vector: vector.slice(), out, of: PhantomData });
    }
    #[inline]
    fn frame_velocity(&self, w: &V, out: &mut V) {
        if !self.own([w, out]) {
            return foreign(out);
        }
        Q::visit(&mut FrameVelocities::<Q> { spans: self.spans(), w: w.slice(), out: out.slice_mut() });
    }
}
