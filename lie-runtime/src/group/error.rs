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
    /// A matrix that has no inverse is next to many rotations.
    Singular {
        /// Its determinant, NaN if an entry is not finite.
        determinant: f64,
    },
    /// Coordinates that are all zero, or not finite, have no direction.
    NoDirection,
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOrthogonal { defect } => {
                write!(
                    f,
                    "not a rotation matrix: an entry of R^T R - I is {defect:e}; `SO3::nearest` gives the rotation next to it"
                )
            }
            Self::Reflection => write!(f, "not a rotation matrix: it is orthogonal, but its determinant is -1"),
            Self::Singular { determinant } => {
                write!(f, "no rotation matrix: the determinant is {determinant:e}, and no rotation is next to it")
            }
            Self::NoDirection => write!(f, "no direction: the coordinates are all zero or not finite"),
        }
    }
}

impl core::error::Error for GroupError {}
