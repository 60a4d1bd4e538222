//! Configurations whose members are all elements of groups: the direct product is a group.

use nalgebra::SVector;

use super::members::{free, free_mut, vector};
use super::{Field, Fields, FixedFields, Span};
use crate::group::{LieGroup, larger};

/// A fixed configuration whose members are all elements of groups.
pub trait GroupFields: FixedFields {
    /// Shows every field to `visitor`, in order.
    fn visit_groups<V: EachGroup<Self>>(visitor: &mut V);
}

/// Something to be done with every field of a direct product.
pub trait EachGroup<Q: Fields> {
    /// Does it with field number `I`.
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
        Q::Group: LieGroup<Scalar = Q::Scalar, Tangent = SVector<Q::Scalar, N>>;
}

/// Implements [`EachGroup`] for a visitor: what it does with field number `$number` of dimension `$n`.
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

/// An operation on two vectors of the algebra or of its dual.
pub trait OnVectors {
    /// Its value.
    fn of<G: LieGroup>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent;
}

/// An operation of an element on a vector.
pub trait OnElement {
    /// Its value.
    fn of<G: LieGroup>(element: &G, vector: &G::Tangent) -> G::Tangent;
}

/// One type and one method of [`LieGroup`] a line.
macro_rules! operations {
    ($kind:ident($a:ident: $first:ty): $($operation:ident $method:ident;)*) => {
        $(
            #[doc = concat!("[`LieGroup::", stringify!($method), "`].")]
            #[derive(Debug)]
            pub struct $operation;

            impl $kind for $operation {
                #[inline]
                fn of<G: LieGroup>($a: &$first, b: &G::Tangent) -> G::Tangent {
                    G::$method($a, b)
                }
            }
        )*
    };
}

operations! { OnVectors(a: G::Tangent):
    Tangent tangent;
    TangentTranspose tangent_transpose;
    TangentInverse tangent_inverse;
    TangentInverseTranspose tangent_inverse_transpose;
    Bracket bracket;
    Coadjoint coadjoint;
}

operations! { OnElement(element: G):
    Adjoint adjoint;
    AdjointTranspose adjoint_transpose;
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

struct Pairs<'a, O, Q: Fields> {
    spans: &'a [Span],
    a: &'a [Q::Scalar],
    b: &'a [Q::Scalar],
    out: &'a mut [Q::Scalar],
    of: core::marker::PhantomData<O>,
}

impl<O: OnVectors, Q: Fields> EachGroup<Q> for Pairs<'_, O, Q> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
        Q::Group: LieGroup<Scalar = Q::Scalar, Tangent = SVector<Q::Scalar, N>>,
    {
        let span = &self.spans[I];
        let given = free::<_, N>(span, self.a).zip(free::<_, N>(span, self.b));
        for (((_, a), (_, b)), (_, out)) in given.zip(free_mut::<_, N>(span, self.out)) {
            *out = O::of::<Q::Group>(&vector(a), &vector(b)).into();
        }
    }
}

/// The operation on two vectors.
#[inline]
pub fn on_vectors<O: OnVectors, Q: GroupFields, const D: usize>(
    a: &SVector<Q::Scalar, D>,
    b: &SVector<Q::Scalar, D>,
) -> SVector<Q::Scalar, D> {
    let mut out: SVector<Q::Scalar, D> = crate::scalar::zeros();
    let (spans, of) = (Q::SPANS, core::marker::PhantomData);
    Q::visit_groups(&mut Pairs::<O, Q> { spans, a: a.as_slice(), b: b.as_slice(), out: out.as_mut_slice(), of });
    out
}

struct Acting<'a, O, Q: Fields> {
    spans: &'a [Span],
    q: &'a Q,
    b: &'a [Q::Scalar],
    out: &'a mut [Q::Scalar],
    of: core::marker::PhantomData<O>,
}

impl<O: OnElement, Q: Fields> EachGroup<Q> for Acting<'_, O, Q> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
        Q::Group: LieGroup<Scalar = Q::Scalar, Tangent = SVector<Q::Scalar, N>>,
    {
        let span = &self.spans[I];
        let given = Field::<I, N>::members(self.q).iter().zip(free::<_, N>(span, self.b));
        for ((element, (_, b)), (_, out)) in given.zip(free_mut::<_, N>(span, self.out)) {
            *out = O::of::<Q::Group>(element, &vector(b)).into();
        }
    }
}

/// The operation of an element on a vector.
#[inline]
pub fn on_element<O: OnElement, Q: GroupFields, const D: usize>(
    q: &Q,
    b: &SVector<Q::Scalar, D>,
) -> SVector<Q::Scalar, D> {
    let mut out: SVector<Q::Scalar, D> = crate::scalar::zeros();
    let (spans, of) = (Q::SPANS, core::marker::PhantomData);
    Q::visit_groups(&mut Acting::<O, Q> { spans, q, b: b.as_slice(), out: out.as_mut_slice(), of });
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

/// Makes `$configuration`, generic over `S`, the direct product of its fields: a group of dimension `$dof`.
#[doc(hidden)]
#[macro_export]
macro_rules! __direct_product {
    ($configuration:ty, $dof:literal) => {
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
}
