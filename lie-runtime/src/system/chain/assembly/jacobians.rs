//! Products with the Jacobian of the constraints.

use core::ops::Range;

use super::{Sizes, gather, gather_rows, jacobian_of, scatter, set_rows};
use crate::scalar::Scalar;
use crate::system::chain::structure::Shape;
use crate::system::chain::{Dynamics, ElementSystem, Place, Structure, Visitor};
use crate::system::{Block, Term};

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
        each_joined(structure, jacobian, |place, shape, entries| {
            let rows = shape.global_rows(place);
            rows.clone().for_each(|row| out[row] = M::Scalar::from_f64(0.0));
            each_joint(structure, place, entries, |joint, columns| {
                for (row, line) in rows.clone().zip(entries.lines()) {
                    let terms = line[columns.clone()].iter().zip(&v[joint.clone()]);
                    out[row] = terms.fold(out[row], |sum, (&entry, &v)| sum + entry * v);
                }
            });
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
        each_joined(structure, jacobian, |place, shape, entries| {
            let rows = shape.global_rows(place);
            each_joint(structure, place, entries, |joint, columns| {
                for (row, line) in rows.clone().zip(entries.lines()) {
                    let multiplier = multipliers[row] * factor;
                    for (out, &entry) in out[joint.clone()].iter_mut().zip(&line[columns.clone()]) {
                        *out += entry * multiplier;
                    }
                }
            });
        });
    }
}

/// The rows of an element that sees frames in the list of Jacobians.
struct Lines<'a, S> {
    entries: &'a [S],
    stride: usize,
}

impl<'a, S: Scalar> Lines<'a, S> {
    fn lines(&self) -> impl Iterator<Item = &'a [S]> + use<'a, S> {
        self.entries.chunks_exact(self.stride)
    }

    /// The columns in which there is anything: further inwards than a loop reaches there is nothing.
    fn width(&self) -> usize {
        let reach = |line: &[S]| line.iter().rposition(|&entry| entry != S::zero()).map_or(0, |last| last + 1);
        self.lines().map(reach).max().unwrap_or(0)
    }
}

/// Every element that sees frames and has rows, with what they are in the list of Jacobians.
fn each_joined<S: Scalar>(
    structure: &Structure<S>,
    jacobian: &[S],
    mut visit: impl FnMut(&Place<'_>, &Shape, &Lines<'_, S>),
) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&structure.jacobian_starts);
    for ((kind, shape), &first) in kinds.filter(|((kind, shape), _)| kind.sees_frames && shape.rows > 0) {
        let size = shape.rows * shape.components;
        for place in kind.places() {
            let entries = &jacobian[first + place.element * size..][..size];
            // Without a free joint there are no entries, and no lines either.
            visit(&place, shape, &Lines { entries, stride: shape.components.max(1) });
        }
    }
}

/// The components and the columns of every joint that such an element acts on.
#[inline]
fn each_joint<S: Scalar>(
    structure: &Structure<S>,
    place: &Place<'_>,
    lines: &Lines<'_, S>,
    mut visit: impl FnMut(Range<usize>, Range<usize>),
) {
    let (mut start, width) = (0, lines.width());
    for (offset, size) in structure.joints(place) {
        if start >= width {
            return;
        }
        visit(offset..offset + size, start..start + size);
        start += size;
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
    fn element<E: Term<M>>(&mut self) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let (mut v, mut local) = (E::Vector::zeros(), E::Rows::zeros());
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            for (out, row) in local.as_mut_slice().iter_mut().zip(jacobian.chunks_exact(Sizes::<M, E>::COMPONENTS)) {
                *out = row.iter().zip(v.as_slice()).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
            }
            set_rows::<M, E>(&place, local.as_slice(), self.out);
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
    fn element<E: Term<M>>(&mut self) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let mut multipliers = E::Rows::zeros();
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
            gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut_slice());
            let mut local = E::Vector::zeros();
            for (&multiplier, row) in
                multipliers.as_slice().iter().zip(jacobian.chunks_exact(Sizes::<M, E>::COMPONENTS))
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
