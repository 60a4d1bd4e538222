//! The groups the compiler knows: one line each.
//!
//! Every group is built from a rotation part and a translation part; their coupling decides how velocities act. The
//! sphere is a factor like them, a space on which the rotations act.

/// The rotation part of a group: the atom that differentiation knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Rotation {
    /// Planar rotations, by cosine and sine.
    SO2,
    /// Rotation matrices.
    SO3,
    /// Unit quaternions.
    S3,
}

impl Rotation {
    /// The dimension of the algebra.
    pub fn dimension(self) -> usize {
        match self {
            Rotation::SO2 => 1,
            Rotation::SO3 | Rotation::S3 => 3,
        }
    }

    /// The dimension of the vectors it acts on.
    pub fn space(self) -> usize {
        match self {
            Rotation::SO2 => 2,
            Rotation::SO3 | Rotation::S3 => 3,
        }
    }
}

/// A factor of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The name users write.
    pub name: &'static str,
    /// The name in the field's notation.
    pub notation: &'static str,
    pub rotation: Option<Rotation>,
    /// The dimension of the translation part. With a rotation the product is semidirect: x' = R u.
    pub translation: usize,
    /// The unit sphere, no group: its translation part is a direction that the velocity turns, q' = ω × q, ω in space.
    pub is_sphere: bool,
}

/// All named groups. `Rn<N>` is made by [`Group::vector_space`].
pub(crate) const GROUPS: &[Group] = &[
    Group { name: "R1", notation: "R¹", rotation: None, translation: 1, is_sphere: false },
    Group { name: "R2", notation: "R²", rotation: None, translation: 2, is_sphere: false },
    Group { name: "R3", notation: "R³", rotation: None, translation: 3, is_sphere: false },
    Group { name: "R4", notation: "R⁴", rotation: None, translation: 4, is_sphere: false },
    Group { name: "R5", notation: "R⁵", rotation: None, translation: 5, is_sphere: false },
    Group { name: "R6", notation: "R⁶", rotation: None, translation: 6, is_sphere: false },
    Group { name: "SO2", notation: "SO(2)", rotation: Some(Rotation::SO2), translation: 0, is_sphere: false },
    Group { name: "SO3", notation: "SO(3)", rotation: Some(Rotation::SO3), translation: 0, is_sphere: false },
    Group { name: "S3", notation: "S³", rotation: Some(Rotation::S3), translation: 0, is_sphere: false },
    Group { name: "SE2", notation: "SE(2)", rotation: Some(Rotation::SO2), translation: 2, is_sphere: false },
    Group { name: "SE3", notation: "SE(3)", rotation: Some(Rotation::SO3), translation: 3, is_sphere: false },
    Group { name: "S3R3", notation: "S³ ⋉ R³", rotation: Some(Rotation::S3), translation: 3, is_sphere: false },
    Group { name: "S2", notation: "S²", rotation: None, translation: 3, is_sphere: true },
];

impl Group {
    /// The group of that name.
    pub fn named(name: &str) -> Option<Group> {
        GROUPS.iter().copied().find(|group| group.name == name)
    }

    /// The real line as users write it: a number, with a number as its velocity.
    pub const NUMBER: Group = Group { name: "f64", notation: "ℝ", rotation: None, translation: 1, is_sphere: false };

    /// True for the real line.
    pub fn is_number(&self) -> bool {
        self.name == Self::NUMBER.name
    }

    /// True if velocities are numbers.
    pub fn has_scalar_velocity(&self) -> bool {
        self.is_number() || (self.rotation == Some(Rotation::SO2) && self.translation == 0)
    }

    /// R^n.
    pub fn vector_space(n: usize) -> Group {
        Group { name: "Rn", notation: "Rⁿ", rotation: None, translation: n, is_sphere: false }
    }

    /// The group as users write it.
    pub fn written(&self) -> String {
        if self.name == "Rn" { format!("Rn<{}>", self.translation) } else { self.name.to_owned() }
    }

    /// The dimension of the group.
    pub fn dimension(&self) -> usize {
        self.rotation.map_or(0, Rotation::dimension) + self.translation
    }

    /// The bracket [e_j, e_i] of two unit vectors of the algebra, as components and signs (true for plus).
    ///
    /// On so(3) it is the cross product, on semidirect products (ω × ω̂, ω × û − ω̂ × u), in the plane with ω × u turned by a
    /// quarter. The fields ω × q on the sphere are right-invariant: their commutator has the opposite sign.
    pub fn bracket(&self, j: usize, i: usize) -> Option<(usize, bool)> {
        if self.is_sphere {
            return (i != j).then(|| (3 - i - j, (i + 1) % 3 == j));
        }
        let rotation = self.rotation?;
        let turning = rotation.dimension();
        if i == j || (j >= turning && i >= turning) {
            return None;
        }
        if turning == 1 {
            // ω J e_x = ω e_y, ω J e_y = −ω e_x.
            let (other, sign) = if j == 0 { (i, true) } else { (j, false) };
            return Some(if other == 1 { (2, sign) } else { (1, !sign) });
        }
        let (a, b) = (j % 3, i % 3);
        if a == b {
            return None;
        }
        let third = 3 - a - b;
        let linear = j >= 3 || i >= 3;
        Some((if linear { third + 3 } else { third }, (a + 1) % 3 == b))
    }
}
