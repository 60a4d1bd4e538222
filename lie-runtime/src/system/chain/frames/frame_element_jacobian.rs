//! B of elements over frames: the rows of an element are covectors that a backward pass carries to the joints.

use super::forward_pass::set_frames;
use super::frame_elements::part;
use super::{FrameElementVisitor, FrameKinematics, Frames, add};
use crate::scalar::Scalar;
use crate::system::chain::ElementSystem;
use crate::system::chain::element_shape::global_rows;
use crate::system::chain::kinematic_tree::{PathEvent, copy};
use crate::system::{Block, Term};

/// Adds one part of a local row to another part. Returns false if they cancel to round-off, as in an element with
/// opposite forces on two frames: ancestors of both frames do not move it.
#[inline]
fn add_unless_balanced<S: Scalar, V: Block<S>>(row: &mut [S], slot: usize, other: usize) -> bool {
    // Not `max`, which tests for NaN.
    let larger = |size: f64, entry: f64| if entry > size { entry } else { size };
    let (mut sum, term): (V, V) = (part(row, slot), part(row, other));
    // The part that cancels it has the same size.
    let size = sum.as_slice().iter().fold(0.0, |size, entry| larger(size, entry.value().abs()));
    let round_off = 16.0 * S::epsilon() * size;
    add(&mut sum, &term);
    let is_known = round_off < f64::INFINITY && !S::HAS_DERIVATIVES && S::LANES == 1;
    let is_zero = |all: bool, entry: &S| all & (entry.value().abs() <= round_off);
    let is_balanced = is_known && sum.as_slice().iter().fold(true, is_zero);
    set_part(row, slot, &if is_balanced { V::zeros() } else { sum });
    !is_balanced
}

/// Sets part `slot` of a local row.
#[inline]
fn set_part<S: Scalar, V: Block<S>>(row: &mut [S], slot: usize, part: &V) {
    let size = part.as_slice().len();
    row[slot * size..][..size].copy_from_slice(part.as_slice());
}

/// Carries `R` rows across a joint, so that common subexpressions are computed once. The covectors on the parent frame
/// replace those on the frame; the entries of the joint, `count` of at most `largest`, go to `out`. Returns R.
#[cfg_attr(not(debug_assertions), inline(always))]
fn pull_rows<S: Scalar, V: Block<S>, W: Block<S>, const R: usize>(
    pull: impl Fn(&V) -> (V, W),
    (rows, size, slot): (&mut [S], usize, usize),
    (out, stride): (&mut [S], usize),
    (count, largest): (usize, usize),
) -> usize {
    let mut pulled = [(V::zeros(), W::zeros()); R];
    for (row, pulled) in pulled.iter_mut().enumerate() {
        *pulled = pull(&part(&rows[row * size..][..size], slot));
    }
    for (row, (next, own)) in pulled.iter().enumerate() {
        set_part(&mut rows[row * size..][..size], slot, next);
        copy(own.as_slice(), &mut out[row * stride..], count, largest);
    }
    R
}

/// Sets the list of Jacobians.
struct SetFrameJacobian<'a, M: ElementSystem, F: Frames<M>> {
    system: &'a M,
    t: M::Scalar,
    q: &'a M::Configuration,
    motions: &'a FrameKinematics<M, F>,
    origin: F::Frame,
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem, F: Frames<M>> FrameElementVisitor<M, F> for SetFrameJacobian<'_, M, F> {
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self) {
        if E::SEGMENTS.is_empty() {
            return;
        }
        let (system, t, q, motions) = (self.system, self.t, self.q, self.motions);
        let structure = system.structure();
        let (links, shape) = (structure.tree().links(), &structure.shapes[E::KIND]);
        if shape.components == 0 {
            // The element has no free joint.
            return;
        }
        let (mut local, zero) = (E::Jacobian::zeros(), M::Scalar::from_f64(0.0));
        let size = F::FRAME * E::SLOTS.len();
        let (lists, reaches) = self.out.split_at_mut(structure.reach_of(0));
        let lists = lists[structure.jacobian_starts[E::KIND]..].chunks_exact_mut(shape.rows * shape.components);
        for (place, out) in structure.layout().kinds[E::KIND].places().zip(lists) {
            E::constraint_jacobian(system, &place, t, motions, &mut local);
            // The rows of an element are processed together; the remaining covectors replace the local row.
            let (local, mut at, stride) = (local.as_mut_slice(), 0, shape.components);
            let rows = local.len() / size;
            structure.tree().paths_of_element(E::KIND, place.element).visit_backward(|event| match event {
                PathEvent::Meeting(slot, other) => local.chunks_exact_mut(size).fold(false, |is_there, row| {
                    add_unless_balanced::<M::Scalar, F::Vector>(row, slot, other) | is_there
                }),
                PathEvent::Together(slot) => {
                    for (row, at) in local.chunks_exact(size).zip(global_rows(&place, E::SEGMENTS)) {
                        let own = part::<M::Scalar, F::Vector>(row, slot);
                        reaches[at * F::FRAME..][..F::FRAME].copy_from_slice(own.as_slice());
                    }
                    true
                }
                PathEvent::Nothing(place) => {
                    let count = links[place].components().map_or(0, |own| own.len());
                    (0..rows).for_each(|row| out[row * stride + at..][..count].fill(zero));
                    at += count;
                    true
                }
                PathEvent::Joint(slot, place) => {
                    let link = &links[place];
                    let above = motions.get(link.parent).map_or(&self.origin, |above| &above.frame);
                    let pull = |w: &F::Vector| F::pull(system, link, t, q, above, w);
                    let counts @ (count, _) = (link.components().map_or(0, |own| own.len()), F::MEMBER);
                    let mut first = 0;
                    while first < rows {
                        let from = (&mut local[first * size..], size, slot);
                        let to = (&mut out[first * stride + at..], stride);
                        first += match rows - first {
                            1 => pull_rows::<_, _, _, 1>(pull, from, to, counts),
                            2 => pull_rows::<_, _, _, 2>(pull, from, to, counts),
                            _ => pull_rows::<_, _, _, 3>(pull, from, to, counts),
                        };
                    }
                    at += count;
                    true
                }
            });
            (0..rows).for_each(|row| out[row * stride + at..(row + 1) * stride].fill(zero));
        }
    }
}

/// Computes B; the positions of the frames remain in `kinematics`.
pub(super) fn jacobian<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    kinematics: &mut FrameKinematics<M, F>,
    out: &mut [M::Scalar],
) {
    if F::HAS_FRAME_ELEMENTS {
        let origin = F::origin(system, t).frame;
        out[system.structure().reach_of(0)..].fill(M::Scalar::from_f64(0.0));
        set_frames::<M, F>(system, t, q, kinematics);
        F::visit_frame_elements(system, &mut SetFrameJacobian { system, t, q, motions: kinematics, origin, out });
    }
}
