//! Methods of nalgebra and the standard library on dual numbers, for the dual-number versions of declared functions.
//!
//! The methods have other names than the originals: method resolution on a reference would find the original methods first.

use core::ops::RangeBounds;

use nalgebra::storage::{Storage, StorageMut};
use nalgebra::{Const, DefaultAllocator, Dim, Matrix, OMatrix, SMatrix, Vector3, allocator::Allocator};
use num_traits::Zero;

use super::dual_values::dual;
use crate::scalar::{Dual, DualMatrix, Scalar};

/// Methods of matrices of any shape.
pub trait OfMatrix {
    /// The scalar type.
    type Number;
    /// The matrix itself, owned.
    type Owned;
    /// Returns ‖A‖².
    fn __norm_squared(&self) -> Self::Number;
    /// Returns ‖A‖.
    fn __norm(&self) -> Self::Number;
    /// Returns A / ‖A‖.
    fn __normalize(&self) -> Self::Owned;
    /// Returns ‖A − B‖.
    fn __metric_distance(&self, other: &Self::Owned) -> Self::Number;
    /// Returns s A.
    fn __scale(&self, factor: Self::Number) -> Self::Owned;
    /// Returns A / s.
    fn __unscale(&self, divisor: Self::Number) -> Self::Owned;
    /// Returns the mean of all entries.
    fn __mean(&self) -> Self::Number;
    /// Returns the smallest entry.
    fn __min(&self) -> Self::Number;
    /// Returns the largest entry.
    fn __max(&self) -> Self::Number;
    /// Returns the smallest absolute value of an entry.
    fn __amin(&self) -> Self::Number;
    /// Returns the largest absolute value of an entry.
    fn __amax(&self) -> Self::Number;
    /// Returns ‖A‖.
    fn __magnitude(&self) -> Self::Number {
        self.__norm()
    }
    /// Returns ‖A‖².
    fn __magnitude_squared(&self) -> Self::Number {
        self.__norm_squared()
    }
}

impl<S: Scalar, R: Dim, C: Dim, St: Storage<Dual<S>, R, C>> OfMatrix for Matrix<Dual<S>, R, C, St>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Number = Dual<S>;
    type Owned = OMatrix<Dual<S>, R, C>;
    fn __norm_squared(&self) -> Dual<S> {
        DualMatrix::norm_squared(self.clone_owned())
    }
    fn __norm(&self) -> Dual<S> {
        DualMatrix::norm(self.clone_owned())
    }
    fn __normalize(&self) -> Self::Owned {
        DualMatrix::normalize(self.clone_owned())
    }
    fn __metric_distance(&self, other: &Self::Owned) -> Dual<S> {
        DualMatrix::norm(self.zip_map(other, |a, b| a - b))
    }
    fn __scale(&self, factor: Dual<S>) -> Self::Owned {
        self.map(|entry| entry * factor)
    }
    fn __unscale(&self, divisor: Dual<S>) -> Self::Owned {
        self.map(|entry| entry / divisor)
    }
    fn __mean(&self) -> Dual<S> {
        self.iter().sum::<Dual<S>>() / dual(self.len() as f64)
    }
    fn __min(&self) -> Dual<S> {
        self.iter().copied().reduce(Dual::min).unwrap_or_default()
    }
    fn __max(&self) -> Dual<S> {
        self.iter().copied().reduce(Dual::max).unwrap_or_default()
    }
    fn __amin(&self) -> Dual<S> {
        self.map(Dual::abs).__min()
    }
    fn __amax(&self) -> Dual<S> {
        self.map(Dual::abs).__max()
    }
}

/// Methods that change a matrix.
pub trait OfMatrixMut {
    /// The scalar type.
    type Number;
    /// Replaces A by A / ‖A‖, and returns ‖A‖.
    fn __normalize_mut(&mut self) -> Self::Number;
}

impl<S: Scalar, R: Dim, C: Dim, St: StorageMut<Dual<S>, R, C>> OfMatrixMut for Matrix<Dual<S>, R, C, St>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Number = Dual<S>;
    fn __normalize_mut(&mut self) -> Dual<S> {
        let norm = self.__norm();
        self.apply(|entry| *entry /= norm);
        norm
    }
}

/// Methods of square matrices.
pub trait OfSquare: Sized {
    /// The scalar type.
    type Number;
    /// The matrix itself, owned.
    type Owned;
    /// Returns det A.
    fn __determinant(&self) -> Self::Number;
    /// Returns A⁻¹; `None` if det A = 0.
    fn __try_inverse(self) -> Option<Self::Owned>;
    /// Returns (A + Aᵀ) / 2.
    fn __symmetric_part(&self) -> Self::Owned;
}

impl<S: Scalar, const N: usize, St: Storage<Dual<S>, Const<N>, Const<N>>> OfSquare
    for Matrix<Dual<S>, Const<N>, Const<N>, St>
{
    type Number = Dual<S>;
    type Owned = SMatrix<Dual<S>, N, N>;
    fn __determinant(&self) -> Dual<S> {
        let all: Vec<usize> = (0..N).collect();
        minor(&self.clone_owned(), &all, &all)
    }
    fn __try_inverse(self) -> Option<Self::Owned> {
        let matrix = self.clone_owned();
        let determinant = matrix.__determinant();
        let without = |left_out: usize| -> Vec<usize> { (0..N).filter(|&line| line != left_out).collect() };
        (determinant.value() != 0.0).then(|| {
            SMatrix::from_fn(|row, column| {
                let cofactor = minor(&matrix, &without(column), &without(row));
                (if (row + column) % 2 == 0 { cofactor } else { -cofactor }) / determinant
            })
        })
    }
    fn __symmetric_part(&self) -> Self::Owned {
        let matrix = self.clone_owned();
        (matrix + matrix.transpose()).map(|entry| entry * 0.5)
    }
}

/// Returns the minor of these rows and columns by expansion along the first row, which is differentiable for singular matrices as well.
fn minor<S: Scalar, const N: usize>(matrix: &SMatrix<Dual<S>, N, N>, rows: &[usize], columns: &[usize]) -> Dual<S> {
    let Some((&row, rows)) = rows.split_first() else { return dual(1.0) };
    let terms = columns.iter().enumerate().map(|(at, &column)| {
        let others = [&columns[..at], &columns[at + 1..]].concat();
        let term = matrix[(row, column)] * minor(matrix, rows, &others);
        if at % 2 == 0 { term } else { -term }
    });
    terms.sum()
}

/// A method of vectors of three components.
pub trait OfVector3 {
    /// The scalar type.
    type Number;
    /// Returns x~ with x~ y = x × y.
    fn __cross_matrix(&self) -> SMatrix<Self::Number, 3, 3>;
}

impl<S: Scalar> OfVector3 for Vector3<Dual<S>> {
    type Number = Dual<S>;
    fn __cross_matrix(&self) -> SMatrix<Dual<S>, 3, 3> {
        let zero = Dual::zero();
        SMatrix::<Dual<S>, 3, 3>::new(zero, -self.z, self.y, self.z, zero, -self.x, -self.y, self.x, zero)
    }
}

/// Absolute values of scalars, integers and the entries of matrices.
pub trait Absolute {
    /// The type of the absolute value.
    type Positive;
    /// Returns |x|.
    fn __abs(&self) -> Self::Positive;
}

impl<S: Scalar> Absolute for Dual<S> {
    type Positive = Self;
    fn __abs(&self) -> Self {
        Scalar::abs(*self)
    }
}

impl<S: Scalar, R: Dim, C: Dim, St: Storage<Dual<S>, R, C>> Absolute for Matrix<Dual<S>, R, C, St>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Positive = OMatrix<Dual<S>, R, C>;
    fn __abs(&self) -> Self::Positive {
        self.map(Dual::abs)
    }
}

/// Extreme items of an iterator.
pub trait OfIterator: Iterator + Sized
where
    Self::Item: Ord,
{
    /// Returns the smallest item.
    fn __min(self) -> Option<Self::Item> {
        Iterator::min(self)
    }
    /// Returns the largest item.
    fn __max(self) -> Option<Self::Item> {
        Iterator::max(self)
    }
}

impl<I: Iterator> OfIterator for I where I::Item: Ord {}

/// Values that can be matched against a range of scalars.
pub trait Within {
    /// Returns true if the value is in the range.
    fn __is_within(&self, range: impl RangeBounds<f64>) -> bool;
}

impl<S: Scalar> Within for Dual<S> {
    fn __is_within(&self, range: impl RangeBounds<f64>) -> bool {
        range.contains(&self.value())
    }
}

/// Operands of `as f64`.
pub trait AsDual<S> {
    /// Converts to a dual number; a dual number keeps its derivative.
    fn as_dual(&self) -> Dual<S>;
}

impl<S: Scalar> AsDual<S> for Dual<S> {
    fn as_dual(&self) -> Dual<S> {
        *self
    }
}

/// Operands of a cast to an integer.
pub trait AsPlain {
    /// The type of the operand without derivatives.
    type Plain;
    /// Returns the value without derivatives.
    fn plain(&self) -> Self::Plain;
}

impl<S: Scalar> AsPlain for Dual<S> {
    type Plain = f64;
    fn plain(&self) -> f64 {
        self.value()
    }
}

/// Returns `number as f64`.
pub fn as_dual<S: Scalar, T: AsDual<S>>(number: &T) -> Dual<S> {
    number.as_dual()
}

/// Returns the operand of a cast to an integer, without derivatives.
pub fn as_plain<T: AsPlain>(number: &T) -> T::Plain {
    number.plain()
}

macro_rules! plain {
    ($($type:ident)*) => {
        $(
            impl AsPlain for $type {
                type Plain = $type;
                fn plain(&self) -> $type {
                    *self
                }
            }
        )*
    };
}

plain!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool);

macro_rules! whole {
    ($($type:ident)*) => {
        $(
            impl<S: Scalar> AsDual<S> for $type {
                #[allow(clippy::cast_lossless)] // Same conversion as in user code.
                fn as_dual(&self) -> Dual<S> {
                    dual(*self as f64)
                }
            }
        )*
    };
}

whole!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! signed {
    ($($type:ident)*) => {
        $(
            impl Absolute for $type {
                type Positive = $type;
                fn __abs(&self) -> $type {
                    $type::abs(*self)
                }
            }
        )*
    };
}

signed!(i8 i16 i32 i64 isize f64);
