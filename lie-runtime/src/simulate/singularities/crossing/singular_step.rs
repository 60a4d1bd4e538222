//! Steps of explicit methods across a pole of the multipliers.
//!
//! Where a direction is lost, by a factor θ that passes zero, λ is a residue over θ. Without `redundant = minimum_norm` nothing
//! [looks ahead](super::rank_lookahead), and what the stages of a step that leads across say about one another is multiplied by quotients of their θ.
//! Some methods come through all the same; others would go on along another branch, and end well. Both show in two halves of the step, whose
//! stages have other θ.

use super::rank_lookahead::{RankForecast, RankLookahead};
use super::{RESEMBLE, difference};
use crate::group::TangentVector;
use crate::integrator::half_explicit::is_gradual;
use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::{Mask, Scalar};
use crate::simulate::consistent::ConsistentValues;
use crate::system::MechanicalSystem;

/// Multipliers that change by a smaller part of the largest one have no pole in between.
const SUSPECT: f64 = 0.5;

/// Makes a step of a size from a state into another one.
pub(in crate::simulate) type MakeStep<'a, M> =
    &'a mut dyn FnMut(&State<M>, f64, &mut State<M>) -> Result<(), StepError>;

/// What looking takes.
pub(in crate::simulate) struct SingularStepCheck<M: MechanicalSystem> {
    jacobian: M::Jacobian,
    force: M::Velocity,
    reaction: M::Velocity,
    change: M::Multipliers,
    /// Made where it is needed first.
    ahead: Option<RankLookahead<M>>,
}

impl<M: MechanicalSystem> SingularStepCheck<M> {
    /// The buffers, for systems with constraints whose rank is not looked at before each step.
    pub fn of(system: &M) -> Option<Self> {
        if const { M::REDUNDANCY.is_minimum_norm() } || system.constraint_rows() == 0 {
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

    /// Looks at a step that has been made, and makes it in two halves if a direction is lost there.
    ///
    /// # Errors
    /// [`StepFailure::PoleOfMultipliers`] if these lead elsewhere.
    pub fn look(
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
        // A motion that leaves its constraints for good there is for others to tell, or has been allowed to.
        if ahead.look(system, consistent, from, h) != RankForecast::Lost {
            return Ok(());
        }
        let (mut middle, mut end) = (from.clone(), to.clone());
        let halves = step(from, 0.5 * h, &mut middle).and_then(|()| step(&middle, 0.5 * h, &mut end));
        if halves.is_ok() && difference(system, h, [to, &end], &mut self.reaction) < RESEMBLE {
            return Ok(());
        }
        Err(StepError { time: from.time, step: h, failure: StepFailure::PoleOfMultipliers })
    }

    /// True if multipliers jump between two states, in the reactions that they cause.
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

/// Where multipliers change by more than they do without a pole in between; a buffer is given.
pub(crate) fn may_cross_singularity<V: TangentVector>(
    change: &mut V,
    [before, now]: [&V; 2],
) -> <V::Scalar as Scalar>::Mask {
    change.assign(now);
    change.axpy(V::Scalar::from_f64(-1.0), before);
    let size = before.lane_norm().max(now.lane_norm());
    !change.lane_norm().le(V::Scalar::from_f64(SUSPECT) * size)
}
