//! Rotation of a rigid body: the midpoint and trapezoidal families (paper 5).
//!
//! A system of one rotation (`SO3` or `S3`) with constant inertia under torques of time and attitude,
//!
//! ```text
//! Π' = Π × ω + T(t, q),    q' = q ω~,    Π = J ω,
//! ```
//!
//! is integrated without a reformulation: the torque is the generated force at zero velocity, its derivative the generated tangent
//! stiffness. The trapezoidal rules are forward Euler over half a step followed by its adjoint, backward Euler; the midpoint rules are the
//! same maps in the other order ([`METHODS`]):
//!
//! | method | is | keeps without torque |
//! |---|---|---|
//! | TRAP, IMID | bE ∘ fE, fE ∘ bE in rates (sections 3.3, 3.4) | kinetic energy (TRAP: at midpoints) |
//! | TRAPM, IMIDM | the same, keeping momentum (section 3.6) | momentum in space |
//! | SWC1, BBTRAP | one increment of the mean velocity (section 4) | both |
//! | AKW | one increment by the Cayley map | both; the energy of a heavy top too |
//! | BBTRAPWD, MKRK | a Runge-Kutta method in the algebra | momentum in space |
//!
//! ```
//! use lie_runtime::simulate::{MethodRequirement, methods};
//!
//! let of_one_rotation = methods().into_iter().filter(|method| method.needs == MethodRequirement::OneRotation);
//! assert_eq!(of_one_rotation.count(), 17);
//! ```

mod algebra;
mod body;
mod branch;
mod maps;
mod method;
mod methods;
mod munthe_kaas;
mod step;
mod workspace;

#[doc(hidden)]
pub use body::applies_to;
pub use maps::{MomentumBalance, RotationMap};
pub use method::Rotation;
pub use methods::RotationMethod;
#[doc(hidden)]
pub use methods::{METHODS, Rule, Substep};
#[doc(hidden)]
pub use workspace::RotationWorkspace;

use super::{Integrator, State, StepError, StepFailure};
use crate::integrator::implicit::{MatrixUpdate, NewtonIteration};
use crate::scalar::Scalar;
use crate::system::Linearised;
use body::{REQUIREMENT, set_components};

impl<M: Linearised> Integrator<M> for Rotation {
    type Workspace = RotationWorkspace<M>;

    fn id(&self) -> &'static str {
        self.id
    }

    fn order(&self) -> usize {
        self.order
    }

    fn workspace(&self, system: &M, state: &State<M>) -> RotationWorkspace<M> {
        RotationWorkspace::of(
            system,
            &state.configuration,
            &NewtonIteration::new::<M::Scalar>(self.tolerance, self.maximum_iterations, MatrixUpdate::Exact),
        )
    }

    fn linear_solves(&self, workspace: &RotationWorkspace<M>) -> u64 {
        workspace.work.newton.iterations
    }

    fn newton_iterations(&self, workspace: &RotationWorkspace<M>) -> Option<f64> {
        Some(workspace.work.newton.iterations as f64 / workspace.steps.max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut RotationWorkspace<M>) -> Result<(), StepError> {
        StepError::check(system, state)?;
        let failure = StepFailure::NotApplicable { method: self.id, requirement: REQUIREMENT };
        let unsuitable = StepError { time: state.time, step: 0.0, failure };
        if !workspace.applies {
            return Err(unsuitable);
        }
        let t = M::Scalar::from_f64(state.time);
        let body = &mut workspace.work.body;
        body.trial.clone_from(&state.configuration);
        let acceleration = body.acceleration(system, t, &state.configuration, &state.velocity);
        if !acceleration.iter().all(|component| component.is_finite()) {
            return Err(StepError::not_finite(system, state, 0.0));
        }
        if body.has_torque_of_velocity(system, t, &state.velocity) {
            return Err(unsuitable);
        }
        set_components(&mut state.acceleration, &acceleration);
        Ok(())
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut RotationWorkspace<M>,
    ) -> Result<(), StepError> {
        step::step(self, system, from, h, to, workspace)
    }
}
