//! Conversion between the vectors of an erased system and the vectors of a system with its type.
//!
//! Systems with chains have such vectors themselves; these are passed on. The vectors of systems of fixed size are copied.

use core::ops::{Deref, DerefMut};

use super::vector::ErasedVector;
use crate::group::TangentVector;

/// A vector argument as a vector of a system.
pub(super) enum InputVector<'a, V> {
    Copied(V),
    Same(&'a V),
}

impl<'a, V: TangentVector<Scalar = f64> + 'static> InputVector<'a, V> {
    #[inline]
    pub fn of(vector: &'a ErasedVector, zeros: impl FnOnce() -> V) -> Self {
        // A constant: only one of both cases is compiled.
        if const { V::COMPONENTS.is_none() } {
            return InputVector::Same(vector.same());
        }
        InputVector::Copied(vector.typed(zeros))
    }
}

impl<V> Deref for InputVector<'_, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        match self {
            InputVector::Copied(own) => own,
            InputVector::Same(vector) => vector,
        }
    }
}

/// A vector that a system changes; the copy is written back at the end of its life.
pub(super) enum OutputVector<'a, V: TangentVector<Scalar = f64> + 'static> {
    Copied(V, &'a mut ErasedVector),
    Same(&'a mut V),
}

impl<'a, V: TangentVector<Scalar = f64> + 'static> OutputVector<'a, V> {
    #[inline]
    pub fn of(vector: &'a mut ErasedVector, zeros: impl FnOnce() -> V) -> Self {
        if const { V::COMPONENTS.is_none() } {
            return OutputVector::Same(vector.same_mut());
        }
        OutputVector::Copied(vector.typed(zeros), vector)
    }
}

impl<V: TangentVector<Scalar = f64> + 'static> Deref for OutputVector<'_, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        match self {
            OutputVector::Copied(own, _) => own,
            OutputVector::Same(vector) => vector,
        }
    }
}

impl<V: TangentVector<Scalar = f64> + 'static> DerefMut for OutputVector<'_, V> {
    #[inline]
    fn deref_mut(&mut self) -> &mut V {
        match self {
            OutputVector::Copied(own, _) => own,
            OutputVector::Same(vector) => vector,
        }
    }
}

impl<V: TangentVector<Scalar = f64> + 'static> Drop for OutputVector<'_, V> {
    #[inline]
    fn drop(&mut self) {
        if let OutputVector::Copied(own, to) = self {
            to.store(own);
        }
    }
}
