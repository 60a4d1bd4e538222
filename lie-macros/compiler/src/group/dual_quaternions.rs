//! Unit dual quaternions r + ε d, stored as eight scalars: the rigid motions of S³ ⋉ R³ in another form, with the position 2 d r⁻¹.

use super::semidirect::Semidirect;
use super::{Group, Storage};
use crate::expr::Rotation;

pub(super) const DQ: Group = Group::new(
    "DQ",
    "DQ",
    &Semidirect(Rotation::S3),
    Storage::DualQuaternion,
    &[("UnitDualQuaternion", "a type of nalgebra"), ("DualQuaternion", "a type of nalgebra")],
);
