//! Twists of space as dual vectors Ω + ε U, and the plane as a subspace.

use nalgebra::{Matrix3, SMatrix, Vector3, Vector6};

use crate::scalar::{Dual, Scalar};

/// Ω + ε U.
#[inline]
pub(super) fn dual<S: Scalar>(twist: &Vector6<S>) -> Vector3<Dual<S>> {
    Vector3::from_fn(|i, _| Dual::variable(twist[i], twist[3 + i]))
}

/// (Ω, U).
#[inline]
pub(super) fn twist<S: Scalar>(dual: &Vector3<Dual<S>>) -> Vector6<S> {
    Vector6::from_fn(|i, _| if i < 3 { dual[i].re } else { dual[i - 3].eps })
}

/// The matrix on twists of a matrix on Ω + ε U.
#[inline]
pub(super) fn block<S: Scalar>(matrix: &Matrix3<Dual<S>>) -> SMatrix<S, 6, 6> {
    SMatrix::from_fn(|row, column| match (row < 3, column < 3) {
        (true, true) => matrix[(row, column)].re,
        (true, false) => S::zero(),
        (false, true) => matrix[(row - 3, column)].eps,
        (false, false) => matrix[(row - 3, column - 3)].re,
    })
}

/// The positions of ω and of the planar components of U in a spatial twist.
pub(super) const PLANE: [usize; 3] = [2, 3, 4];

/// A twist of the plane in space.
#[inline]
pub(super) fn in_space<S: Scalar>(plane: &Vector3<S>) -> Vector6<S> {
    let mut space = Vector6::from_element(S::zero());
    for (at, &component) in PLANE.iter().zip(plane.iter()) {
        space[*at] = component;
    }
    space
}

/// The rows and columns of the plane.
#[inline]
pub(super) fn in_plane<S: Scalar>(space: &SMatrix<S, 6, 6>) -> Matrix3<S> {
    Matrix3::from_fn(|row, column| space[(PLANE[row], PLANE[column])])
}
