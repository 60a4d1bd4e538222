//! The storage of elements as scalars.

use super::{Storage, Structure};
use crate::expr::{Leaf, Rotation, Type};
use crate::scalar::{Graph, Scalar};

impl Storage {
    /// True if velocities are scalars instead of vectors with one component.
    pub fn has_scalar_velocity(self) -> bool {
        match self {
            Storage::Number => true,
            Storage::Rotation(rotation) => rotation.is_planar(),
            _ => false,
        }
    }

    /// The struct of the declaration, if there is one.
    pub fn structure(self) -> Option<&'static Structure> {
        if let Storage::Struct(structure) = self { Some(structure) } else { None }
    }

    /// The parts that are fields of the type, by their names. The fields of a struct of the declaration are read like those of any other
    /// struct.
    pub fn fields(self) -> &'static [&'static str] {
        if let Storage::Pose(_) = self { &["rotation", "translation"] } else { &[] }
    }

    /// The stored scalars of each part: the suffix of the name of the part, their number, and their order.
    pub fn stored(self, parts: &[Type]) -> Vec<(String, usize, &'static str)> {
        let stored = |(at, ty): (usize, &Type)| {
            let order = match ty {
                Type::Rotation(rotation) => rotation.order(),
                _ => "",
            };
            let suffix = match ty {
                _ if parts.len() == 1 => String::new(),
                Type::Rotation(_) => ".rotation".to_owned(),
                _ if parts.len() == 2 => ".translation".to_owned(),
                _ => format!(".part[{at}]"),
            };
            (suffix, ty.numbers(), order)
        };
        match self {
            Storage::DualQuaternion => {
                [".real", ".dual"].map(|name| (name.to_owned(), 4, Rotation::S3.order())).to_vec()
            }
            Storage::Struct(structure) => {
                let fields = structure.fields.iter().flat_map(|(name, group)| {
                    let name = name.trim_start_matches("r#");
                    let parts = group.storage.stored(&group.rules.parts());
                    parts.into_iter().map(move |(suffix, size, order)| (format!(".{name}{suffix}"), size, order))
                });
                fields.collect()
            }
            _ => parts.iter().enumerate().map(stored).collect(),
        }
    }

    /// The parts that are not stored directly, computed from the stored scalars.
    pub fn unfolded(self, graph: &mut Graph, kept: &[Leaf]) -> Vec<(usize, Vec<Scalar>)> {
        match self {
            Storage::DualQuaternion => vec![(1, position_of_dual_quaternion(graph, kept[0], kept[1]))],
            Storage::Struct(structure) => {
                let (mut first, mut all) = (0, Vec::new());
                for group in structure.factors() {
                    let count = group.rules.parts().len();
                    let own = group.storage.unfolded(graph, &kept[first..first + count]);
                    all.extend(own.into_iter().map(|(part, numbers)| (first + part, numbers)));
                    first += count;
                }
                all
            }
            _ => vec![],
        }
    }
}

/// The position 2 d r⁻¹ = 2 (w d − d₀ r + r × d), with the vectors r, d and the scalars w, d₀.
fn position_of_dual_quaternion(g: &mut Graph, real: Leaf, dual: Leaf) -> Vec<Scalar> {
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
