//! Where a system is at rest under its loads: Newton's iteration on the group, with the constraints.

pub(super) mod branch;
pub(super) mod continuation;
pub(super) mod error;
pub(super) mod load_steps;
pub(super) mod path;
pub(super) mod residual;
pub(super) mod tangent;

pub use branch::{Branch, BranchPoint, SpecialKind, SpecialPoint};
pub use continuation::Continuation;
pub use error::{EquilibriumError, LooseDirection};
pub use load_steps::LoadSteps;

use core::fmt;

use crate::analysis::equilibrium::residual::{Residual, explain};
use crate::analysis::equilibrium::tangent::{StaticPoint, Tangent, Unsolvable};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::simulate::{ConsistencyError, ConsistentValues};
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, MechanicalSystem, SaddleError};

/// A correction under this part of what has been moved is round-off if it no longer shrinks.
const STAGNANT: f64 = 1e-6;
/// One under this size is, whatever the lengths are.
const TINY: f64 = 1e-13;
/// A correction is larger than the one before by no more than this factor, but for once.
const GROWTH: f64 = 1.0;
/// Iterations that an attempt may take.
const ATTEMPT: usize = 25;
/// The forces of the start are taken away by no less than this part at a time.
const SMALLEST_STEP: f64 = 1e-4;

/// The search for a configuration in which a system is at rest: g(t, q, 0) + B(t, q)ᵀ λ = 0, Φ(t, q) = 0.
///
/// Newton's iteration on the group with the exact tangent stiffness,
///
/// ```text
/// K_t y + Bᵀ δλ = −(g + Bᵀ λ),    B y = −Φ,    q ← q ∘ exp(y),    λ ← λ + δλ.
/// ```
///
/// Steps are full ones. A line search would stop a slender rod at once: the straight displacement y of a node that turns
/// stretches the rod, by far more than is gained in bending, and it is the next iteration that takes that back. Where corrections
/// do not shrink, the forces that the start leaves are taken away in parts instead, as many as that takes: r(q) = (1 − s) r(q₀)
/// from s = 0 to s = 1. The iteration begins with the multipliers that the system would have when let go
/// at the start. The linear systems of chains have the band of implicit methods: O(N) an iteration.
///
/// Time stands still: loads and rheonomic constraints are those at [`at_time`](Self::at_time). Where there are velocity
/// constraints, equilibria are not isolated; the search moves along what these admit, from where it starts.
///
/// What is found may be unstable, for a solution of these equations need not be a minimum.
///
/// ```
/// use lie_runtime::analysis::Equilibrium;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod hanging_weight {
///     use lie_runtime::prelude::*;
///
///     #[configuration]
///     pub struct Place { pub position: R3 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() }
///
///     #[potential]
///     fn weight(q: &Place) -> f64 { 9.81 * q.position.z }
///
///     /// A string of length 2.
///     #[constraint]
///     fn string(q: &Place) -> f64 { q.position.norm() - 2.0 }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = hanging_weight::System::new()?;
/// let aside = hanging_weight::Place { position: Vector3::new(0.5, 0.2, -1.5) };
/// let found = Equilibrium::of(&system).starting_at(aside).solve()?;
/// assert!((found.state.configuration.position - Vector3::new(0.0, 0.0, -2.0)).norm() < 1e-12);
/// // The string pulls upwards with the weight: −Bᵀ λ, with B along the string from the hook.
/// assert!((found.state.multipliers[0] - 9.81).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
pub struct Equilibrium<'a, M: MechanicalSystem> {
    system: &'a M,
    start: Option<M::Configuration>,
    multipliers: Option<M::Multipliers>,
    time: f64,
    tolerance: f64,
    maximum_iterations: usize,
}

/// An equilibrium.
pub struct StaticState<M: MechanicalSystem> {
    /// The configuration at rest and its multipliers; a [`Simulation`](crate::simulate::Simulation) may begin with it.
    pub state: State<M>,
    /// Newton iterations.
    pub iterations: usize,
    /// The largest component of each correction, in the units of q.
    pub corrections: Vec<f64>,
    /// The largest component of g + Bᵀ λ that is left.
    pub force: f64,
    /// The largest component of Φ that is left.
    pub constraint: f64,
}

impl<M: MechanicalSystem> fmt::Debug for StaticState<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticState")
            .field("time", &self.state.time)
            .field("configuration", &self.state.configuration)
            .field("multipliers", &self.state.multipliers)
            .field("iterations", &self.iterations)
            .field("corrections", &self.corrections)
            .field("force", &self.force)
            .field("constraint", &self.constraint)
            .finish()
    }
}

impl<M: MechanicalSystem> Clone for StaticState<M> {
    fn clone(&self) -> Self {
        StaticState {
            state: self.state.clone(),
            iterations: self.iterations,
            corrections: self.corrections.clone(),
            force: self.force,
            constraint: self.constraint,
        }
    }
}

impl<'a, M: Linearised<Scalar = f64>> Equilibrium<'a, M> {
    /// An equilibrium of this system.
    pub fn of(system: &'a M) -> Self {
        Equilibrium { system, start: None, multipliers: None, time: 0.0, tolerance: 1e-10, maximum_iterations: 500 }
    }

    /// The search begins at this configuration, brought onto the constraints.
    #[must_use]
    pub fn starting_at(mut self, q: M::Configuration) -> Self {
        self.start = Some(q);
        self
    }

    /// The search begins at another equilibrium, with its multipliers.
    #[must_use]
    pub fn starting_from(mut self, known: &StaticState<M>) -> Self {
        self.start = Some(known.state.configuration.clone());
        self.multipliers = Some(known.state.multipliers.clone());
        self
    }

    /// Loads and constraints are those of this time; zero unless something is said.
    #[must_use]
    pub fn at_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Ends with a correction under this, in the units of q; 1e-10 unless something is said.
    ///
    /// Convergence is quadratic: what is left after the correction is about its square. A correction that no longer shrinks
    /// under 1e-6 of what has been moved is taken for round-off.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Gives up after so many iterations; 500 unless something is said.
    #[must_use]
    pub fn maximum_iterations(mut self, iterations: usize) -> Self {
        self.maximum_iterations = iterations;
        self
    }

    /// Searches.
    ///
    /// # Errors
    /// [`EquilibriumError`]: a start that does not fit, no convergence with the forces and constraints that are left, or
    /// directions in which nothing resists.
    pub fn solve(self) -> Result<StaticState<M>, EquilibriumError> {
        let Equilibrium { system, start, multipliers, time, tolerance, maximum_iterations } = self;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(EquilibriumError::Setting { option: "tolerance", value: tolerance });
        }
        let mut state = State::at_rest(system, time, start.ok_or(EquilibriumError::NoStart)?);
        check(system, &state)?;
        let mut consistent = ConsistentValues::of(system);
        let mut projected = state.configuration.clone();
        match consistent.project_configuration(system, time, &mut projected) {
            Ok(_) => state.configuration = projected,
            // The iteration closes constraints as well, and bit by bit if need be.
            Err(ConsistencyError::NotConverged { .. }) => {}
            Err(error) => return Err(EquilibriumError::Start(error)),
        }
        match multipliers {
            Some(multipliers) => state.multipliers = multipliers,
            None => {
                consistent.accelerations(system, &mut state).map_err(EquilibriumError::Start)?;
                state.acceleration.fill(0.0);
            }
        }
        ensure_rest(system, &state)?;
        Search::new(system, state, tolerance, maximum_iterations).run()
    }
}

/// Checks what does not depend on the search.
pub(super) fn check<M: Linearised<Scalar = f64>>(system: &M, state: &State<M>) -> Result<(), EquilibriumError> {
    state.check(system).map_err(EquilibriumError::ForeignStart)?;
    system.ensure_inputs(state.time, state.time).map_err(EquilibriumError::Inputs)?;
    let (t, q, v) = (state.time, &state.configuration, &state.velocity);
    system.ensure_finite_inputs(t, q, v).map_err(EquilibriumError::Inputs)?;
    system.check_against_declaration(t, q, v).map_err(EquilibriumError::Declaration)
}

/// No velocity constraint may ask for a motion.
fn ensure_rest<M: Linearised<Scalar = f64>>(system: &M, state: &State<M>) -> Result<(), EquilibriumError> {
    let mut drift = system.zero_multipliers();
    system.constraint_drift(state.time, &state.configuration, &mut drift);
    let moving = (system.holonomic_rows()..system.constraint_rows()).find(|&row| drift.component(row).abs() > 1e-14);
    moving.map_or(Ok(()), |row| {
        let constraint = system.description().constraint_of_row(row);
        Err(EquilibriumError::NeverAtRest { constraint, row, rate: drift.component(row) })
    })
}

/// Newton's iteration, and the homotopy around it.
struct Search<'a, M: Linearised> {
    system: &'a M,
    state: State<M>,
    tolerance: f64,
    maximum: usize,
    tangent: Tangent<M>,
    residual: Residual<M>,
    corrections: Vec<f64>,
    /// r and Φ of the start.
    start: (M::Velocity, M::Multipliers),
    trial: M::Configuration,
}

impl<'a, M: Linearised<Scalar = f64>> Search<'a, M> {
    fn new(system: &'a M, state: State<M>, tolerance: f64, maximum: usize) -> Self {
        Search {
            system,
            trial: state.configuration.clone(),
            start: (system.zero_velocity(), system.zero_multipliers()),
            state,
            tolerance,
            maximum,
            tangent: Tangent::of(system),
            residual: Residual::of(system),
            corrections: Vec::new(),
        }
    }

    /// The search itself.
    ///
    /// Full steps first; where these do not contract, the forces that the start leaves are taken away bit by bit: the homotopy
    /// r(q) = (1 − s) r(q₀), Φ(q) = (1 − s) Φ(q₀), from s = 0 to 1.
    fn run(mut self) -> Result<StaticState<M>, EquilibriumError> {
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

    /// Newton's iteration with full steps for r(q) = `rest` r(q₀), as long as it contracts.
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
            let State { time, configuration: q, multipliers, .. } = &self.state;
            let point = StaticPoint { system: self.system, t: *time, q, multipliers };
            if let Err(error) = self.tangent.factorise(&point) {
                return Err(explain(error, self.system, &self.state, &self.residual, self.corrections.len()));
            }
            self.solve(&mut correction);
            let size = correction.0.max_norm();
            if !(size.is_finite() && correction.1.all_finite()) {
                return Err(self.not_finite());
            }
            self.corrections.push(size);
            let extent = self.system.space().extent(&self.state.configuration).max(moved);
            let is_stagnant = size > 0.25 * previous && size <= STAGNANT * (1.0 + moved);
            if size <= self.tolerance * extent.min(1.0) || (is_stagnant && self.is_round_off(size, extent, rest)) {
                self.make(&correction);
                self.evaluate_here();
                return Ok(());
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

    /// True if a correction that no longer shrinks is round-off, where configurations have this extent: if it is little, or if
    /// what is left of the equations is little beside what a displacement by the extent makes of them. Far from the equilibrium of
    /// a system that is small itself neither is.
    fn is_round_off(&mut self, size: f64, extent: f64, rest: f64) -> bool {
        if size <= f64::max(STAGNANT * extent, TINY) {
            return true;
        }
        let (balance, position) = (self.residual.balance.clone(), self.residual.position.clone());
        let left = [balance.max_norm(), position.max_norm()];
        let mut displacement = self.system.zero_velocity();
        for component in 0..displacement.component_count() {
            // Unlike ones, for what is displaced alike may feel nothing.
            displacement.set_component(component, extent * [1.0, -0.7, 0.4][component % 3]);
        }
        let State { time, configuration, multipliers, .. } = &self.state;
        self.system.space().compose_exp(configuration, &displacement, &mut self.trial);
        self.residual.evaluate(self.system, *time, &self.trial, multipliers);
        self.residual.balance.axpy(-rest, &self.start.0);
        self.residual.position.axpy(-rest, &self.start.1);
        self.residual.balance.axpy(-1.0, &balance);
        self.residual.position.axpy(-1.0, &position);
        let made = [self.residual.balance.max_norm(), self.residual.position.max_norm()];
        (self.residual.balance, self.residual.position) = (balance, position);
        left.into_iter().zip(made).all(|(left, made)| left <= STAGNANT * made)
    }

    fn evaluate_here(&mut self) -> bool {
        let State { time, configuration, multipliers, .. } = &self.state;
        self.residual.evaluate(self.system, *time, configuration, multipliers)
    }

    fn solve(&mut self, correction: &mut (M::Velocity, M::Multipliers)) {
        self.tangent.solve(self.system, &self.residual.balance, &self.residual.position, correction);
        self.system.space().remove_spins(&self.state.configuration, &mut correction.0);
    }

    /// q ∘ exp(y) and λ + δλ.
    fn make(&mut self, correction: &(M::Velocity, M::Multipliers)) {
        let space = self.system.space();
        space.compose_exp(&self.state.configuration, &correction.0, &mut self.trial);
        space.renormalize(&mut self.trial);
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
        let error = Unsolvable::Saddle(SaddleError::NotFinite);
        explain(error, self.system, &self.state, &self.residual, self.corrections.len())
    }

    #[cold]
    fn not_converged(&mut self) -> EquilibriumError {
        self.evaluate_here();
        let (description, residual) = (self.system.description(), &self.residual);
        let Residual { balance, position, .. } = residual;
        let forces = Residual::<M>::by_name(
            balance.component_count(),
            |at| description.member_of_component(at),
            |at| balance.component(at),
        );
        let constraints = Residual::<M>::by_name(
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
