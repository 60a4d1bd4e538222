//! Matrices of any scalar, and operations on matrices of dual numbers that nalgebra provides only for its own fields.

use core::ops::Mul;

use nalgebra::storage::Storage;
use nalgebra::{ArrayStorage, DefaultAllocator, Dim, Matrix, OMatrix, SMatrix, allocator::Allocator};
use num_traits::Zero;

use super::{Dual, Scalar};

/// A vector or matrix of zeros.
// From an array: nalgebra's iterator would copy lanes one by one through memory.
#[inline(always)]
pub(crate) fn zeros<S: Scalar, const R: usize, const C: usize>() -> SMatrix<S, R, C> {
    SMatrix::from_array_storage(ArrayStorage([[S::zero(); R]; C]))
}

impl<S: Scalar, R: Dim, C: Dim, St: Storage<Self, R, C>> Mul<Matrix<Self, R, C, St>> for Dual<S>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Output = OMatrix<Self, R, C>;
    #[inline]
    fn mul(self, matrix: Matrix<Self, R, C, St>) -> Self::Output {
        matrix.map(|entry| self * entry)
    }
}

impl<S: Scalar, R: Dim, C: Dim, St: Storage<Self, R, C>> Mul<&Matrix<Self, R, C, St>> for Dual<S>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Output = OMatrix<Self, R, C>;
    #[inline]
    fn mul(self, matrix: &Matrix<Self, R, C, St>) -> Self::Output {
        matrix.map(|entry| self * entry)
    }
}

/// Norms of matrices of dual numbers, under nalgebra's names.
///
/// nalgebra's own methods take `&self` and require its field traits, which `Dual` does not implement. These methods take `self`, so that
/// method resolution finds them first for a matrix. For a variable that is a reference, write `(*v).norm()` or `DualMatrix::norm(v)`.
#[doc(hidden)]
pub trait DualMatrix: Sized {
    /// The scalar type.
    type Number;
    /// The matrix itself, owned.
    type Owned;
    /// The sum of the squares of all entries.
    fn norm_squared(self) -> Self::Number;
    /// The Euclidean norm. Its derivative at 0 is the norm of the derivative of the matrix.
    fn norm(self) -> Self::Number;
    /// The matrix divided by its norm.
    fn normalize(self) -> Self::Owned;
}

impl<S: Scalar, R: Dim, C: Dim, St: Storage<Dual<S>, R, C>> DualMatrix for Matrix<Dual<S>, R, C, St>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Number = Dual<S>;
    type Owned = OMatrix<Dual<S>, R, C>;
    #[inline]
    fn norm_squared(self) -> Dual<S> {
        self.iter().fold(Dual::zero(), |sum, &entry| sum + entry * entry)
    }
    #[inline]
    fn norm(self) -> Dual<S> {
        DualMatrix::norm_squared(self).sqrt()
    }
    #[inline]
    fn normalize(self) -> Self::Owned {
        let square = self.iter().fold(Dual::<S>::zero(), |sum, &entry| sum + entry * entry);
        let norm = square.sqrt();
        self.map(|entry| entry / norm)
    }
}

impl<M: DualMatrix + Copy> DualMatrix for &M {
    type Number = M::Number;
    type Owned = M::Owned;
    #[inline]
    fn norm_squared(self) -> M::Number {
        (*self).norm_squared()
    }
    #[inline]
    fn norm(self) -> M::Number {
        (*self).norm()
    }
    #[inline]
    fn normalize(self) -> M::Owned {
        (*self).normalize()
    }
}
