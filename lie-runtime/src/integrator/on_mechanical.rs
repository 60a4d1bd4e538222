//! Methods for equations of first order on mechanical systems.

use super::{FieldState, FirstOrderMethod, Integrator, LocalError, LocalEstimate, State, StepError};
use crate::field::MechanicalField;
use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// A method for equations of first order, applied to mechanical systems as [`MechanicalField`] fields in (q, v).
///
/// ```
/// use lie_runtime::integrator::CommutatorFree;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod rotor {
///     #[configuration]
///     pub struct Rotor { pub attitude: SO3 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.attitude.norm_squared() }
/// }
///
/// let system = rotor::System::new()?;
/// let start = rotor::Rotor { attitude: SO3::identity() };
/// let turn = Vector3::new(0.0, 0.0, 1.0);
/// let run = Simulation::of(&system).initial(start, turn).method(OnMechanical(CommutatorFree::cf4())).step(0.1);
/// let end = run.end_time(1.0).run()?.last().clone();
/// assert!((end.configuration.attitude.log() - turn).norm() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnMechanical<I>(pub I);

/// The buffers of a step.
#[doc(hidden)]
pub struct OnMechanicalWorkspace<M: MechanicalSystem, I: FirstOrderMethod<MechanicalField<M>>> {
    from: FieldState<MechanicalField<M>>,
    to: FieldState<MechanicalField<M>>,
    inner: I::Workspace,
    linear_solves: u64,
}

/// Writes the state of the field from the state of the system.
#[inline]
fn read<M: MechanicalSystem>(system: &M, state: &State<M>, out: &mut FieldState<MechanicalField<M>>) {
    out.time = state.time;
    out.point.0.clone_from(&state.configuration);
    out.point.1.assign(&state.velocity);
    out.direction.0.0.assign(&state.velocity);
    system.space().state_direction(&state.configuration, &state.acceleration, &mut out.direction.1);
}

/// Writes the state of the system from the state of the field at its last evaluation.
#[inline]
fn write<M: MechanicalSystem, I: FirstOrderMethod<MechanicalField<M>>>(
    integrator: &I,
    field: &FieldState<MechanicalField<M>>,
    workspace: &mut I::Workspace,
    out: &mut State<M>,
) {
    out.time = field.time;
    out.configuration.clone_from(&field.point.0);
    out.velocity.assign(&field.point.1);
    let evaluation = integrator.evaluation(workspace);
    out.acceleration.assign(&evaluation.acceleration);
    out.multipliers.assign(&evaluation.multipliers);
}

impl<M: MechanicalSystem, I: FirstOrderMethod<MechanicalField<M>>> Integrator<M> for OnMechanical<I> {
    type Workspace = OnMechanicalWorkspace<M, I>;

    fn id(&self) -> &'static str {
        self.0.id()
    }
    fn order(&self) -> usize {
        self.0.order()
    }
    fn estimate_order(&self) -> Option<usize> {
        self.0.estimate_order()
    }
    fn workspace(&self, system: &M, state: &State<M>) -> Self::Workspace {
        let point = (state.configuration.clone(), state.velocity.clone());
        let from = FieldState::at(system, state.time, point);
        let inner = self.0.workspace(system, &from);
        OnMechanicalWorkspace { to: from.clone(), from, inner, linear_solves: 0 }
    }
    fn linear_solves(&self, workspace: &Self::Workspace) -> u64 {
        workspace.linear_solves
    }
    fn newton_iterations(&self, workspace: &Self::Workspace) -> Option<f64> {
        self.0.newton_iterations(&workspace.inner)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut Self::Workspace) -> Result<(), StepError> {
        read(system, state, &mut workspace.from);
        self.0.start(system, &mut workspace.from, &mut workspace.inner)?;
        write(&self.0, &workspace.from, &mut workspace.inner, state);
        workspace.linear_solves = self.0.evaluation(&mut workspace.inner).linear_solves;
        Ok(())
    }

    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        read(system, from, &mut workspace.from);
        self.0.step(system, &workspace.from, h, &mut workspace.to, &mut workspace.inner)?;
        write(&self.0, &workspace.to, &mut workspace.inner, to);
        workspace.linear_solves = self.0.evaluation(&mut workspace.inner).linear_solves;
        Ok(())
    }

    fn step_with_estimate(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        error: &mut LocalError<M>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        read(system, from, &mut workspace.from);
        let (estimate, OnMechanicalWorkspace { from: start, to: end, inner, .. }) =
            (&mut LocalEstimate::default(), &mut *workspace);
        self.0.step_with_estimate(system, start, h, end, estimate, inner)?;
        write(&self.0, &workspace.to, &mut workspace.inner, to);
        workspace.linear_solves = self.0.evaluation(&mut workspace.inner).linear_solves;
        let (q, v) = self.0.auxiliary(&workspace.inner);
        system.space().log_difference(&from.configuration, &to.configuration, &mut error.increment);
        system.space().log_difference(&to.configuration, q, &mut error.increment_error);
        error.velocity_error.assign(v);
        error.velocity_error.axpy(-<M::Scalar as num_traits::One>::one(), &to.velocity);
        Ok(())
    }
}
