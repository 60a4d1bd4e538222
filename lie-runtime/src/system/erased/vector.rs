//! The vectors of a system without its type.
//!
//! Sums of vectors take a large part of a step of a single body. Short vectors of fixed size are therefore stored in place, as six
//! components, so that loops over them have a length that is known at compile time.

use core::any::Any;

use nalgebra::{DVector, Vector6};

use super::value::same_system;
use crate::group::TangentVector;
use crate::group::dynamic::add_terms;

/// The number of components of a short vector: the degrees of freedom of a rigid body.
const SHORT: usize = 6;

/// Velocities, forces or multipliers of a system without its type.
#[derive(Clone, Debug)]
pub enum ErasedVector {
    /// A vector whose type has at most six components; the others are zero.
    Short {
        /// The components.
        components: Vector6<f64>,
        /// The number of components.
        count: usize,
    },
    /// A vector of any other type.
    Long(DVector<f64>),
}

/// Returns true if an [`ErasedVector`] stores vectors of this type in place. The result is a constant, so that only one of both cases is
/// compiled.
const fn is_short<V: TangentVector>() -> bool {
    matches!(V::COMPONENTS, Some(0..=SHORT))
}

impl ErasedVector {
    /// Hides the type of a vector.
    pub fn of<V: TangentVector<Scalar = f64> + 'static>(vector: &V) -> Self {
        let count = vector.component_count();
        let mut out = if const { is_short::<V>() } {
            ErasedVector::Short { components: Vector6::zeros(), count }
        } else {
            ErasedVector::Long(DVector::zeros(count))
        };
        out.store(vector);
        out
    }

    /// Returns a copy with the type of the system.
    pub fn typed<V: TangentVector<Scalar = f64> + 'static>(&self, zeros: impl FnOnce() -> V) -> V {
        if const { V::COMPONENTS.is_none() } {
            return self.same::<V>().clone();
        }
        let mut own = zeros();
        self.load(&mut own);
        own
    }

    /// Returns the vector of a system whose vectors have a length at run time.
    #[inline]
    pub(super) fn same<V: 'static>(&self) -> &V {
        let vector: &dyn Any = self.long();
        same_system(vector.downcast_ref())
    }

    /// Returns the vector of a system whose vectors have a length at run time, mutably.
    #[inline]
    pub(super) fn same_mut<V: 'static>(&mut self) -> &mut V {
        let vector: &mut dyn Any = match self {
            ErasedVector::Long(vector) => vector,
            ErasedVector::Short { .. } => same_system(None),
        };
        same_system(vector.downcast_mut())
    }

    /// Copies the components to a vector of the system.
    #[inline]
    pub(super) fn load<V: TangentVector<Scalar = f64> + 'static>(&self, to: &mut V) {
        if const { V::COMPONENTS.is_none() } {
            return to.assign(self.same());
        }
        let from = if const { is_short::<V>() } { self.short().as_slice() } else { self.long().as_slice() };
        let from = &from[..to.component_count()];
        for (at, &component) in from.iter().enumerate() {
            to.set_component(at, component);
        }
    }

    /// Copies the components of a vector of the system.
    #[inline]
    pub(super) fn store<V: TangentVector<Scalar = f64> + 'static>(&mut self, from: &V) {
        if const { V::COMPONENTS.is_none() } {
            return self.same_mut::<V>().assign(from);
        }
        match self {
            ErasedVector::Short { components, .. } if const { is_short::<V>() } => {
                *components =
                    Vector6::from_fn(|at, _| if at < from.component_count() { from.component(at) } else { 0.0 });
            }
            ErasedVector::Long(vector) if const { !is_short::<V>() } => {
                let to = &mut vector.as_mut_slice()[..from.component_count()];
                for (at, component) in to.iter_mut().enumerate() {
                    *component = from.component(at);
                }
            }
            _ => same_system(None),
        }
    }

    #[inline]
    fn short(&self) -> &Vector6<f64> {
        match self {
            ErasedVector::Short { components, .. } => components,
            ErasedVector::Long(_) => same_system(None),
        }
    }

    #[inline]
    fn long(&self) -> &DVector<f64> {
        match self {
            ErasedVector::Long(vector) => vector,
            ErasedVector::Short { .. } => same_system(None),
        }
    }
}

impl TangentVector for ErasedVector {
    type Scalar = f64;

    #[inline]
    fn component_count(&self) -> usize {
        match self {
            ErasedVector::Short { count, .. } => *count,
            ErasedVector::Long(vector) => vector.len(),
        }
    }
    #[inline]
    fn component(&self, index: usize) -> f64 {
        match self {
            ErasedVector::Short { components, count } => {
                debug_assert!(index < *count, "component {index} of {count}");
                components[index]
            }
            ErasedVector::Long(vector) => vector[index],
        }
    }
    #[inline]
    fn set_component(&mut self, index: usize, value: f64) {
        match self {
            ErasedVector::Short { components, count } => {
                debug_assert!(index < *count, "component {index} of {count}");
                components[index] = value;
            }
            ErasedVector::Long(vector) => vector[index] = value,
        }
    }
    #[inline]
    fn fill(&mut self, value: f64) {
        match self {
            ErasedVector::Short { components, count } => {
                *components = Vector6::from_fn(|at, _| if at < *count { value } else { 0.0 });
            }
            ErasedVector::Long(vector) => TangentVector::fill(vector, value),
        }
    }
    #[inline]
    fn assign(&mut self, other: &Self) {
        match self {
            ErasedVector::Short { components, .. } => *components = *other.short(),
            ErasedVector::Long(vector) => vector.assign(other.long()),
        }
    }
    #[inline]
    fn scale(&mut self, factor: f64) {
        match self {
            ErasedVector::Short { components, .. } => TangentVector::scale(components, factor),
            ErasedVector::Long(vector) => TangentVector::scale(vector, factor),
        }
    }
    #[inline]
    fn axpy(&mut self, factor: f64, other: &Self) {
        match self {
            ErasedVector::Short { components, .. } => TangentVector::axpy(components, factor, other.short()),
            ErasedVector::Long(vector) => TangentVector::axpy(vector, factor, other.long()),
        }
    }
    #[inline]
    fn assign_scaled(&mut self, factor: f64, other: &Self) {
        match self {
            ErasedVector::Short { components, .. } => components.assign_scaled(factor, other.short()),
            ErasedVector::Long(vector) => vector.assign_scaled(factor, other.long()),
        }
    }
    #[inline]
    fn assign_sum(&mut self, base: &Self, factor: f64, other: &Self) {
        match self {
            ErasedVector::Short { components, .. } => components.assign_sum(base.short(), factor, other.short()),
            ErasedVector::Long(vector) => vector.assign_sum(base.long(), factor, other.long()),
        }
    }
    #[inline]
    fn set_combination<'a>(&mut self, terms: impl Iterator<Item = (f64, &'a Self)> + Clone) {
        match self {
            ErasedVector::Short { components, .. } => {
                // Not 0 + …, which costs an addition. `for_each` has one loop for each part of a chained iterator.
                let mut terms = terms;
                let mut sum = terms.next().map_or_else(Vector6::zeros, |(factor, term)| *term.short() * factor);
                terms.for_each(|(factor, term)| TangentVector::axpy(&mut sum, factor, term.short()));
                *components = sum;
            }
            ErasedVector::Long(vector) => vector.set_combination(terms.map(|(factor, term)| (factor, term.long()))),
        }
    }
    #[inline]
    fn add_combination(&mut self, factor: f64, coefficients: &[f64], others: &[Self]) {
        let terms = coefficients.iter().zip(others).filter(|(coefficient, _)| **coefficient != 0.0);
        match self {
            ErasedVector::Short { components, .. } => {
                let mut sum = *components;
                terms.for_each(|(coefficient, other)| {
                    TangentVector::axpy(&mut sum, factor * coefficient, other.short());
                });
                *components = sum;
            }
            ErasedVector::Long(vector) => {
                add_terms(vector, &terms.map(|(coefficient, other)| (factor * coefficient, other.long())));
            }
        }
    }
    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        match self {
            ErasedVector::Short { components, .. } => TangentVector::dot(components, other.short()),
            ErasedVector::Long(vector) => TangentVector::dot(vector, other.long()),
        }
    }
    #[inline]
    fn lane_norm(&self) -> f64 {
        match self {
            ErasedVector::Short { components, .. } => components.lane_norm(),
            ErasedVector::Long(vector) => vector.lane_norm(),
        }
    }
    #[inline]
    fn all_finite(&self) -> bool {
        match self {
            ErasedVector::Short { components, .. } => components.all_finite(),
            ErasedVector::Long(vector) => vector.all_finite(),
        }
    }
}
