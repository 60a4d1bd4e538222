//! Products with the Jacobian of the constraints.

use super::{Sizes, gather, gather_rows, jacobian_of, scatter, set_rows};
use crate::scalar::Scalar;
use crate::system::chain::layout::CLAMPED;
use crate::system::chain::{Block, Dynamics, Element, ElementSystem, Place, Structure, Visitor};

/// B v.
#[inline]
pub(in crate::system::chain) fn times<M: ElementSystem>(
    system: &M,
    jacobian: &[M::Scalar],
    v: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    let structure = system.structure();
    system.visit(&mut Times::<M> { structure, jacobian, v, out });
    if M::Dynamics::HAS_FRAMES {
        each_joined_row(structure, |place, row, start| {
            let mut sum = M::Scalar::from_f64(0.0);
            let mut entries = jacobian[start..].iter();
            for (offset, size) in structure.joints(place) {
                for (&v, &entry) in v[offset..offset + size].iter().zip(&mut entries) {
                    sum += entry * v;
                }
            }
            out[row] = sum;
        });
    }
}

/// Adds factor Bᵀ λ.
#[inline]
pub(in crate::system::chain) fn add_transpose_times<M: ElementSystem>(
    system: &M,
    jacobian: &[M::Scalar],
    multipliers: &[M::Scalar],
    factor: M::Scalar,
    out: &mut [M::Scalar],
) {
    let structure = system.structure();
    system.visit(&mut TransposeTimes::<M> { structure, jacobian, multipliers, factor, out });
    if M::Dynamics::HAS_FRAMES {
        each_joined_row(structure, |place, row, start| {
            let multiplier = multipliers[row] * factor;
            let mut entries = jacobian[start..].iter();
            for (offset, size) in structure.joints(place) {
                for (out, &entry) in out[offset..offset + size].iter_mut().zip(&mut entries) {
                    *out += entry * multiplier;
                }
            }
        });
    }
}

/// The rows of a list of Jacobians, written out: `out` has a component for each free one of the velocity, row after row.
pub(in crate::system::chain) fn write_rows<S: Scalar>(structure: &Structure<S>, jacobian: &[S], out: &mut [S]) {
    let dof = structure.layout().dof;
    out.fill(S::zero());
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.jacobian_starts);
    for ((kind, shape), &first) in kinds.filter(|((kind, shape), _)| !kind.sees_frames && shape.rows > 0) {
        for place in kind.places() {
            for (at, row) in shape.global_rows(&place).enumerate() {
                let mut entries = &jacobian[first + (place.element * shape.rows + at) * shape.components..];
                for (&offset, &size) in place.offsets.iter().zip(shape.slots) {
                    let (own, rest) = entries.split_at(size);
                    entries = rest;
                    if offset != CLAMPED {
                        // Slots of one member, as the ends of a chain of one, count together.
                        for (sum, &entry) in out[row * dof + offset..][..size].iter_mut().zip(own) {
                            *sum += entry;
                        }
                    }
                }
            }
        }
    }
    each_joined_row(structure, |place, row, start| {
        let mut start = start;
        for (offset, size) in structure.joints(place) {
            out[row * dof + offset..][..size].copy_from_slice(&jacobian[start..start + size]);
            start += size;
        }
    });
}

/// Every constraint row of what sees frames: its element, its number and where its entries begin in the list of Jacobians.
fn each_joined_row<S: Scalar>(structure: &Structure<S>, mut visit: impl FnMut(&Place<'_>, usize, usize)) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.jacobian_starts);
    for ((kind, shape), &first) in kinds.filter(|((kind, _), _)| kind.sees_frames) {
        for place in kind.places() {
            for (at, row) in shape.global_rows(&place).enumerate() {
                visit(&place, row, first + (place.element * shape.rows + at) * shape.components);
            }
        }
    }
}

/// B v of the elements over members.
struct Times<'a, M: ElementSystem> {
    structure: &'a Structure<M::Scalar>,
    jacobian: &'a [M::Scalar],
    v: &'a [M::Scalar],
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> Visitor<M> for Times<'_, M> {
    #[inline]
    fn element<E: Element<M>>(&mut self) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let (mut v, mut local) = (E::Vector::zeros(), E::Rows::zeros());
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
            gather::<M, E>(&place, self.v, v.as_mut());
            for (out, row) in local.as_mut().iter_mut().zip(jacobian.chunks_exact(Sizes::<M, E>::COMPONENTS)) {
                *out = row.iter().zip(v.as_ref()).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
            }
            set_rows::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

/// Adds factor Bᵀ λ of the elements over members.
struct TransposeTimes<'a, M: ElementSystem> {
    structure: &'a Structure<M::Scalar>,
    jacobian: &'a [M::Scalar],
    multipliers: &'a [M::Scalar],
    factor: M::Scalar,
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> Visitor<M> for TransposeTimes<'_, M> {
    #[inline]
    fn element<E: Element<M>>(&mut self) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let mut multipliers = E::Rows::zeros();
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
            gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut());
            let mut local = E::Vector::zeros();
            for (&multiplier, row) in multipliers.as_ref().iter().zip(jacobian.chunks_exact(Sizes::<M, E>::COMPONENTS))
            {
                let multiplier = multiplier * self.factor;
                for (out, &entry) in local.as_mut().iter_mut().zip(row) {
                    *out += multiplier * entry;
                }
            }
            scatter::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}
