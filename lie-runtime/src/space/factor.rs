//! The factors of a configuration: groups, and spaces on which one acts.

use core::fmt::Debug;

use nalgebra::{SMatrix, SVector, Vector3, Vector6};

use super::operations::{OnElement, OnVectors};
use super::{HomogeneousSpace, S2, TS2};
use crate::group::{
    CoordinateMap, LieGroup, LocalCoordinates, LocalGradient, LocalMotion, SE3, SO3, TangentVector, TwistParts, cross,
};
use crate::scalar::Scalar;
use crate::singular::arctangent;

/// What the equations of motion need of a factor of the configuration: how velocities move it.
///
/// A Lie group is a factor, with left-trivialised velocities. On [`S2`] velocities ω are seen from space, q' = ω × q,
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
    /// It is so where some velocities move nothing, as those that turn about the direction of a [sphere](S2).
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

impl<S: Scalar> Factor for S2<S> {
    type Scalar = S;
    type Tangent = Vector3<S>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose_exp_into(&self, theta: &Vector3<S>, out: &mut Self) {
        self.moved_along(theta, out);
    }
    /// Orthogonal to both points; any such turn takes a point to its opposite.
    fn log_difference(from: &Self, to: &Self) -> Vector3<S> {
        let (q, sum) = (from.direction(), from.direction() + to.direction());
        // tan(φ/2) n = q × p / (1 + q · p), and 1 + q · p = |q + p|² / 2 without cancellation.
        let below = S::from_f64(0.5) * sum.dot(&sum);
        if below.value() < f64::MIN_POSITIVE {
            let axis = if q.x.value().abs() < 0.5 { Vector3::x() } else { Vector3::y() };
            let normal: Vector3<S> = cross(&q, &axis.map(S::from_f64));
            return normal * (S::from_f64(core::f64::consts::PI) * normal.dot(&normal).sqrt().recip());
        }
        let half = cross(&q, &sum) * below.recip();
        half * (S::from_f64(2.0) * arctangent(0, half.dot(&half)))
    }
    #[inline]
    fn tangent(theta: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        <SO3<S> as LieGroup>::tangent(&-theta, v)
    }
    #[inline]
    fn tangent_transpose(theta: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
        <SO3<S> as LieGroup>::tangent_transpose(&-theta, p)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent_inverse(theta: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        <SO3<S> as LieGroup>::tangent_inverse(&-theta, v)
    }
    #[inline]
    fn tangent_inverse_transpose(theta: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
        <SO3<S> as LieGroup>::tangent_inverse_transpose(&-theta, p)
    }
    #[inline]
    fn bracket(v: &Vector3<S>, w: &Vector3<S>) -> Vector3<S> {
        cross(w, v)
    }
    #[inline]
    fn coadjoint(v: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
        cross(v, p)
    }
    #[inline]
    fn moved_from_left(&self, xi: &Vector3<S>) -> Self {
        self.moved_by(&SO3::exp(xi))
    }
    #[inline]
    fn spatial<O: OnVectors>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
        O::of::<SO3<S>>(a, b)
    }
    #[inline]
    fn framed<O: OnElement>(&self, vector: &Vector3<S>) -> Vector3<S> {
        *vector
    }
    #[inline]
    fn frame_velocity(_: &Vector3<S>) -> Vector3<S> {
        crate::scalar::zeros()
    }
    #[inline]
    fn is_finite(&self) -> bool {
        HomogeneousSpace::is_finite(self)
    }
    fn membership_defect(&self) -> f64 {
        HomogeneousSpace::membership_defect(self)
    }
    fn renormalize(&mut self) {
        HomogeneousSpace::renormalize(self);
    }

    // SE(3) acts on (q, ω), see `TS2` (paper 3, section 5.1).
    const MOVES_VELOCITIES: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_with_velocity(&self, v: &Vector3<S>, xi: [&Vector3<S>; 2], out: &mut Self) -> Vector3<S> {
        let moved = TS2::new_unchecked(self.direction(), *v).moved_by(&SE3::exp(&twist(xi)));
        *out = S2::new_unchecked(moved.direction());
        moved.angular_velocity()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rate_with_velocity(sigma: [&Vector3<S>; 2], direction: [&Vector3<S>; 2]) -> [Vector3<S>; 2] {
        let rate = <SE3<S> as LieGroup>::tangent_inverse(&-twist(sigma), &twist(direction));
        [rate.angular(), rate.linear()]
    }
    /// q × ω'.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn direction_of(&self, acceleration: &Vector3<S>) -> Vector3<S> {
        cross(&self.direction(), acceleration)
    }
    /// Of ω what turns about q.
    fn remove_spin(&self, omega: &mut Vector3<S>) -> f64 {
        let q = self.direction();
        let along = q.dot(omega);
        let square = along.value() * along.value();
        let is_negligible = square <= ROUND_OFF * ROUND_OFF * omega.dot(omega).value();
        if is_negligible {
            // What it would be of a value that moves is none.
            if S::HAS_DERIVATIVES {
                *omega -= q * along.derivatives();
            }
            return 0.0;
        }
        *omega -= q * along;
        square
    }
    /// With δq = ξ × q the change of ω − q (q · ω) is (I − q qᵀ) δω − ξ × q (q · ω) − q (ξ × q) · ω.
    fn spin_pullback(&self, omega: &Vector3<S>, of_omega: &Vector3<S>) -> [Vector3<S>; 2] {
        let q = self.direction();
        let along = q.dot(of_omega);
        [cross(omega, &q) * along + cross(of_omega, &q) * q.dot(omega), of_omega - q * along]
    }
}

/// A part of ω along q that is smaller than this part of ω is round-off.
const ROUND_OFF: f64 = 1e-14;

/// (θ, w).
#[inline]
fn twist<S: Scalar>([theta, w]: [&Vector3<S>; 2]) -> Vector6<S> {
    Vector6::new(theta.x, theta.y, theta.z, w.x, w.y, w.z)
}

/// q = μ(x) q₀ has the velocity of μ(−x)⁻¹: that of SO(3) along −x, −x', −x'', with the opposite sign.
impl<S: Scalar> LocalCoordinates<S, 3> for S2<S> {
    /// e₃.
    fn origin() -> Self {
        S2::new_unchecked(Vector3::new(S::zero(), S::zero(), S::one()))
    }
    #[inline]
    fn tangent_matrix(theta: &SVector<S, 3>) -> SMatrix<S, 3, 3> {
        SO3::tangent_matrix(&-theta)
    }
    #[inline]
    fn tangent_inverse_matrix(theta: &SVector<S, 3>) -> SMatrix<S, 3, 3> {
        SO3::tangent_inverse_matrix(&-theta)
    }
    #[inline]
    fn local_motion(
        map: &CoordinateMap,
        x: &SVector<S, 3>,
        rate: &SVector<S, 3>,
        second: &SVector<S, 3>,
    ) -> LocalMotion<SVector<S, 3>> {
        let LocalMotion { theta, velocity, acceleration } = SO3::local_motion(map, &-x, &-rate, &-second);
        LocalMotion { theta: -theta, velocity: -velocity, acceleration: -acceleration }
    }
    #[inline]
    fn local_gradient(
        map: &CoordinateMap,
        x: &SVector<S, 3>,
        rate: &SVector<S, 3>,
        second: &SVector<S, 3>,
    ) -> LocalGradient<S, 3> {
        SO3::local_gradient(map, &-x, &-rate, &-second)
    }
    #[inline]
    fn rate_pullback([theta, v]: [&SVector<S, 3>; 2], p: &SVector<S, 3>) -> [SVector<S, 3>; 2] {
        let [of_minus, of_v] = SO3::rate_pullback([&-theta, v], p);
        [-of_minus, of_v]
    }
}
