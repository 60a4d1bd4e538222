//! Loops over the elements: gather the local velocity, call the kernel, scatter the result.

use core::marker::PhantomData;
use core::ops::Range;

mod jacobians;
mod matrices;
mod terms;

pub(super) use jacobians::{add_transpose_times, times};
pub(super) use matrices::{Matrices, Matrix, mass, member_mass};
pub(super) use terms::{
    AddForce, AddMomentum, AddResidual, SetConstraint, SetCurvature, SetDrift, SetJacobian, SumEnergies, Which,
};

use super::layout::CLAMPED;
use super::{ElementLocation, ElementSystem, Structure};
use crate::system::Term;

/// The sizes of a kind of elements as constants.
pub(super) struct ElementSizes<M, E>(PhantomData<(M, E)>);

const fn sum(terms: &[usize]) -> usize {
    let (mut total, mut at) = (0, 0);
    while at < terms.len() {
        total += terms[at];
        at += 1;
    }
    total
}

impl<M: ElementSystem, E: Term<M>> ElementSizes<M, E> {
    /// The number of components of a local velocity.
    pub const COMPONENTS: usize = sum(E::SLOTS);
    /// The number of constraint rows.
    pub const ROWS: usize = sum(E::SEGMENTS);
}

/// Copies the components of the slots; zeros for clamped slots.
#[inline]
pub(super) fn gather<M: ElementSystem, E: Term<M>>(
    place: &ElementLocation<'_>,
    global: &[M::Scalar],
    local: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&size, &offset) in E::SLOTS.iter().zip(place.offsets) {
        let slot = &mut local[at..at + size];
        if offset == CLAMPED {
            slot.fill(num_traits::Zero::zero());
        } else {
            slot.copy_from_slice(&global[offset..offset + size]);
        }
        at += size;
    }
}

/// Adds the components of the free slots.
#[inline]
pub(super) fn scatter<M: ElementSystem, E: Term<M>>(
    place: &ElementLocation<'_>,
    local: &[M::Scalar],
    global: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&size, &offset) in E::SLOTS.iter().zip(place.offsets) {
        if offset != CLAMPED {
            for (sum, &term) in global[offset..offset + size].iter_mut().zip(&local[at..at + size]) {
                *sum += term;
            }
        }
        at += size;
    }
}

/// Copies the constraint rows of an element.
#[inline]
pub(super) fn gather_rows<M: ElementSystem, E: Term<M>>(
    place: &ElementLocation<'_>,
    global: &[M::Scalar],
    local: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&rows, &start) in E::SEGMENTS.iter().zip(place.starts) {
        let first = start + place.element * rows;
        local[at..at + rows].copy_from_slice(&global[first..first + rows]);
        at += rows;
    }
}

/// Sets the constraint rows of an element, which no other element shares.
#[inline]
pub(super) fn set_rows<M: ElementSystem, E: Term<M>>(
    place: &ElementLocation<'_>,
    local: &[M::Scalar],
    global: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&rows, &start) in E::SEGMENTS.iter().zip(place.starts) {
        let first = start + place.element * rows;
        global[first..first + rows].copy_from_slice(&local[at..at + rows]);
        at += rows;
    }
}

/// Returns the Jacobian of an element in the flat list.
#[inline]
pub(super) fn jacobian_of<'a, M: ElementSystem, E: Term<M>>(
    structure: &Structure<M::Scalar>,
    jacobian: &'a [M::Scalar],
    element: usize,
) -> &'a [M::Scalar] {
    let size = ElementSizes::<M, E>::ROWS * ElementSizes::<M, E>::COMPONENTS;
    &jacobian[structure.jacobian_starts[E::KIND] + element * size..][..size]
}

/// The point of evaluation.
pub(super) struct EvaluationPoint<'a, M: ElementSystem> {
    pub system: &'a M,
    pub t: M::Scalar,
    pub q: &'a M::Configuration,
}

impl<M: ElementSystem> Clone for EvaluationPoint<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: ElementSystem> Copy for EvaluationPoint<'_, M> {}

impl<'a, M: ElementSystem> EvaluationPoint<'a, M> {
    /// Iterates over the elements of a kind.
    #[inline]
    pub fn places<E: Term<M>>(&self) -> impl Iterator<Item = ElementLocation<'a>> + use<'a, M, E> {
        self.system.structure().layout().kinds[E::KIND].places()
    }

    /// Iterates over a range of elements of a kind.
    #[inline]
    pub fn places_within<E: Term<M>>(
        &self,
        elements: Range<usize>,
    ) -> impl Iterator<Item = ElementLocation<'a>> + use<'a, M, E> {
        self.system.structure().layout().kinds[E::KIND].places_within(elements)
    }
}

/// Defines a visitor with an [`EvaluationPoint`] and slices.
macro_rules! visitor {
    (
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $type:ty),* } ($self:ident, $E:ident) $body:block
    ) => {
        $(#[$doc])*
        pub(in crate::system::chain) struct $name<'a, M: ElementSystem> {
            pub point: EvaluationPoint<'a, M>,
            $(pub $field: $type,)*
        }
        impl<M: ElementSystem> ElementVisitor<M> for $name<'_, M> {
            #[inline]
            fn element<$E: Term<M>>(&mut $self) $body
        }
    };
}

use visitor;
