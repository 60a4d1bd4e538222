//! Check of explicit steps across a singular configuration.
//!
//! Close to a singular configuration, a factor θ of the lost direction changes its sign, and λ grows as 1 / θ. For systems without
//! `redundant = minimum_norm`, there is no [prediction](super::rank_lookahead) before the step. Errors of the stages are then multiplied by
//! quotients of their θ. Some methods pass nevertheless; others continue on another branch without an error. Both cases are distinguished
//! by a repetition of the step in two halves, whose stages have other values of θ.

use super::rank_lookahead::{RankForecast, RankLookahead};
use super::{RESEMBLE, difference};
use crate::group::TangentVector;
use crate::integrator::half_explicit::is_gradual;
use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::{Mask, Scalar};
use crate::simulate::consistent::ConsistentValues;
use crate::system::MechanicalSystem;

/// Multipliers that change by a smaller part of the largest one do not cross a singular configuration.
const SUSPECT: f64 = 0.5;

/// Makes a step of a given size from one state to another.
pub(in crate::simulate) type MakeStep<'a, M> =
    &'a mut dyn FnMut(&State<M>, f64, &mut State<M>) -> Result<(), StepError>;

/// The buffers of the check.
pub(in crate::simulate) struct SingularStepCheck<M: MechanicalSystem> {
    jacobian: M::Jacobian,
    force: M::Velocity,
    reaction: M::Velocity,
    change: M::Multipliers,
    /// Created at the first use.
    ahead: Option<RankLookahead<M>>,
}

impl<M: MechanicalSystem> SingularStepCheck<M> {
    /// Allocates the buffers. Returns `None` for systems without constraints and for systems with a prediction before each step.
    pub fn of(system: &M) -> Option<Self> {
        if system.has_least_norm() || system.constraint_rows() == 0 {
            return None;
        }
        Some(SingularStepCheck {
            jacobian: system.zero_jacobian(),
            force: system.zero_velocity(),
            reaction: system.zero_velocity(),
            change: system.zero_multipliers(),
            ahead: None,
        })
    }

    /// Checks a completed step. Repeats it in two halves if a direction is lost there.
    ///
    /// # Errors
    /// [`StepFailure::PoleOfMultipliers`] if the two halves lead to another state.
    pub fn check(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        [from, to]: [&State<M>; 2],
        step: MakeStep<'_, M>,
    ) -> Result<(), StepError> {
        if !self.may_be_passed(system, [from, to]) {
            return Ok(());
        }
        let h = to.time - from.time;
        let ahead = self.ahead.get_or_insert_with(|| RankLookahead::of(system, from));
        // A motion that permanently leaves its constraints is reported by another check, or it is permitted.
        if ahead.predict(system, consistent, from, h) != RankForecast::Lost {
            return Ok(());
        }
        let (mut middle, mut end) = (from.clone(), to.clone());
        let halves = step(from, 0.5 * h, &mut middle).and_then(|()| step(&middle, 0.5 * h, &mut end));
        if halves.is_ok() && difference(system, (h, 0.0), [to, &end], &mut self.reaction) < RESEMBLE {
            return Ok(());
        }
        Err(StepError { time: from.time, step: h, failure: StepFailure::PoleOfMultipliers })
    }

    /// Returns true if the reactions by the multipliers are discontinuous between two states.
    fn may_be_passed(&mut self, system: &M, [from, to]: [&State<M>; 2]) -> bool {
        let SingularStepCheck { jacobian, force, reaction, change, .. } = self;
        let multipliers = [&from.multipliers, &to.multipliers];
        if !may_cross_singularity(change, multipliers).any() {
            return false;
        }
        let t = M::Scalar::from_f64(to.time);
        system.constraint_jacobian(t, &to.configuration, jacobian);
        system.force(t, &to.configuration, &to.velocity, force);
        !is_gradual(system, jacobian, multipliers, force, (change, reaction))
    }
}

/// Returns the lanes in which multipliers change by more than in a regular step. `change` is a buffer.
pub(crate) fn may_cross_singularity<V: TangentVector>(
    change: &mut V,
    [before, now]: [&V; 2],
) -> <V::Scalar as Scalar>::Mask {
    change.assign(now);
    change.axpy(V::Scalar::from_f64(-1.0), before);
    let size = before.lane_norm().max(now.lane_norm());
    !change.lane_norm().le(V::Scalar::from_f64(SUSPECT) * size)
}
