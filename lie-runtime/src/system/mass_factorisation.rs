//! [`MassFactorisation`]: the factorised mass matrix of a run, computed once if it is constant.

use core::fmt;

use super::{KktError, MechanicalSystem};

/// The factorisation of M(t, q).
///
/// A [constant](super::Description::mass_is_constant) M is factorised at the first call, and again after
/// [`forget`](Self::forget). Every run calls `forget` at its start, because parameters may have changed.
pub struct MassFactorisation<M: MechanicalSystem + ?Sized> {
    pub(super) factors: M::Mass,
    /// True if these are the factors at every point.
    pub(super) is_known: bool,
}

impl<M: MechanicalSystem + ?Sized> MassFactorisation<M> {
    /// Allocates the factors; M is not computed.
    pub fn of(system: &M) -> Self {
        MassFactorisation { factors: system.zero_mass(), is_known: false }
    }

    /// Discards the factors, for example after a change of parameters.
    pub fn forget(&mut self) {
        self.is_known = false;
    }

    /// Returns the factors of M(t, q).
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`] with the member whose block fails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at(&mut self, system: &M, t: M::Scalar, q: &M::Configuration) -> Result<&mut M::Mass, KktError> {
        if !self.is_known {
            system.mass(t, q, &mut self.factors)?;
            self.is_known = system.description().mass_is_constant;
        }
        Ok(&mut self.factors)
    }

    /// Returns the factors of the last point.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    pub fn factors(&mut self) -> &mut M::Mass {
        &mut self.factors
    }
}

impl<M: MechanicalSystem + ?Sized> Clone for MassFactorisation<M> {
    fn clone(&self) -> Self {
        MassFactorisation { factors: self.factors.clone(), is_known: self.is_known }
    }
}

impl<M: MechanicalSystem + ?Sized> fmt::Debug for MassFactorisation<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MassFactorisation").field("factors", &self.factors).field("is_known", &self.is_known).finish()
    }
}
