//! Errors of values that do not represent an element of a group.

use core::fmt;

/// Values that do not represent an element of the group.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum GroupError {
    /// RᵀR differs from I by more than round-off.
    NotOrthogonal {
        /// The largest absolute entry of RᵀR − I.
        defect: f64,
    },
    /// The matrix is orthogonal but mirrors: det R = −1.
    Reflection,
    /// The matrix is singular: the closest rotation is not unique.
    Singular {
        /// Its determinant, NaN if an entry is not finite.
        determinant: f64,
    },
    /// The coordinates are all zero or not finite, so they have no direction.
    NoDirection,
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOrthogonal { defect } => {
                write!(
                    f,
                    "not a rotation matrix: an entry of R^T R - I is {defect:e}; use `SO3::nearest` for the closest rotation"
                )
            }
            Self::Reflection => write!(f, "not a rotation matrix: it is orthogonal, but its determinant is -1"),
            Self::Singular { determinant } => {
                write!(
                    f,
                    "not a rotation matrix: the determinant is {determinant:e}, so the closest rotation is not unique"
                )
            }
            Self::NoDirection => write!(f, "no direction: the coordinates are all zero or not finite"),
        }
    }
}

crate::messages::debug_is_the_message!(GroupError);
impl core::error::Error for GroupError {}
