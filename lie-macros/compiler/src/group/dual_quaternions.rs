//! Unit dual quaternions r + ε d, stored as eight scalars: the rigid motions of S³ ⋉ R³ in another form, with the position 2 d r⁻¹.

use super::semidirect::Semidirect;
use super::{Group, Storage};
use crate::expr::Rotation;

pub(super) const DQ: Group = Group {
    name: "DQ",
    notation: "DQ",
    rules: &Semidirect(Rotation::S3),
    storage: Storage::DualQuaternion,
    lookalikes: &[("UnitDualQuaternion", "a type of nalgebra"), ("DualQuaternion", "a type of nalgebra")],
};
