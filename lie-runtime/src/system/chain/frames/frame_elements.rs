//! Elements over frames: interactions between frames, and constraints on frames.
//!
//! Such an element is a small system in the positions x and velocities u of the frames that are its slots. With u = X v
//! + u_t, where X contains the columns of all joints on the paths from these frames to the root,
//!
//! ```text
//! B = B_x X,   b = b_x + B_x u_t,   κ = κ_x + B_x u'₀,   r = Xᵀ r_x,
//! ```
//!
//! where u'₀ are the accelerations at v' = 0. X is not formed: a row of B_x is a covector on the frames, which a
//! backward pass carries from joint to joint; where two paths meet, the covectors are added.

use super::forward_pass::{with_frames, with_motions};
use super::{FrameElementVisitor, FrameKinematics, FrameMotionOf, Frames};
use crate::scalar::Scalar;
use crate::system::chain::ElementSystem;
use crate::system::chain::element_shape::{ElementShape, global_rows};
use crate::system::{Block, ElementLocation, Term};

/// The largest number of frames of an element; the macro rejects more.
const MOST: usize = 8;

/// Collects the shapes of elements over frames.
pub(super) struct FrameShapeCollector<'a>(pub &'a mut Vec<ElementShape>);

impl<M: ElementSystem, F: Frames<M>> FrameElementVisitor<M, F> for FrameShapeCollector<'_> {
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self) {
        self.0.push(ElementShape {
            slots: &[],
            segments: E::SEGMENTS,
            components: 0,
            rows: E::SEGMENTS.iter().sum(),
            holonomic: E::HOLONOMIC_ROWS,
            reach: if E::SEGMENTS.is_empty() { 0 } else { F::FRAME },
            terms: E::CONTRIBUTIONS,
        });
    }
}

/// Copies a vector of each slot's frame.
#[inline]
pub(super) fn gather<M: ElementSystem, F: Frames<M>>(
    place: &ElementLocation<'_>,
    motions: &FrameKinematics<M, F>,
    of: impl Fn(&FrameMotionOf<M, F>) -> &F::Vector,
    out: &mut [M::Scalar],
) {
    for (out, &at) in out.chunks_exact_mut(F::FRAME).zip(place.members) {
        out.copy_from_slice(of(&motions[at]).as_slice());
    }
}

/// Copies the multipliers of an element; missing multipliers are zero.
#[inline]
pub(super) fn gather_rows<S: Scalar>(
    place: &ElementLocation<'_>,
    segments: &'static [usize],
    multipliers: &[S],
    out: &mut [S],
) {
    for (out, row) in out.iter_mut().zip(global_rows(place, segments)) {
        *out = multipliers.get(row).copied().unwrap_or_else(S::zero);
    }
}

/// The covectors of the frames that elements over frames contribute to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CovectorKind<'a, S> {
    /// −g_x − M_x u' at v' = 0.
    Force,
    /// M_x u' + g_x at given v'.
    Residual(&'a [S]),
}

/// Adds the forces of the elements to their frames: −g, or r.
pub(super) struct FrameLoads<'a, M: ElementSystem, F: Frames<M>> {
    pub system: &'a M,
    pub t: M::Scalar,
    pub motions: &'a FrameKinematics<M, F>,
    pub covector: CovectorKind<'a, M::Scalar>,
    pub multipliers: &'a [M::Scalar],
    pub out: &'a mut [F::Vector],
}

impl<M: ElementSystem, F: Frames<M>> FrameElementVisitor<M, F> for FrameLoads<'_, M, F> {
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self) {
        let (system, t, motions) = (self.system, self.t, self.motions);
        let (mut u, mut rate, mut local) = (E::Vector::zeros(), E::Vector::zeros(), E::Vector::zeros());
        let mut multipliers = E::Rows::zeros();
        for place in system.structure().layout().kinds[E::KIND].places() {
            gather::<M, F>(&place, motions, |at| &at.velocity, u.as_mut_slice());
            match self.covector {
                CovectorKind::Force if E::CONTRIBUTIONS.force => E::force(system, &place, t, motions, &u, &mut local),
                CovectorKind::Residual(_) => {
                    gather::<M, F>(&place, motions, |at| &at.acceleration, rate.as_mut_slice());
                    gather_rows(&place, E::SEGMENTS, self.multipliers, multipliers.as_mut_slice());
                    E::residual(system, &place, t, motions, &u, &rate, &multipliers, &mut local);
                }
                CovectorKind::Force => return,
            }
            for (term, &at) in local.as_slice().chunks_exact(F::FRAME).zip(place.members) {
                for (sum, &term) in self.out[at].as_mut_slice().iter_mut().zip(term) {
                    *sum += term;
                }
            }
        }
    }
}

/// A vector of the constraint rows.
#[derive(Clone, Copy)]
enum RowQuantity {
    Constraint,
    Drift,
    Curvature,
}

/// Sets the constraint rows.
struct SetRows<'a, M: ElementSystem, F: Frames<M>> {
    system: &'a M,
    t: M::Scalar,
    motions: &'a FrameKinematics<M, F>,
    rows: RowQuantity,
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem, F: Frames<M>> FrameElementVisitor<M, F> for SetRows<'_, M, F> {
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self) {
        if E::SEGMENTS.is_empty() {
            return;
        }
        let (system, t, motions) = (self.system, self.t, self.motions);
        let (mut u, mut moved) = (E::Vector::zeros(), E::Vector::zeros());
        let (mut local, mut jacobian) = (E::Rows::zeros(), E::Jacobian::zeros());
        for place in system.structure().layout().kinds[E::KIND].places() {
            gather::<M, F>(&place, motions, |at| &at.velocity, u.as_mut_slice());
            match self.rows {
                RowQuantity::Constraint => E::constraint(system, &place, t, motions, &mut local),
                RowQuantity::Drift => {
                    E::constraint_drift(system, &place, t, motions, &mut local);
                    moved = u;
                }
                RowQuantity::Curvature => {
                    E::constraint_curvature(system, &place, t, motions, &u, &mut local);
                    gather::<M, F>(&place, motions, |at| &at.acceleration, moved.as_mut_slice());
                }
            }
            if !matches!(self.rows, RowQuantity::Constraint) {
                E::constraint_jacobian(system, &place, t, motions, &mut jacobian);
                let rows = jacobian.as_slice().chunks_exact(moved.as_slice().len());
                for (sum, row) in local.as_mut_slice().iter_mut().zip(rows) {
                    *sum = row.iter().zip(moved.as_slice()).fold(*sum, |sum, (&entry, &u)| sum + entry * u);
                }
            }
            for (&value, row) in local.as_slice().iter().zip(global_rows(&place, E::SEGMENTS)) {
                self.out[row] = value;
            }
        }
    }
}

fn set_rows<M: ElementSystem, F: Frames<M>>(
    system: &M,
    (t, q): (M::Scalar, &M::Configuration),
    v: Option<&[M::Scalar]>,
    rows: RowQuantity,
    out: &mut [M::Scalar],
) {
    if F::HAS_FRAME_ELEMENTS {
        with_motions::<M, F, ()>(system, t, q, v, None, |motions| {
            F::visit_frame_elements(system, &mut SetRows { system, t, motions, rows, out });
        });
    }
}

/// Φ.
pub(super) fn constraint<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    out: &mut [M::Scalar],
) {
    if F::HAS_FRAME_ELEMENTS {
        let rows = RowQuantity::Constraint;
        with_frames::<M, F, ()>(system, t, q, |motions| {
            F::visit_frame_elements(system, &mut SetRows { system, t, motions, rows, out });
        });
    }
}

/// b.
pub(super) fn drift<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    out: &mut [M::Scalar],
) {
    if F::HAS_DRIFT {
        return set_rows::<M, F>(system, (t, q), None, RowQuantity::Drift, out);
    }
    let structure = system.structure();
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes);
    for (kind, shape) in kinds.filter(|(kind, shape)| kind.over_frames && shape.rows > 0) {
        for (function, rows) in shape.segments.iter().enumerate() {
            out[kind.start(function)..][..rows * kind.count].fill(M::Scalar::from_f64(0.0));
        }
    }
}

/// The terms of d/dt (B v + b) that are free of v'.
pub(super) fn curvature<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
    out: &mut [M::Scalar],
) {
    set_rows::<M, F>(system, (t, q), Some(v), RowQuantity::Curvature, out);
}

/// Sets the curvature for known motions at v' = 0.
pub(super) fn curvature_of<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    motions: &FrameKinematics<M, F>,
    out: &mut [M::Scalar],
) {
    if F::HAS_FRAME_ELEMENTS {
        F::visit_frame_elements(system, &mut SetRows { system, t, motions, rows: RowQuantity::Curvature, out });
    }
}

/// Returns a value for each slot of an element.
#[inline]
pub(super) fn of_slots<W: Copy>(place: &ElementLocation<'_>, none: W, of: impl Fn(usize) -> W) -> [W; MOST] {
    let mut all = [none; MOST];
    all.iter_mut().take(place.members.len()).enumerate().for_each(|(slot, own)| *own = of(slot));
    all
}

/// Returns part `slot` of a local row.
#[inline]
pub(super) fn part<S: Scalar, V: Block<S>>(row: &[S], slot: usize) -> V {
    let mut part = V::zeros();
    let size = part.as_slice().len();
    part.as_mut_slice().copy_from_slice(&row[slot * size..][..size]);
    part
}

/// Allocates the motions for [`jacobian`](super::frame_element_jacobian::jacobian), one for every frame; none without
/// elements over frames.
pub(super) fn kinematics<M: ElementSystem, F: Frames<M>>(system: &M) -> Vec<FrameMotionOf<M, F>> {
    let count = if F::HAS_FRAME_ELEMENTS { system.structure().tree().links().len() } else { 0 };
    vec![F::origin(system, M::Scalar::from_f64(0.0)); count]
}

/// Adds up the potential energy.
struct SumPotential<'a, M: ElementSystem, F: Frames<M>> {
    system: &'a M,
    t: M::Scalar,
    motions: &'a FrameKinematics<M, F>,
    sum: M::Scalar,
}

impl<M: ElementSystem, F: Frames<M>> FrameElementVisitor<M, F> for SumPotential<'_, M, F> {
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self) {
        for place in self.system.structure().layout().kinds[E::KIND].places() {
            self.sum += E::potential_energy(self.system, &place, self.t, self.motions);
        }
    }
}

/// The potential energy.
pub(super) fn potential_energy<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> M::Scalar {
    let sum = M::Scalar::from_f64(0.0);
    if !F::HAS_FRAME_ELEMENTS {
        return sum;
    }
    with_frames::<M, F, _>(system, t, q, |motions| {
        let mut potential = SumPotential { system, t, motions, sum };
        F::visit_frame_elements(system, &mut potential);
        potential.sum
    })
}
