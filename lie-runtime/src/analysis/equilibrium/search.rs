//! The search for an equilibrium.

use super::residual::{StaticResidual, explain};
use super::tangent::{FactorisedTangent, Unsolvable};
use super::{EquilibriumError, StaticState};
use crate::analysis::first_order::{displace, displacement_size};
use crate::analysis::pencil::StaticPoint;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, Linearised};

/// A correction below this fraction of the total displacement is round-off if it no longer shrinks.
const STAGNANT: f64 = 1e-6;
/// A correction below this size is round-off for any length scale.
const TINY: f64 = 1e-13;
/// The largest ratio of consecutive corrections, which can be exceeded once.
const GROWTH: f64 = 1.0;
/// The maximum number of iterations of an attempt.
const ATTEMPT: usize = 25;
/// The smallest step of the homotopy, as a fraction of the initial forces.
const SMALLEST_STEP: f64 = 1e-4;

/// Newton's iteration and its homotopy.
pub(super) struct EquilibriumSearch<'a, M: Linearised> {
    system: &'a M,
    state: State<M>,
    tolerance: f64,
    maximum: usize,
    tangent: FactorisedTangent<M>,
    residual: StaticResidual<M>,
    corrections: Vec<f64>,
    /// r and Φ at the start.
    start: (M::Velocity, M::Multipliers),
    trial: M::Configuration,
}

impl<'a, M: Linearised<Scalar = f64>> EquilibriumSearch<'a, M> {
    pub fn new(system: &'a M, state: State<M>, tolerance: f64, maximum: usize) -> Self {
        EquilibriumSearch {
            system,
            trial: state.configuration.clone(),
            start: (system.zero_velocity(), system.zero_multipliers()),
            state,
            tolerance,
            maximum,
            tangent: FactorisedTangent::of(system),
            residual: StaticResidual::of(system),
            corrections: Vec::new(),
        }
    }

    /// Runs the search.
    ///
    /// Uses full steps first. If they do not contract, a homotopy removes the initial residuals in parts: r(q) = (1 − s) r(q₀), Φ(q) = (1 −
    /// s) Φ(q₀), from s = 0 to 1, with as many attempts as necessary.
    ///
    /// # Errors
    /// [`EquilibriumError`].
    pub fn run(mut self) -> Result<StaticState<M>, EquilibriumError> {
        if !self.evaluate_here() {
            return Err(self.not_finite());
        }
        self.start.0.assign(&self.residual.balance);
        self.start.1.assign(&self.residual.position);
        let (mut reached, mut step) = (0.0, 1.0);
        loop {
            let known = self.state.clone();
            let share = f64::min(reached + step, 1.0);
            match self.newton(1.0 - share) {
                Ok(()) if share == 1.0 => return Ok(self.found()),
                Ok(()) => (reached, step) = (share, 2.0 * step),
                Err(error) => {
                    step *= 0.25;
                    if step < SMALLEST_STEP || self.corrections.len() >= self.maximum {
                        return Err(error);
                    }
                    self.state = known;
                }
            }
        }
    }

    /// Runs Newton's iteration with full steps for r(q) = `rest` r(q₀) while it contracts.
    fn newton(&mut self, rest: f64) -> Result<(), EquilibriumError> {
        let mut correction = (self.system.zero_velocity(), self.system.zero_multipliers());
        let (mut previous, mut moved, mut grown) = (f64::INFINITY, 0.0_f64, 0);
        let first = self.corrections.len();
        loop {
            if !self.evaluate_here() {
                return Err(self.not_finite());
            }
            self.residual.balance.axpy(-rest, &self.start.0);
            self.residual.position.axpy(-rest, &self.start.1);
            if let Err(error) = self.tangent.factorise(&StaticPoint::of(self.system, &self.state)) {
                return Err(explain(error, self.system, &self.state, &self.residual, self.corrections.len()));
            }
            self.solve(&mut correction);
            let size = displacement_size(self.system, &self.state.velocity, &correction.0);
            if !(size.is_finite() && correction.1.all_finite()) {
                return Err(self.not_finite());
            }
            self.corrections.push(size);
            let extent = self.system.space().extent(&self.state.configuration).max(moved);
            let is_stagnant = size > 0.25 * previous && size <= STAGNANT * (1.0 + moved);
            if size <= self.tolerance * extent.min(1.0) || (is_stagnant && self.is_round_off(size, extent, rest)) {
                self.make(&correction);
                return if self.evaluate_here() { Ok(()) } else { Err(self.not_finite()) };
            }
            grown += usize::from(size > GROWTH * previous);
            if grown > 1 || self.corrections.len() - first > ATTEMPT || self.corrections.len() >= self.maximum {
                return Err(self.not_converged());
            }
            self.make(&correction);
            moved += size;
            previous = size;
        }
    }

    /// Returns true if a correction that no longer shrinks is round-off for configurations of this extent. The correction is small, or the
    /// residuals are small relative to the change that a displacement by the extent causes. Far from the equilibrium of a small system
    /// neither condition holds.
    fn is_round_off(&mut self, size: f64, extent: f64, rest: f64) -> bool {
        if size <= f64::max(STAGNANT * extent, TINY) {
            return true;
        }
        let (balance, position) = (self.residual.balance.clone(), self.residual.position.clone());
        let left = [balance.max_norm(), position.max_norm()];
        let mut displacement = self.system.zero_velocity();
        for component in 0..displacement.component_count() {
            // The displacements differ, because a uniform displacement can have no effect.
            displacement.set_component(component, extent * [1.0, -0.7, 0.4][component % 3]);
        }
        let State { time: t, configuration, velocity, multipliers, .. } = &self.state;
        let (system, mut v) = (self.system, velocity.clone());
        displace(system, (configuration, &mut v), &displacement, &mut self.trial);
        self.residual.evaluate(&StaticPoint { system, t: *t, q: &self.trial, v: &v, multipliers });
        self.residual.balance.axpy(-rest, &self.start.0);
        self.residual.position.axpy(-rest, &self.start.1);
        self.residual.balance.axpy(-1.0, &balance);
        self.residual.position.axpy(-1.0, &position);
        let made = [self.residual.balance.max_norm(), self.residual.position.max_norm()];
        (self.residual.balance, self.residual.position) = (balance, position);
        left.into_iter().zip(made).all(|(left, made)| made.is_finite() && left <= STAGNANT * made)
    }

    fn evaluate_here(&mut self) -> bool {
        self.residual.evaluate(&StaticPoint::of(self.system, &self.state))
    }

    fn solve(&mut self, correction: &mut (M::Velocity, M::Multipliers)) {
        self.tangent.solve(self.system, &self.residual.balance, &self.residual.position, correction);
        self.system.space().remove_spins(&self.state.configuration, &mut correction.0);
    }

    /// Computes q ∘ exp(y), z + δz and λ + δλ.
    fn make(&mut self, correction: &(M::Velocity, M::Multipliers)) {
        let State { configuration, velocity, .. } = &mut self.state;
        displace(self.system, (configuration, velocity), &correction.0, &mut self.trial);
        self.system.space().renormalize(&mut self.trial);
        core::mem::swap(&mut self.state.configuration, &mut self.trial);
        self.state.multipliers.axpy(1.0, &correction.1);
    }

    fn found(self) -> StaticState<M> {
        let (_, force) = self.residual.worst_member(self.system);
        StaticState {
            state: self.state,
            iterations: self.corrections.len(),
            corrections: self.corrections,
            force,
            constraint: self.residual.position.max_norm(),
        }
    }

    #[cold]
    fn not_finite(&self) -> EquilibriumError {
        let error = Unsolvable::Kkt(KktError::NotFinite);
        explain(error, self.system, &self.state, &self.residual, self.corrections.len())
    }

    #[cold]
    fn not_converged(&mut self) -> EquilibriumError {
        self.evaluate_here();
        let (description, residual) = (self.system.description(), &self.residual);
        let StaticResidual { balance, position, .. } = residual;
        let forces = StaticResidual::<M>::by_name(
            balance.component_count(),
            |at| description.member_of_component(at),
            |at| balance.component(at),
        );
        let constraints = StaticResidual::<M>::by_name(
            position.component_count(),
            |row| description.constraint_of_row(row),
            |row| position.component(row),
        );
        EquilibriumError::NotConverged {
            iterations: self.corrections.len(),
            correction: self.corrections.last().copied().unwrap_or(0.0),
            forces,
            constraints,
        }
    }
}
