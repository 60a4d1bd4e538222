//! The sphere as a factor of a configuration.

use nalgebra::{SMatrix, SVector, Vector3, Vector6};

use super::{HomogeneousSpace, S2, TS2};
use crate::group::{
    CoordinateMap, Factor, LieGroup, LocalCoordinates, LocalGradient, LocalMotion, OnElement, OnVectors, SE3, SO3,
    TwistParts, cross,
};
use crate::scalar::Scalar;
use crate::scalar::singular::arctangent;

impl<S: Scalar> Factor for S2<S> {
    type Scalar = S;
    type Tangent = Vector3<S>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose_exp_into(&self, theta: &Vector3<S>, out: &mut Self) {
        self.moved_along(theta, out);
    }
    /// Orthogonal to both points. For opposite points every such rotation is a solution.
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
    /// Removes the component of ω along q.
    fn remove_spin(&self, omega: &mut Vector3<S>) -> f64 {
        let q = self.direction();
        let along = q.dot(omega);
        let square = along.value() * along.value();
        let is_negligible = square <= ROUND_OFF * ROUND_OFF * omega.dot(omega).value();
        if is_negligible {
            // The derivative is zero for a constant value.
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

/// A component of ω along q below this fraction of |ω| is round-off.
const ROUND_OFF: f64 = 1e-14;

/// (θ, w).
#[inline]
fn twist<S: Scalar>([theta, w]: [&Vector3<S>; 2]) -> Vector6<S> {
    Vector6::new(theta.x, theta.y, theta.z, w.x, w.y, w.z)
}

/// q = μ(x) q₀ has the velocity of μ(−x)⁻¹: the velocity of SO(3) along −x, −x', −x'' with the opposite sign.
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
