//! SE(3): rigid motions of space, the rotation as a matrix.

use nalgebra::{Vector3, Vector6};

use super::operators::{action, composition};
use super::placement::placement_seen_from_body;
use super::se3_algebra::{TwistOperator, bracket, coadjoint, join, rigid_motions, se3_algebra, split};
use super::so3_algebra::{HatPolynomial, cross};
use super::{LieGroup, SO3, TangentVector};
use crate::scalar::Scalar;

rigid_motions! {
    /// A rigid motion x ↦ R x + t with R in SO(3); body velocities (Ω, U) with t' = R U.
    #[doc(alias = "homogeneous transformation")]
    #[doc(alias = "rigid body motion")]
    #[doc(alias = "floating base")]
    SE3 over SO3
}
