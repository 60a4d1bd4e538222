//! Vectors that do not lie beside their neighbours.

use core::ops::{Deref, DerefMut};

use super::TangentVector;

/// A vector with room between it and what follows it in memory.
///
/// Numbers side by side are stored, and so computed, several in one register. Where they come of two chains of operations, the
/// one that is known first waits for the other: the rate of a rotation for an acceleration, and with it the next stage of a
/// method, whose configuration depends on the rate alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub struct Apart<V>(
    /// The vector.
    pub V,
);

impl<V> Deref for Apart<V> {
    type Target = V;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deref(&self) -> &V {
        &self.0
    }
}

impl<V> DerefMut for Apart<V> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deref_mut(&mut self) -> &mut V {
        &mut self.0
    }
}

impl<V: TangentVector> TangentVector for Apart<V> {
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
