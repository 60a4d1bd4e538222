//! The reverse pass of θ' = T(θ)⁻¹ v: the cotangents of θ and v from the cotangent of θ'.
//!
//! On SO(3), T⁻¹ = I + ½ θ~ + γ θ~². With z = |θ|²,
//!
//! ```text
//! p · θ' = p · v + ½ θ · (v × p) + γ(z) ((p · θ) (θ · v) − z p · v),
//! ```
//!
//! The code contains the gradients with respect to θ and v. Rigid motions use the same formulas on dual vectors Ω + ε U: the power of a
//! covector (P, F) on a twist is the ε part of (F + ε P) · (Ω + ε U). The ε part of a gradient belongs to Ω.

use nalgebra::{Vector3, Vector6};

use super::twists::{PLANE, dual, in_space};
use crate::group::so3_algebra::cross;
use crate::scalar::singular::gamma;
use crate::scalar::{Dual, Scalar};

#[inline]
pub(super) fn rotation_rate<S: Scalar>([theta, v]: [&Vector3<S>; 2], p: &Vector3<S>) -> [Vector3<S>; 2] {
    let real = S::from_f64;
    let (z, power) = (theta.dot(theta), p.dot(v));
    let (along_p, along_v) = (theta.dot(p), theta.dot(v));
    let value = gamma(0, z);
    let slope = gamma(1, z) * (along_p * along_v - z * power) - value * power;
    let of_theta =
        cross(v, p) * real(0.5) + p * (value * along_v) + v * (value * along_p) + theta * (slope * real(2.0));
    let of_v = p * (S::one() - value * z) + theta * (value * along_p) - cross(theta, p) * real(0.5);
    [of_theta, of_v]
}

#[inline]
pub(super) fn rigid_rate<S: Scalar>([theta, v]: [&Vector6<S>; 2], p: &Vector6<S>) -> [Vector6<S>; 2] {
    let covector = Vector3::from_fn(|i, _| Dual::variable(p[3 + i], p[i]));
    rotation_rate([&dual(theta), &dual(v)], &covector)
        .map(|of| Vector6::from_fn(|i, _| if i < 3 { of[i].eps } else { of[i - 3].re }))
}

/// T = I of the position.
#[inline]
pub(super) fn direct_rate<S: Scalar>([theta, v]: [&Vector6<S>; 2], p: &Vector6<S>) -> [Vector6<S>; 2] {
    let [theta, v, angular] = [theta, v, p].map(|all| Vector3::new(all[0], all[1], all[2]));
    let [of_theta, of_v] = rotation_rate([&theta, &v], &angular);
    [
        Vector6::from_fn(|i, _| if i < 3 { of_theta[i] } else { S::zero() }),
        Vector6::from_fn(|i, _| if i < 3 { of_v[i] } else { p[i] }),
    ]
}

#[inline]
pub(super) fn plane_rate<S: Scalar>([theta, v]: [&Vector3<S>; 2], p: &Vector3<S>) -> [Vector3<S>; 2] {
    rigid_rate([&in_space(theta), &in_space(v)], &in_space(p)).map(|space| Vector3::from_fn(|i, _| space[PLANE[i]]))
}
