//! Visitors: the operations of a product on one field.

use core::marker::PhantomData;

use super::MemberDefect;
use super::configuration::ForeignLength;
use super::members::{self, Operator};
use super::{EachField, Factor, Field, Fields, Span};
use crate::group::{CoordinateMap, LocalCoordinates};
use crate::scalar::larger;

/// The group of field number `I`.
type GroupOf<Q, const I: usize, const N: usize> = <Q as Field<I, N>>::Group;

/// Defines the operation of a visitor on field number `$number`, of dimension `$n`.
///
/// Always inlined, so that the spans and loops of fixed configurations are constants.
macro_rules! each_field {
    ($visitor:ident, |$this:ident, $number:ident, $n:ident| $body:expr) => {
        impl<Q: Fields> EachField<Q> for $visitor<'_, Q> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn field<const $number: usize, const $n: usize>(&mut self)
            where
                Q: Field<$number, $n>,
            {
                let $this = self;
                $body
            }
        }
    };
}

pub(super) struct ComposeExp<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub q: &'a Q,
    pub theta: &'a [Q::Scalar],
    pub out: &'a mut Q,
}

each_field!(ComposeExp, |this, I, N| {
    let (from, to) = (Field::<I, N>::members(this.q), Field::<I, N>::members_mut(this.out));
    members::compose_exp::<_, _, N>(from, &this.spans[I], this.theta, to);
});

pub(super) struct ComposeExpAt<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub component: usize,
    pub q: &'a Q,
    pub theta: &'a [Q::Scalar],
    pub out: &'a mut Q,
}

each_field!(ComposeExpAt, |this, I, N| {
    let span = &this.spans[I];
    if (span.offset..span.end()).contains(&this.component) {
        let place = (this.component - span.offset) / N;
        let (from, to) = (Field::<I, N>::members(this.q), Field::<I, N>::members_mut(this.out));
        if let Some((member, theta)) = members::free::<_, N>(span, this.theta).nth(place) {
            members::compose_exp_of_one(&from[member], theta, &mut to[member]);
        }
    }
});

pub(super) struct LogDifference<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub from: &'a Q,
    pub to: &'a Q,
    pub out: &'a mut [Q::Scalar],
}

each_field!(LogDifference, |this, I, N| {
    let (from, to) = (Field::<I, N>::members(this.from), Field::<I, N>::members(this.to));
    members::log_difference::<_, _, N>(from, to, &this.spans[I], this.out);
});

/// An operator on pairs of vectors.
pub(super) struct Pairs<'a, O, Q: Fields> {
    pub spans: &'a [Span],
    pub a: &'a [Q::Scalar],
    pub b: &'a [Q::Scalar],
    pub out: &'a mut [Q::Scalar],
    pub of: PhantomData<O>,
}

impl<O: Operator, Q: Fields> EachField<Q> for Pairs<'_, O, Q> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        members::operate::<O, GroupOf<Q, I, N>, _, N>(&self.spans[I], self.a, self.b, self.out);
    }
}

pub(super) struct MoveState<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub q: &'a Q,
    pub v: &'a [Q::Scalar],
    pub xi: [&'a [Q::Scalar]; 2],
    /// The velocity already is v + w if any field adds velocities.
    pub out: (&'a mut Q, &'a mut [Q::Scalar]),
}

each_field!(MoveState, |this, I, N| {
    let (from, to) = (Field::<I, N>::members(this.q), Field::<I, N>::members_mut(&mut *this.out.0));
    if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
        members::move_with_velocity::<_, _, N>((from, this.v), &this.spans[I], this.xi, (to, this.out.1));
    } else {
        members::compose_exp::<_, _, N>(from, &this.spans[I], this.xi[0], to);
    }
});

pub(super) struct StateRate<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub sigma: [&'a [Q::Scalar]; 2],
    pub direction: [&'a [Q::Scalar]; 2],
    /// The rate of the velocity already equals the rate of the direction if any field adds velocities.
    pub out: [&'a mut [Q::Scalar]; 2],
}

each_field!(StateRate, |this, I, N| {
    let [theta, w] = &mut this.out;
    if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
        members::rate_with_velocity::<GroupOf<Q, I, N>, _, N>(&this.spans[I], this.sigma, this.direction, [theta, w]);
    } else {
        let (sigma, direction) = (this.sigma[0], this.direction[0]);
        members::operate::<members::TangentInverse, GroupOf<Q, I, N>, _, N>(&this.spans[I], sigma, direction, theta);
    }
});

pub(super) struct Directions<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub q: &'a Q,
    pub acceleration: &'a [Q::Scalar],
    /// Already the acceleration if any field adds velocities.
    pub out: &'a mut [Q::Scalar],
}

each_field!(Directions, |this, I, N| {
    if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
        members::directions::<_, _, N>(Field::<I, N>::members(this.q), &this.spans[I], this.acceleration, this.out);
    }
});

pub(super) struct Spins<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub q: &'a Q,
    pub v: &'a mut [Q::Scalar],
    /// The square of the norm of the removed part.
    pub square: f64,
}

each_field!(Spins, |this, I, N| {
    if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
        this.square += members::remove_spins::<_, _, N>(Field::<I, N>::members(this.q), &this.spans[I], this.v);
    }
});

/// True if the group of some field moves points together with their velocities.
pub(super) struct MovesVelocities<Q>(pub bool, pub PhantomData<Q>);

impl<Q: Fields> EachField<Q> for MovesVelocities<Q> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        self.0 |= <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES;
    }
}

/// True if the groups of all fields move points together with their velocities.
pub(super) struct MovesAllVelocities<Q>(pub bool, pub PhantomData<Q>);

impl<Q: Fields> EachField<Q> for MovesAllVelocities<Q> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        self.0 &= <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES;
    }
}

/// Combines the property over the given field types.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn moves_all_velocities<Q: Fields>() -> bool {
    let mut all = MovesAllVelocities::<Q>(true, PhantomData);
    Q::visit(&mut all);
    all.0
}

pub(super) struct SpinPullback<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub q: &'a Q,
    pub v: &'a [Q::Scalar],
    /// The cotangents of points (added to) and of velocities.
    pub out: [&'a mut [Q::Scalar]; 2],
}

each_field!(SpinPullback, |this, I, N| {
    if <GroupOf<Q, I, N> as Factor>::MOVES_VELOCITIES {
        let out = this.out.each_mut().map(|out| &mut **out);
        members::spin_pullback::<_, _, N>(Field::<I, N>::members(this.q), &this.spans[I], this.v, out);
    }
});

pub(super) struct IsFinite<'a, Q: Fields> {
    pub q: &'a Q,
    pub holds: bool,
}

each_field!(IsFinite, |this, I, N| {
    this.holds = this.holds && Field::<I, N>::members(this.q).iter().all(Factor::is_finite);
});

pub(super) struct Extent<'a, Q: Fields> {
    pub q: &'a Q,
    pub extent: f64,
}

each_field!(Extent, |this, I, N| {
    this.extent = Field::<I, N>::members(this.q).iter().fold(this.extent, |largest, q| larger(largest, q.extent()));
});

pub(super) struct Check<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub q: &'a Q,
    pub foreign: Option<ForeignLength>,
}

each_field!(Check, |this, I, N| {
    let (given, span) = (Field::<I, N>::members(this.q).len(), &this.spans[I]);
    if given != span.length && this.foreign.is_none() {
        this.foreign = Some(ForeignLength { member: span.name, expected: span.length, given });
    }
});

pub(super) struct Worst<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub q: &'a Q,
    pub farthest: Option<MemberDefect>,
}

each_field!(Worst, |this, I, N| {
    for (index, element) in Field::<I, N>::members(this.q).iter().enumerate() {
        let index = (!<Q as Field<I, N>>::IS_ONE).then_some(index);
        let member = this.spans[I].name;
        let own = match element.worst_field() {
            Some(field) => MemberDefect { member, index, part: Some(field.name()), defect: field.defect },
            None => MemberDefect { member, index, part: None, defect: element.membership_defect() },
        };
        this.farthest = Some(match this.farthest.take() {
            Some(farthest) => farthest.worse(own),
            None => own,
        });
    }
});

pub(super) struct Renormalize<'a, Q: Fields> {
    pub q: &'a mut Q,
}

each_field!(Renormalize, |this, I, N| {
    Field::<I, N>::members_mut(&mut *this.q).iter_mut().for_each(Factor::renormalize);
});

pub(super) struct LocalMotion<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub map: &'a CoordinateMap,
    pub at: [&'a [Q::Scalar]; 3],
    /// Already the value for flat coordinates.
    pub out: [&'a mut [Q::Scalar]; 3],
}

each_field!(LocalMotion, |this, I, N| {
    if !<GroupOf<Q, I, N> as LocalCoordinates<Q::Scalar, N>>::IS_FLAT {
        let [theta, velocity, acceleration] = &mut this.out;
        let out = [&mut **theta, &mut **velocity, &mut **acceleration];
        members::local_motion::<GroupOf<Q, I, N>, _, N>(&this.spans[I], this.map, this.at, out);
    }
});

pub(super) struct LocalPullback<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub map: &'a CoordinateMap,
    pub at: [&'a [Q::Scalar]; 3],
    pub cotangents: [&'a [Q::Scalar]; 3],
    /// The cotangents that are added to.
    pub out: [&'a mut [Q::Scalar]; 3],
}

each_field!(LocalPullback, |this, I, N| {
    let out = this.out.each_mut().map(|out| &mut **out);
    members::local_motion_pullback::<GroupOf<Q, I, N>, _, N>(&this.spans[I], this.map, this.at, this.cotangents, out);
});

pub(super) struct MotionPullback<'a, Q: Fields> {
    pub spans: &'a [Span],
    pub theta: &'a [Q::Scalar],
    pub cotangent: &'a [Q::Scalar],
    /// The cotangents that are added to.
    pub out: [&'a mut [Q::Scalar]; 2],
}

each_field!(MotionPullback, |this, I, N| {
    let out = this.out.each_mut().map(|out| &mut **out);
    members::motion_pullback::<GroupOf<Q, I, N>, _, N>(&this.spans[I], this.theta, this.cotangent, out);
});

pub(super) struct RatePullback<'a, Q: Fields> {
    pub spans: &'a [Span],
    /// θ and v.
    pub at: [&'a [Q::Scalar]; 2],
    pub cotangent: &'a [Q::Scalar],
    /// The cotangents that are added to.
    pub out: [&'a mut [Q::Scalar]; 2],
}

each_field!(RatePullback, |this, I, N| {
    let out = this.out.each_mut().map(|out| &mut **out);
    members::coordinate_rate_pullback::<GroupOf<Q, I, N>, _, N>(&this.spans[I], this.at, this.cotangent, out);
});
