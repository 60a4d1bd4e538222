//! Configurations as products: fields, each a run of members of one group.

use core::fmt::Debug;

use nalgebra::SVector;

use crate::group::LocalCoordinates;
use crate::scalar::Scalar;

/// Where the members of a field stand in a velocity: of a chain, a fixed power or a single member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The field's name.
    pub name: &'static str,
    /// The dimension of the group of one member.
    pub dimension: usize,
    /// How many members it has, clamped ones included.
    pub length: usize,
    /// How many of the first members are clamped, 0 or 1.
    pub clamped_first: usize,
    /// How many of the last members are clamped, 0 or 1.
    pub clamped_last: usize,
    /// The first component of its first free member in a velocity.
    pub offset: usize,
    /// Of bodies: their fields by name, with their dimensions.
    pub parts: &'static [(&'static str, usize)],
}

impl Span {
    /// A field of `length` members; `clamped` says of the first and of the last one whether it is clamped.
    pub const fn new(name: &'static str, dimension: usize, length: usize, clamped: [bool; 2]) -> Self {
        let clamped_last = (clamped[1] && (length > 1 || !clamped[0])) as usize;
        Span { name, dimension, length, clamped_first: clamped[0] as usize, clamped_last, offset: 0, parts: &[] }
    }

    /// The same field, of bodies with these fields.
    #[must_use]
    pub const fn of_bodies(mut self, parts: &'static [(&'static str, usize)]) -> Self {
        self.parts = parts;
        self
    }

    /// The same field, its components from `offset` on.
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

    /// The number after the last component.
    #[inline]
    pub fn end(&self) -> usize {
        self.offset + self.free().len() * self.dimension
    }
}

/// A configuration: a product of fields.
///
/// Implemented for the struct that `#[configuration]` marks. All that is known of its group follows, field by field, from
/// what is known of the groups of the members (see [`ProductSpace`](super::ProductSpace)).
pub trait Fields: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;

    /// Shows every field to `visitor`, in order.
    fn visit<V: EachField<Self>>(visitor: &mut V);
    /// The configuration of the [origins](LocalCoordinates::origin) of all members, with chains of these lengths.
    fn origins(spans: &[Span]) -> Self;
}

/// A configuration all of whose fields have a length that is known at compile time.
pub trait FixedFields: Fields {
    /// The fields.
    const SPANS: &'static [Span];
}

/// Field number `I` of a configuration: members of a group of dimension `N`.
pub trait Field<const I: usize, const N: usize>: Fields {
    /// The group.
    type Group: LocalCoordinates<Self::Scalar, N>;
    /// True for a single member, false for a power or a chain.
    const IS_ONE: bool;

    /// The members.
    fn members(&self) -> &[Self::Group];
    /// The members, to be written to.
    fn members_mut(&mut self) -> &mut [Self::Group];
}

/// A chain of points: for systems that are written by hand.
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

/// Something to be done with every field.
pub trait EachField<Q: Fields> {
    /// Does it with field number `I`.
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>;
}
