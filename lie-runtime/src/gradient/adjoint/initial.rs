//! The reverse pass through the accelerations and multipliers of a state, and through the projection onto the constraint manifold.

use num_traits::{One, Zero};

use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::{State, StepError};
use crate::scalar::Scalar;
use crate::space::ReverseSpace;
use crate::system::{Cotangents, KktError, MassFactorisation, Reverse};

/// The buffers of a KKT system at a state, for one system with fixed parameters.
pub(super) struct KktWorkspace<M: Reverse> {
    inertia: MassFactorisation<M>,
    jacobian: M::Jacobian,
    force: M::Velocity,
    constraint: M::Multipliers,
    /// w.
    weights: M::Velocity,
    /// μ.
    row_weights: M::Multipliers,
    /// Zeros.
    rest: M::Velocity,
    free: M::Multipliers,
    /// Unused cotangents of fixed velocities.
    unwanted: M::Velocity,
}

impl<M: Reverse> KktWorkspace<M> {
    pub fn of(system: &M) -> Self {
        KktWorkspace {
            inertia: MassFactorisation::of(system),
            jacobian: system.zero_jacobian(),
            force: system.zero_velocity(),
            constraint: system.zero_multipliers(),
            weights: system.zero_velocity(),
            row_weights: system.zero_multipliers(),
            rest: system.zero_velocity(),
            free: system.zero_multipliers(),
            unwanted: system.zero_velocity(),
        }
    }

    /// Evaluates M and B at a state.
    fn prepare(&mut self, system: &M, state: &State<M>) -> Result<M::Scalar, KktError> {
        let t = M::Scalar::from_f64(state.time);
        self.inertia.at(system, t, &state.configuration)?;
        if system.constraint_rows() > 0 {
            system.constraint_jacobian(t, &state.configuration, &mut self.jacobian);
        }
        Ok(t)
    }

    /// Runs the reverse pass through r = 0, B v' + curvature = 0, which v' and λ of `state` solve. Their cotangents become cotangents of
    /// q, v and the parameters.
    ///
    /// Zero cotangents need no computation. For the cotangents a and l, the weights solve M w + Bᵀ μ = −a, B w = −l.
    pub fn back_through_accelerations(
        &mut self,
        system: &M,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        if cotangent.acceleration.reach() == 0.0 && cotangent.multipliers.reach() == 0.0 {
            return Ok(());
        }
        let minus = -M::Scalar::one();
        let t = self.prepare(system, state)?;
        let (q, v, acceleration) = (&state.configuration, &state.velocity, &state.acceleration);
        self.force.assign_scaled(minus, &cotangent.acceleration);
        if system.constraint_rows() == 0 {
            system.solve_mass(self.inertia.factors(), &self.force, &mut self.weights);
        } else {
            self.constraint.assign_scaled(minus, &cotangent.multipliers);
            let KktWorkspace { inertia, jacobian, force, constraint, weights, row_weights, .. } = self;
            system.solve_kkt(inertia.factors(), jacobian, jacobian, force, constraint, weights, row_weights)?;
        }
        let out = &mut cotangent.of_motion();
        system.residual_pullback(t, q, v, acceleration, &state.multipliers, &self.weights, out);
        if system.constraint_rows() > 0 {
            system.curvature_pullback(t, q, v, &self.row_weights, out);
            // D_q (B v') is the gradient of B v + b at v = v', minus the gradient at v = 0.
            system.rate_pullback(t, q, acceleration, &self.row_weights, out);
            self.force.fill(M::Scalar::zero());
            self.row_weights.scale(minus);
            system.rate_pullback(t, q, &self.force, &self.row_weights, out);
        }
        cotangent.note_inputs(system, state.time);
        cotangent.acceleration.fill(M::Scalar::zero());
        cotangent.multipliers.fill(M::Scalar::zero());
        Ok(())
    }

    /// Runs the reverse pass through v' = M⁻¹(−g − Bᵀ λ), for a given λ.
    pub fn back_through_first_stage(
        &mut self,
        system: &M,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let t = self.prepare(system, state)?;
        self.force.assign_scaled(-M::Scalar::one(), &cotangent.acceleration);
        system.solve_mass(self.inertia.factors(), &self.force, &mut self.weights);
        let (q, v) = (&state.configuration, &state.velocity);
        let out = &mut cotangent.of_motion();
        system.residual_pullback(t, q, v, &state.acceleration, &state.multipliers, &self.weights, out);
        if system.constraint_rows() > 0 {
            system.jacobian_times(&self.jacobian, &self.weights, &mut self.row_weights);
            cotangent.multipliers.axpy(M::Scalar::one(), &self.row_weights);
        }
        cotangent.note_inputs(system, state.time);
        cotangent.acceleration.fill(M::Scalar::zero());
        Ok(())
    }

    /// Runs the reverse pass through the projection of the initial values `given` onto the constraint manifold of `state`. The values
    /// were consistent up to round-off. Their variations need not be consistent, and the constraints may depend on parameters. Second
    /// derivatives need only the first Gauss-Newton correction, because the next one is its square.
    ///
    /// q = q̄ exp(δ), v = v̄ + δ' with δ and δ' of least norm: M δ + Bᵀ ν = 0, B δ = −Φ at q̄, B δ' = −(B v̄ + b) at q. The last
    /// correction is zero. For its cotangent of q, y − Bᵀ ν, ν solves B M⁻¹ Bᵀ ν = B M⁻¹ y; the cotangent of Φ is −ν.
    pub fn back_through_projection(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        if system.constraint_rows() == 0 {
            Self::back_through_spins(system, given, state, cotangent);
            return Ok(());
        }
        let (one, minus) = (M::Scalar::one(), -M::Scalar::one());
        let t = M::Scalar::from_f64(state.time);
        let (mut target, mut drift) = (system.zero_multipliers(), system.zero_multipliers());
        let (mut shortest, mut reactions) = (system.zero_velocity(), system.zero_multipliers());

        self.rate(system, state, &given.velocity, &mut target);
        system.constraint_drift(t, &state.configuration, &mut drift);
        target.axpy(one, &drift);
        target.scale(minus);
        self.shortest(system, state, &target, &mut shortest, &mut reactions)?;
        let y = cotangent.velocity.clone();
        let weights = self.back_through_correction(system, state, [&shortest, &y], &reactions, cotangent)?;
        weights.scale(minus);
        system.rate_pullback(t, &state.configuration, &given.velocity, weights, &mut cotangent.of_motion());
        Self::back_through_spins(system, given, state, cotangent);
        if system.holonomic_rows() == 0 {
            cotangent.note_inputs(system, state.time);
            return Ok(());
        }

        self.prepare(system, state)?;
        self.project(system, &cotangent.configuration)?;
        self.constraint_back(system, state, cotangent);
        system.constraint(t, &given.configuration, &mut target);
        target.scale(minus);
        self.shortest(system, given, &target, &mut shortest, &mut reactions)?;
        let (end, mut of_shortest) = (cotangent.configuration.clone(), system.zero_velocity());
        cotangent.configuration.fill(M::Scalar::zero());
        system.space().motion_pullback(&shortest, &end, &mut cotangent.configuration, &mut of_shortest);
        self.back_through_correction(system, given, [&shortest, &of_shortest], &reactions, cotangent)?;
        self.constraint_back(system, given, cotangent);
        cotangent.note_inputs(system, state.time);
        Ok(())
    }

    /// Points of spheres lose the rotation about them before velocities are projected.
    fn back_through_spins(system: &M, given: &State<M>, state: &State<M>, cotangent: &mut AdjointState<M>) {
        let AdjointState { configuration: of_configuration, velocity: of_velocity, .. } = cotangent;
        system.space().spin_pullback(&state.configuration, &given.velocity, of_configuration, of_velocity);
    }

    /// Adds the gradient of −μ · Φ at `state`, with the row weights of [`project`](Self::project) or of a correction.
    fn constraint_back(&mut self, system: &M, state: &State<M>, cotangent: &mut AdjointState<M>) {
        for row in system.holonomic_rows()..system.constraint_rows() {
            self.row_weights.set_component(row, M::Scalar::zero());
        }
        self.row_weights.scale(-M::Scalar::one());
        let t = M::Scalar::from_f64(state.time);
        system.constraint_pullback(t, &state.configuration, &self.row_weights, &mut cotangent.of_motion());
    }

    /// Maps the cotangent of the first state of a run to the given initial values.
    pub fn back_to_initial_values(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        // For a given λ of the index-1 system, v' = M⁻¹(−g − Bᵀ λ) is the acceleration of the index-1 system.
        self.back_through_accelerations(system, state, cotangent)
            .and_then(|()| self.back_through_projection(system, given, state, cotangent))
            .map_err(|error| StepError::of_kkt(error, system, state, 0.0))
    }

    /// Runs the reverse pass through the δ of least norm with B δ = B u + b in holonomic rows and B δ = 0 in others, at q and t of
    /// `state`, given its cotangent. The cotangent of u is then in [`of_rate`](Self::of_rate).
    ///
    /// δ solves M δ + Bᵀ ν = 0, B δ = d. For M z + Bᵀ μ = y, B z = 0, the change of y · δ is μ · (d − B δ)' − z · (M δ + Bᵀ ν)'. The
    /// changes are at fixed δ and ν.
    pub fn back_through_shortest(
        &mut self,
        system: &M,
        state: &State<M>,
        u: &M::Velocity,
        cotangent_of_shortest: &M::Velocity,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let (zero, one) = (M::Scalar::zero(), M::Scalar::one());
        let t = self.prepare(system, state)?;
        let q = &state.configuration;
        let rest = system.zero_velocity();
        let (mut shortest, mut reactions) = (system.zero_velocity(), system.zero_multipliers());
        let KktWorkspace { inertia, jacobian, constraint, row_weights, .. } = &mut *self;
        system.jacobian_times(jacobian, u, constraint);
        system.constraint_drift(t, q, row_weights);
        constraint.axpy(one, row_weights);
        for row in system.holonomic_rows()..system.constraint_rows() {
            constraint.set_component(row, zero);
        }
        system.solve_kkt(inertia.factors(), jacobian, jacobian, &rest, constraint, &mut shortest, &mut reactions)?;
        let of_shortest = [&shortest, cotangent_of_shortest];
        let row_weights = self.back_through_correction(system, state, of_shortest, &reactions, cotangent)?;
        for row in system.holonomic_rows()..system.constraint_rows() {
            row_weights.set_component(row, zero);
        }
        self.force.fill(zero);
        let out = &mut Cotangents {
            of_configuration: &mut cotangent.configuration,
            of_velocity: &mut self.force,
            of_parameters: &mut cotangent.parameters,
        };
        system.rate_pullback(t, q, u, &self.row_weights, out);
        cotangent.note_inputs(system, state.time);
        Ok(())
    }

    /// Computes the δ of least norm with B δ = d at q and t of `state`, and ν with M δ + Bᵀ ν = 0.
    pub fn shortest(
        &mut self,
        system: &M,
        state: &State<M>,
        d: &M::Multipliers,
        shortest: &mut M::Velocity,
        reactions: &mut M::Multipliers,
    ) -> Result<(), KktError> {
        self.prepare(system, state)?;
        self.force.fill(M::Scalar::zero());
        let KktWorkspace { inertia, jacobian, force, .. } = self;
        system.solve_kkt(inertia.factors(), jacobian, jacobian, force, d, shortest, reactions)
    }

    /// Computes B v at q and t of `state`.
    pub fn rate(&mut self, system: &M, state: &State<M>, v: &M::Velocity, out: &mut M::Multipliers) {
        let t = M::Scalar::from_f64(state.time);
        system.constraint_jacobian(t, &state.configuration, &mut self.jacobian);
        system.jacobian_times(&self.jacobian, v, out);
    }

    /// Runs the reverse pass through a δ of least norm, given its cotangent y, for variable M and B: \[δ, y\] at q and t of `state`.
    /// Returns the cotangent μ of d.
    pub fn back_through_correction(
        &mut self,
        system: &M,
        state: &State<M>,
        [shortest, y]: [&M::Velocity; 2],
        reactions: &M::Multipliers,
        cotangent: &mut AdjointState<M>,
    ) -> Result<&mut M::Multipliers, KktError> {
        let minus = -M::Scalar::one();
        let t = self.prepare(system, state)?;
        let q = &state.configuration;
        let KktWorkspace { inertia, jacobian, weights, row_weights, rest, free, unwanted, .. } = &mut *self;
        system.solve_kkt(inertia.factors(), jacobian, jacobian, y, free, weights, row_weights)?;
        let out = &mut Cotangents {
            of_configuration: &mut cotangent.configuration,
            of_velocity: unwanted,
            of_parameters: &mut cotangent.parameters,
        };
        system.residual_pullback(t, q, rest, rest, free, weights, out);
        system.rate_pullback(t, q, rest, row_weights, out);
        weights.scale(minus);
        row_weights.scale(minus);
        system.residual_pullback(t, q, rest, shortest, reactions, weights, out);
        system.rate_pullback(t, q, shortest, row_weights, out);
        row_weights.scale(minus);
        Ok(row_weights)
    }

    /// The cotangent of u from [`back_through_shortest`](Self::back_through_shortest).
    pub fn of_rate(&self) -> &M::Velocity {
        &self.force
    }

    /// Adds the contributions of `reaction` = −Bᵀ η at `state` to the cotangents of q and the parameters, given the cotangent
    /// `of_reaction`.
    pub fn back_through_reactions(
        &mut self,
        system: &M,
        state: &State<M>,
        reaction: &M::Velocity,
        of_reaction: &M::Velocity,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let t = self.prepare(system, state)?;
        self.project(system, reaction)?;
        let q = &state.configuration;
        self.force.fill(M::Scalar::zero());
        let out = &mut Cotangents {
            of_configuration: &mut cotangent.configuration,
            of_velocity: &mut self.weights,
            of_parameters: &mut cotangent.parameters,
        };
        system.rate_pullback(t, q, of_reaction, &self.row_weights, out);
        self.row_weights.scale(-M::Scalar::one());
        system.rate_pullback(t, q, &self.force, &self.row_weights, out);
        cotangent.note_inputs(system, state.time);
        Ok(())
    }

    /// Computes ν of a cotangent.
    fn project(&mut self, system: &M, cotangent: &M::Velocity) -> Result<(), KktError> {
        self.constraint.fill(M::Scalar::zero());
        let KktWorkspace { inertia, jacobian, constraint, weights, row_weights, .. } = self;
        system.solve_kkt(inertia.factors(), jacobian, jacobian, cotangent, constraint, weights, row_weights)
    }
}
