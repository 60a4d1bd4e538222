//! Constants on dual numbers, and the components of declared values.

use nalgebra::SMatrix;

use crate::group::{self, Placement, S3, SO2, SO3, placements};
use crate::scalar::{Dual, Scalar};

/// Returns a dual number with a zero derivative.
pub fn dual<S: Scalar>(value: f64) -> Dual<S> {
    Dual { re: S::from_f64(value), eps: S::from_f64(0.0) }
}

/// The components of a declared value: a scalar, a vector, a matrix by rows, an element of a group.
pub trait ValueComponents<S> {
    /// Returns the components in order.
    fn rows(self) -> Vec<S>;
}

impl<S: Scalar> ValueComponents<S> for S {
    fn rows(self) -> Vec<S> {
        vec![self]
    }
}

impl<S: Scalar, const R: usize, const C: usize> ValueComponents<S> for SMatrix<S, R, C> {
    fn rows(self) -> Vec<S> {
        by_rows(self.as_slice(), R)
    }
}

/// Returns the entries of a matrix by rows; they are given by columns.
#[inline(never)]
pub(super) fn by_rows<S: Scalar>(entries: &[S], rows: usize) -> Vec<S> {
    (0..rows).flat_map(|row| entries[row..].iter().step_by(rows)).copied().collect()
}

impl<S: Scalar> ValueComponents<S> for SO2<S> {
    fn rows(self) -> Vec<S> {
        self.coordinates().to_vec()
    }
}

impl<S: Scalar> ValueComponents<S> for SO3<S> {
    fn rows(self) -> Vec<S> {
        self.matrix().rows()
    }
}

impl<S: Scalar> ValueComponents<S> for S3<S> {
    fn rows(self) -> Vec<S> {
        self.coordinates().to_vec()
    }
}

/// Implements the components of poses by their parts.
macro_rules! rows_of_parts {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> ValueComponents<S> for group::$group<S> {
                fn rows(self) -> Vec<S> {
                    let mut rows = self.rotation().rows();
                    rows.extend(self.position().rows());
                    rows
                }
            }
        )*
    };
}

placements!(rows_of_parts);

/// Returns the components of a declared value.
pub fn rows_of<S: Scalar>(value: impl ValueComponents<S>) -> Vec<S> {
    value.rows()
}

/// Adds components to a vector, from `offset` on.
pub fn add_rows<S: Scalar>(out: &mut [S], offset: usize, rows: &[S]) {
    for (out, &value) in out[offset..].iter_mut().zip(rows) {
        *out += value;
    }
}
