//! Symplectic Lie group integrators on T*G (paper 3, eqs. 15-17): a family with one parameter θ in [0, 1].
//!
//! Each step solves for (ξ, n̄) by Newton's iteration with a Jacobian from dual numbers. For declared systems, the velocities determine the
//! momenta, and ξ is the only unknown. For chains the elimination takes O(N) operations. θ = ½ has order 2, every other θ order 1. The map
//! of a step preserves the canonical symplectic form; energy errors stay bounded over long times. The
//! [`LegendreTransform`](crate::field::LegendreTransform) provides the Hamiltonian of conservative declared systems.
//!
//! ```
//! use lie_runtime::integrator::SymplecticLieGroup;
//!
//! let midpoint = SymplecticLieGroup::new(0.5)?;
//! assert_eq!(midpoint, SymplecticLieGroup::slgi_half());
//! assert!(SymplecticLieGroup::new(1.5).is_err());
//! # Ok::<(), lie_runtime::integrator::symplectic::ThetaError>(())
//! ```

mod equations;
mod step;

use crate::field::{HamiltonianProblem, LiftedHamiltonian, OnCotangent};
use crate::integrator::{EnergyBehaviour, FieldState, Integrator, StepError};
use crate::messages::see;

#[doc(hidden)]
pub use step::SymplecticWorkspace;

/// The symplectic method with the parameter θ.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "symplectic integrator")]
pub struct SymplecticLieGroup {
    id: &'static str,
    theta: f64,
}

/// The error of a θ outside [0, 1].
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[error("theta is {theta}; it must be in [0, 1] {}", see("choice-of-a-method"))]
pub struct ThetaError {
    /// The value.
    pub theta: f64,
}

crate::messages::debug_is_the_message!(ThetaError);
/// The methods with their own identifiers.
#[doc(hidden)]
pub static METHODS: [SymplecticLieGroup; 3] = [
    SymplecticLieGroup { id: "slgi_0", theta: 0.0 },
    SymplecticLieGroup { id: "slgi_half", theta: 0.5 },
    SymplecticLieGroup { id: "slgi_1", theta: 1.0 },
];

impl SymplecticLieGroup {
    /// Creates the method with this θ.
    ///
    /// # Errors
    /// [`ThetaError`] if θ is not in [0, 1].
    pub fn new(theta: f64) -> Result<Self, ThetaError> {
        if (0.0..=1.0).contains(&theta) {
            let listed = METHODS.into_iter().find(|method| method.theta == theta);
            Ok(listed.unwrap_or(SymplecticLieGroup { id: "slgi", theta }))
        } else {
            Err(ThetaError { theta })
        }
    }

    fn listed(method: &Self) -> Self {
        *method
    }

    named! {
        /// θ = 0, of order 1.
        slgi_0: METHODS[0];
        /// θ = 1/2, of order 2.
        slgi_half: METHODS[1];
        /// θ = 1, of order 1.
        slgi_1: METHODS[2];
    }

    /// Returns the method with this identifier, or `None` if [`METHODS`] does not contain it.
    #[doc(hidden)]
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.into_iter().find(|method| method.id == id)
    }

    /// The identifier.
    #[doc(hidden)]
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// θ.
    pub fn theta(&self) -> f64 {
        self.theta
    }

    /// The order p.
    #[doc(hidden)]
    pub fn order(&self) -> usize {
        if self.theta == 0.5 { 2 } else { 1 }
    }
}

impl<H: LiftedHamiltonian<Scalar = f64> + OnCotangent> Integrator<HamiltonianProblem<H>> for SymplecticLieGroup {
    type Workspace = SymplecticWorkspace<H>;

    fn id(&self) -> &'static str {
        self.id
    }
    fn order(&self) -> usize {
        SymplecticLieGroup::order(self)
    }
    fn energy_behaviour(&self) -> EnergyBehaviour {
        EnergyBehaviour::StaysNear
    }
    fn newton_iterations(&self, workspace: &SymplecticWorkspace<H>) -> Option<f64> {
        Some(workspace.mean_iterations())
    }
    fn workspace(&self, system: &H, state: &FieldState<HamiltonianProblem<H>>) -> SymplecticWorkspace<H> {
        SymplecticWorkspace::of(system, &state.point.configuration)
    }
    fn start(
        &self,
        system: &H,
        state: &mut FieldState<HamiltonianProblem<H>>,
        workspace: &mut SymplecticWorkspace<H>,
    ) -> Result<(), StepError> {
        workspace.begin(system);
        state.evaluate(system, 0.0, &mut workspace.evaluation)
    }
    fn step(
        &self,
        system: &H,
        from: &FieldState<HamiltonianProblem<H>>,
        h: f64,
        to: &mut FieldState<HamiltonianProblem<H>>,
        workspace: &mut SymplecticWorkspace<H>,
    ) -> Result<(), StepError> {
        step::step(self.theta, system, from, h, to, workspace)?;
        to.evaluate(system, h, &mut workspace.evaluation)
    }
}
