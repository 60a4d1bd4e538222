//! Vectors with a cache line of their own.

use core::ops::{Deref, DerefMut};

use super::TangentVector;

/// A vector aligned to a cache line.
///
/// LLVM packs adjacent values into one SIMD register. If the values come from two chains of operations, the chain that ends first waits
/// for the other. For example, the rate of a rotation would wait for an acceleration, and the next stage of the method needs only the
/// rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
#[doc(hidden)]
pub struct CacheAligned<V>(
    /// The vector.
    pub V,
);

impl<V> Deref for CacheAligned<V> {
    type Target = V;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deref(&self) -> &V {
        &self.0
    }
}

impl<V> DerefMut for CacheAligned<V> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deref_mut(&mut self) -> &mut V {
        &mut self.0
    }
}

impl<V: TangentVector> TangentVector for CacheAligned<V> {
    type Scalar = V::Scalar;

    const COMPONENTS: Option<usize> = V::COMPONENTS;

    #[inline]
    fn component_count(&self) -> usize {
        self.0.component_count()
    }
    #[inline]
    fn component(&self, index: usize) -> V::Scalar {
        self.0.component(index)
    }
    #[inline]
    fn set_component(&mut self, index: usize, value: V::Scalar) {
        self.0.set_component(index, value);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fill(&mut self, value: V::Scalar) {
        self.0.fill(value);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn assign(&mut self, other: &Self) {
        self.0.assign(&other.0);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale(&mut self, factor: V::Scalar) {
        self.0.scale(factor);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn assign_scaled(&mut self, factor: V::Scalar, other: &Self) {
        self.0.assign_scaled(factor, &other.0);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn assign_sum(&mut self, base: &Self, factor: V::Scalar, other: &Self) {
        self.0.assign_sum(&base.0, factor, &other.0);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn axpy(&mut self, factor: V::Scalar, other: &Self) {
        self.0.axpy(factor, &other.0);
    }
    #[inline]
    fn dot(&self, other: &Self) -> V::Scalar {
        self.0.dot(&other.0)
    }
    #[inline]
    fn lane_norm(&self) -> V::Scalar {
        self.0.lane_norm()
    }
    #[inline]
    fn all_finite(&self) -> bool {
        self.0.all_finite()
    }
}
