//! The operations of a product of fields, each as a visitor of one field; the only implementation of products with contiguous components.
//!
//! A field has one or more members of one [`Factor`]. Clamped members have no components. The operations of a step are always inlined, so
//! that the spans and loops of fixed configurations are constants.

use core::marker::PhantomData;

use nalgebra::SVector;

use super::configuration::ForeignLength;
use super::{EachField, Factor, Field, Fields, MemberDefect, OnElement, OnVectors, Span};
use crate::group::{CoordinateMap, LocalCoordinates};
use crate::scalar::{Scalar, larger, pairs};

/// The components of the free members, each with the number of its member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn free<'a, S, const N: usize>(
    span: &Span,
    components: &'a [S],
) -> impl Iterator<Item = (usize, &'a [S; N])> + use<'a, S, N> {
    let members = span.free();
    let used = &components[span.offset..span.offset + members.len() * N];
    pairs(members, used.as_chunks::<N>().0)
}

/// Mutable version of [`free`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn free_mut<'a, S, const N: usize>(
    span: &Span,
    components: &'a mut [S],
) -> impl Iterator<Item = (usize, &'a mut [S; N])> + use<'a, S, N> {
    let members = span.free();
    let used = &mut components[span.offset..span.offset + members.len() * N];
    pairs(members, used.as_chunks_mut::<N>().0)
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn vector<S: Scalar, const N: usize>(components: &[S; N]) -> SVector<S, N> {
    SVector::from(*components)
}

#[inline]
fn add<S: Scalar, const N: usize>(sum: &mut [S; N], term: &SVector<S, N>) {
    for (sum, &term) in sum.iter_mut().zip(term) {
        *sum += term;
    }
}

/// An operator on pairs of velocities or covectors of a factor.
#[doc(hidden)]
pub trait Operator {
    /// Its value.
    fn of<G: Factor>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent;
}

/// One type and one method of [`Factor`] per line.
macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {
        $(
            #[doc = concat!("[`Factor::", stringify!($method), "`].")]
            #[derive(Debug)]
            pub struct $operator;

            impl Operator for $operator {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn of<G: Factor>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent {
                    G::$method(a, b)
                }
            }
        )*
    };
}

operators! {
    Tangent tangent;
    TangentTranspose tangent_transpose;
    TangentInverse tangent_inverse;
    TangentInverseTranspose tangent_inverse_transpose;
    Bracket bracket;
    Coadjoint coadjoint;
}

/// An operation of the acting group on two vectors in spatial components.
#[derive(Debug)]
pub struct Spatial<O>(PhantomData<O>);

impl<O: OnVectors> Operator for Spatial<O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of<G: Factor>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent {
        G::spatial::<O>(a, b)
    }
}

/// The group of field number `I`.
type GroupOf<Q, const I: usize, const N: usize> = <Q as Field<I, N>>::Group;

/// Defines a visitor: its operands, and the operation on field number `I` with members of dimension `N`.
macro_rules! visitor {
    (
        $(#[$attribute:meta])*
        $visitor:ident<Q $(, $operation:ident: $bound:ident)?> { $($(#[$doc:meta])* $operand:ident: $type:ty,)* }
        |$this:ident| $body:block
    ) => {
        $(#[$attribute])*
        pub(super) struct $visitor<'a, Q: Fields $(, $operation)?> {
            $($(#[$doc])* pub $operand: $type,)*
            $(pub of: PhantomData<$operation>,)?
        }

        impl<Q: Fields $(, $operation: $bound)?> EachField<Q> for $visitor<'_, Q $(, $operation)?> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn field<const I: usize, const N: usize>(&mut self)
            where
                Q: Field<I, N>,
            {
                let $this = self;
                $body
            }
        }
    };
}

/// Copies the clamped members to `out`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn copy_clamped<G: Clone>(q: &[G], span: &Span, out: &mut [G]) {
    for member in (0..span.clamped_first.min(span.length)).chain(span.free().end..span.length) {
        out[member].clone_from(&q[member]);
    }
}

/// Writes qᵢ ∘ exp(θᵢ) of the free members into `out`; clamped members are copied.
#[cfg_attr(not(debug_assertions), inline(always))]
fn compose_exp<G, S: Scalar, const N: usize>(q: &[G], span: &Span, theta: &[S], out: &mut [G])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    // Models from text have a field for each group, and most of them are empty.
    if span.length == 0 {
        return;
    }
    copy_clamped(q, span, out);
    for (member, theta) in free::<S, N>(span, theta) {
        q[member].compose_exp_into(&vector(theta), &mut out[member]);
    }
}

/// q ∘ exp(θ) of one member into `out`.
///
/// Never inlined: a caller selects the member at run time, and copies of this function for several fields would be merged into one join of as
/// many values as a member has. LLVM 22 vectorises such a join into code that reads a register before it is loaded.
#[inline(never)]
fn compose_exp_of_one<G, S: Scalar, const N: usize>(q: &G, theta: &[S; N], out: &mut G)
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    q.compose_exp_into(&vector(theta), out);
}

/// Writes the operator on the components of every free member into `out`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn operate<O: Operator, G, S: Scalar, const N: usize>(span: &Span, a: &[S], b: &[S], out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    // Models from text have a field for each group, and most of them are empty.
    if span.length == 0 {
        return;
    }
    let given = pairs(free::<S, N>(span, a), free::<S, N>(span, b));
    for (((_, a), (_, b)), (_, out)) in pairs(given, free_mut::<S, N>(span, out)) {
        *out = O::of::<G>(&vector(a), &vector(b)).into();
    }
}

visitor! {
    ComposeExp<Q> { spans: &'a [Span], q: &'a Q, theta: &'a [Q::Scalar], out: &'a mut Q, }
    |this| {
        let (from, to) = (Field::<I, N>::members(this.q), Field::<I, N>::members_mut(this.out));
        compose_exp::<_, _, N>(from, &this.spans[I], this.theta, to);
    }
}

visitor! {
    ComposeExpAt<Q> { spans: &'a [Span], component: usize, q: &'a Q, theta: &'a [Q::Scalar], out: &'a mut Q, }
    |this| {
        let span = &this.spans[I];
        if (span.offset..span.end()).contains(&this.component) {
            let place = (this.component - span.offset) / N;
            let (from, to) = (Field::<I, N>::members(this.q), Field::<I, N>::members_mut(this.out));
            if let Some((member, theta)) = free::<_, N>(span, this.theta).nth(place) {
                compose_exp_of_one(&from[member], theta, &mut to[member]);
            }
        }
    }
}

visitor! {
    LogDifference<Q> { spans: &'a [Span], from: &'a Q, to: &'a Q, out: &'a mut [Q::Scalar], }
    |this| {
        let (from, to) = (Field::<I, N>::members(this.from), Field::<I, N>::members(this.to));
        for (member, out) in free_mut::<_, N>(&this.spans[I], this.out) {
            *out = Factor::log_difference(&from[member], &to[member]).into();
        }
    }
}

visitor! {
    /// An operator on pairs of vectors.
    Pairs<Q, O: Operator> { spans: &'a [Span], a: &'a [Q::Scalar], b: &'a [Q::Scalar], out: &'a mut [Q::Scalar], }
    |this| {
        operate::<O, GroupOf<Q, I, N>, _, N>(&this.spans[I], this.a, this.b, this.out);
    }
}

visitor! {
    /// Adds an operator on pairs of vectors with a factor. An optional factor of [`Pairs`] would cost instructions in every step.
    AddPairs<Q, O: Operator> {
        spans: &'a [Span], factor: f64, a: &'a [Q::Scalar], b: &'a [Q::Scalar], out: &'a mut [Q::Scalar],
    }
    |this| {
        let span = &this.spans[I];
        let given = pairs(free::<_, N>(span, this.a), free::<_, N>(span, this.b));
        for (((_, a), (_, b)), (_, out)) in pairs(given, free_mut::<_, N>(span, this.out)) {
            let mut value = O::of::<GroupOf<Q, I, N>>(&vector(a), &vector(b));
            value *= Q::Scalar::from_f64(this.factor);
            value += vector(out);
            *out = value.into();
        }
    }
}

visitor! {
    /// Moves members together with their velocities if their group does so, otherwise members only.
    MoveState<Q> {
        spans: &'a [Span], q: &'a Q, v: &'a [Q::Scalar], xi: [&'a [Q::Scalar]; 2],
        /// The velocity already is v + w if any field adds velocities.
        out: (&'a mut Q, &'a mut [Q::Scalar]),
    }
    |this| {
        let (span, [theta, w]) = (&this.spans[I], this.xi);
        let (from, to) = (Field::<I, N>::members(this.q), Field::<I, N>::members_mut(&mut *this.out.0));
        if !<GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
            return compose_exp::<_, _, N>(from, span, theta, to);
        }
        copy_clamped(from, span, to);
        let twists = pairs(free::<_, N>(span, theta), free::<_, N>(span, w));
        let velocities = pairs(free::<_, N>(span, this.v), free_mut::<_, N>(span, this.out.1));
        for (((member, theta), (_, w)), ((_, v), (_, moved))) in pairs(twists, velocities) {
            let xi = [&vector(theta), &vector(w)];
            *moved = from[member].move_with_velocity(&vector(v), xi, &mut to[member]).into();
        }
    }
}

visitor! {
    StateRate<Q> {
        spans: &'a [Span], sigma: [&'a [Q::Scalar]; 2], direction: [&'a [Q::Scalar]; 2],
        /// The rate of the velocity already equals the rate of the direction if any field adds velocities.
        out: [&'a mut [Q::Scalar]; 2],
    }
    |this| {
        let (span, [theta, w]) = (&this.spans[I], &mut this.out);
        if !<GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
            let (sigma, direction) = (this.sigma[0], this.direction[0]);
            return operate::<TangentInverse, GroupOf<Q, I, N>, _, N>(span, sigma, direction, theta);
        }
        let sigmas = pairs(free::<_, N>(span, this.sigma[0]), free::<_, N>(span, this.sigma[1]));
        let directions = pairs(free::<_, N>(span, this.direction[0]), free::<_, N>(span, this.direction[1]));
        let outs = pairs(free_mut::<_, N>(span, theta), free_mut::<_, N>(span, w));
        for ((((_, a), (_, b)), ((_, u), (_, x))), ((_, theta), (_, w))) in pairs(pairs(sigmas, directions), outs) {
            let (sigma, direction) = ([&vector(a), &vector(b)], [&vector(u), &vector(x)]);
            let [rate, second] = <GroupOf<Q, I, N> as Factor>::rate_with_velocity(sigma, direction);
            (*theta, *w) = (rate.into(), second.into());
        }
    }
}

visitor! {
    /// The directions with these accelerations.
    Directions<Q> {
        spans: &'a [Span], q: &'a Q, acceleration: &'a [Q::Scalar],
        /// Already the acceleration if any field adds velocities.
        out: &'a mut [Q::Scalar],
    }
    |this| {
        if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
            let (span, q) = (&this.spans[I], Field::<I, N>::members(this.q));
            let outs = free_mut::<_, N>(span, this.out);
            for ((member, acceleration), (_, out)) in pairs(free::<_, N>(span, this.acceleration), outs) {
                *out = q[member].direction_of(&vector(acceleration)).into();
            }
        }
    }
}

visitor! {
    /// Removes the velocity components that do not move the free members.
    Spins<Q> {
        spans: &'a [Span], q: &'a Q, v: &'a mut [Q::Scalar],
        /// The square of the norm of the removed part.
        square: f64,
    }
    |this| {
        if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
            let q = Field::<I, N>::members(this.q);
            for (member, components) in free_mut::<_, N>(&this.spans[I], this.v) {
                let mut velocity = vector(components);
                this.square += q[member].remove_spin(&mut velocity);
                *components = velocity.into();
            }
        }
    }
}

visitor! {
    /// The reverse pass of [`Spins`].
    SpinPullback<Q> {
        spans: &'a [Span], q: &'a Q, v: &'a [Q::Scalar],
        /// The cotangents of points, which are added to, and of velocities, which are replaced.
        out: [&'a mut [Q::Scalar]; 2],
    }
    |this| {
        if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
            let (span, q, [of_configuration, of_velocity]) = (&this.spans[I], Field::<I, N>::members(this.q), &mut this.out);
            let sums = pairs(free_mut::<_, N>(span, of_configuration), free_mut::<_, N>(span, of_velocity));
            for ((member, v), ((_, of_configuration), (_, of_velocity))) in pairs(free::<_, N>(span, this.v), sums) {
                let [from_point, from_velocity] = q[member].spin_pullback(&vector(v), &vector(of_velocity));
                add(of_configuration, &from_point);
                *of_velocity = from_velocity.into();
            }
        }
    }
}

/// True if any element and if the groups of all fields move points together with their velocities.
pub(super) struct MovesVelocities<'a, Q> {
    spans: &'a [Span],
    pub any: bool,
    pub all: bool,
    of: PhantomData<Q>,
}

impl<Q: Fields> EachField<Q> for MovesVelocities<'_, Q> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        self.any |= <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES && self.spans[I].length > 0;
        self.all &= <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES;
    }
}

impl<'a, Q: Fields> MovesVelocities<'a, Q> {
    /// Visits the types of the fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn of(spans: &'a [Span]) -> Self {
        let mut moves = MovesVelocities { spans, any: false, all: true, of: PhantomData };
        Q::visit(&mut moves);
        moves
    }
}

visitor! {
    IsFinite<Q> { q: &'a Q, holds: bool, }
    |this| {
        this.holds = this.holds && Field::<I, N>::members(this.q).iter().all(Factor::is_finite);
    }
}

visitor! {
    Extent<Q> { q: &'a Q, extent: f64, }
    |this| {
        this.extent = Field::<I, N>::members(this.q).iter().fold(this.extent, |largest, q| larger(largest, q.extent()));
    }
}

visitor! {
    Check<Q> { spans: &'a [Span], q: &'a Q, foreign: Option<ForeignLength>, }
    |this| {
        let (given, span) = (Field::<I, N>::members(this.q).len(), &this.spans[I]);
        if given != span.length && this.foreign.is_none() {
            this.foreign = Some(ForeignLength { member: span.name, expected: span.length, given });
        }
    }
}

visitor! {
    Worst<Q> { spans: &'a [Span], q: &'a Q, farthest: Option<MemberDefect>, }
    |this| {
        let name = (this.spans[I].name, <Q as Field<I, N>>::IS_ONE);
        this.farthest = farthest(Field::<I, N>::members(this.q), name, this.farthest.take());
    }
}

/// Returns the largest of this defect and the defects of the members of a field; `is_one` is true for a field without index.
///
/// Never inlined: crates with a system share the instances of this crate.
#[inline(never)]
pub(crate) fn farthest<G: LocalCoordinates<S, N>, S: Scalar, const N: usize>(
    members: &[G],
    (member, is_one): (&'static str, bool),
    known: Option<MemberDefect>,
) -> Option<MemberDefect> {
    members.iter().enumerate().fold(known, |farthest, (index, element)| {
        let index = (!is_one).then_some(index);
        let own = match element.worst_field() {
            Some(field) => MemberDefect { member, index, part: Some(field.name()), defect: field.defect },
            None => MemberDefect { member, index, part: None, defect: element.membership_defect() },
        };
        Some(match farthest {
            Some(farthest) => farthest.worse(own),
            None => own,
        })
    })
}

visitor! {
    Renormalize<Q> { q: &'a mut Q, }
    |this| {
        Field::<I, N>::members_mut(&mut *this.q).iter_mut().for_each(Factor::renormalize);
    }
}

visitor! {
    /// Writes θ, v and v' of the free members for coordinates x, x', x''.
    LocalMotion<Q> {
        spans: &'a [Span], map: &'a CoordinateMap, at: [&'a [Q::Scalar]; 3],
        /// Already the value for flat coordinates.
        out: [&'a mut [Q::Scalar]; 3],
    }
    |this| {
        if !<GroupOf<Q, I, N> as LocalCoordinates<Q::Scalar, N>>::IS_FLAT {
            let (span, [theta, velocity, acceleration]) = (&this.spans[I], &mut this.out);
            let [x, rate, second] = this.at.map(|components| free::<_, N>(span, components));
            let results = pairs(free_mut::<_, N>(span, theta), free_mut::<_, N>(span, velocity));
            let results = pairs(results, free_mut::<_, N>(span, acceleration));
            for ((((_, x), (_, rate)), (_, second)), (((_, theta), (_, velocity)), (_, acceleration))) in
                pairs(pairs(pairs(x, rate), second), results)
            {
                let motion = GroupOf::<Q, I, N>::local_motion(this.map, &vector(x), &vector(rate), &vector(second));
                *theta = motion.theta.into();
                *velocity = motion.velocity.into();
                *acceleration = motion.acceleration.into();
            }
        }
    }
}

visitor! {
    /// The reverse pass of [`LocalMotion`].
    LocalPullback<Q> {
        spans: &'a [Span], map: &'a CoordinateMap, at: [&'a [Q::Scalar]; 3], cotangents: [&'a [Q::Scalar]; 3],
        /// The cotangents that are added to.
        out: [&'a mut [Q::Scalar]; 3],
    }
    |this| {
        let span = &this.spans[I];
        for place in 0..span.free().len() {
            let first = span.offset + place * N;
            let member = |components: &[Q::Scalar]| SVector::<_, N>::from_fn(|component, _| components[first + component]);
            let [x, rate, second] = this.at.map(member);
            let given = this.cotangents.map(member);
            let gradient = GroupOf::<Q, I, N>::local_gradient(this.map, &x, &rate, &second);
            for (out, found) in this.out.iter_mut().zip(&gradient.transposed_times(given.each_ref())) {
                for component in 0..N {
                    out[first + component] += found[component];
                }
            }
        }
    }
}

visitor! {
    /// Adds the cotangents of qᵢ and θᵢ of the free members from the cotangents of qᵢ ∘ exp(θᵢ).
    MotionPullback<Q> {
        spans: &'a [Span], theta: &'a [Q::Scalar], cotangent: &'a [Q::Scalar],
        /// The cotangents that are added to.
        out: [&'a mut [Q::Scalar]; 2],
    }
    |this| {
        let (span, [of_start, of_theta]) = (&this.spans[I], &mut this.out);
        let given = pairs(free::<_, N>(span, this.theta), free::<_, N>(span, this.cotangent));
        let sums = pairs(free_mut::<_, N>(span, of_start), free_mut::<_, N>(span, of_theta));
        for (((_, theta), (_, cotangent)), ((_, of_start), (_, of_theta))) in pairs(given, sums) {
            let (theta, cotangent) = (vector(theta), vector(cotangent));
            let from_theta = GroupOf::<Q, I, N>::tangent_transpose(&theta, &cotangent);
            add(of_start, &(cotangent - GroupOf::<Q, I, N>::coadjoint(&theta, &from_theta)));
            add(of_theta, &from_theta);
        }
    }
}

visitor! {
    /// Adds the cotangents of θᵢ and vᵢ of the free members from the cotangents of θᵢ' = T(θᵢ)⁻¹ vᵢ.
    RatePullback<Q> {
        spans: &'a [Span],
        /// θ and v.
        at: [&'a [Q::Scalar]; 2],
        cotangent: &'a [Q::Scalar],
        /// The cotangents that are added to.
        out: [&'a mut [Q::Scalar]; 2],
    }
    |this| {
        let (span, [of_theta, of_velocity]) = (&this.spans[I], &mut this.out);
        let [theta, v] = this.at.map(|components| free::<_, N>(span, components));
        let given = pairs(pairs(theta, v), free::<_, N>(span, this.cotangent));
        let sums = pairs(free_mut::<_, N>(span, of_theta), free_mut::<_, N>(span, of_velocity));
        for ((((_, theta), (_, v)), (_, cotangent)), ((_, of_theta), (_, of_velocity))) in pairs(given, sums) {
            let at = [&vector(theta), &vector(v)];
            let [from_theta, from_velocity] = GroupOf::<Q, I, N>::rate_pullback(at, &vector(cotangent));
            if !<GroupOf<Q, I, N> as LocalCoordinates<Q::Scalar, N>>::IS_FLAT {
                add(of_theta, &from_theta);
            }
            add(of_velocity, &from_velocity);
        }
    }
}

visitor! {
    /// The left action exp(ξ)·q.
    MoveFromLeft<Q> { spans: &'a [Span], q: &'a Q, xi: &'a [Q::Scalar], out: &'a mut Q, }
    |this| {
        let span = &this.spans[I];
        let (from, to) = (Field::<I, N>::members(this.q), Field::<I, N>::members_mut(&mut *this.out));
        copy_clamped(from, span, to);
        for (member, xi) in free::<_, N>(span, this.xi) {
            to[member] = from[member].moved_from_left(&vector(xi));
        }
    }
}

visitor! {
    /// An operation of the velocity frames of the members on vectors.
    Framed<Q, O: OnElement> { spans: &'a [Span], q: &'a Q, vector: &'a [Q::Scalar], out: &'a mut [Q::Scalar], }
    |this| {
        let (span, q) = (&this.spans[I], Field::<I, N>::members(this.q));
        for ((member, own), (_, out)) in pairs(free::<_, N>(span, this.vector), free_mut::<_, N>(span, this.out)) {
            *out = q[member].framed::<O>(&vector(own)).into();
        }
    }
}

visitor! {
    /// The velocities of the velocity frames.
    FrameVelocities<Q> { spans: &'a [Span], w: &'a [Q::Scalar], out: &'a mut [Q::Scalar], }
    |this| {
        let span = &this.spans[I];
        for ((_, w), (_, out)) in pairs(free::<_, N>(span, this.w), free_mut::<_, N>(span, this.out)) {
            *out = <GroupOf<Q, I, N> as Factor>::frame_velocity(&vector(w)).into();
        }
    }
}
