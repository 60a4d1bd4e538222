//! SE(2): rigid motions of the plane.

use nalgebra::{Vector1, Vector2, Vector3};

use super::operators::{action, composition};
use super::{LieGroup, SO2, TangentVector};
use crate::scalar::Scalar;
use crate::scalar::singular::{gamma, stumpff};

/// A rigid motion x ↦ R x + t of the plane; body velocities (ω, U) with t' = R U.
///
/// [`exp`](crate::group::LieGroup::exp), [`log`](crate::group::LieGroup::log) and [`inverse`](crate::group::LieGroup::inverse) are methods
/// of [`LieGroup`](crate::group::LieGroup). `a * b` is the product, `a * point` the moved point`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "planar joint")]
#[doc(alias = "planar rigid body")]
pub struct SE2<S: Scalar = f64> {
    /// The rotation R, body to space.
    pub rotation: SO2<S>,
    /// The position t of the body's origin in space.
    pub translation: Vector2<S>,
}

/// Returns ω and U of a twist.
#[inline]
fn split<S: Scalar>(twist: &Vector3<S>) -> (S, Vector2<S>) {
    (twist.x, Vector2::new(twist.y, twist.z))
}

/// The twist (ω, U).
#[inline]
fn join<S: Scalar>(angular: S, linear: &Vector2<S>) -> Vector3<S> {
    Vector3::new(angular, linear.x, linear.y)
}

/// J u: rotation by π/2.
#[inline]
fn turn<S: Scalar>(u: &Vector2<S>) -> Vector2<S> {
    Vector2::new(-u.y, u.x)
}

/// I + `first` ad + `second` ad², where ad of (ω, U) is (w, u) ↦ (0, J (ω u − w U)).
struct AdPolynomial<S> {
    first: S,
    second: S,
}

impl<S: Scalar> AdPolynomial<S> {
    /// T = I − c₂ ad + c₃ ad², as on SO(3).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent(omega: S) -> Self {
        let z = omega * omega;
        Self { first: -stumpff(2, 0, z), second: stumpff(3, 0, z) }
    }
    /// T⁻¹ = I + ½ ad + γ ad².
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent_inverse(omega: S) -> Self {
        Self { first: S::from_f64(0.5), second: gamma(0, omega * omega) }
    }
    /// P u = (first J − second ω) u: first ad + second ad² is (w, u) ↦ (0, P (ω u − w U)).
    #[inline]
    fn part(&self, omega: S, u: &Vector2<S>) -> Vector2<S> {
        turn(u) * self.first - u * (self.second * omega)
    }
    #[inline]
    fn apply(&self, theta: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        let ((omega, u_theta), (w, u)) = (split(theta), split(v));
        join(w, &(u + self.part(omega, &(u * omega - u_theta * w))))
    }
    #[inline]
    fn apply_transpose(&self, theta: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
        let ((omega, u_theta), (moment, force)) = (split(theta), split(p));
        let transposed = Self { first: -self.first, second: self.second };
        let reaction = transposed.part(omega, &force);
        join(moment - reaction.dot(&u_theta), &(force + reaction * omega))
    }
}

impl<S: Scalar> SE2<S> {
    /// The motion x ↦ R x + t.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(rotation: SO2<S>, translation: Vector2<S>) -> Self {
        Self { rotation, translation }
    }
    /// The identity.
    #[inline]
    pub fn identity() -> Self {
        Self { rotation: SO2::identity(), translation: Vector2::from_element(S::zero()) }
    }
    /// The inverse (Rᵀ, −Rᵀ t).
    #[inline]
    #[doc(hidden)]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, translation: -rotation.rotate(&self.translation) }
    }
    /// (exp ω, c₁ U + ω c₂ J U).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn exp(theta: &Vector3<S>) -> Self {
        let (omega, u) = split(theta);
        let back =
            AdPolynomial { first: -AdPolynomial::tangent(omega).first, second: AdPolynomial::tangent(omega).second };
        Self { rotation: SO2::exp(&Vector1::new(omega)), translation: u + back.part(omega, &u) * omega }
    }
    /// The inverse of `exp`, angles in (−π, π].
    #[inline]
    #[doc(hidden)]
    pub fn log(&self) -> Vector3<S> {
        let omega = self.rotation.angle();
        let back = AdPolynomial { first: S::from_f64(-0.5), second: gamma(0, omega * omega) };
        join(omega, &(self.translation + back.part(omega, &self.translation) * omega))
    }
    /// The point R x + t.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn transform(&self, point: &Vector2<S>) -> Vector2<S> {
        self.rotation.rotate(point) + self.translation
    }
}

composition!(SE2);
action!(SE2 on Vector2 by transform);

impl<S: Scalar> LieGroup for SE2<S> {
    type Scalar = S;
    type Tangent = Vector3<S>;

    #[inline]
    fn dimension(&self) -> usize {
        3
    }
    #[inline]
    fn identity_like(&self) -> Self {
        Self::identity()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compose(&self, other: &Self) -> Self {
        Self { rotation: self.rotation.compose(&other.rotation), translation: self.transform(&other.translation) }
    }
    #[inline]
    fn inverse(&self) -> Self {
        SE2::inverse(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn exp(theta: &Vector3<S>) -> Self {
        SE2::exp(theta)
    }
    #[inline]
    fn log(&self) -> Vector3<S> {
        SE2::log(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent(theta: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        AdPolynomial::tangent(theta.x).apply(theta, v)
    }
    #[inline]
    fn tangent_transpose(theta: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
        AdPolynomial::tangent(theta.x).apply_transpose(theta, p)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent_inverse(theta: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        AdPolynomial::tangent_inverse(theta.x).apply(theta, v)
    }
    #[inline]
    fn tangent_inverse_transpose(theta: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
        AdPolynomial::tangent_inverse(theta.x).apply_transpose(theta, p)
    }
    /// (ω, R U − ω J t).
    #[inline]
    fn adjoint(&self, v: &Vector3<S>) -> Vector3<S> {
        let (omega, u) = split(v);
        join(omega, &(self.rotation.rotate(&u) - turn(&self.translation) * omega))
    }
    #[inline]
    fn adjoint_transpose(&self, p: &Vector3<S>) -> Vector3<S> {
        let (moment, force) = split(p);
        join(moment - turn(&self.translation).dot(&force), &self.rotation.inverse().rotate(&force))
    }
    #[inline]
    fn bracket(v: &Vector3<S>, w: &Vector3<S>) -> Vector3<S> {
        let ((omega, u_v), (angular, linear)) = (split(v), split(w));
        join(S::zero(), &turn(&(linear * omega - u_v * angular)))
    }
    #[inline]
    fn coadjoint(v: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
        let ((omega, u_v), (_, force)) = (split(v), split(p));
        join(-force.dot(&turn(&u_v)), &(turn(&force) * -omega))
    }
    #[inline]
    fn is_finite(&self) -> bool {
        LieGroup::is_finite(&self.rotation) && TangentVector::all_finite(&self.translation)
    }
    fn membership_defect(&self) -> f64 {
        self.rotation.membership_defect()
    }
    #[inline]
    fn renormalize(&mut self) {
        self.rotation.renormalize();
    }
}
