//! What is kept account of beside a run.

use super::simulation::Simulation;
use crate::simulate::balance::Watched;
use crate::system::MechanicalSystem;

impl<'a, M: MechanicalSystem + 'a, I, O> Simulation<'a, M, I, O> {
    /// Keeps account of the energy of the motion and of what it is given and taken by: [`Trajectory::balances`] has an entry for each
    /// recorded state, tables get columns of it, and [`Statistics::energy_defect`](crate::simulate::Statistics::energy_defect) tells how much
    /// has come from nowhere.
    ///
    /// It does not touch the run, which is the same to the last bit, and takes about as long as a few evaluations of the forces a
    /// step.
    ///
    /// [`Trajectory::balances`]: crate::simulate::Trajectory::balances
    #[must_use]
    pub fn monitor_energy(mut self) -> Self {
        self.watched = Some(Watched::balance(self.watched));
        self
    }

    /// The same, and keeps account of the momentum ⟨∂L/∂v, ξ(q)⟩ of a motion of the whole system along q ξ~.
    ///
    /// A turn of everything about the vertical e has ξ = Rᵀ e in the components of a rotation R, and e × x in those of a
    /// position x; a shift along e has e in those of x, or Rᵀ e in those of a pose whose velocities are all of the body. Of a declared
    /// system ξ is written by names, as `Velocity { … }.into()`. Whether the momentum is kept is told by
    /// [`Statistics::momentum_drift`](crate::simulate::Statistics::momentum_drift).
    ///
    /// A ξ of other than `dof` components is a [`SetupError::Symmetry`](crate::simulate::SetupError::Symmetry).
    #[must_use]
    pub fn monitor_momentum(
        mut self,
        name: &'static str,
        along: impl Fn(&M, &M::Configuration) -> M::Velocity + Send + 'a,
    ) -> Self {
        self.watched = Some(Watched::balance(self.watched).and_momentum(name, along));
        self
    }
}
