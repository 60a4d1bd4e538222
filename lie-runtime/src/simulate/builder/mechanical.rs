//! Options for mechanical systems.

use super::simulation::Simulation;
use crate::simulate::energy_audit::AuditRequest;
use crate::system::MechanicalSystem;

impl<M: MechanicalSystem, I, O> Simulation<'_, M, I, O> {
    /// Records λ and v' of the index-1 system, which have the order of q and v, instead of the method's own.
    #[must_use]
    pub fn full_order_multipliers(mut self) -> Self {
        self.options.full_order_multipliers = true;
        self
    }

    /// The members of these names keep the configuration and the velocity they are given; those of the others are guesses,
    /// moved as far as the constraints ask for. Of a body a name may be that of a field, `upper.attitude`, of bodies in an
    /// array `bodies[1]` or `bodies[1].attitude`, of a joint in a chain `hinges[2]`.
    ///
    /// So are mechanisms specified: by the angle and the rate of a crank, the rest follows from closure. Where the others
    /// cannot close the mechanism it is a [`ConsistencyError::NoClosure`](crate::simulate::ConsistencyError::NoClosure). How far
    /// they may be moved is unlimited unless [`max_initial_correction`](Self::max_initial_correction) is said.
    #[must_use]
    pub fn fix_initial<N: Into<String>>(mut self, members: impl IntoIterator<Item = N>) -> Self {
        self.options.held.extend(members.into_iter().map(Into::into));
        self
    }

    /// The largest change of initial values that is made to meet the constraints, or that a state to be continued would need,
    /// default 0.01: of any component of
    /// log(q₀⁻¹ q), in radians and units of length; of any component of v, the same times 1 + the largest of v₀.
    ///
    /// A larger one wanted is a [`ConsistencyError::TooFar`](crate::simulate::ConsistencyError::TooFar). What was changed is told by
    /// [`Trajectory::initial`].
    #[must_use]
    pub fn max_initial_correction(mut self, limit: f64) -> Self {
        self.options.correction = Some(limit);
        self
    }

    /// The largest residual of a holonomic constraint that is tolerated, default 0.05: relative to how much the terms of
    /// the constraint have changed since the start, max Σⱼ |Bᵢⱼ θⱼ| with θ = log(q₀⁻¹ q).
    ///
    /// A larger one, in a state that is recorded, in one of 32 steps or in the last, ends the run with
    /// [`Failure::OffConstraints`](crate::simulate::Failure::OffConstraints). The residuals of half-explicit methods are those of their order, O(hᵖ); with an infinite
    /// tolerance they are shown by [`Statistics::position_residual`](crate::simulate::Statistics::position_residual) alone. A step across a jump of a
    /// constraint, by a method that meets it behind, is a [`Failure::ConstraintJumps`](crate::simulate::Failure::ConstraintJumps) at any tolerance.
    #[must_use]
    pub fn constraint_tolerance(mut self, relative: f64) -> Self {
        self.options.constraint_tolerance = relative;
        self
    }

    /// Looks how near the constraints come to losing rank, in every state that is recorded, in one of 32 steps and in the last:
    /// [`Statistics::smallest_singular_value`](crate::simulate::Statistics::smallest_singular_value) tells it and its time.
    ///
    /// Each look takes time for the cube of the number of rows.
    #[must_use]
    pub fn monitor_rank(mut self) -> Self {
        self.options.rank = true;
        self
    }

    /// How many times speeds may grow, over a run, where neither potential energy nor forces of the time nor those at both
    /// ends of 32 steps account for it, default 100: blows that are meant, from forces of the state that last for a few steps.
    ///
    /// More is a [`Failure::Diverged`](crate::simulate::Failure::Diverged). What is at rest may be set off by anything.
    ///
    /// It also limits the energy of a system that [cannot gain any](crate::system::Description::never_gains_energy): a part of 1 − 1/f² of
    /// the energy of a motion may be a numerical gain, as of motions f times as fast, default f = 2. More is a
    /// [`Failure::EnergyGained`](crate::simulate::Failure::EnergyGained);
    /// [`Statistics::energy_gained`](crate::simulate::Statistics::energy_gained) reports the part.
    ///
    /// A limit of what is recognised: in a system with forces, growth under this factor over a whole run, at steps that the rate of
    /// the fastest motion allows (of at most 3.4 of its units for an explicit method), may be the method's and ends well. A run
    /// with half the step, or with a tolerance, tells.
    #[must_use]
    pub fn max_velocity_growth(mut self, factor: f64) -> Self {
        self.options.growth = Some(factor);
        self
    }
}

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
        self.audit = Some(AuditRequest::balance(self.audit));
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
        self.audit = Some(AuditRequest::balance(self.audit).and_momentum(name, along));
        self
    }
}
