//! Saltation: derivatives across an event.
//!
//! A run on dual numbers x + ε δx has an event at the time t of the values: g(t, x) = 0. The event of the motion x + ε δx is at the time
//! t + ε δt. The flow before the event, f⁻, carries the state to this time. The change Ψ is applied there. The flow after the event, f⁺,
//! carries the state back to the time t of all states:
//!
//! ```text
//! δt = −D g δx / ġ,    ġ = D g f⁻ + ∂g/∂t,    δx⁺ = D Ψ (δx⁻ + f⁻ δt) + ∂Ψ/∂t δt − f⁺ δt.
//! ```
//!
//! This is the saltation matrix DΨ + (f⁺ − DΨ f⁻ − ∂Ψ/∂t) Dg / ġ (Aizerman and Gantmacher 1958; Müller 1995). The matrix is not formed: g,
//! Ψ and the accelerations are evaluated with dual numbers. ġ is the derivative of g along the flow with λ and v' of the index-1 system,
//! independent of the method.

use super::event_spec::{Action, Event};
use super::group::apply_group;
use super::occurrence::Location;
use crate::integrator::Solution;
use crate::scalar::Scalar;
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::simulate::setup::Options;

/// An event function that changes in a step by less than this fraction of its largest value so far is grazing.
const GRAZING: f64 = 1e-6;

/// The result of derivatives across an event.
pub(crate) struct Crossed<P: Simulated> {
    /// The derivative part of the event time, δt ε.
    pub by: ScalarOf<P>,
    /// The state after the event and the system, for an event with a change. The state is carried back to the time of the state before the
    /// event; if the run ends, it remains at the event.
    pub after: Option<(P::State, Box<P::System>)>,
}

impl<P: Simulated> Event<'_, P> {
    /// Carries a state in which the function is zero to the event of the differentiated motion. Returns δt ε, which is zero in a run
    /// without derivatives.
    pub(in crate::simulate) fn carry(
        &mut self,
        system: &P::System,
        state: &mut P::State,
        located: &Location,
    ) -> Result<ScalarOf<P>, Failure> {
        let none = ScalarOf::<P>::from_f64(0.0);
        if !ScalarOf::<P>::HAS_DERIVATIVES {
            return Ok(none);
        }
        let (time, at) = (state.time(), ScalarOf::<P>::from_f64(state.time()));
        if self.settings.one_sided.is_some() {
            return Err(self.failed(time, EventError::ContactDerivatives));
        }
        if !self.has_derivatives {
            return Err(self.failed(time, EventError::NoDerivatives));
        }
        let deviation = self.dual_value(system, state, at)?.slope();
        // The derivatives of the state contribute equally to both values, and cancel in the difference.
        let moment = ScalarOf::<P>::with_slope(0.0, 1.0);
        state.carry(system, at, none)?;
        let mut later = state.clone();
        later.carry(system, at, moment)?;
        let slope = self.dual_value(system, &later, at + moment)?.slope() - self.dual_value(system, state, at)?.slope();
        if deviation.is_nan() || slope.is_nan() {
            return Err(self.failed(time, EventError::NoSlope));
        }
        let passes = slope.abs() * located.step > GRAZING * located.scale;
        if !passes {
            return Err(self.failed(time, EventError::Grazing { slope }));
        }
        let by = ScalarOf::<P>::with_slope(0.0, -deviation / slope);
        state.carry(system, at, by)?;
        Ok(by)
    }

    /// Carries derivatives across the event, from the state at the end of a step.
    ///
    /// # Errors
    /// The failure of the derivatives or of the action.
    pub(crate) fn cross(
        &mut self,
        system: &P::System,
        mut state: P::State,
        located: &Location,
        options: &Options,
    ) -> Result<Crossed<P>, Failure> {
        let by = self.carry(system, &mut state, located)?;
        let Action::Change(change) = &mut self.action else { return Ok(Crossed { by, after: None }) };
        let mut own = change.own(system);
        apply_group(&mut [(self.settings.name.clone(), change)], (&mut own, &mut state), by, options)?;
        Ok(Crossed { by, after: Some((state, own)) })
    }
}
