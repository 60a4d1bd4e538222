//! Structs of fields as factors of a configuration and as groups: bodies, and configurations with only group members.
//!
//! The operations are the same as for the product space of a configuration: T and the derivatives of local coordinates are
//! block-diagonal, one block per field. The direct product of groups is a group.

use nalgebra::{SMatrix, SVector};

use super::configuration::{LocalPoint, LocalSpace};
use super::visitors::{free, free_mut, vector};
use super::{EachField, Field, Fields, FixedFields, FixedSpace, FramedSpace, OnElement, Span};
use crate::group::{CoordinateMap, LieGroup, LocalCoordinates, LocalGradient, LocalMotion};
use crate::scalar::{Scalar, zeros};

pub use super::visitors::{
    Bracket, Coadjoint, Operator, Spatial, Tangent, TangentInverse, TangentInverseTranspose, TangentTranspose,
};
pub use crate::group::operations::{Adjoint, AdjointTranspose, InverseAdjoint};

/// Returns the vector that `write` writes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn written<S: Scalar, const D: usize>(write: impl FnOnce(&mut SVector<S, D>)) -> SVector<S, D> {
    let mut out = zeros();
    write(&mut out);
    out
}

/// An operator on two vectors.
#[inline]
pub fn operate<O: Operator, Q: FixedFields, const D: usize>(
    a: &SVector<Q::Scalar, D>,
    b: &SVector<Q::Scalar, D>,
) -> SVector<Q::Scalar, D> {
    written(|out| FixedSpace::<Q, D>::NEW.operate::<O>(a, b, out))
}

/// The operation of the velocity frames on a vector.
#[inline]
pub fn framed<O: OnElement, Q: FixedFields, const D: usize>(q: &Q, b: &SVector<Q::Scalar, D>) -> SVector<Q::Scalar, D> {
    written(|out| FixedSpace::<Q, D>::NEW.framed::<O>(q, b, out))
}

/// Writes the block of a field into the matrix of the product.
#[cfg_attr(not(debug_assertions), inline(always))]
fn set_block<S: Scalar, const D: usize, const N: usize>(
    matrix: &mut SMatrix<S, D, D>,
    offset: usize,
    block: &SMatrix<S, N, N>,
) {
    for row in 0..N {
        for column in 0..N {
            matrix[(offset + row, offset + column)] = block[(row, column)];
        }
    }
}

/// T(θ), or its inverse.
struct TangentMatrix<'a, S, const D: usize, const INVERSE: bool> {
    theta: &'a SVector<S, D>,
    out: SMatrix<S, D, D>,
}

impl<Q: FixedFields<Scalar = S>, S: Scalar, const D: usize, const INVERSE: bool> EachField<Q>
    for TangentMatrix<'_, S, D, INVERSE>
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &Q::SPANS[I];
        for (member, theta) in free::<S, N>(span, self.theta.as_slice()) {
            let theta = vector(theta);
            let block = if INVERSE {
                <Q::Group as LocalCoordinates<S, N>>::tangent_inverse_matrix(&theta)
            } else {
                <Q::Group as LocalCoordinates<S, N>>::tangent_matrix(&theta)
            };
            set_block(&mut self.out, span.offset + member * N, &block);
        }
    }
}

/// T(θ) as a matrix.
#[inline]
pub fn tangent_matrix<Q: FixedFields, const D: usize>(theta: &SVector<Q::Scalar, D>) -> SMatrix<Q::Scalar, D, D> {
    let mut tangent = TangentMatrix::<_, D, false> { theta, out: zeros() };
    Q::visit(&mut tangent);
    tangent.out
}

/// T(θ)⁻¹ as a matrix.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn tangent_inverse_matrix<Q: FixedFields, const D: usize>(
    theta: &SVector<Q::Scalar, D>,
) -> SMatrix<Q::Scalar, D, D> {
    let mut tangent = TangentMatrix::<_, D, true> { theta, out: zeros() };
    Q::visit(&mut tangent);
    tangent.out
}

/// The motion with coordinates x, x', x''.
#[inline]
pub fn local_motion<Q: FixedFields, const D: usize>(
    map: &CoordinateMap,
    [x, rate, second]: [&SVector<Q::Scalar, D>; 3],
) -> LocalMotion<SVector<Q::Scalar, D>> {
    let [mut theta, mut velocity, mut acceleration] = [zeros(); 3];
    let out = [&mut theta, &mut velocity, &mut acceleration];
    FixedSpace::<Q, D>::NEW.local_motion(&LocalPoint { map, x, rate, second }, out);
    LocalMotion { theta, velocity, acceleration }
}

struct FieldwiseGradient<'a, S, const D: usize> {
    map: &'a CoordinateMap,
    at: [&'a SVector<S, D>; 3],
    out: LocalGradient<S, D>,
}

impl<Q: FixedFields<Scalar = S>, S: Scalar, const D: usize> EachField<Q> for FieldwiseGradient<'_, S, D> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &Q::SPANS[I];
        for member in 0..span.length {
            let offset = span.offset + member * N;
            let [x, rate, second] = self.at.map(|all| SVector::<S, N>::from_fn(|row, _| all[offset + row]));
            let own = <Q::Group as LocalCoordinates<S, N>>::local_gradient(self.map, &x, &rate, &second);
            let out = &mut self.out;
            for (all, block) in [
                (&mut out.tangent, &own.tangent),
                (&mut out.velocity_by_position, &own.velocity_by_position),
                (&mut out.acceleration_by_position, &own.acceleration_by_position),
                (&mut out.acceleration_by_rate, &own.acceleration_by_rate),
            ] {
                set_block(all, offset, block);
            }
        }
    }
}

/// The derivatives of the motion with respect to its coordinates.
#[inline]
pub fn local_gradient<Q: FixedFields, const D: usize>(
    map: &CoordinateMap,
    at: [&SVector<Q::Scalar, D>; 3],
) -> LocalGradient<Q::Scalar, D> {
    let out = LocalGradient {
        tangent: zeros(),
        velocity_by_position: zeros(),
        acceleration_by_position: zeros(),
        acceleration_by_rate: zeros(),
    };
    let mut gradient = FieldwiseGradient { map, at, out };
    Q::visit(&mut gradient);
    gradient.out
}

/// A fixed configuration with only group members.
#[doc(hidden)]
pub trait GroupFields: FixedFields {
    /// Calls `visitor` for every field, in order.
    fn visit_groups<V: EachGroup<Self>>(visitor: &mut V);
}

/// A visitor of the fields of a direct product.
pub trait EachGroup<Q: Fields> {
    /// Visits field number `I`.
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
        Q::Group: LieGroup<Scalar = Q::Scalar, Tangent = SVector<Q::Scalar, N>>;
}

/// Defines a visitor of the groups: its operands, and the operation on field number `I` with members of dimension `N`.
macro_rules! group_visitor {
    ($visitor:ident<Q> { $($operand:ident: $type:ty,)* } |$this:ident| $body:block) => {
        struct $visitor<'a, Q: Fields> {
            $($operand: $type,)*
        }

        impl<Q: Fields> EachGroup<Q> for $visitor<'_, Q> {
            #[inline]
            fn field<const I: usize, const N: usize>(&mut self)
            where
                Q: Field<I, N>,
                Q::Group: LieGroup<Scalar = Q::Scalar, Tangent = SVector<Q::Scalar, N>>,
            {
                let $this = self;
                $body
            }
        }
    };
}

group_visitor! {
    Compose<Q> { other: &'a Q, out: &'a mut Q, }
    |this| {
        let others = Field::<I, N>::members(this.other);
        for (out, other) in Field::<I, N>::members_mut(&mut *this.out).iter_mut().zip(others) {
            *out = out.compose(other);
        }
    }
}

/// q ∘ other.
#[inline]
pub fn compose<Q: GroupFields>(q: &Q, other: &Q) -> Q {
    let mut out = q.clone();
    Q::visit_groups(&mut Compose { other, out: &mut out });
    out
}

group_visitor! {
    Invert<Q> { out: &'a mut Q, }
    |this| {
        for out in Field::<I, N>::members_mut(&mut *this.out) {
            *out = out.inverse();
        }
    }
}

/// q⁻¹.
#[inline]
pub fn inverse<Q: GroupFields>(q: &Q) -> Q {
    let mut out = q.clone();
    Q::visit_groups(&mut Invert { out: &mut out });
    out
}

group_visitor! {
    Exp<Q> { spans: &'a [Span], theta: &'a [Q::Scalar], out: &'a mut Q, }
    |this| {
        let members = Field::<I, N>::members_mut(&mut *this.out);
        for ((_, theta), out) in free::<_, N>(&this.spans[I], this.theta).zip(members) {
            *out = LieGroup::exp(&vector(theta));
        }
    }
}

/// exp(θ).
#[inline]
pub fn exp<Q: GroupFields, const D: usize>(theta: &SVector<Q::Scalar, D>) -> Q {
    let mut out = Q::origins(Q::SPANS);
    Q::visit_groups(&mut Exp { spans: Q::SPANS, theta: theta.as_slice(), out: &mut out });
    out
}

group_visitor! {
    Log<Q> { spans: &'a [Span], q: &'a Q, out: &'a mut [Q::Scalar], }
    |this| {
        let members = Field::<I, N>::members(this.q);
        for ((_, out), element) in free_mut::<_, N>(&this.spans[I], this.out).zip(members) {
            *out = LieGroup::log(element).into();
        }
    }
}

/// log(q).
pub fn log<Q: GroupFields, const D: usize>(q: &Q) -> SVector<Q::Scalar, D> {
    written(|out: &mut SVector<_, D>| Q::visit_groups(&mut Log { spans: Q::SPANS, q, out: out.as_mut_slice() }))
}

/// Implements the operations that [`LieGroup`] and [`Factor`](crate::group::Factor) share for a struct of dimension `$dof`.
#[doc(hidden)]
#[macro_export]
macro_rules! __operations_of_fields {
    ($dof:literal) => {
        type Scalar = S;
        type Tangent = rt::SVector<S, $dof>;

        #[inline]
        fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self) {
            rt::ConfigurationSpace::compose_exp(&rt::FixedSpace::<Self, $dof>::NEW, self, theta, out);
        }
        $crate::__operations_of_fields! { $dof
            tangent Tangent
            tangent_transpose TangentTranspose
            tangent_inverse TangentInverse
            tangent_inverse_transpose TangentInverseTranspose
            bracket Bracket
            coadjoint Coadjoint
        }
        #[inline]
        fn is_finite(&self) -> bool {
            rt::ConfigurationSpace::is_finite(&rt::FixedSpace::<Self, $dof>::NEW, self)
        }
        fn membership_defect(&self) -> f64 {
            rt::LeftSpace::membership_defect(&rt::FixedSpace::<Self, $dof>::NEW, self)
        }
        fn renormalize(&mut self) {
            rt::ConfigurationSpace::renormalize(&rt::FixedSpace::<Self, $dof>::NEW, self);
        }
    };
    ($dof:literal $($method:ident $operator:ident)*) => {
        $(
            #[inline]
            fn $method(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                rt::direct_product::operate::<rt::direct_product::$operator, Self, $dof>(a, b)
            }
        )*
    };
}

/// Implements the direct product of the fields of `$configuration`, generic over `S`: a group of dimension `$dof` with its left action on
/// itself. `group` omits the action.
#[doc(hidden)]
#[macro_export]
macro_rules! __direct_product {
    (group $configuration:ty, $dof:literal) => {
        const _: () = {
            use $crate::__private as rt;

            impl<S: $crate::scalar::Scalar> $crate::group::LieGroup for $configuration {
                $crate::__operations_of_fields!($dof);

                #[inline]
                fn dimension(&self) -> usize {
                    $dof
                }
                #[inline]
                fn identity_like(&self) -> Self {
                    <Self as rt::Fields>::origins(<Self as rt::FixedFields>::SPANS)
                }
                #[inline]
                fn compose(&self, other: &Self) -> Self {
                    rt::direct_product::compose(self, other)
                }
                #[inline]
                fn inverse(&self) -> Self {
                    rt::direct_product::inverse(self)
                }
                #[inline]
                fn exp(theta: &Self::Tangent) -> Self {
                    rt::direct_product::exp(theta)
                }
                fn log(&self) -> Self::Tangent {
                    rt::direct_product::log(self)
                }
                #[inline]
                fn adjoint(&self, b: &Self::Tangent) -> Self::Tangent {
                    rt::direct_product::framed::<rt::direct_product::Adjoint, Self, $dof>(self, b)
                }
                #[inline]
                fn adjoint_transpose(&self, b: &Self::Tangent) -> Self::Tangent {
                    rt::direct_product::framed::<rt::direct_product::AdjointTranspose, Self, $dof>(self, b)
                }
            }
        };
    };
    ($configuration:ty, $dof:literal) => {
        $crate::__direct_product!(group $configuration, $dof);
        $crate::__left_multiplication!($configuration);
    };
}

/// Implements [`Factor`](crate::group::Factor) for the struct `$body` of dimension `$dof`, generic over `S`, with its fields by index and
/// dimension.
///
/// `of points` marks structs with a field that is not a group, so that velocities move with points.
#[doc(hidden)]
#[macro_export]
macro_rules! __factor_of_fields {
    (of points $body:ty, $dof:literal, $($at:literal $n:literal),*) => {
        const _: () = {
            use $crate::__private as rt;

            impl<S: $crate::scalar::Scalar> rt::Factor for $body {
                $crate::__operations_of_fields!($dof);

                fn log_difference(from: &Self, to: &Self) -> Self::Tangent {
                    let space = rt::FixedSpace::<Self, $dof>::NEW;
                    rt::direct_product::written(|out| rt::ConfigurationSpace::log_difference(&space, from, to, out))
                }
                #[inline]
                fn moved_from_left(&self, xi: &Self::Tangent) -> Self {
                    let mut out = ::core::clone::Clone::clone(self);
                    rt::LeftSpace::move_along(&rt::FixedSpace::<Self, $dof>::NEW, self, xi, &mut out);
                    out
                }
                #[inline]
                fn spatial<O: rt::OnVectors>(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                    rt::direct_product::operate::<rt::direct_product::Spatial<O>, Self, $dof>(a, b)
                }
                #[inline]
                fn framed<O: rt::OnElement>(&self, vector: &Self::Tangent) -> Self::Tangent {
                    rt::direct_product::framed::<O, Self, $dof>(self, vector)
                }
                #[inline]
                fn frame_velocity(w: &Self::Tangent) -> Self::Tangent {
                    let space = rt::FixedSpace::<Self, $dof>::NEW;
                    rt::direct_product::written(|out| rt::FramedSpace::frame_velocity(&space, w, out))
                }

                const MOVES_VELOCITIES: bool = true;

                #[inline]
                fn move_with_velocity(
                    &self,
                    v: &Self::Tangent,
                    xi: [&Self::Tangent; 2],
                    out: &mut Self,
                ) -> Self::Tangent {
                    let space = rt::FixedSpace::<Self, $dof>::NEW;
                    rt::direct_product::written(|moved| {
                        rt::ConfigurationSpace::move_state(&space, (self, v), (xi[0], xi[1]), (out, moved));
                    })
                }
                #[inline]
                fn rate_with_velocity(sigma: [&Self::Tangent; 2], direction: [&Self::Tangent; 2]) -> [Self::Tangent; 2] {
                    let (mut theta, mut w) = (rt::zeros(), rt::zeros());
                    rt::ConfigurationSpace::state_rate(
                        &rt::FixedSpace::<Self, $dof>::NEW,
                        (sigma[0], sigma[1]),
                        (direction[0], direction[1]),
                        (&mut theta, &mut w),
                    );
                    [theta, w]
                }
                #[inline]
                fn direction_of(&self, acceleration: &Self::Tangent) -> Self::Tangent {
                    let space = rt::FixedSpace::<Self, $dof>::NEW;
                    rt::direct_product::written(|out| {
                        rt::ConfigurationSpace::state_direction(&space, self, acceleration, out);
                    })
                }
                fn remove_spin(&self, v: &mut Self::Tangent) -> f64 {
                    let norm = rt::ConfigurationSpace::remove_spins(&rt::FixedSpace::<Self, $dof>::NEW, self, v);
                    norm * norm
                }
                fn spin_pullback(&self, v: &Self::Tangent, of_v: &Self::Tangent) -> [Self::Tangent; 2] {
                    let (mut of_configuration, mut of_velocity) = (rt::zeros(), *of_v);
                    let space = rt::FixedSpace::<Self, $dof>::NEW;
                    rt::ReverseSpace::spin_pullback(&space, self, v, &mut of_configuration, &mut of_velocity);
                    [of_configuration, of_velocity]
                }
            }
        };
        $crate::__factor_of_fields!($body, $dof, $($at $n),*);
    };
    ($body:ty, $dof:literal, $($at:literal $n:literal),*) => {
        const _: () = {
            use $crate::__private as rt;

            impl<S: $crate::scalar::Scalar> rt::LocalCoordinates<S, $dof> for $body {
                const IS_FLAT: bool = true $(
                    && <<Self as rt::Field<$at, $n>>::Group as rt::LocalCoordinates<S, $n>>::IS_FLAT
                )*;

                fn origin() -> Self {
                    <Self as rt::Fields>::origins(<Self as rt::FixedFields>::SPANS)
                }
                fn extent(&self) -> f64 {
                    rt::ConfigurationSpace::extent(&rt::FixedSpace::<Self, $dof>::NEW, self)
                }
                #[inline]
                fn tangent_matrix(theta: &rt::SVector<S, $dof>) -> rt::SMatrix<S, $dof, $dof> {
                    rt::direct_product::tangent_matrix::<Self, $dof>(theta)
                }
                #[inline]
                fn tangent_inverse_matrix(theta: &rt::SVector<S, $dof>) -> rt::SMatrix<S, $dof, $dof> {
                    rt::direct_product::tangent_inverse_matrix::<Self, $dof>(theta)
                }
                #[inline]
                fn local_motion(
                    map: &rt::CoordinateMap,
                    x: &rt::SVector<S, $dof>,
                    rate: &rt::SVector<S, $dof>,
                    second: &rt::SVector<S, $dof>,
                ) -> $crate::group::LocalMotion<rt::SVector<S, $dof>> {
                    rt::direct_product::local_motion::<Self, $dof>(map, [x, rate, second])
                }
                #[inline]
                fn local_gradient(
                    map: &rt::CoordinateMap,
                    x: &rt::SVector<S, $dof>,
                    rate: &rt::SVector<S, $dof>,
                    second: &rt::SVector<S, $dof>,
                ) -> $crate::group::LocalGradient<S, $dof> {
                    rt::direct_product::local_gradient::<Self, $dof>(map, [x, rate, second])
                }
                #[inline]
                fn rate_pullback(
                    at: [&rt::SVector<S, $dof>; 2],
                    p: &rt::SVector<S, $dof>,
                ) -> [rt::SVector<S, $dof>; 2] {
                    let [mut of_theta, mut of_v] = [rt::zeros(); 2];
                    let space = rt::FixedSpace::<Self, $dof>::NEW;
                    rt::ReverseSpace::coordinate_rate_pullback(&space, at, p, &mut of_theta, &mut of_v);
                    [of_theta, of_v]
                }
                fn worst_field(&self) -> ::core::option::Option<$crate::space::MemberDefect> {
                    rt::ConfigurationSpace::worst_member(&rt::FixedSpace::<Self, $dof>::NEW, self)
                }
            }
        };
    };
}
