//! How an event moves with what a run is differentiated by.
//!
//! A run on dual numbers x + ε δx passes through an event at the time t at which the values do: g(t, x) = 0. That of the motion
//! x + ε δx is at another time, t + ε δt, to which the state is carried by the motion before the event, f⁻. There the event makes
//! of it what it makes, Ψ, and by the motion behind it, f⁺, it is carried back to the time t of all states:
//!
//! ```text
//! δt = −D g δx / ġ,    ġ = D g f⁻ + ∂g/∂t,    δx⁺ = D Ψ (δx⁻ + f⁻ δt) + ∂Ψ/∂t δt − f⁺ δt.
//! ```
//!
//! That is the saltation matrix DΨ + (f⁺ − DΨ f⁻ − ∂Ψ/∂t) Dg / ġ (Aizerman and Gantmacher 1958; Müller 1995), of which no matrix is
//! made: dual numbers go through g, Ψ and the accelerations. ġ is the derivative of g along the flow with λ and v' of the index-1
//! system, whatever the method has for them.

use super::group::take_place;
use super::occurrence::Location;
use super::sought::{Action, Event};
use crate::integrator::Solution;
use crate::scalar::Scalar;
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::simulate::setup::Options;

/// A function that changes in a step by less than this part of its largest value so far has touched zero.
const GRAZING: f64 = 1e-6;

/// Where derivatives have been carried across an event.
pub(crate) struct Crossed<P: Simulated> {
    /// δt ε.
    pub by: ScalarOf<P>,
    /// The state behind it, at the time of the state before it, and the system there, of an event that changes something; at the
    /// event where that ends the run.
    pub after: Option<(P::State, Box<P::System>)>,
}

impl<P: Simulated> Event<'_, P> {
    /// Carries a state in which the function is zero to the event as it moves; δt ε, and nothing else of runs without derivatives.
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
        if !self.has_derivatives {
            return Err(self.failed(time, EventError::NoDerivatives));
        }
        let deviation = self.number(system, state, at)?.slope();
        // With the deviations of the state the slopes of both are too large by the same.
        let moment = ScalarOf::<P>::with_slope(0.0, 1.0);
        state.carry(system, at, none)?;
        let mut later = state.clone();
        later.carry(system, at, moment)?;
        let slope = self.number(system, &later, at + moment)?.slope() - self.number(system, state, at)?.slope();
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

    /// Carries derivatives across the event, from the state that a step has come to.
    ///
    /// # Errors
    /// Those of a run for derivatives there.
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
        take_place(&mut [(self.name.clone(), change)], (&mut own, &mut state), by, options)?;
        Ok(Crossed { by, after: Some((state, own)) })
    }
}
