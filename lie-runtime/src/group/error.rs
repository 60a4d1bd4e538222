//! Errors of values that do not represent an element of a group.

use crate::messages::see;

/// Values that do not represent an element of the group.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// RᵀR differs from I by more than round-off.
    #[error(
        "not a rotation matrix: an entry of R^T R - I is {defect:e}. Call `SO3::nearest` for the closest rotation {}",
        see("group-elements")
    )]
    NotOrthogonal {
        /// The largest absolute entry of RᵀR − I.
        defect: f64,
    },
    /// The matrix is orthogonal but mirrors: det R = −1.
    #[error(
        "not a rotation matrix: it is orthogonal, but its determinant is -1. Change the sign of one column {}",
        see("group-elements")
    )]
    Reflection,
    /// The matrix is singular: the closest rotation is not unique.
    #[error(
        "not a rotation matrix: the determinant is {determinant:e}, so that the closest rotation is not unique. Pass a regular matrix {}",
        see("group-elements")
    )]
    Singular {
        /// Its determinant, NaN if an entry is not finite.
        determinant: f64,
    },
    /// The coordinates are all zero or not finite, so they have no direction.
    #[error(
        "the coordinates have no direction: they are all zero or not finite. Pass a finite vector that is not zero {}",
        see("group-elements")
    )]
    NoDirection,
}

crate::messages::debug_is_the_message!(GroupError);
