//! The reverse pass through the steps of implicit methods: a common [stage](stage), and a module for each method.

mod blie_df;
mod collocation;
mod generalized_alpha;
mod rattlie;
mod stage;
mod tr_bdf2;

use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::Reverse;
use num_traits::{One, Zero};

pub(super) use blie_df::BLieDFBack;
pub(super) use collocation::CollocationBack;
pub(super) use generalized_alpha::GeneralizedAlphaBack;
pub(super) use rattlie::RattlieBack;
pub(super) use tr_bdf2::TrBdf2Back;

/// Adds the cotangents of θ and w for the cotangent of T(θ) w. The contribution to w is T(θ)ᵀ z, and the contribution to θ is minus the
/// one of T⁻¹.
fn tangent_pullback<M: Reverse>(
    system: &M,
    [theta, w]: [&M::Velocity; 2],
    of_product: &M::Velocity,
    [of_theta, of_w]: [&mut M::Velocity; 2],
    [image, scratch, unwanted]: [&mut M::Velocity; 3],
) {
    scratch.fill(M::Scalar::zero());
    system.space().motion_pullback(theta, of_product, unwanted, scratch);
    of_w.axpy(M::Scalar::one(), scratch);
    scratch.scale(-M::Scalar::one());
    system.space().tangent(theta, w, image);
    system.space().coordinate_rate_pullback([theta, image], scratch, of_theta, unwanted);
}

/// Adds the cotangents of u and w, given the cotangent of T(−u) w − T(u) w, which is \[u, w\] (1 + O(|u|²)).
fn commutator_pullback<M: Reverse>(
    system: &M,
    [u, w]: [&M::Velocity; 2],
    of_commutator: &M::Velocity,
    [of_u, of_w]: [&mut M::Velocity; 2],
    [angle, of_angle, of_product, image, scratch, unwanted]: [&mut M::Velocity; 6],
) {
    let real = M::Scalar::from_f64;
    for sign in [-1.0, 1.0] {
        angle.assign_scaled(real(sign), u);
        of_product.assign_scaled(real(-sign), of_commutator);
        of_angle.fill(M::Scalar::zero());
        let out = [&mut *of_angle, &mut *of_w];
        tangent_pullback(system, [angle, w], of_product, out, [&mut *image, &mut *scratch, &mut *unwanted]);
        of_u.axpy(real(sign), of_angle);
    }
}
