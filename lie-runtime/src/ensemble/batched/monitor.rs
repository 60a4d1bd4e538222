//! Monitor of a batch of members.

use core::marker::PhantomData;

use super::batch::{States, Systems};
use crate::integrator::{State, StepError, StepFailure};
use crate::scalar::{Lanes, Mask};
use crate::simulate::{
    Checks, Discontinuity, Divergence, Failure, Motion, MotionMonitor, Options, SHORT_SAMPLE, SingularityMonitor,
    SlidingCheck, SlidingMode, VelocityGrowth, Warning, discontinuity_ahead, may_cross_singularity,
};
use crate::system::{Batched, MechanicalSystem};

/// Monitor of a batch of members. Invariant checks apply to all lanes at once, checks for singularities to each member separately. A
/// violation in one lane is a failure of the batch; its members are then run separately to determine the cause.
pub(in crate::ensemble) struct BatchMonitor<M: Batched<L>, L: Lanes> {
    /// True if λ and v' of the index-1 system are recorded.
    full_order: bool,
    checks: Checks<M::Batch>,
    singularities: Vec<SingularityMonitor<M>>,
    sliding: SlidingCheck,
    /// Buffer for the change of the multipliers over a step.
    change: <M::Batch as MechanicalSystem>::Multipliers,
}

impl<M: Batched<L>, L: Lanes> BatchMonitor<M, L> {
    /// Returns the monitor of singularities, the system and the state of every member.
    fn ask<'g>(
        &'g mut self,
        systems: &'g [M],
        states: &'g States<'_, M, L>,
    ) -> impl Iterator<Item = (&'g mut SingularityMonitor<M>, &'g M, State<M>)> {
        self.singularities
            .iter_mut()
            .zip(systems)
            .zip(states.each(systems))
            .map(|((own, system), state)| (own, system, state))
    }
}

impl<'s, M: Batched<L>, L: Lanes> MotionMonitor<States<'s, M, L>> for BatchMonitor<M, L> {
    fn of(systems: &Systems<'s, M, L>, states: &States<'s, M, L>, options: &Options) -> Self {
        let each = states.each(systems.each).zip(systems.each);
        BatchMonitor {
            full_order: options.full_order_multipliers,
            checks: Checks::of(&systems.together, &states.together, options),
            singularities: each.map(|(state, system)| SingularityMonitor::of(system, &state, options)).collect(),
            sliding: SlidingCheck::new(),
            change: systems.together.zero_multipliers(),
        }
    }

    fn is_crossing_ahead(&mut self, systems: &Systems<'s, M, L>, from: &States<'s, M, L>, h: f64) -> bool {
        if const { !M::REDUNDANCY.is_minimum_norm() } {
            return false;
        }
        self.ask(systems.each, from).any(|(own, system, from)| own.is_crossing_ahead(system, &from, h))
    }

    /// Steps in two halves are only made in separate runs.
    fn check_singular_step(
        &mut self,
        systems: &Systems<'s, M, L>,
        [from, to]: [&States<'s, M, L>; 2],
        _: &mut dyn FnMut(&States<'s, M, L>, f64, &mut States<'s, M, L>) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let multipliers = [&from.together.multipliers, &to.together.multipliers];
        if !may_cross_singularity(&mut self.change, multipliers).any() {
            return Ok(());
        }
        let mut ends = to.each(systems.each);
        self.ask(systems.each, from).zip(&mut ends).try_for_each(|((own, system, from), to)| {
            let failed =
                StepError { time: from.time, step: to.time - from.time, failure: StepFailure::PoleOfMultipliers };
            own.check_singular_step(system, [&from, &to], &mut |_, _, _| Err(failed.clone()))
        })
    }

    fn check(
        &mut self,
        systems: &Systems<'s, M, L>,
        states: &States<'s, M, L>,
        step: Option<f64>,
        is_explicit: bool,
    ) -> Result<(), Failure> {
        self.checks.check_constraints(&systems.together, &states.together, step.is_some())?;
        if self.singularities.iter().any(SingularityMonitor::monitors_rank) {
            self.ask(systems.each, states).try_for_each(|(own, system, state)| own.check_rank(system, &state))?;
        }
        let Some(h) = step else { return Ok(()) };
        self.checks.check_step(&systems.together, &states.together, |growth| {
            check_growth(growth, systems, states, (h, is_explicit))
        })
    }

    fn count_step(&mut self) -> bool {
        self.checks.count_step() || self.singularities.iter().any(SingularityMonitor::may_be_discontinuous)
    }

    fn note(&mut self, systems: &Systems<'s, M, L>, states: &States<'s, M, L>) -> Result<(), Failure> {
        self.checks.note(&systems.together, &states.together);
        if self.singularities.iter().any(SingularityMonitor::may_be_discontinuous) {
            self.ask(systems.each, states)
                .try_for_each(|(own, system, state)| own.check_discontinuities(system, &state))?;
        }
        Ok(())
    }

    fn discontinuity_ahead(
        &self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        h: f64,
    ) -> Option<Discontinuity> {
        from.each(systems.each).zip(systems.each).find_map(|(from, system)| discontinuity_ahead(system, &from, h))
    }

    fn sliding_mode(
        &mut self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        to: &States<'s, M, L>,
    ) -> Option<SlidingMode> {
        let error = self.sliding.suspects(&from.together, &to.together)?;
        let h = to.together.time - from.together.time;
        from.each(systems.each).zip(systems.each).find_map(|(from, system)| SlidingMode::ahead(system, &from, h, error))
    }

    /// The members are run separately to determine the values of their warnings.
    fn warnings(&self, systems: &Systems<'s, M, L>) -> Vec<Warning> {
        self.checks.warnings(&systems.together)
    }

    fn fastest_rate(systems: &Systems<'s, M, L>, states: &States<'s, M, L>) -> Option<f64> {
        let each = states.each(systems.each).zip(systems.each);
        each.filter_map(|(state, system)| <State<M> as Motion>::Monitor::fastest_rate(system, &state)).reduce(f64::max)
    }

    /// Members with events and controllers are run separately.
    fn change(&mut self, systems: &Systems<'s, M, L>, states: &States<'s, M, L>, options: &Options) {
        *self = Self::of(systems, states, options);
    }

    /// Separate runs of the members determine the cause.
    fn explain(
        &self,
        _: &Systems<'s, M, L>,
        failure: Failure,
        states: States<'s, M, L>,
        _: bool,
    ) -> (Failure, States<'s, M, L>) {
        (failure, states)
    }

    fn complete(
        &mut self,
        systems: &Systems<'s, M, L>,
        states: &mut States<'s, M, L>,
        part: f64,
    ) -> Result<(), Failure> {
        if !self.full_order && part >= SHORT_SAMPLE {
            return Ok(());
        }
        let mut each = Vec::with_capacity(systems.each.len());
        for (own, system, mut state) in self.ask(systems.each, states) {
            own.accelerate(system, &mut state)?;
            each.push(state);
        }
        *states = systems.states(&each);
        Ok(())
    }
}

/// Checks the velocity growth of all members after a step of size h; suspicious members are checked separately.
fn check_growth<M: Batched<L>, L: Lanes>(
    growth: &mut VelocityGrowth<M::Batch>,
    systems: &Systems<'_, M, L>,
    states: &States<'_, M, L>,
    (h, is_explicit): (f64, bool),
) -> Result<(), Divergence> {
    let seen = growth.compare(&systems.together, &states.together, h);
    if seen.is_suspect.any() {
        let calm = States::<M, L> { together: growth.calm.clone(), of: PhantomData };
        let members = states.each(systems.each).zip(calm.each(systems.each)).zip(systems.each).enumerate();
        let mut unexplained = Vec::with_capacity(systems.each.len());
        for (lane, ((state, calm), system)) in members {
            let mut alone = VelocityGrowth::of_lane(growth, lane, calm);
            alone.check(system, &state, h, is_explicit)?;
            unexplained.push(alone.unexplained);
        }
        growth.unexplained = L::of_lanes(|lane| unexplained[lane]);
    }
    growth.accept(&states.together, &seen);
    Ok(())
}
