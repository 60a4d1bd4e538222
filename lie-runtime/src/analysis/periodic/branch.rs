//! A family of periodic motions over a parameter.

use core::fmt;

use nalgebra::DVector;

use crate::analysis::periodic::orbit::Orbit;
use crate::system::TangentSystem;

/// A periodic motion of a family.
pub struct OrbitPoint<M: TangentSystem> {
    /// The parameter.
    pub parameter: f64,
    /// The motion.
    pub orbit: Orbit<M>,
    /// The length of the family up to here: of states the root of the mean square of all components, of the period its part of the first
    /// one, of the parameter its part of the whole range.
    pub length: f64,
    /// How many deviations grow.
    pub unstable: usize,
}

/// What happens to a family of periodic motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialOrbitKind {
    /// The parameter turns back: there is no such motion nearby beyond it.
    Limit,
    /// A multiplier passes 1: another family crosses this one.
    Bifurcation,
    /// A multiplier passes −1: a family of twice the period leaves this one.
    PeriodDoubling,
    /// A pair of complex multipliers leaves the unit circle, or comes back: motions with a second frequency.
    Torus,
}

/// A motion of a family at which stability changes.
pub struct SpecialOrbit<M: TangentSystem> {
    /// What happens.
    pub kind: SpecialOrbitKind,
    /// The parameter.
    pub parameter: f64,
    /// The motion.
    pub orbit: Orbit<M>,
    /// It lies after this point of the family.
    pub after: usize,
    /// The tangent of the family: of (q₀, v₀), the period where nothing has it, the ways along symmetries and the parameter.
    pub(in crate::analysis) tangent: DVector<f64>,
}

/// A family of periodic motions.
pub struct OrbitBranch<M: TangentSystem> {
    /// Motions along it.
    pub points: Vec<OrbitPoint<M>>,
    /// What was found between them.
    pub special: Vec<SpecialOrbit<M>>,
}

impl<M: TangentSystem> OrbitBranch<M> {
    /// The special motions of a kind.
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
