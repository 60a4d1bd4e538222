//! Products with the Jacobian of the constraints.

use super::{ElementSizes, gather, gather_rows, jacobian_of, scatter, set_rows};
use crate::scalar::Scalar;
use crate::system::chain::{Dynamics, ElementSystem, ElementVisitor, Structure};
use crate::system::{Block, Term};

/// Computes B v.
#[inline]
pub(in crate::system::chain) fn times<M: ElementSystem>(
    system: &M,
    jacobian: &[M::Scalar],
    v: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    let structure = system.structure();
    system.visit(&mut JacobianTimes::<M> { structure, jacobian, v, out });
    if M::Dynamics::HAS_FRAMES {
        each_frame_row(structure, jacobian, |row, entries, components| {
            let terms = entries.iter().zip(components).map(|(&entry, &component)| entry * v[component]);
            out[row] = terms.reduce(|sum, term| sum + term).unwrap_or_else(|| M::Scalar::from_f64(0.0));
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
    system.visit(&mut JacobianTransposeTimes::<M> { structure, jacobian, multipliers, factor, out });
    if M::Dynamics::HAS_FRAMES {
        each_frame_row(structure, jacobian, |row, entries, components| {
            let multiplier = multipliers[row] * factor;
            entries.iter().zip(components).for_each(|(&entry, &component)| out[component] += entry * multiplier);
        });
    }
}

/// Calls `visit` with every constraint row over frames: its number, its entries in the list of Jacobians and their
/// components. Ancestors of the frame where the paths of an element meet have no entries, if the covectors of its rows
/// vanish there.
#[inline]
fn each_frame_row<S: Scalar>(structure: &Structure<S>, jacobian: &[S], mut visit: impl FnMut(usize, &[S], &[usize])) {
    let (size, (jacobian, reaches)) = (structure.reach, jacobian.split_at(structure.reach_of(0)));
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.jacobian_starts).enumerate();
    for (number, ((kind, shape), &first)) in kinds.filter(|(_, ((kind, shape), _))| kind.over_frames && shape.rows > 0)
    {
        let mut start = first;
        for element in 0..kind.count {
            let paths = structure.tree().paths_of_element(number, element);
            let mut has_more = false;
            for (function, &rows) in shape.segments.iter().enumerate() {
                let row = kind.start(function) + element * rows;
                for &asked in &reaches[row * size..(row + rows) * size] {
                    has_more |= !asked.is_zero();
                }
            }
            let components = paths.components_within(has_more);
            for (function, &rows) in shape.segments.iter().enumerate() {
                for row in (kind.start(function) + element * rows..).take(rows) {
                    visit(row, &jacobian[start..start + components.len()], components);
                    start += shape.components;
                }
            }
        }
    }
}

/// Computes B v of the elements over members.
struct JacobianTimes<'a, M: ElementSystem> {
    structure: &'a Structure<M::Scalar>,
    jacobian: &'a [M::Scalar],
    v: &'a [M::Scalar],
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> ElementVisitor<M> for JacobianTimes<'_, M> {
    #[inline]
    fn element<E: Term<M>>(&mut self) {
        if ElementSizes::<M, E>::ROWS == 0 {
            return;
        }
        let (mut v, mut local) = (E::Vector::zeros(), E::Rows::zeros());
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            for (out, row) in
                local.as_mut_slice().iter_mut().zip(jacobian.chunks_exact(ElementSizes::<M, E>::COMPONENTS))
            {
                *out = row.iter().zip(v.as_slice()).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
            }
            set_rows::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}

/// Adds factor Bᵀ λ of the elements over members.
struct JacobianTransposeTimes<'a, M: ElementSystem> {
    structure: &'a Structure<M::Scalar>,
    jacobian: &'a [M::Scalar],
    multipliers: &'a [M::Scalar],
    factor: M::Scalar,
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> ElementVisitor<M> for JacobianTransposeTimes<'_, M> {
    #[inline]
    fn element<E: Term<M>>(&mut self) {
        if ElementSizes::<M, E>::ROWS == 0 {
            return;
        }
        let mut multipliers = E::Rows::zeros();
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
            gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut_slice());
            let mut local = E::Vector::zeros();
            for (&multiplier, row) in
                multipliers.as_slice().iter().zip(jacobian.chunks_exact(ElementSizes::<M, E>::COMPONENTS))
            {
                let multiplier = multiplier * self.factor;
                for (out, &entry) in local.as_mut_slice().iter_mut().zip(row) {
                    *out += multiplier * entry;
                }
            }
            scatter::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}
