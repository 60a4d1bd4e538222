//! Vectors and matrices written out.

/// A vector of fixed size, entry by entry.
///
/// ```
/// use lie_runtime::prelude::*;
/// assert_eq!(vector![1.0, 2.0, 3.0], Vector3::new(1.0, 2.0, 3.0));
/// ```
#[macro_export]
macro_rules! vector {
    ($($entry:expr),+ $(,)?) => {
        $crate::nalgebra::SVector::from_array_storage($crate::nalgebra::ArrayStorage([[$($entry),+]]))
    };
}

/// A matrix of fixed size, row by row.
///
/// ```
/// use lie_runtime::prelude::*;
/// assert_eq!(matrix![1.0, 2.0; 3.0, 4.0], Matrix2::new(1.0, 2.0, 3.0, 4.0));
/// ```
#[macro_export]
macro_rules! matrix {
    ($($($entry:expr),+);+ $(;)?) => {
        $crate::nalgebra::SMatrix::from_array_storage($crate::nalgebra::ArrayStorage([$([$($entry),+]),+])).transpose()
    };
}
