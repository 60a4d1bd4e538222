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
    /// The arc length of the branch up to this point: the root mean square of displacement components and of relative changes of auxiliary
    /// states, and the parameter as a fraction of its range.
    pub length: f64,
    /// The eigenvalues ω² of K φ + Bᵀ λ = ω² M φ on the constraints that are closest to zero, in ascending order. They are squared
    /// frequencies of undamped small motions. If a motion has no inertia, they are eigenvalues of K. A complex pair, which follower forces
    /// can cause, is listed as |ω²|. K contains the rows −∂z'/∂(q, z) of auxiliary states, which have unit mass; [`StaticState::modes`](crate::analysis::StaticState::modes) gives its growth.
    pub lowest: Vec<f64>,
    /// The number of negative eigenvalues, which is the number of unstable directions.
    pub unstable: usize,
}

/// The kind of a point with a singular tangent stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialKind {
    /// A limit point: the parameter has an extremum, and no equilibrium exists close to it on the other side.
    Limit,
    /// Another branch crosses this one.
    Bifurcation,
}

/// A point with a tangent stiffness that is singular on the constraints.
pub struct SpecialPoint<M: MechanicalSystem> {
    /// The kind.
    pub kind: SpecialKind,
    /// The parameter.
    pub parameter: f64,
    /// The configuration and its multipliers.
    pub state: State<M>,
    /// The direction without stiffness, of length one in the metric of M.
    pub direction: M::Velocity,
    /// The index of the previous point of the branch.
    pub after: usize,
}

/// A branch of equilibria.
pub struct Branch<M: MechanicalSystem> {
    /// Points along it.
    pub points: Vec<BranchPoint<M>>,
    /// The limit points and bifurcations between the points.
    pub special: Vec<SpecialPoint<M>>,
}

impl<M: MechanicalSystem> Branch<M> {
    /// Returns the special points of a kind.
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
