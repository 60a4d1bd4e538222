//! Spheres with their velocities: the action of SE(3) on (q, ω), one member at a time (paper 3, section 5.1).

use nalgebra::{SVector, Vector3, Vector6};

use super::support::{part, set_part};
use crate::group::{LieGroup, SE3, TwistParts};
use crate::scalar::Scalar;
use crate::space::{HomogeneousSpace, S2, TS2};

/// A part of ω along q that is smaller than this part of ω is round-off.
const ROUND_OFF: f64 = 1e-14;

/// (θ, w) of the member whose components begin at `offset`.
#[inline]
fn twist<S: Scalar, const D: usize>(xi: (&SVector<S, D>, &SVector<S, D>), offset: usize) -> Vector6<S> {
    let (theta, w): (Vector3<S>, Vector3<S>) = (part(xi.0, offset), part(xi.1, offset));
    Vector6::new(theta.x, theta.y, theta.z, w.x, w.y, w.z)
}

/// q moved by exp(θ, w); its velocity goes into `out`.
#[inline]
pub fn move_with_velocity<S: Scalar, const D: usize>(
    q: &S2<S>,
    v: &SVector<S, D>,
    xi: (&SVector<S, D>, &SVector<S, D>),
    offset: usize,
    out: &mut SVector<S, D>,
) -> S2<S> {
    let moved = TS2::new_unchecked(q.direction(), part(v, offset)).moved_by(&SE3::exp(&twist(xi, offset)));
    set_part(out, offset, &moved.angular_velocity());
    S2::new_unchecked(moved.direction())
}

/// dexp⁻¹_σ of `direction`, in the components of one member.
#[inline]
#[allow(clippy::needless_pass_by_value)] // A pair of places to write to.
pub fn rate_with_velocity<S: Scalar, const D: usize>(
    sigma: (&SVector<S, D>, &SVector<S, D>),
    direction: (&SVector<S, D>, &SVector<S, D>),
    offset: usize,
    (theta, w): (&mut SVector<S, D>, &mut SVector<S, D>),
) {
    let rate = SE3::tangent_inverse(&-twist(sigma, offset), &twist(direction, offset));
    set_part(theta, offset, &rate.angular());
    set_part(w, offset, &rate.linear());
}

/// Takes from ω what turns about q, unless that is round-off; the square of what was taken.
pub fn remove_spin<S: Scalar, const D: usize>(q: &S2<S>, v: &mut SVector<S, D>, offset: usize) -> f64 {
    let mut omega: Vector3<S> = part(v, offset);
    let square = without_spin(&q.direction(), &mut omega);
    set_part(v, offset, &omega);
    square
}

/// Takes from ω what turns about q, unless that is round-off; the square of what was taken.
pub(crate) fn without_spin<S: Scalar>(q: &Vector3<S>, omega: &mut Vector3<S>) -> f64 {
    let along = q.dot(omega);
    let square = along.value() * along.value();
    let scale = omega.dot(omega).value();
    let is_negligible = square <= ROUND_OFF * ROUND_OFF * scale;
    if is_negligible {
        return 0.0;
    }
    *omega -= q * along;
    square
}

/// q × ω'.
#[inline]
pub fn turning<S: Scalar>(q: &S2<S>, acceleration: &Vector3<S>) -> Vector3<S> {
    let (q, a) = (q.direction(), acceleration);
    Vector3::new(q.y * a.z - q.z * a.y, q.z * a.x - q.x * a.z, q.x * a.y - q.y * a.x)
}

/// e₃, a place to begin with.
pub fn upright<S: Scalar>() -> S2<S> {
    S2::new_unchecked(Vector3::new(S::zero(), S::zero(), S::one()))
}
