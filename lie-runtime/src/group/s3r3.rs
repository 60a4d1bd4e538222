//! S³ ⋉ R³: rigid motions of space, the rotation as a unit quaternion (paper 1, eqs. 18-20).

use nalgebra::{Vector3, Vector6};

use super::operators::{action, composition};
use super::placement::placement_seen_from_body;
use super::se3_algebra::{TwistOperator, bracket, coadjoint, join, rigid_motions, se3_algebra, split};
use super::so3_algebra::{HatPolynomial, cross};
use super::{LieGroup, S3, TangentVector};
use crate::scalar::Scalar;

rigid_motions! {
    /// A rigid motion x ↦ R(p) x + t with p in S³; body velocities (Ω, U) with t' = R(p) U.
    S3R3 over S3
}
