//! Conversion of states and declared values to dual numbers, and their components.

use nalgebra::SMatrix;

use crate::group::{self, Placement, S3, SO2, SO3, placements};
use crate::scalar::{Dual, Scalar};
use crate::space::S2;

/// Returns a dual number with a zero derivative.
pub fn dual<S: Scalar>(value: f64) -> Dual<S> {
    Dual { re: S::from_f64(value), eps: S::from_f64(0.0) }
}

/// Conversion between values of `S` and values of `Dual<S>` with zero derivatives.
#[doc(hidden)]
pub trait Lift<S: Scalar> {
    /// The type on dual numbers.
    type Lifted;
    /// Converts to dual numbers.
    fn lift(self) -> Self::Lifted;
    /// Returns the value without its derivative.
    fn lowered(lifted: Self::Lifted) -> Self;
}

impl<S: Scalar> Lift<S> for S {
    type Lifted = Dual<S>;
    fn lift(self) -> Dual<S> {
        Dual { re: self, eps: S::from_f64(0.0) }
    }
    fn lowered(lifted: Dual<S>) -> S {
        lifted.re
    }
}

impl<S: Scalar, const R: usize, const C: usize> Lift<S> for SMatrix<S, R, C> {
    type Lifted = SMatrix<Dual<S>, R, C>;
    fn lift(self) -> Self::Lifted {
        self.map(Lift::lift)
    }
    fn lowered(lifted: Self::Lifted) -> Self {
        lifted.map(S::lowered)
    }
}

impl<S: Scalar, T: Lift<S>, const N: usize> Lift<S> for [T; N] {
    type Lifted = [T::Lifted; N];
    fn lift(self) -> Self::Lifted {
        self.map(Lift::lift)
    }
    fn lowered(lifted: Self::Lifted) -> Self {
        lifted.map(T::lowered)
    }
}

/// Conversion of values of `S` and their derivatives to values of `Dual<S>`.
#[doc(hidden)]
pub trait Vary<S: Scalar>: Lift<S> {
    /// Returns the value `self` with the derivative `direction`.
    fn vary(self, direction: Self) -> Self::Lifted;
    /// Returns the derivative of a value.
    fn slope(varied: Self::Lifted) -> Self;
}

impl<S: Scalar> Vary<S> for S {
    fn vary(self, direction: S) -> Dual<S> {
        Dual { re: self, eps: direction }
    }
    fn slope(varied: Dual<S>) -> S {
        varied.eps
    }
}

impl<S: Scalar, const R: usize, const C: usize> Vary<S> for SMatrix<S, R, C> {
    fn vary(self, direction: Self) -> Self::Lifted {
        self.zip_map(&direction, |value, slope| Dual { re: value, eps: slope })
    }
    fn slope(varied: Self::Lifted) -> Self {
        varied.map(|number| number.eps)
    }
}

impl<S: Scalar, T: Vary<S> + Copy, const N: usize> Vary<S> for [T; N] {
    fn vary(self, direction: Self) -> Self::Lifted {
        core::array::from_fn(|at| self[at].vary(direction[at]))
    }
    fn slope(varied: Self::Lifted) -> Self {
        varied.map(T::slope)
    }
}

/// Implements the conversion of group elements by their components.
macro_rules! element {
    ($($group:ident: $make:ident($numbers:ident);)*) => {
        $(
            impl<S: Scalar> Lift<S> for $group<S> {
                type Lifted = $group<Dual<S>>;
                fn lift(self) -> Self::Lifted {
                    $group::$make(Lift::<S>::lift(self.$numbers().to_owned()))
                }
                fn lowered(lifted: Self::Lifted) -> Self {
                    $group::$make(Lift::<S>::lowered(lifted.$numbers().to_owned()))
                }
            }
        )*
    };
}

element! {
    SO2: from_coordinates_unchecked(coordinates);
    SO3: from_matrix_unchecked(matrix);
    S3: from_coordinates_unchecked(coordinates);
    S2: new_unchecked(direction);
}

/// Implements the conversion of poses by their parts.
macro_rules! pose {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> Lift<S> for group::$group<S> {
                type Lifted = group::$group<Dual<S>>;
                fn lift(self) -> Self::Lifted {
                    group::$group::new(self.rotation().lift(), self.position().lift())
                }
                fn lowered(lifted: Self::Lifted) -> Self {
                    group::$group::new(Lift::lowered(lifted.rotation()), Lift::lowered(lifted.position()))
                }
            }
        )*
    };
}

placements!(pose);

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
