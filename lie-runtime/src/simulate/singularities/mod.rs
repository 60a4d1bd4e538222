//! Singular configurations, sliding modes and discontinuities of constraints, potentials and forces.

mod crossing;
mod discontinuity;
mod discontinuity_check;
mod rank;
mod sliding_mode;

#[cfg(all(feature = "ensemble", feature = "lanes"))]
pub(crate) use crossing::may_cross_singularity;
pub use discontinuity::Discontinuity;
pub(super) use discontinuity::{components, find_discontinuity};
pub use rank::SmallestSingularValue;
pub use sliding_mode::SlidingMode;
pub(crate) use sliding_mode::{SlidingCheck, discontinuity_ahead};

use crate::integrator::{State, StepError, StepFailure};
use crate::simulate::consistent::{ConsistencyError, ConsistentValues};
use crate::simulate::failure::Failure;
use crate::simulate::setup::Options;
use crate::system::MechanicalSystem;
use crossing::{MakeStep, SingularStepCheck, SingularityCrossing};
use discontinuity_check::DiscontinuityCheck;
use rank::RankMonitor;

/// Detects singularities during a run and crosses singular configurations.
pub(crate) struct SingularityMonitor<M: MechanicalSystem> {
    consistent: ConsistentValues<M>,
    rank: Option<RankMonitor>,
    discontinuities: Option<DiscontinuityCheck<M>>,
    crossing: Option<SingularityCrossing<M>>,
    singular_steps: Option<SingularStepCheck<M>>,
    sliding: SlidingCheck,
}

impl<M: MechanicalSystem> SingularityMonitor<M> {
    /// Starts at the first state, which the method has completed.
    pub fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        SingularityMonitor {
            consistent: ConsistentValues::of(system),
            rank: (options.rank && system.constraint_rows() > 0).then(RankMonitor::new),
            discontinuities: DiscontinuityCheck::from(system, state),
            crossing: SingularityCrossing::of(system, state),
            singular_steps: SingularStepCheck::of(system),
            sliding: SlidingCheck::new(),
        }
    }

    /// Takes over the results of a previous monitor of the same run.
    pub(in crate::simulate) fn inherit(&mut self, before: Self) {
        if let Some(crossing) = &mut self.crossing {
            crossing.count = before.crossings();
        }
        self.rank = before.rank;
    }

    /// Computes λ and v' of the index-1 system.
    ///
    /// # Errors
    /// [`Failure`] if they do not exist.
    pub fn accelerate(&mut self, system: &M, state: &mut State<M>) -> Result<(), Failure> {
        self.consistent.accelerations(system, state).map_err(|error| match error {
            ConsistencyError::Failed(failure) => Failure::Step(StepError { time: state.time, step: 0.0, failure }),
            error => Failure::InitialValues(error),
        })
    }

    /// Returns true if singular values are monitored.
    #[cfg(all(feature = "ensemble", feature = "lanes"))]
    pub fn monitors_rank(&self) -> bool {
        self.rank.is_some()
    }

    /// Evaluates the singular values of a state if they are monitored.
    ///
    /// # Errors
    /// [`Failure::Step`] if they cannot be evaluated.
    pub fn check_rank(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
        let Some(rank) = &mut self.rank else { return Ok(()) };
        rank.check(system, state.time, &state.configuration)
    }

    /// Returns true if a constraint or the potential may be discontinuous.
    pub fn may_be_discontinuous(&self) -> bool {
        self.discontinuities.is_some()
    }

    /// Checks the step to a state for discontinuities.
    ///
    /// # Errors
    /// [`Failure::ConstraintJumps`], [`Failure::PotentialJumps`].
    pub fn check_discontinuities(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
        self.discontinuities.as_mut().map_or(Ok(()), |discontinuities| discontinuities.check(system, state))
    }

    /// Returns a force discontinuity that holds the motion in the last steps.
    pub(in crate::simulate) fn sliding_mode(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
    ) -> Option<SlidingMode> {
        self.sliding.check(system, from, to)
    }

    /// See [`MotionMonitor::is_crossing_ahead`](crate::simulate::motion::MotionMonitor::is_crossing_ahead).
    pub fn is_crossing_ahead(&mut self, system: &M, from: &State<M>, h: f64) -> bool {
        if const { !M::REDUNDANCY.is_minimum_norm() } {
            return false;
        }
        self.crossing.as_mut().is_some_and(|crossing| crossing.is_ahead(system, &mut self.consistent, from, h))
    }

    /// See [`MotionMonitor::cross`](crate::simulate::motion::MotionMonitor::cross).
    pub(in crate::simulate) fn cross(
        &mut self,
        system: &M,
        failed: StepError,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        if const { !M::REDUNDANCY.is_minimum_norm() } {
            return Err(failed);
        }
        match &mut self.crossing {
            Some(crossing) if failed.failure.may_be_of_lost_rank() => {
                let passed = crossing.cross(system, &mut self.consistent, from, h, to);
                passed.map_err(|_| match failed.failure {
                    StepFailure::MultipliersJump | StepFailure::SingularConstraints { .. } => {
                        StepError { failure: StepFailure::RankLost, ..failed }
                    }
                    _ => failed,
                })
            }
            _ => Err(failed),
        }
    }

    /// See [`MotionMonitor::check_singular_step`](crate::simulate::motion::MotionMonitor::check_singular_step).
    pub fn check_singular_step(
        &mut self,
        system: &M,
        states: [&State<M>; 2],
        step: MakeStep<'_, M>,
    ) -> Result<(), StepError> {
        self.singular_steps
            .as_mut()
            .map_or(Ok(()), |singular_steps| singular_steps.check(system, &mut self.consistent, states, step))
    }

    /// Returns the number of steps that crossed a singular configuration without the method.
    pub(in crate::simulate) fn crossings(&self) -> usize {
        self.crossing.as_ref().map_or(0, |crossing| crossing.count)
    }

    /// Returns the smallest singular value so far.
    pub(in crate::simulate) fn smallest_singular_value(&self) -> Option<SmallestSingularValue> {
        self.rank.as_ref().and_then(RankMonitor::smallest)
    }
}
