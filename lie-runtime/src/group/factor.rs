//! Factors of a configuration: Lie groups, and spaces on which a Lie group acts.

use core::fmt::Debug;

use super::operations::{OnElement, OnVectors};
use super::{LieGroup, TangentVector};
use crate::scalar::Scalar;

/// A factor of the configuration, with the operations that the equations of motion need.
///
/// A Lie group is a factor with left-trivialised velocities. [`S2`](crate::space::S2) has spatial velocities ω with q' = ω × q. This is the
/// trivialisation of the opposite group: q ∘ exp(θ) stands for exp(θ) q, and T(θ) for T(−θ) of SO(3).
#[doc(hidden)]
pub trait Factor: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// Velocities.
    type Tangent: TangentVector<Scalar = Self::Scalar>;

    /// q ∘ exp(θ) into `out`, without allocating.
    fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self);
    /// Returns a smallest θ with `from` ∘ exp(θ) = `to`.
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
    /// Returns exp(ξ)·q, the action of the group from the left; ξ has spatial components.
    fn moved_from_left(&self, xi: &Self::Tangent) -> Self;
    /// Applies an operation of the acting group to two vectors or covectors in spatial components.
    fn spatial<O: OnVectors>(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent;
    /// Applies an operation of the velocity frame (q itself for a group) to a vector or a covector.
    fn framed<O: OnElement>(&self, vector: &Self::Tangent) -> Self::Tangent;
    /// Returns the velocity of the velocity frame if q moves with w; both in spatial components.
    fn frame_velocity(w: &Self::Tangent) -> Self::Tangent;
    /// True if every component of q is finite.
    fn is_finite(&self) -> bool;
    /// The distance from the manifold, as for [groups](LieGroup::membership_defect).
    fn membership_defect(&self) -> f64;
    /// Removes the drift from the manifold due to round-off. The remaining defect is the square of the previous defect.
    fn renormalize(&mut self);

    /// True if the group moves points together with their velocities, so that velocities are not simply added.
    ///
    /// This is the case if some velocities do not move the point, such as rotations about the direction of a [sphere](crate::space::S2).
    const MOVES_VELOCITIES: bool = false;

    /// Moves (q, v) by exp(ξ) with ξ = (θ, w): writes the configuration into `out` and returns the velocity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_with_velocity(&self, v: &Self::Tangent, xi: [&Self::Tangent; 2], out: &mut Self) -> Self::Tangent {
        self.compose_exp_into(xi[0], out);
        let mut moved = v.clone();
        moved.axpy(num_traits::One::one(), xi[1]);
        moved
    }
    /// Returns the rate σ' of the coordinates σ of (q, v) = exp(σ)·(q₀, v₀) for motion along `direction`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rate_with_velocity(sigma: [&Self::Tangent; 2], direction: [&Self::Tangent; 2]) -> [Self::Tangent; 2] {
        [Self::tangent_inverse(sigma[0], direction[0]), direction[1].clone()]
    }
    /// Returns w such that (v, w) moves (q, v) along (v, v').
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn direction_of(&self, acceleration: &Self::Tangent) -> Self::Tangent {
        acceleration.clone()
    }
    /// Removes the component of v that does not move q, unless it is round-off. Returns the square of its norm.
    fn remove_spin(&self, v: &mut Self::Tangent) -> f64 {
        let _ = v;
        0.0
    }
    /// The reverse pass of [`remove_spin`](Self::remove_spin): the cotangents of q and of v before, from the cotangent of v after.
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
