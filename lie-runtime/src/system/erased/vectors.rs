//! Conversion between vectors with a length at run time and the vectors of a system.
//!
//! Systems with chains have such vectors themselves; these are passed on. The vectors of systems of fixed size are copied.

use core::any::Any;
use core::ops::{Deref, DerefMut};

use nalgebra::DVector;

use super::value::same_system;
use crate::group::TangentVector;

/// Copies the components of a slice.
#[inline]
pub(super) fn load<V: TangentVector<Scalar = f64>>(from: &[f64], to: &mut V) {
    let from = &from[..to.component_count()];
    for (at, &component) in from.iter().enumerate() {
        to.set_component(at, component);
    }
}

/// Copies the components to a slice.
#[inline]
pub(super) fn store<V: TangentVector<Scalar = f64>>(from: &V, to: &mut [f64]) {
    let to = &mut to[..from.component_count()];
    for (at, component) in to.iter_mut().enumerate() {
        *component = from.component(at);
    }
}

/// A vector argument as a vector of a system.
pub(super) enum InputVector<'a, V> {
    Copied(V),
    Same(&'a V),
}

impl<'a, V: TangentVector<Scalar = f64> + 'static> InputVector<'a, V> {
    #[inline]
    pub fn of(vector: &'a DVector<f64>, zeros: impl FnOnce() -> V) -> Self {
        // A constant: only one of both cases is compiled.
        if const { V::COMPONENTS.is_none() } {
            let vector: &dyn Any = vector;
            return InputVector::Same(same_system(vector.downcast_ref()));
        }
        let mut own = zeros();
        load(vector.as_slice(), &mut own);
        InputVector::Copied(own)
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
pub(super) enum OutputVector<'a, V: TangentVector<Scalar = f64>> {
    Copied(V, &'a mut DVector<f64>),
    Same(&'a mut V),
}

impl<'a, V: TangentVector<Scalar = f64> + 'static> OutputVector<'a, V> {
    #[inline]
    pub fn of(vector: &'a mut DVector<f64>, zeros: impl FnOnce() -> V) -> Self {
        if const { V::COMPONENTS.is_none() } {
            let vector: &mut dyn Any = vector;
            return OutputVector::Same(same_system(vector.downcast_mut()));
        }
        let mut own = zeros();
        load(vector.as_slice(), &mut own);
        OutputVector::Copied(own, vector)
    }
}

impl<V: TangentVector<Scalar = f64>> Deref for OutputVector<'_, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        match self {
            OutputVector::Copied(own, _) => own,
            OutputVector::Same(vector) => vector,
        }
    }
}

impl<V: TangentVector<Scalar = f64>> DerefMut for OutputVector<'_, V> {
    #[inline]
    fn deref_mut(&mut self) -> &mut V {
        match self {
            OutputVector::Copied(own, _) => own,
            OutputVector::Same(vector) => vector,
        }
    }
}

impl<V: TangentVector<Scalar = f64>> Drop for OutputVector<'_, V> {
    #[inline]
    fn drop(&mut self) {
        if let OutputVector::Copied(own, to) = self {
            store(own, to.as_mut_slice());
        }
    }
}
