//! A branch of equilibria over a parameter.

use core::fmt;

use crate::integrator::State;
use crate::system::MechanicalSystem;

/// An equilibrium on a branch.
pub struct BranchPoint<M: MechanicalSystem> {
    /// The parameter.
    pub parameter: f64,
    /// The configuration and its multipliers.
    pub state: State<M>,
    /// The length of the branch up to here: of motions the root of the mean square of all components, of the parameter its part
    /// of the whole range.
    pub length: f64,
    /// The values ω² nearest to zero of K φ + Bᵀ λ = ω² M φ on the constraints, in order of their size: of small motions, as long as
    /// nothing damps them, squares of frequencies. Where some motion has no inertia, of K alone; of pairs of complex ones, which forces
    /// that follow the motion may make, |ω²|: whether these grow [`StaticState::modes`](crate::analysis::StaticState::modes) tell.
    pub lowest: Vec<f64>,
    /// How many of these are negative: directions in which the equilibrium is left.
    pub unstable: usize,
}

/// What happens at a point where the tangent stiffness is singular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialKind {
    /// The parameter turns back: there is no equilibrium nearby beyond it.
    Limit,
    /// Another branch crosses this one.
    Bifurcation,
}

/// A point where the tangent stiffness is singular on the constraints.
pub struct SpecialPoint<M: MechanicalSystem> {
    /// What it is.
    pub kind: SpecialKind,
    /// The parameter.
    pub parameter: f64,
    /// The configuration and its multipliers.
    pub state: State<M>,
    /// The direction without stiffness, of length one in the metric of M.
    pub direction: M::Velocity,
    /// It lies after this point of the branch.
    pub after: usize,
}

/// A branch of equilibria.
pub struct Branch<M: MechanicalSystem> {
    /// Points along it.
    pub points: Vec<BranchPoint<M>>,
    /// The limit points and the bifurcations that were found between them.
    pub special: Vec<SpecialPoint<M>>,
}

impl<M: MechanicalSystem> Branch<M> {
    /// The special points of a kind.
    pub fn of_kind(&self, kind: SpecialKind) -> impl Iterator<Item = &SpecialPoint<M>> {
        self.special.iter().filter(move |point| point.kind == kind)
    }
}

impl<M: MechanicalSystem> fmt::Debug for BranchPoint<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BranchPoint")
            .field("parameter", &self.parameter)
            .field("configuration", &self.state.configuration)
            .field("length", &self.length)
            .field("lowest", &self.lowest)
            .field("unstable", &self.unstable)
            .finish()
    }
}

impl<M: MechanicalSystem> fmt::Debug for SpecialPoint<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpecialPoint")
            .field("kind", &self.kind)
            .field("parameter", &self.parameter)
            .field("configuration", &self.state.configuration)
            .field("direction", &self.direction)
            .field("after", &self.after)
            .finish()
    }
}

impl<M: MechanicalSystem> fmt::Debug for Branch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Branch").field("points", &self.points).field("special", &self.special).finish()
    }
}
