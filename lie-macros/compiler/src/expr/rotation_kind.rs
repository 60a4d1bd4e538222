//! The kinds of rotations.

/// A kind of rotations: a type that differentiation supports in addition to vectors and matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Rotation {
    /// Planar rotations, stored as cosine and sine.
    SO2,
    /// Rotation matrices.
    SO3,
    /// Unit quaternions.
    S3,
}

impl Rotation {
    /// True for the rotations of the plane, which commute.
    pub const fn is_planar(self) -> bool {
        matches!(self, Rotation::SO2)
    }

    /// The dimension of the algebra.
    pub const fn dimension(self) -> usize {
        if self.is_planar() { 1 } else { 3 }
    }

    /// The dimension of the vectors that it acts on.
    pub const fn space(self) -> usize {
        if self.is_planar() { 2 } else { 3 }
    }

    /// The order of the scalars of an element.
    pub const fn order(self) -> &'static str {
        match self {
            Rotation::SO2 => "cos, sin",
            Rotation::SO3 => "by rows",
            Rotation::S3 => "w, x, y, z",
        }
    }

    /// The number of scalars of an element.
    pub const fn numbers(self) -> usize {
        match self {
            Rotation::SO2 => 2,
            Rotation::SO3 => 9,
            Rotation::S3 => 4,
        }
    }
}
