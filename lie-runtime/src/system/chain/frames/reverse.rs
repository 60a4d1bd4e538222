//! Reverse-mode differentiation along a tree of frames, in O(N).
//!
//! Let yᵢ = A y₋ + J wᵢ be the weights of the frames. A contracted residual is a sum over frames,
//!
//! ```text
//! w · r = Σ yᵢ · ρᵢ(xᵢ, uᵢ, uᵢ'),    xᵢ = k(x₋, qᵢ),    uᵢ = A u₋ + J vᵢ + b,    uᵢ' = d/dt uᵢ.
//! ```
//!
//! A forward pass computes motions and weights. Each frame gets the cotangents D_x (y · ρ), D_u (y · ρ), M_x y and ρ of
//! x, u, u' and y. A backward pass carries them through the gradient of the recursion at each joint, which adds the
//! cotangents of its coordinates and of the parameters. Constraint rows are functions of x and u, with B v + b = B_x u
//! + b_x; the curvature κ_x + B_x u'₀ depends on u'₀ as well.

use nalgebra::DVector;

use super::FrameMotionOf;
use super::forward_pass::{buffered, with_motions};
use super::frame_elements::{gather, gather_rows};
use super::tree_dynamics::TreeDynamics;
use super::{FrameKinematics, FrameMotion, Frames, add, spin_regularisation};
use crate::system::chain::reverse::{Contraction, ReverseDynamics, ReverseVisitor};
use crate::system::chain::{ElementSystem, Link};
use crate::system::{Block, Cotangents, ElementLocation, ReverseTerm};

/// The cotangents of a frame's position, velocity, acceleration and weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameCotangents<U> {
    /// The derivative with respect to x, along left-trivialised displacements.
    pub frame: U,
    /// The derivative with respect to u.
    pub velocity: U,
    /// The derivative with respect to u'.
    pub acceleration: U,
    /// The derivative with respect to y.
    pub weight: U,
}

/// The motion of a frame and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedMotion<X, U> {
    /// x, u and u'.
    pub at: FrameMotion<X, U>,
    /// y.
    pub weight: U,
}

/// Frames with vector-Jacobian products; every method adds to the cotangents of the parameters.
pub trait ReverseFrames<M: ElementSystem>: Frames<M> {
    /// Calls `visitor` for every kind of elements over frames, in order.
    fn visit_frame_elements_reverse<V: ReverseVisitor<M, FrameKinematics<M, Self>>>(system: &M, visitor: &mut V);
    /// Adds the cotangents of the base with respect to the parameters.
    fn origin_pullback(system: &M, t: M::Scalar, of: &FrameCotangents<Self::Vector>, of_parameters: &mut [M::Scalar]);
    /// Computes the cotangents of the parent frame and of a joint's q and v from the cotangents of its frame; `own` are
    /// v, v' and w of the joint.
    #[allow(clippy::too_many_arguments)] // The recursion of motions and that of weights.
    fn motion_pullback(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &WeightedMotion<Self::Frame, Self::Vector>,
        own: [&Self::Member; 3],
        of: &FrameCotangents<Self::Vector>,
        of_parameters: &mut [M::Scalar],
    ) -> (FrameCotangents<Self::Vector>, [Self::Member; 2]);
    /// Adds the cotangents of y · ρ with respect to x and u, of all terms of frame i.
    fn residual_pullback(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &FrameMotion<Self::Frame, Self::Vector>,
        weights: &Self::Vector,
        out: &mut FrameCotangents<Self::Vector>,
        of_parameters: &mut [M::Scalar],
    );
}

impl<M: ElementSystem, F: ReverseFrames<M>> ReverseDynamics<M> for TreeDynamics<F> {
    #[allow(private_interfaces)]
    fn pull_back(
        system: &M,
        (t, q): (M::Scalar, &M::Configuration),
        contracted: Contraction<'_, M::Scalar>,
        out: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    ) {
        let [v, acceleration, weights] = match contracted {
            Contraction::Residual { v, acceleration, weights, .. } => [Some(v), Some(acceleration), Some(weights)],
            Contraction::Constraint { .. } => [None; 3],
            Contraction::Rate { v, .. } | Contraction::Curvature { v, .. } => [Some(v), None, None],
        };
        let structure = system.structure();
        let kinds = structure.layout().kinds.iter().zip(&structure.shapes);
        let has_rows = || kinds.filter(|(kind, _)| kind.over_frames).any(|(_, shape)| shape.rows > 0);
        if weights.is_none() && !(F::HAS_FRAME_ELEMENTS && has_rows()) {
            return;
        }
        if let [Some(v), Some(acceleration), Some(weights)] = [v, acceleration, weights] {
            let sums = [out.of_configuration.as_mut_slice(), out.of_velocity.as_mut_slice()];
            spin_regularisation::residual_pullback::<M, F>(system, q, [v, acceleration, weights], sums);
        }
        with_motions::<M, F, ()>(system, t, q, v, acceleration, |motions| {
            let sweep = ReverseSweep { system, t, q, motions, own: [v, acceleration, weights] };
            buffered(motions.len(), (F::Vector::zeros(), zeros::<M, F>()), |weighted| {
                sweep.back::<F>(contracted, weighted, out);
            });
        });
    }
}

fn zeros<M: ElementSystem, F: Frames<M>>() -> FrameCotangents<F::Vector> {
    let zero = F::Vector::zeros();
    FrameCotangents { frame: zero, velocity: zero, acceleration: zero, weight: zero }
}

/// The arguments of a reverse pass.
struct ReverseSweep<'a, M: ElementSystem, X, U> {
    system: &'a M,
    t: M::Scalar,
    q: &'a M::Configuration,
    motions: &'a [FrameMotion<X, U>],
    /// v, v' and w of all members; `None` for zeros.
    own: [Option<&'a [M::Scalar]>; 3],
}

impl<M: ElementSystem, X: Copy, U: Block<M::Scalar>> ReverseSweep<'_, M, X, U> {
    /// Runs the forward pass of weights and the backward pass of cotangents; the buffer contains y and the cotangents
    /// of every frame.
    fn back<F: ReverseFrames<M, Frame = X, Vector = U>>(
        &self,
        contracted: Contraction<'_, M::Scalar>,
        frames: &mut [(U, FrameCotangents<U>)],
        out: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    ) {
        let ReverseSweep { system, t, q, motions, own } = *self;
        let (links, base) = (system.structure().tree().links(), F::origin(system, t));
        let of = |link: &Link, vector: Option<&[M::Scalar]>| vector.map_or_else(F::Member::zeros, |all| link.of(all));
        let before = |frames: &[(U, FrameCotangents<U>)], link: &Link| match motions.get(link.parent) {
            Some(&at) => WeightedMotion { at, weight: frames[link.parent].0 },
            None => WeightedMotion { at: base, weight: U::zeros() },
        };
        if own[2].is_some() {
            for (place, (link, at)) in links.iter().zip(motions).enumerate() {
                let above = before(frames, link);
                let y = F::push(system, link, t, q, &above.at.frame, &above.weight, &of(link, own[2]));
                let (weight, cotangents) = &mut frames[place];
                *weight = y;
                F::residual_pullback(system, link, t, at, &y, cotangents, out.of_parameters);
                F::add_residual(system, link, t, at, &mut cotangents.weight);
                let mut inertia = F::Matrix::zeros();
                F::add_inertia(system, link, t, &at.frame, &mut inertia);
                let rows = inertia.as_slice().chunks_exact(F::FRAME);
                for (sum, row) in cotangents.acceleration.as_mut_slice().iter_mut().zip(rows) {
                    *sum = row.iter().zip(y.as_slice()).fold(*sum, |sum, (&entry, &y)| sum + entry * y);
                }
            }
        }
        if F::HAS_FRAME_ELEMENTS {
            let of_parameters = &mut *out.of_parameters;
            F::visit_frame_elements_reverse(
                system,
                &mut FrameElementPullback::<M, F> { system, t, motions, contracted, frames, of_parameters },
            );
        }
        let mut of_base = zeros::<M, F>();
        for (place, link) in links.iter().enumerate().rev() {
            let (above, [v, acceleration, w]) = (before(frames, link), own.map(|vector| of(link, vector)));
            let own = [&v, &acceleration, &w];
            let of = &frames[place].1;
            let (next, of_joint) = F::motion_pullback(system, link, t, q, &above, own, of, out.of_parameters);
            if let Some(range) = link.components() {
                let sums = [out.of_configuration.as_mut_slice(), out.of_velocity.as_mut_slice()];
                for (sums, terms) in sums.into_iter().zip(&of_joint) {
                    for (sum, &term) in sums[range.clone()].iter_mut().zip(terms.as_slice()) {
                        *sum += term;
                    }
                }
            }
            let sum = frames.get_mut(link.parent).map_or(&mut of_base, |(_, above)| above);
            add(&mut sum.frame, &next.frame);
            add(&mut sum.velocity, &next.velocity);
            add(&mut sum.acceleration, &next.acceleration);
            add(&mut sum.weight, &next.weight);
        }
        F::origin_pullback(system, t, &of_base, out.of_parameters);
    }
}

/// Adds the cotangents of elements over frames to their frames.
struct FrameElementPullback<'a, M: ElementSystem, F: Frames<M>> {
    system: &'a M,
    t: M::Scalar,
    motions: &'a FrameKinematics<M, F>,
    contracted: Contraction<'a, M::Scalar>,
    frames: &'a mut [(F::Vector, FrameCotangents<F::Vector>)],
    of_parameters: &'a mut [M::Scalar],
}

impl<M: ElementSystem, F: Frames<M>> FrameElementPullback<'_, M, F> {
    /// Adds a vector of the slots of an element to the cotangents of its frames.
    fn scatter(
        &mut self,
        place: &ElementLocation<'_>,
        local: &[M::Scalar],
        of: fn(&mut FrameCotangents<F::Vector>) -> &mut F::Vector,
    ) {
        for (terms, &at) in local.chunks_exact(F::FRAME).zip(place.members) {
            for (sum, &term) in of(&mut self.frames[at].1).as_mut_slice().iter_mut().zip(terms) {
                *sum += term;
            }
        }
    }

    /// Returns y of the frames of an element.
    fn weights(&self, place: &ElementLocation<'_>, out: &mut [M::Scalar]) {
        for (out, &at) in out.chunks_exact_mut(F::FRAME).zip(place.members) {
            out.copy_from_slice(self.frames[at].0.as_slice());
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> ReverseVisitor<M, FrameKinematics<M, F>> for FrameElementPullback<'_, M, F> {
    fn element<E: ReverseTerm<M, FrameKinematics<M, F>>>(&mut self) {
        let (system, t, motions) = (self.system, self.t, self.motions);
        let [mut u, mut rate, mut y] = [E::Vector::zeros(); 3];
        let mut rows = E::Rows::zeros();
        for place in system.structure().layout().kinds[E::KIND].places() {
            gather::<M, F>(&place, motions, |at: &FrameMotionOf<M, F>| &at.velocity, u.as_mut_slice());
            gather::<M, F>(&place, motions, |at| &at.acceleration, rate.as_mut_slice());
            let [mut of_frame, mut of_velocity, mut of_acceleration, mut unused] = [E::Vector::zeros(); 4];
            self.weights(&place, y.as_mut_slice());
            let of_parameters = &mut *self.of_parameters;
            let mut out = Cotangents { of_configuration: &mut of_frame, of_velocity: &mut of_velocity, of_parameters };
            match self.contracted {
                Contraction::Residual { multipliers, .. } => {
                    gather_rows(&place, E::SEGMENTS, multipliers, rows.as_mut_slice());
                    E::residual_pullback(system, &place, t, motions, &u, &rate, &rows, &y, &mut out);
                    let mut load = E::Vector::zeros();
                    E::residual(system, &place, t, motions, &u, &rate, &rows, &mut load);
                    self.scatter(&place, load.as_slice(), |of| &mut of.weight);
                }
                _ if E::SEGMENTS.is_empty() => return,
                Contraction::Constraint { weights } => {
                    gather_rows(&place, E::SEGMENTS, weights, rows.as_mut_slice());
                    E::constraint_pullback(system, &place, t, motions, &rows, &mut out);
                }
                Contraction::Rate { weights, .. } => {
                    gather_rows(&place, E::SEGMENTS, weights, rows.as_mut_slice());
                    E::rate_pullback(system, &place, t, motions, &u, &rows, &mut out);
                }
                Contraction::Curvature { weights, .. } => {
                    gather_rows(&place, E::SEGMENTS, weights, rows.as_mut_slice());
                    E::curvature_pullback(system, &place, t, motions, &u, &rows, &mut out);
                    // B_x u'₀ is the difference of B_x u + b_x at u = u'₀ and at u = 0.
                    out.of_velocity = &mut of_acceleration;
                    E::rate_pullback(system, &place, t, motions, &rate, &rows, &mut out);
                    for weight in rows.as_mut_slice() {
                        *weight = -*weight;
                    }
                    out.of_velocity = &mut unused;
                    E::rate_pullback(system, &place, t, motions, &E::Vector::zeros(), &rows, &mut out);
                    self.scatter(&place, of_acceleration.as_slice(), |of| &mut of.acceleration);
                }
            }
            self.scatter(&place, of_frame.as_slice(), |of| &mut of.frame);
            self.scatter(&place, of_velocity.as_slice(), |of| &mut of.velocity);
        }
    }
}
