//! The factors of a configuration: groups, and spaces on which one acts.

use core::fmt::Debug;

use super::operations::{OnElement, OnVectors};
use super::{LieGroup, TangentVector};
use crate::scalar::Scalar;

/// What the equations of motion need of a factor of the configuration: how velocities move it.
///
/// A Lie group is a factor, with left-trivialised velocities. On [`S2`](crate::space::S2) velocities ω are seen from space, q' = ω × q,
/// which is the trivialisation of the opposite group: q ∘ exp(θ) stands for exp(θ) q, T(θ) for T(−θ) of SO(3).
pub trait Factor: Clone + Debug {
    /// The number type.
    type Scalar: Scalar;
    /// Velocities.
    type Tangent: TangentVector<Scalar = Self::Scalar>;

    /// q ∘ exp(θ) into `out`, without allocating.
    fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self);
    /// A smallest θ with `from` ∘ exp(θ) = `to`.
    fn log_difference(from: &Self, to: &Self) -> Self::Tangent;
    /// T(θ) v, the velocity of q₀ ∘ exp(θ(t)) where θ' = v.
    fn tangent(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent;
    /// T(θ)ᵀ p, for covectors.
    fn tangent_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent;
    /// T(θ)⁻¹ v.
    fn tangent_inverse(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent;
    /// T(θ)⁻ᵀ p, for covectors.
    fn tangent_inverse_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent;
    /// ad_v w.
    fn bracket(v: &Self::Tangent, w: &Self::Tangent) -> Self::Tangent;
    /// ad_vᵀ p, the right-hand side of the Euler-Poincaré equations p' = ad_vᵀ p.
    fn coadjoint(v: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent;
    /// exp(ξ)·q, moved from the left by the group that acts, ξ as seen from space.
    fn moved_from_left(&self, xi: &Self::Tangent) -> Self;
    /// An operation of the group that acts, on two vectors or covectors as seen from space.
    fn spatial<O: OnVectors>(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent;
    /// The operation of the frame that velocities are declared in, q itself in a group, on a vector or a covector.
    fn framed<O: OnElement>(&self, vector: &Self::Tangent) -> Self::Tangent;
    /// The velocity of that frame where q moves with w, both as seen from space.
    fn frame_velocity(w: &Self::Tangent) -> Self::Tangent;
    /// True if every number that represents q is finite.
    fn is_finite(&self) -> bool;
    /// How far the numbers are from representing an element or a point, as of [groups](LieGroup::membership_defect).
    fn membership_defect(&self) -> f64;
    /// Brings the numbers back to an element from which round-off has moved them away: defects become their squares.
    fn renormalize(&mut self);

    /// True if velocities do not simply add up: a group moves points together with their velocities.
    ///
    /// It is so where some velocities move nothing, as those that turn about the direction of a [sphere](crate::space::S2).
    const MOVES_VELOCITIES: bool = false;

    /// q moved by exp(ξ), ξ = (θ, w), into `out`; returns its velocity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_with_velocity(&self, v: &Self::Tangent, xi: [&Self::Tangent; 2], out: &mut Self) -> Self::Tangent {
        self.compose_exp_into(xi[0], out);
        let mut moved = v.clone();
        moved.axpy(num_traits::One::one(), xi[1]);
        moved
    }
    /// The rate σ' of (q₀, v₀) moved by exp(σ) where it moves along `direction`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rate_with_velocity(sigma: [&Self::Tangent; 2], direction: [&Self::Tangent; 2]) -> [Self::Tangent; 2] {
        [Self::tangent_inverse(sigma[0], direction[0]), direction[1].clone()]
    }
    /// w such that (v, w) moves (q, v) along (v, v').
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn direction_of(&self, acceleration: &Self::Tangent) -> Self::Tangent {
        acceleration.clone()
    }
    /// Takes from v what moves nothing, unless it is round-off; the square of what was taken.
    fn remove_spin(&self, v: &mut Self::Tangent) -> f64 {
        let _ = v;
        0.0
    }
    /// Back through that: the cotangents of q, along q ∘ exp, and of v before, by that of v after it.
    fn spin_pullback(&self, v: &Self::Tangent, of_v: &Self::Tangent) -> [Self::Tangent; 2] {
        let mut of_configuration = v.clone();
        of_configuration.fill(num_traits::Zero::zero());
        [of_configuration, of_v.clone()]
    }
}

impl<G: LieGroup> Factor for G {
    type Scalar = G::Scalar;
    type Tangent = G::Tangent;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose_exp_into(&self, theta: &G::Tangent, out: &mut G) {
        LieGroup::compose_exp_into(self, theta, out);
    }
    #[inline]
    fn log_difference(from: &G, to: &G) -> G::Tangent {
        LieGroup::log(&from.inverse().compose(to))
    }
    #[inline]
    fn tangent(theta: &G::Tangent, v: &G::Tangent) -> G::Tangent {
        <G as LieGroup>::tangent(theta, v)
    }
    #[inline]
    fn tangent_transpose(theta: &G::Tangent, p: &G::Tangent) -> G::Tangent {
        <G as LieGroup>::tangent_transpose(theta, p)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent_inverse(theta: &G::Tangent, v: &G::Tangent) -> G::Tangent {
        <G as LieGroup>::tangent_inverse(theta, v)
    }
    #[inline]
    fn tangent_inverse_transpose(theta: &G::Tangent, p: &G::Tangent) -> G::Tangent {
        <G as LieGroup>::tangent_inverse_transpose(theta, p)
    }
    #[inline]
    fn bracket(v: &G::Tangent, w: &G::Tangent) -> G::Tangent {
        <G as LieGroup>::bracket(v, w)
    }
    #[inline]
    fn coadjoint(v: &G::Tangent, p: &G::Tangent) -> G::Tangent {
        <G as LieGroup>::coadjoint(v, p)
    }
    #[inline]
    fn moved_from_left(&self, xi: &G::Tangent) -> G {
        G::exp(xi).compose(self)
    }
    #[inline]
    fn spatial<O: OnVectors>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent {
        O::of::<G>(a, b)
    }
    #[inline]
    fn framed<O: OnElement>(&self, vector: &G::Tangent) -> G::Tangent {
        O::of(self, vector)
    }
    #[inline]
    fn frame_velocity(w: &G::Tangent) -> G::Tangent {
        w.clone()
    }
    #[inline]
    fn is_finite(&self) -> bool {
        LieGroup::is_finite(self)
    }
    fn membership_defect(&self) -> f64 {
        LieGroup::membership_defect(self)
    }
    fn renormalize(&mut self) {
        LieGroup::renormalize(self);
    }
}
