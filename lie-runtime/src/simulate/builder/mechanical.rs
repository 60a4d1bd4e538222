//! Options for mechanical systems.

use super::simulation::Simulation;
use crate::simulate::energy_audit::AuditRequest;
use crate::system::MechanicalSystem;

impl<M: MechanicalSystem, I, O> Simulation<'_, M, I, O> {
    /// Records λ and v' of the index-1 system instead of the method's own values. They have the order of q and v.
    #[must_use]
    pub fn full_order_multipliers(mut self) -> Self {
        self.options.full_order_multipliers = true;
        self
    }

    /// Fixes the initial configuration and velocity of these members. The initial values of the other members are guesses that are
    /// corrected to satisfy the constraints. A name is a member, a field of a body such as `upper.attitude`, an entry of an array of bodies
    /// such as `bodies[1]` or `bodies[1].attitude`, or a joint of a chain such as `hinges[2]`.
    ///
    /// For example, the angle and the rate of a crank determine the initial values of a mechanism. If the other members cannot close the
    /// mechanism, the run fails with [`ConsistencyError::NoClosure`](crate::simulate::ConsistencyError::NoClosure). The corrections are
    /// unlimited unless [`max_initial_correction`](Self::max_initial_correction) is set.
    #[must_use]
    #[doc(alias = "consistent initialization")]
    pub fn fix_initial<N: Into<String>>(mut self, members: impl IntoIterator<Item = N>) -> Self {
        self.options.held.extend(members.into_iter().map(Into::into));
        self
    }

    /// Sets the maximum correction of initial values by the projection onto the constraint manifold. Default: 0.01.
    ///
    /// The limit applies to every component of log(q₀⁻¹ q), in radians and units of length. For every component of v it is multiplied by
    /// (1 + the largest component of v₀). It also applies to a state for a restart.
    ///
    /// A larger correction causes [`ConsistencyError::TooFar`](crate::simulate::ConsistencyError::TooFar).
    /// [`Trajectory::initial`](crate::simulate::Trajectory::initial) contains the corrections.
    #[must_use]
    pub fn max_initial_correction(mut self, limit: f64) -> Self {
        self.options.correction = Some(limit);
        self
    }

    /// Sets the maximum residual of a holonomic constraint. Default: 0.05.
    ///
    /// The limit is relative to the change of the terms of the constraint since the start, max Σⱼ |Bᵢⱼ θⱼ| with θ = log(q₀⁻¹ q).
    ///
    /// The residual is checked in recorded states, in every 32nd step and in the last one. A larger residual ends the run with
    /// [`Failure::OffConstraints`](crate::simulate::Failure::OffConstraints). The residuals of half-explicit methods are O(hᵖ), with the
    /// order p of the method. If the limit is infinite, only
    /// [`Statistics::position_residual`](crate::simulate::Statistics::position_residual) reports the residual. A step across a
    /// discontinuity of a constraint causes [`Failure::ConstraintJumps`](crate::simulate::Failure::ConstraintJumps) for any limit if the
    /// method enforces position constraints.
    #[must_use]
    pub fn constraint_tolerance(mut self, relative: f64) -> Self {
        self.options.constraint_tolerance = relative;
        self
    }

    /// Monitors the rank of the constraint Jacobian in recorded states, in every 32nd step and in the last one.
    /// [`Statistics::smallest_singular_value`](crate::simulate::Statistics::smallest_singular_value) contains the smallest singular value
    /// and its time.
    ///
    /// The cost of a check is cubic in the number of rows.
    #[must_use]
    pub fn monitor_rank(mut self) -> Self {
        self.options.rank = true;
        self
    }

    /// Sets the maximum factor by which velocities may grow without an identified source of energy. Default: 100.
    ///
    /// Sources of energy are the potential energy, time-dependent forces, and forces at both ends of 32 steps. Increase the factor for
    /// models with intended short impulses from state-dependent forces that last for a few steps.
    ///
    /// A larger growth causes [`Failure::Diverged`](crate::simulate::Failure::Diverged). A system at rest may start to move for any reason.
    ///
    /// The factor f also limits the energy gain of a system that [cannot gain energy](crate::system::Description::never_gains_energy). A
    /// part of 1 − 1/f² of the energy may be a numerical gain, which corresponds to a motion that is f times too fast. The default for this
    /// limit is f = 2. A larger gain causes [`Failure::EnergyGained`](crate::simulate::Failure::EnergyGained);
    /// [`Statistics::energy_gained`](crate::simulate::Statistics::energy_gained) contains the part.
    ///
    /// Limitation: for a system with forces, numerical growth below this factor is not detected if the step size is close to the stability
    /// limit (up to 3.4 units of the fastest motion for an explicit method). You can repeat the simulation with half the step size or with
    /// error control to verify it.
    #[must_use]
    pub fn max_velocity_growth(mut self, factor: f64) -> Self {
        self.options.growth = Some(factor);
        self
    }
}

impl<'a, M: MechanicalSystem + 'a, I, O> Simulation<'a, M, I, O> {
    /// Records the energy and the work of all forces. [`Trajectory::balances`] has an entry for each recorded state, tables contain
    /// additional columns, and [`Statistics::energy_defect`](crate::simulate::Statistics::energy_defect) contains the largest unexplained
    /// energy change.
    ///
    /// The audit does not influence the run, which remains bitwise identical. Its cost per step is a few evaluations of the forces.
    ///
    /// [`Trajectory::balances`]: crate::simulate::Trajectory::balances
    #[must_use]
    #[doc(alias = "energy drift")]
    pub fn monitor_energy(mut self) -> Self {
        self.audit = Some(AuditRequest::balance(self.audit));
        self
    }

    /// Records the energy balance and the momentum ⟨∂L/∂v, ξ(q)⟩ of a motion of the whole system along q ξ~.
    ///
    /// A rotation of the whole system about the axis e has ξ = Rᵀ e in the components of a rotation R, and ξ = e × x in the components of a
    /// position x. A translation along e has ξ = e in the components of x, or ξ = Rᵀ e in a pose with body-fixed velocities. For declared
    /// systems you can write ξ by name: `Velocity { … }.into()`.
    /// [`Statistics::momentum_drift`](crate::simulate::Statistics::momentum_drift) contains the largest change of the momentum.
    ///
    /// If the length of ξ is not `dof`, the run fails with [`SetupError::Symmetry`](crate::simulate::SetupError::Symmetry).
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
