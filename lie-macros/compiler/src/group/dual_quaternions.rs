//! Unit dual quaternions r + ε d, stored as eight scalars: the rigid motions of S³ ⋉ R³ in another form, with the position 2 d r⁻¹.

use super::semidirect::Semidirect;
use super::{Group, Storage};
use crate::expr::{Leaf, Rotation};
use crate::scalar::{Graph, Scalar};

pub(super) const DQ: Group = Group {
    name: "DQ",
    notation: "DQ",
    rules: &Semidirect(Rotation::S3),
    storage: Storage::DualQuaternion,
    lookalikes: &[("UnitDualQuaternion", "a type of nalgebra"), ("DualQuaternion", "a type of nalgebra")],
};

/// The position 2 d r⁻¹ = 2 (w d − d₀ r + r × d), with the vectors r, d and the scalars w, d₀.
pub(super) fn position(g: &mut Graph, real: Leaf, dual: Leaf) -> Vec<Scalar> {
    let [r, d] = [real, dual].map(|leaf| [0, 1, 2, 3].map(|at| g.leaf(leaf, at)));
    let two = g.number(2.0);
    let position = [(1, 2, 3), (2, 3, 1), (3, 1, 2)].map(|(i, j, k)| {
        let (scaled, turned) = (g.mul(r[0], d[i]), g.mul(d[0], r[i]));
        let along = g.sub(scaled, turned);
        let (first, second) = (g.mul(r[j], d[k]), g.mul(r[k], d[j]));
        let across = g.sub(first, second);
        let half = g.add(along, across);
        g.mul(two, half)
    });
    position.to_vec()
}
