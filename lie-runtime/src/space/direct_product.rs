//! Configurations with only group members: their direct product is a group.

use crate::scalar::larger;
use nalgebra::SVector;

use super::members::{free, free_mut, vector};
use super::{Field, Fields, FixedFields, FixedSpace, FramedSpace, Span};

use crate::group::LieGroup;
pub use crate::group::operations::*;

/// A fixed configuration with only group members.
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

/// Implements [`EachGroup`] for a visitor of field number `$number` of dimension `$n`.
macro_rules! each_group {
    ($visitor:ident, |$this:ident, $number:ident, $n:ident| $body:expr) => {
        impl<Q: Fields> EachGroup<Q> for $visitor<'_, Q> {
            #[inline]
            fn field<const $number: usize, const $n: usize>(&mut self)
            where
                Q: Field<$number, $n>,
                Q::Group: LieGroup<Scalar = Q::Scalar, Tangent = SVector<Q::Scalar, $n>>,
            {
                let $this = self;
                $body
            }
        }
    };
}

struct Compose<'a, Q: Fields> {
    other: &'a Q,
    out: &'a mut Q,
}

each_group!(Compose, |this, I, N| {
    let others = Field::<I, N>::members(this.other);
    for (out, other) in Field::<I, N>::members_mut(&mut *this.out).iter_mut().zip(others) {
        *out = out.compose(other);
    }
});

/// q ∘ other.
#[inline]
pub fn compose<Q: GroupFields>(q: &Q, other: &Q) -> Q {
    let mut out = q.clone();
    Q::visit_groups(&mut Compose { other, out: &mut out });
    out
}

struct Invert<'a, Q: Fields> {
    out: &'a mut Q,
}

each_group!(Invert, |this, I, N| {
    for out in Field::<I, N>::members_mut(&mut *this.out) {
        *out = out.inverse();
    }
});

/// q⁻¹.
#[inline]
pub fn inverse<Q: GroupFields>(q: &Q) -> Q {
    let mut out = q.clone();
    Q::visit_groups(&mut Invert { out: &mut out });
    out
}

struct Exp<'a, Q: Fields> {
    spans: &'a [Span],
    theta: &'a [Q::Scalar],
    out: &'a mut Q,
}

each_group!(Exp, |this, I, N| {
    let members = Field::<I, N>::members_mut(&mut *this.out);
    for ((_, theta), out) in free::<_, N>(&this.spans[I], this.theta).zip(members) {
        *out = LieGroup::exp(&vector(theta));
    }
});

/// exp(θ).
#[inline]
pub fn exp<Q: GroupFields, const D: usize>(theta: &SVector<Q::Scalar, D>) -> Q {
    let mut out = Q::origins(Q::SPANS);
    Q::visit_groups(&mut Exp { spans: Q::SPANS, theta: theta.as_slice(), out: &mut out });
    out
}

struct Log<'a, Q: Fields> {
    spans: &'a [Span],
    q: &'a Q,
    out: &'a mut [Q::Scalar],
}

each_group!(Log, |this, I, N| {
    let members = Field::<I, N>::members(this.q);
    for ((_, out), element) in free_mut::<_, N>(&this.spans[I], this.out).zip(members) {
        *out = LieGroup::log(element).into();
    }
});

/// log(q).
pub fn log<Q: GroupFields, const D: usize>(q: &Q) -> SVector<Q::Scalar, D> {
    let mut out: SVector<Q::Scalar, D> = crate::scalar::zeros();
    Q::visit_groups(&mut Log { spans: Q::SPANS, q, out: out.as_mut_slice() });
    out
}

/// The operation on two vectors.
#[inline]
pub fn on_vectors<O: OnVectors, Q: GroupFields, const D: usize>(
    a: &SVector<Q::Scalar, D>,
    b: &SVector<Q::Scalar, D>,
) -> SVector<Q::Scalar, D> {
    let mut out: SVector<Q::Scalar, D> = crate::scalar::zeros();
    FixedSpace::<Q, D>::NEW.spatial::<O>(a, b, None, &mut out);
    out
}

/// The operation of an element on a vector.
#[inline]
pub fn on_element<O: OnElement, Q: GroupFields, const D: usize>(
    q: &Q,
    b: &SVector<Q::Scalar, D>,
) -> SVector<Q::Scalar, D> {
    let mut out: SVector<Q::Scalar, D> = crate::scalar::zeros();
    FixedSpace::<Q, D>::NEW.framed::<O>(q, b, &mut out);
    out
}

struct Defect<'a, Q: Fields> {
    q: &'a Q,
    largest: f64,
}

each_group!(Defect, |this, I, N| {
    for element in Field::<I, N>::members(this.q) {
        this.largest = larger(this.largest, LieGroup::membership_defect(element));
    }
});

/// The largest defect of a member.
pub fn membership_defect<Q: GroupFields>(q: &Q) -> f64 {
    let mut defect = Defect { q, largest: 0.0 };
    Q::visit_groups(&mut defect);
    defect.largest
}

/// Implements the direct product of the fields of `$configuration`, generic over `S`: a group of dimension `$dof` with its left action on
/// itself. With `group`, only the group is implemented.
#[doc(hidden)]
#[macro_export]
macro_rules! __direct_product {
    (group $configuration:ty, $dof:literal) => {
        impl<S: $crate::scalar::Scalar> $crate::group::LieGroup for $configuration {
            type Scalar = S;
            type Tangent = $crate::nalgebra::SVector<S, $dof>;

            #[inline]
            fn dimension(&self) -> usize {
                $dof
            }
            #[inline]
            fn identity_like(&self) -> Self {
                <Self as $crate::__private::Fields>::origins(<Self as $crate::__private::FixedFields>::SPANS)
            }
            #[inline]
            fn compose(&self, other: &Self) -> Self {
                $crate::__private::direct_product::compose(self, other)
            }
            #[inline]
            fn inverse(&self) -> Self {
                $crate::__private::direct_product::inverse(self)
            }
            #[inline]
            fn exp(theta: &Self::Tangent) -> Self {
                $crate::__private::direct_product::exp(theta)
            }
            fn log(&self) -> Self::Tangent {
                $crate::__private::direct_product::log(self)
            }
            #[inline]
            fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self) {
                $crate::__private::ConfigurationSpace::compose_exp(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self, theta, out);
            }
            #[inline]
            fn tangent(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_vectors::<$crate::__private::direct_product::Tangent, Self, $dof>(a, b)
            }
            #[inline]
            fn tangent_transpose(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_vectors::<$crate::__private::direct_product::TangentTranspose, Self, $dof>(a, b)
            }
            #[inline]
            fn tangent_inverse(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_vectors::<$crate::__private::direct_product::TangentInverse, Self, $dof>(a, b)
            }
            #[inline]
            fn tangent_inverse_transpose(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_vectors::<$crate::__private::direct_product::TangentInverseTranspose, Self, $dof>(a, b)
            }
            #[inline]
            fn adjoint(&self, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_element::<$crate::__private::direct_product::Adjoint, Self, $dof>(self, b)
            }
            #[inline]
            fn adjoint_transpose(&self, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_element::<$crate::__private::direct_product::AdjointTranspose, Self, $dof>(self, b)
            }
            #[inline]
            fn bracket(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_vectors::<$crate::__private::direct_product::Bracket, Self, $dof>(a, b)
            }
            #[inline]
            fn coadjoint(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::direct_product::on_vectors::<$crate::__private::direct_product::Coadjoint, Self, $dof>(a, b)
            }
            fn is_finite(&self) -> bool {
                $crate::__private::ConfigurationSpace::is_finite(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self)
            }
            fn membership_defect(&self) -> f64 {
                $crate::__private::direct_product::membership_defect(self)
            }
            fn renormalize(&mut self) {
                $crate::__private::ConfigurationSpace::renormalize(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self);
            }
        }
    };
    ($configuration:ty, $dof:literal) => {
        $crate::__direct_product!(group $configuration, $dof);
        impl<S: $crate::scalar::Scalar> $crate::space::HomogeneousSpace for $configuration {
            type Scalar = S;
            type Group = Self;

            #[inline]
            fn moved_by(&self, g: &Self) -> Self {
                $crate::group::LieGroup::compose(g, self)
            }
            fn distance(&self, other: &Self) -> f64 {
                $crate::__private::ConfigurationSpace::distance(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW,
                    self,
                    other,
                )
            }
            fn is_finite(&self) -> bool {
                $crate::group::LieGroup::is_finite(self)
            }
            fn membership_defect(&self) -> f64 {
                $crate::group::LieGroup::membership_defect(self)
            }
            fn renormalize(&mut self) {
                $crate::group::LieGroup::renormalize(self);
            }
        }
    };
}
