//! TR-BDF2 on Lie groups, L-stable and of second order, or of third order (paper 4).
//!
//! Two implicit stages at t_n + τ h and t_n + h and an explicit third stage share one tableau ([`TR_BDF2`]):
//!
//! ```text
//! q_k = q_n exp(θ_k),  θ_k = h Σ a_kj v_j,   v_k = v_n + h Σ a_kj v'_j,   M v'_k = −g − Bᵀ λ_k    (11), (12), (15), (16)
//! q_{n+1} = q_n exp(h Σ b̂_j v_j + 2 Corr),   Corr = c h² / (τ (τ − 1)) v_n × (τ² v_{n+1} − v_{n+τ})       (18) to (20)
//! ```
//!
//! For c = 1/24 this term is h² / 12 [v_n, h v'_n] of the Magnus expansion, with v' from the three velocities, and rotations are of third
//! order. The paper prints 1/48. The bracket is (T(−u) − T(u)) / 2 up to O(u³), so that the scheme applies to every group; on R^n it
//! vanishes. The unknown of a stage is its mean velocity, here as the increment θ_k, and Newton's iteration has the exact matrix of the
//! generated K_t and C_t.
//!
//! The difference between the third and the second stage is the error estimate. `tr_bdf2` uses the third stage only for this estimate; the
//! method is L-stable, for stiff systems. `tr_bdf2_third_order`, the method of the paper, continues from the third stage. Undamped
//! oscillations then grow (see [`Completion`]), and the method fails for a structure with stiff modes.
//!
//! **Constraints.** A stage satisfies Φ(q_k) = 0 and B v_k + b = 0 with θ_k = h Σ a_kj (v_j − B(q_n)ᵀ η_j), the stabilised index-2
//! formulation. The result of the third stage is then projected onto both by corrections of least norm in the metric of M.
//!
//! ```
//! use lie_runtime::integrator::TrBdf2;
//! use lie_runtime::integrator::tr_bdf2::{Completion, TrBdf2Options};
//!
//! let full = TrBdf2::with_options(TrBdf2Options::default().completion(Completion::Full))?;
//! assert_eq!(full, TrBdf2::third_order());
//! # Ok::<(), lie_runtime::integrator::ParameterError>(())
//! ```

mod options;
mod stage;
pub(crate) mod step;
pub(crate) mod third_stage;
mod workspace;

#[doc(hidden)]
pub use options::{CORRECTION, PRINTED_CORRECTION};
pub use options::{Completion, TrBdf2Options, TrBdf2Predictor};
#[doc(hidden)]
pub use workspace::TrBdf2Workspace;

use super::{EnergyBehaviour, HistoryOwner, Integrator, LocalError, ParameterError, State, StepError};
use crate::group::TangentVector;
use crate::integrator::tableau::TR_BDF2;
use crate::scalar::Scalar;
use crate::system::Linearised;

/// A TR-BDF2 method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "ode23tb")]
#[doc(alias = "TR-BDF2")]
pub struct TrBdf2 {
    options: TrBdf2Options,
}

/// A listed method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct TrBdf2Method {
    /// The identifier in command lines and files.
    pub id: &'static str,
    /// The descriptive name.
    pub name: &'static str,
    /// The order of q, v and λ.
    pub order: usize,
    /// The result of the third stage.
    pub completion: Completion,
}

/// All methods.
#[doc(hidden)]
pub static METHODS: [TrBdf2Method; 3] = [
    TrBdf2Method { id: "tr_bdf2", name: "TR-BDF2, L-stable", order: 2, completion: Completion::Nothing },
    TrBdf2Method {
        id: "tr_bdf2_third_order",
        name: "TR-BDF2 of third order, not for stiff systems",
        order: 3,
        completion: Completion::Full,
    },
    TrBdf2Method {
        id: "tr_bdf2_configuration",
        name: "TR-BDF2, third stage for the configuration only, not for stiff systems",
        order: 2,
        completion: Completion::Configuration,
    },
];

impl Default for TrBdf2 {
    fn default() -> Self {
        Self::new()
    }
}

impl TrBdf2 {
    /// Creates `tr_bdf2`, of second order and L-stable, for stiff systems.
    pub fn new() -> Self {
        TrBdf2 { options: TrBdf2Options::default() }
    }

    /// Creates `tr_bdf2_third_order`, for resolved motions. Undamped oscillations grow, and stiff oscillations are unstable (see
    /// [`Completion::Full`]).
    pub fn third_order() -> Self {
        TrBdf2 { options: TrBdf2Options::default().completion(Completion::Full) }
    }

    /// Creates `tr_bdf2_configuration`, in which the third stage corrects the configuration only.
    pub fn configuration() -> Self {
        TrBdf2 { options: TrBdf2Options::default().completion(Completion::Configuration) }
    }

    /// Creates `tr_bdf2` with first iterates that do not contain the accelerations of a fast damped motion.
    pub(crate) fn from_previous_stages() -> Self {
        TrBdf2 { options: TrBdf2Options::default().predictor(TrBdf2Predictor::PreviousStage) }
    }

    /// Creates the method with these choices.
    ///
    /// # Errors
    /// [`ParameterError`] if one is out of its range.
    pub fn with_options(options: TrBdf2Options) -> Result<Self, ParameterError> {
        let method = TrBdf2 { options };
        ParameterError::check_iteration(method.id(), options.tolerance, options.maximum_iterations)?;
        let correction = options.correction;
        ParameterError::unless(correction.is_finite(), method.id(), "correction", correction, "finite")?;
        Ok(method)
    }

    /// Returns the method with this identifier, or `None` if [`METHODS`] does not contain it.
    #[doc(hidden)]
    pub fn by_id(id: &str) -> Option<Self> {
        let method = METHODS.iter().find(|method| method.id == id)?;
        Some(TrBdf2 { options: TrBdf2Options::default().completion(method.completion) })
    }

    /// The choices.
    pub fn options(&self) -> &TrBdf2Options {
        &self.options
    }

    /// The owner of the stored v'.
    fn owner(&self) -> HistoryOwner {
        HistoryOwner { method: self.id(), settings: [0.0; 4] }
    }

    /// Returns the entry of the list for the completion.
    fn listed(&self) -> &'static TrBdf2Method {
        METHODS.iter().find(|method| method.completion == self.options.completion).unwrap_or(&METHODS[0])
    }

    /// The identifier.
    #[doc(hidden)]
    pub fn id(&self) -> &'static str {
        self.listed().id
    }
}

impl<M: Linearised> Integrator<M> for TrBdf2 {
    type Workspace = TrBdf2Workspace<M>;

    fn id(&self) -> &'static str {
        TrBdf2::id(self)
    }

    fn order(&self) -> usize {
        self.listed().order
    }

    fn energy_behaviour(&self) -> EnergyBehaviour {
        match self.options.completion {
            Completion::Nothing => EnergyBehaviour::Decays,
            Completion::Configuration | Completion::Full => EnergyBehaviour::Drifts,
        }
    }

    fn estimate_order(&self) -> Option<usize> {
        Some(TR_BDF2.order)
    }

    fn workspace(&self, system: &M, state: &State<M>) -> TrBdf2Workspace<M> {
        TrBdf2Workspace::of(system, state, &self.options)
    }

    fn linear_solves(&self, workspace: &TrBdf2Workspace<M>) -> u64 {
        workspace.stage.newton.iterations
    }

    fn newton_iterations(&self, workspace: &TrBdf2Workspace<M>) -> Option<f64> {
        Some(workspace.stage.newton.iterations as f64 / workspace.steps.max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut TrBdf2Workspace<M>) -> Result<(), StepError> {
        step::start(self.owner(), system, state, workspace)
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut TrBdf2Workspace<M>,
    ) -> Result<(), StepError> {
        step::step(&self.options, system, from, h, to, workspace)?;
        to.remember(self.owner(), h, 1);
        Ok(())
    }

    fn step_with_estimate(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
        workspace: &mut TrBdf2Workspace<M>,
    ) -> Result<(), StepError> {
        step::step(&self.options, system, from, h, to, workspace)?;
        to.remember(self.owner(), h, 1);
        if self.options.completion == Completion::Nothing {
            third_stage::combine(&self.options, system, h, workspace);
        }
        let minus = M::Scalar::from_f64(-1.0);
        error.increment.assign(&workspace.stage.buffers.theta);
        error.increment_error.assign(&workspace.completed);
        error.increment_error.axpy(minus, &workspace.stage.buffers.theta);
        error.velocity_error.assign(&workspace.completed_velocity);
        error.velocity_error.axpy(minus, &workspace.velocities[2]);
        Ok(())
    }
}
