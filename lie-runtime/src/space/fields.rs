//! Configurations as products of fields; a field has one or more members of one group.

use core::fmt::Debug;

use nalgebra::SVector;

use crate::group::LocalCoordinates;
use crate::scalar::Scalar;

/// The velocity components of a field: a chain, an array or a single member.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Span {
    /// The field's name.
    pub name: &'static str,
    /// The dimension of the group of one member.
    pub dimension: usize,
    /// The number of members, including clamped ones.
    pub length: usize,
    /// Number of clamped members at the start, 0 or 1.
    pub clamped_first: usize,
    /// Number of clamped members at the end, 0 or 1.
    pub clamped_last: usize,
    /// Index of the first velocity component of the first free member.
    pub offset: usize,
    /// Names and dimensions of the fields of bodies.
    pub parts: &'static [(&'static str, usize)],
}

impl Span {
    /// Returns a field of `length` members; `clamped` is true for a clamped first or last member.
    pub const fn new(name: &'static str, dimension: usize, length: usize, clamped: [bool; 2]) -> Self {
        let clamped_last = (clamped[1] && (length > 1 || !clamped[0])) as usize;
        Span { name, dimension, length, clamped_first: clamped[0] as usize, clamped_last, offset: 0, parts: &[] }
    }

    /// Returns the field for bodies with these fields.
    #[must_use]
    pub const fn of_bodies(mut self, parts: &'static [(&'static str, usize)]) -> Self {
        self.parts = parts;
        self
    }

    /// Returns the field with its first velocity component at `offset`.
    #[must_use]
    pub const fn at_offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// The free members.
    #[inline]
    pub fn free(&self) -> core::ops::Range<usize> {
        self.clamped_first.min(self.length)..self.length.saturating_sub(self.clamped_last).max(self.clamped_first)
    }

    /// Index after the last component.
    #[inline]
    pub fn end(&self) -> usize {
        self.offset + self.free().len() * self.dimension
    }
}

/// A configuration: a product of fields.
///
/// The macro implements this trait for the struct with `#[configuration]`. The operations of the product follow from the groups of the
/// fields (see [`ProductSpace`](super::ProductSpace)).
pub trait Fields: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;

    /// Calls `visitor` for every field, in order.
    fn visit<V: EachField<Self>>(visitor: &mut V);
    /// The configuration of the [origins](LocalCoordinates::origin) of all members, with chains of these lengths.
    fn origins(spans: &[Span]) -> Self;
}

/// A configuration with lengths that are known at compile time.
pub trait FixedFields: Fields {
    /// The fields.
    const SPANS: &'static [Span];
}

/// Field number `I` of a configuration: members of a group of dimension `N`.
#[doc(hidden)]
pub trait Field<const I: usize, const N: usize>: Fields {
    /// The group.
    type Group: LocalCoordinates<Self::Scalar, N>;
    /// True for a single member, false for a power or a chain.
    const IS_ONE: bool;

    /// The members.
    fn members(&self) -> &[Self::Group];
    /// The members, mutably.
    fn members_mut(&mut self) -> &mut [Self::Group];
}

/// A chain of points, for hand-written systems.
impl<S: Scalar, const N: usize> Fields for Vec<SVector<S, N>> {
    type Scalar = S;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit<V: EachField<Self>>(visitor: &mut V) {
        visitor.field::<0, N>();
    }
    fn origins(spans: &[Span]) -> Self {
        vec![SVector::from_element(S::zero()); spans[0].length]
    }
}

impl<S: Scalar, const N: usize> Field<0, N> for Vec<SVector<S, N>> {
    type Group = SVector<S, N>;
    const IS_ONE: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn members(&self) -> &[SVector<S, N>] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn members_mut(&mut self) -> &mut [SVector<S, N>] {
        self
    }
}

/// A visitor of the fields.
#[doc(hidden)]
pub trait EachField<Q: Fields> {
    /// Visits field number `I`.
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>;
}
