//! A family of periodic orbits over a parameter.

use core::fmt;

use nalgebra::DVector;

use crate::analysis::periodic::orbit::{Orbit, SpecialOrbitKind};
use crate::system::TangentSystem;

/// A periodic orbit of a family.
pub struct OrbitPoint<M: TangentSystem> {
    /// The parameter.
    pub parameter: f64,
    /// The orbit.
    pub orbit: Orbit<M>,
    /// The arc length of the family up to this orbit: the root mean square of the state components, the period relative to the first one,
    /// and the parameter relative to its range.
    pub length: f64,
    /// The number of growing deviations (unstable directions).
    pub unstable: usize,
}

/// An orbit of a family with a change of stability.
pub struct SpecialOrbit<M: TangentSystem> {
    /// The kind.
    pub kind: SpecialOrbitKind,
    /// The parameter.
    pub parameter: f64,
    /// The orbit.
    pub orbit: Orbit<M>,
    /// The index of the previous point of the family.
    pub after: usize,
    /// The tangent of the family in (q₀, v₀), the period of an autonomous system, the displacements along symmetries and the parameter.
    pub(in crate::analysis) tangent: DVector<f64>,
}

/// A family of periodic orbits.
pub struct OrbitBranch<M: TangentSystem> {
    /// The orbits of the family.
    pub points: Vec<OrbitPoint<M>>,
    /// The special orbits between them.
    pub special: Vec<SpecialOrbit<M>>,
}

impl<M: TangentSystem> OrbitBranch<M> {
    /// Returns the special orbits of a kind.
    pub fn of_kind(&self, kind: SpecialOrbitKind) -> impl Iterator<Item = &SpecialOrbit<M>> {
        self.special.iter().filter(move |special| special.kind == kind)
    }
}

impl<M: TangentSystem> fmt::Debug for OrbitPoint<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrbitPoint")
            .field("parameter", &self.parameter)
            .field("orbit", &self.orbit)
            .field("length", &self.length)
            .field("unstable", &self.unstable)
            .finish()
    }
}

impl<M: TangentSystem> fmt::Debug for SpecialOrbit<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpecialOrbit")
            .field("kind", &self.kind)
            .field("parameter", &self.parameter)
            .field("orbit", &self.orbit)
            .field("after", &self.after)
            .finish_non_exhaustive()
    }
}

impl<M: TangentSystem> fmt::Debug for OrbitBranch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrbitBranch").field("points", &self.points).field("special", &self.special).finish()
    }
}
