//! The mass matrix of a run: factorised where it is asked for, and where it is constant once.

use core::fmt;

use super::{KktError, MechanicalSystem};

/// M(t, q), factorised.
///
/// Where M is [constant](super::Description::mass_is_constant) that is done the first time it is asked for, and once more after it has been
/// [forgotten](Self::forget), as every run does when it starts: parameters may have changed since.
pub struct MassFactorisation<M: MechanicalSystem + ?Sized> {
    pub(super) factors: M::Mass,
    /// True if these are the factors at every point.
    pub(super) is_known: bool,
}

impl<M: MechanicalSystem + ?Sized> MassFactorisation<M> {
    /// Allocates the factors; M is not known yet.
    pub fn of(system: &M) -> Self {
        MassFactorisation { factors: system.zero_mass(), is_known: false }
    }

    /// M is that of other parameters from now on.
    pub fn forget(&mut self) {
        self.is_known = false;
    }

    /// M(t, q).
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

    /// M where it has been asked for last.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
