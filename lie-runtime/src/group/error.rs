//! What is wrong with numbers that were to be an element of a group.

use core::fmt;

/// Numbers that do not represent an element of the group.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GroupError {
    /// RᵀR differs from I by more than rounding.
    NotOrthogonal {
        /// The largest absolute entry of RᵀR − I.
        defect: f64,
    },
    /// The matrix is orthogonal but mirrors: det R = −1.
    Reflection,
    /// Coordinates that are all zero, or not finite, have no direction.
    NoDirection,
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOrthogonal { defect } => {
                write!(f, "not a rotation matrix: an entry of R^T R - I is {defect:e}")
            }
            Self::Reflection => write!(f, "not a rotation matrix: it is orthogonal, but its determinant is -1"),
            Self::NoDirection => write!(f, "not a unit quaternion: the coordinates are all zero or not finite"),
        }
    }
}

impl core::error::Error for GroupError {}
