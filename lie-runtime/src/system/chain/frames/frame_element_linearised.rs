//! K_t and C_t of elements over frames, and the derivatives of their constraint rows.
//!
//! Let X and U be the derivatives of x and u along q; the derivative of u with respect to v is X. An element adds Xᵀ
//! (K_x X + C_x U) and Xᵀ C_x X. The derivative of X in Xᵀ r_x is part of the linearised inverse dynamics, which
//! contains r_x. A backward pass carries the rows of K_x and C_x as covectors (η, δu) of the frames,
//!
//! ```text
//! (η, δu) ← (η A + δu U_x, δu A),   and give η J + δu U_q along q, δu J along v.
//! ```

use super::frame_elements::{of_slots, part};
use super::recursion_tangents::RecursionTangents;
use super::{FrameElementVisitor, FrameKinematics, FrameMotionOf, Frames, add};
use crate::scalar::Scalar;
use crate::system::chain::ElementSystem;
use crate::system::chain::element_shape::global_rows;
use crate::system::chain::kinematic_tree::{AncestorPaths, PathEvent};
use crate::system::{Block, ElementLocation, Term};

/// The results, and the data to compute them.
pub(super) struct FrameElementTangents<'a, M: ElementSystem, F: Frames<M>> {
    pub system: &'a M,
    pub t: M::Scalar,
    pub motions: &'a FrameKinematics<M, F>,
    /// The tangents of the recursion of every frame.
    pub of_frames: &'a [F::Tangents],
    pub multipliers: &'a [M::Scalar],
    /// The lists of blocks of C_t and K_t.
    pub damping: &'a mut [M::Scalar],
    pub stiffness: &'a mut [M::Scalar],
    /// The start of the blocks of the next element in both lists.
    pub block: usize,
    /// Lists of Jacobians: B, and the derivatives of B v + b along q.
    pub jacobians: [&'a mut [M::Scalar]; 2],
    pub scratch: &'a mut Vec<M::Scalar>,
}

/// η and δu.
type CovectorPair<V> = (V, V);

/// Pulls a row (η, δu) of the frames of an element back to the joints: along q, and along v.
#[inline]
fn pull<M: ElementSystem, F: Frames<M>>(
    system: &M,
    tangents: &[F::Tangents],
    (place, paths): (&ElementLocation<'_>, &AncestorPaths),
    of: impl Fn(usize) -> CovectorPair<F::Vector>,
    [along_q, along_v]: [&mut [M::Scalar]; 2],
) {
    let (n, mut at) = (F::FRAME, 0);
    let zero = M::Scalar::from_f64(0.0);
    let mut pairs = of_slots(place, (F::Vector::zeros(), F::Vector::zeros()), of);
    let links = system.structure().tree().links();
    paths.visit_backward(|event| {
        let (slot, number) = match event {
            PathEvent::Meeting(slot, other) => {
                let (eta, rate) = pairs[other];
                add(&mut pairs[slot].0, &eta);
                add(&mut pairs[slot].1, &rate);
                return true;
            }
            PathEvent::Together(_) | PathEvent::Nothing(_) => return true,
            PathEvent::Joint(slot, number) => (slot, number),
        };
        let (link, (eta, rate)) = (&links[number], &pairs[slot]);
        let parts = RecursionTangents { numbers: tangents[number].as_slice(), frame: n, columns: n + F::MEMBER };
        let times = |w: &F::Vector, entry: &dyn Fn(usize) -> M::Scalar| {
            w.as_slice().iter().enumerate().fold(zero, |sum, (row, &w)| sum + w * entry(row))
        };
        for column in 0..link.components().map_or(0, |own| own.len()) {
            let of_rate = times(rate, &|row| parts.j(row, column));
            along_q[at] = times(eta, &|row| parts.j(row, column)) + times(rate, &|row| parts.u(row, n + column));
            along_v[at] = of_rate;
            at += 1;
        }
        let mut above = (F::Vector::zeros(), F::Vector::zeros());
        for column in 0..n {
            above.0.as_mut_slice()[column] =
                times(eta, &|row| parts.a(row, column)) + times(rate, &|row| parts.u(row, column));
            above.1.as_mut_slice()[column] = times(rate, &|row| parts.a(row, column));
        }
        pairs[slot] = above;
        true
    });
}

impl<M: ElementSystem, F: Frames<M>> FrameElementVisitor<M, F> for FrameElementTangents<'_, M, F> {
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self) {
        let (system, t, motions, tangents) = (self.system, self.t, self.motions, self.of_frames);
        let (structure, zero) = (system.structure(), M::Scalar::from_f64(0.0));
        let shape = &structure.shapes[E::KIND];
        let (size, none) = (F::FRAME * E::SLOTS.len(), F::Vector::zeros());
        let (mut u, mut rate, mut multipliers) = (E::Vector::zeros(), E::Vector::zeros(), E::Rows::zeros());
        let (mut stiffness, mut damping) = (E::Matrix::zeros(), E::Matrix::zeros());
        let (mut jacobian, mut gradient) = (E::Jacobian::zeros(), E::Jacobian::zeros());
        for place in structure.layout().kinds[E::KIND].places() {
            let paths = structure.tree().paths_of_element(E::KIND, place.element);
            let vector = |of: fn(&FrameMotionOf<M, F>) -> &F::Vector, out: &mut E::Vector| {
                for (out, &at) in out.as_mut_slice().chunks_exact_mut(F::FRAME).zip(place.members) {
                    out.copy_from_slice(of(&motions[at]).as_slice());
                }
            };
            vector(|at| &at.velocity, &mut u);
            vector(|at| &at.acceleration, &mut rate);
            for (out, row) in multipliers.as_mut_slice().iter_mut().zip(global_rows(&place, E::SEGMENTS)) {
                *out = self.multipliers.get(row).copied().unwrap_or(zero);
            }
            let out = (&mut stiffness, &mut damping, &mut jacobian);
            E::linearise(system, &place, t, motions, &u, &rate, &multipliers, out.0, out.1, out.2);
            let count: usize = structure.joints(&place).map(|(_, size)| size).sum();
            // K_x X + C_x U and C_x X by rows, then Xᵀ times their columns.
            self.scratch.clear();
            self.scratch.resize((2 * (size + count) + 1) * count, zero);
            let (first, second) = self.scratch.split_at_mut(2 * size * count);
            let (by_q, by_v) = first.split_at_mut(size * count);
            for row in 0..size {
                let [stiffness, damping] =
                    [&stiffness, &damping].map(|matrix| &matrix.as_slice()[row * size..][..size]);
                let out = [&mut by_q[row * count..][..count], &mut by_v[row * count..][..count]];
                pull::<M, F>(
                    system,
                    tangents,
                    (&place, paths),
                    |slot| (part(stiffness, slot), part(damping, slot)),
                    out,
                );
            }
            let (along_q, second) = second.split_at_mut(count * count);
            let (along_v, unused) = second.split_at_mut(count * count);
            for (from, into) in [(&*by_q, &mut *along_q), (&*by_v, &mut *along_v)] {
                for column in 0..count {
                    let entry = |slot: usize| {
                        let mut own = F::Vector::zeros();
                        for (row, own) in own.as_mut_slice().iter_mut().enumerate() {
                            *own = from[(slot * F::FRAME + row) * count + column];
                        }
                        (own, none)
                    };
                    let out = [&mut into[column * count..][..count], &mut *unused];
                    pull::<M, F>(system, tangents, (&place, paths), entry, out);
                }
            }
            // The columns are stored as rows.
            let mut row_start = 0;
            for (_, rows) in structure.joints(&place) {
                let mut column_start = 0;
                for (_, columns) in structure.joints(&place) {
                    for row in row_start..row_start + rows {
                        for column in column_start..column_start + columns {
                            self.stiffness[self.block] = along_q[column * count + row];
                            self.damping[self.block] = along_v[column * count + row];
                            self.block += 1;
                        }
                    }
                    column_start += columns;
                }
                row_start += rows;
            }
            if E::SEGMENTS.is_empty() {
                continue;
            }
            E::rate_gradient(system, &place, t, motions, &u, &mut gradient);
            let start = structure.jacobian_starts[E::KIND] + place.element * shape.rows * shape.components;
            let [of_rows, of_rates] = &mut self.jacobians;
            for row in 0..shape.rows {
                let [jacobian, gradient] =
                    [&jacobian, &gradient].map(|matrix| &matrix.as_slice()[row * size..][..size]);
                let at = start + row * shape.components..start + row * shape.components + count;
                let out = [&mut of_rates[at.clone()], &mut of_rows[at]];
                pull::<M, F>(
                    system,
                    tangents,
                    (&place, paths),
                    |slot| (part(gradient, slot), part(jacobian, slot)),
                    out,
                );
            }
        }
    }
}
