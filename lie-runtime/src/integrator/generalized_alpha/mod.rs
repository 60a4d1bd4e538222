//! The generalized-α Lie group method (paper 2, section 4).
//!
//! ```text
//! M(q_{n+1}) v'_{n+1} = −g − B(q_{n+1})ᵀ λ_{n+1},      Φ(q_{n+1}) = 0                                    (27), (28)
//! q_{n+1} = q_n exp(h Δq_n),    Δq_n = v_n + (1/2 − β) h a_n + β h a_{n+1}                               (29), (30)
//! v_{n+1} = v_n + (1 − γ) h a_n + γ h a_{n+1}                                                                  (31)
//! (1 − α_m) a_{n+1} + α_m a_n = (1 − α_f) v'_{n+1} + α_f v'_n                                                  (32)
//! ```
//!
//! Velocity constraints are satisfied as B v_{n+1} + b = 0. The stabilised index-2 formulation also satisfies the holonomic rows at this
//! level. A further multiplier η gives Δq_n the necessary freedom,
//!
//! ```text
//! Δq_n = v_n − B(q_n)ᵀ η_n + (1/2 − β) h a_n + β h a_{n+1},      B(q_{n+1}) v_{n+1} + b(t_{n+1}, q_{n+1}) = 0,
//! ```
//!
//! the discretisation of q' = q (v − Bᵀ η)~ (Gear, Gupta, Leimkuhler; Arnold, Brüls, Cardona 2015).
//!
//! An updated Lagrangian method (section 6) makes the same step in local coordinates x of q = q_n ∘ μ(x), which restart at every step: eqs.
//! (30)-(32) for x, x' and x'', then
//!
//! ```text
//! v_{n+1} = T(x) x',    v'_{n+1} = T(x) x'' + T'(x, x') x',    a_{n+1} = T(x) a₁ + T'(x, x') x'.           (74)-(76)
//! ```
//!
//! μ is a [`CoordinateMap`](crate::group::CoordinateMap), which is data.
//!
//! A step is solved by Newton's method with the exact matrix (34), in unknowns whose matrix has a limit for h → 0 (see
//! [`IterationPoint`](crate::system::IterationPoint)). For small systems without `Vec`, the compiler generates the elimination, and a step
//! costs little more than with one matrix for several corrections. For chains, one matrix for several corrections is cheaper and usually
//! sufficient (see [`Newton`]). Between steps a state [stores](super::Memory) (a − v') / h, which tends to (α_m − α_f) v''. A step of
//! another size then starts from a_n = v'_n + h (a − v') / h, of second order for any sequence of sizes.
//!
//! ```
//! use lie_runtime::integrator::GeneralizedAlpha;
//! use lie_runtime::integrator::generalized_alpha::Parameters;
//!
//! let method = GeneralizedAlpha::index3(Parameters::chung_hulbert(0.9)?);
//! assert_eq!(method.parameters().order(), 2);
//! # Ok::<(), lie_runtime::integrator::ParameterError>(())
//! ```

pub(crate) mod damped;
mod estimate;
mod options;
mod parameters;
pub(crate) mod start;
pub(crate) mod step;
pub(crate) mod workspace;

pub use options::{Formulation, METHODS, Method, Newton, Options, Predictor, Start};
pub use parameters::Parameters;
pub use workspace::Workspace;

use super::implicit::Buffers;
use super::{EnergyBehaviour, Integrator, LocalError, Owner, ParameterError, State, StepError, accelerations};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::{Linearised, MechanicalSystem};
use workspace::Attempt;

/// The number of vectors that a state stores: (a − v') / h and, for steps with an estimate, the normal part of v.
const VECTORS: usize = 2;

/// The limit of `maximum_halvings`: more than 2¹⁶ parts of a step do not help.
const MOST_HALVINGS: u32 = 16;

/// The generalized-α Lie group method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedAlpha {
    parameters: Parameters,
    options: Options,
}

impl GeneralizedAlpha {
    fn listed(method: &Method) -> Self {
        let options = Options { formulation: method.formulation, ..Options::default() };
        GeneralizedAlpha { parameters: Parameters::default(), options }
    }

    named! {
        /// The index-3 formulation on the group, with the default parameters; [`chung_hulbert`](Self::chung_hulbert) and
        /// [`index3`](Self::index3) accept others.
        lie_alpha: METHODS[0];
        /// The stabilised index-2 formulation on the group; [`stabilised`](Self::stabilised) accepts other parameters.
        lie_alpha_stab2: METHODS[1];
        /// Updated Lagrangian in the conformal rotation vector; [`by_id`](Self::by_id) accepts other parameters.
        ul_crv: METHODS[2];
        /// Updated Lagrangian in the rotation vector.
        ul_rotation_vector: METHODS[3];
        /// Updated Lagrangian in the Cayley transform.
        ul_cayley: METHODS[4];
    }

    /// Newmark's method after Simo and Vu-Quoc.
    pub fn simo_vu_quoc() -> Self {
        Self::index3(Parameters::simo_vu_quoc())
    }

    /// Creates the method with these parameters and choices.
    ///
    /// # Errors
    /// [`ParameterError`] for an invalid value.
    pub fn new(parameters: Parameters, options: Options) -> Result<Self, ParameterError> {
        let method = GeneralizedAlpha { parameters, options };
        method.check()?;
        Ok(method)
    }

    /// Creates `lie_alpha` with the parameters of Chung and Hulbert for the spectral radius ρ∞ at infinite frequency.
    ///
    /// ```
    /// use lie_runtime::prelude::*;
    ///
    /// assert_eq!(GeneralizedAlpha::chung_hulbert(0.9)?.id(), "lie_alpha");
    /// assert!(GeneralizedAlpha::chung_hulbert(1.1).is_err());
    /// # Ok::<(), lie_runtime::integrator::ParameterError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] if ρ∞ is not in [0, 1].
    pub fn chung_hulbert(spectral_radius: f64) -> Result<Self, ParameterError> {
        Parameters::chung_hulbert(spectral_radius).map(Self::index3)
    }

    /// Creates `lie_alpha`, the index-3 formulation.
    pub fn index3(parameters: Parameters) -> Self {
        GeneralizedAlpha { parameters, options: Options::default() }
    }

    /// Creates `lie_alpha_stab2`, the stabilised index-2 formulation.
    pub fn stabilised(parameters: Parameters) -> Self {
        let options = Options { formulation: Formulation::StabilisedIndex2, ..Options::default() };
        GeneralizedAlpha { parameters, options }
    }

    /// Returns the listed method with this identifier, or `None` if [`METHODS`] does not contain it.
    ///
    /// ```
    /// use lie_runtime::integrator::GeneralizedAlpha;
    /// use lie_runtime::integrator::generalized_alpha::Parameters;
    ///
    /// let parameters = Parameters::chung_hulbert(0.9)?;
    /// assert_eq!(GeneralizedAlpha::by_id("ul_crv", parameters).unwrap().id(), "ul_crv");
    /// assert!(GeneralizedAlpha::by_id("ul", parameters).is_none());
    /// # Ok::<(), lie_runtime::integrator::ParameterError>(())
    /// ```
    pub fn by_id(id: &str, parameters: Parameters) -> Option<Self> {
        let method = METHODS.iter().find(|method| method.id == id)?;
        Some(GeneralizedAlpha { parameters, ..Self::listed(method) })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The choices.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The identifier; all unlisted coordinate maps share one.
    pub fn id(&self) -> &'static str {
        let listed = METHODS.iter().find(|method| method.formulation == self.options.formulation);
        listed.map_or("updated_lagrangian", |method| method.id)
    }

    /// Checks all parameters and choices.
    fn check(&self) -> Result<(), ParameterError> {
        let GeneralizedAlpha { parameters, options } = self;
        parameters.check()?;
        ParameterError::check_iteration(self.id(), options.tolerance, options.maximum_iterations)?;
        let (halvings, most) = (options.maximum_halvings, MOST_HALVINGS);
        ParameterError::unless(halvings <= most, self.id(), "maximum_halvings", halvings.into(), "at most 16")
    }

    /// The owner of the memory (a − v') / h, whose size depends on the parameters.
    #[inline]
    pub(crate) fn owner(&self) -> Owner {
        let Parameters { alpha_m, alpha_f, beta, gamma } = self.parameters;
        Owner { method: self.id(), settings: [alpha_m, alpha_f, beta, gamma] }
    }

    /// Returns a_n, the acceleration-like variable of a state that this method has computed; `None` for any other state.
    pub fn auxiliary_acceleration<M: MechanicalSystem>(&self, system: &M, state: &State<M>) -> Option<M::Velocity> {
        let mut sum = system.zero_velocity();
        let memory = state.remembered(&self.owner(), system, &mut sum)?;
        sum.assign(&state.acceleration);
        sum.axpy(M::Scalar::from_f64(memory.step()), memory.vector(0));
        Some(sum)
    }

    /// Sets a_n of an otherwise complete state to `a`, as after a step of size `step`.
    pub fn set_auxiliary_acceleration<M: MechanicalSystem>(
        &self,
        system: &M,
        state: &mut State<M>,
        step: f64,
        a: &M::Velocity,
    ) {
        let State { memory, configuration, acceleration, .. } = state;
        memory.make_room(system, configuration, VECTORS, 0);
        let lag = memory.vector_mut(0);
        lag.assign(a);
        lag.axpy(-<M::Scalar as num_traits::One>::one(), acceleration);
        lag.scale(M::Scalar::from_f64(1.0 / step));
        state.remember(self.owner(), step, 1);
    }

    /// Repeats a failed step in 2, 4, … parts.
    #[cold]
    #[inline(never)]
    fn step_in_parts<M: Linearised>(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut Workspace<M>,
        mut failed: StepError,
    ) -> Result<(), StepError> {
        let Workspace { attempt, parts: [current, next] } = workspace;
        for halvings in 1..=self.options.maximum_halvings {
            let parts = 2_u32.pow(halvings);
            let part = h / f64::from(parts);
            current.clone_from(from);
            let mut outcome = Ok(());
            for n in 1..=parts {
                outcome = step::attempt(self, system, current, part, next, attempt);
                if outcome.is_err() {
                    break;
                }
                next.time = from.time + f64::from(n) * part;
                core::mem::swap(current, next);
            }
            match outcome {
                Ok(()) => {
                    to.clone_from(current);
                    to.time = from.time + h;
                    return Ok(());
                }
                Err(error) if error.failure.may_pass_with_smaller_step() => failed = error,
                Err(error) => return Err(error),
            }
        }
        Err(failed)
    }
}

impl<M: Linearised> Integrator<M> for GeneralizedAlpha {
    type Workspace = Workspace<M>;

    fn id(&self) -> &'static str {
        GeneralizedAlpha::id(self)
    }

    fn order(&self) -> usize {
        self.parameters.order()
    }

    fn energy_behaviour(&self) -> EnergyBehaviour {
        if self.parameters.gamma > 0.5 { EnergyBehaviour::Decays } else { EnergyBehaviour::Drifts }
    }

    fn estimate_order(&self) -> Option<usize> {
        Some(self.parameters.order())
    }

    fn workspace(&self, system: &M, state: &State<M>) -> Workspace<M> {
        Workspace::of(system, state, &self.options)
    }

    fn linear_solves(&self, workspace: &Workspace<M>) -> u64 {
        let Attempt { stage, damped, other_solves, .. } = &workspace.attempt;
        let in_parts =
            damped.as_ref().map_or(0, |damped| Integrator::<M>::linear_solves(&damped::method(), &damped.workspace));
        stage.newton.iterations + in_parts + other_solves
    }

    fn newton_iterations(&self, workspace: &Workspace<M>) -> Option<f64> {
        let Attempt { stage, steps, .. } = &workspace.attempt;
        Some(stage.newton.iterations as f64 / (*steps).max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut Workspace<M>) -> Result<(), StepError> {
        StepError::check(system, state)?;
        self.check().map_err(|error| StepError::of_parameter(error, state.time))?;
        let Attempt { stage, inertia, at_probe, .. } = &mut workspace.attempt;
        stage.newton.forget();
        inertia.forget();
        let Buffers { theta, reaction, .. } = &mut stage.buffers;
        let is_known = state.remembered(&self.owner(), system, theta).is_some();
        if is_known {
            return Ok(());
        }
        state.memory.forget();
        state.memory.make_room(system, &state.configuration, VECTORS, 0);
        accelerations::from_multipliers(system, state, 0.0, inertia, at_probe, reaction)
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut Workspace<M>,
    ) -> Result<(), StepError> {
        match step::attempt(self, system, from, h, to, &mut workspace.attempt) {
            Err(error) if error.failure.may_pass_with_smaller_step() => {
                self.step_in_parts(system, from, h, to, workspace, error)
            }
            outcome => outcome,
        }
    }

    fn step_with_estimate(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
        workspace: &mut Workspace<M>,
    ) -> Result<(), StepError> {
        let work = &mut workspace.attempt;
        step::attempt_usual(self, system, from, h, to, work)?;
        estimate::estimate(self, system, from, h, to, error, work)
            .map_err(|error| StepError::of_saddle(error, system, from, h))
    }
}
