//! What a motion may come by, of few systems and seldom: jumps, poles of the multipliers, configurations in which constraints lose rank.

mod jump;
mod leap;
mod passage;
mod rank;
mod slide;

pub use jump::Jump;
pub(super) use jump::{components, find_jump};
#[cfg(all(feature = "ensemble", feature = "lanes"))]
pub(crate) use passage::may_pass_a_pole;
pub use rank::SmallestSingularValue;
pub use slide::Held;
pub(crate) use slide::jump_ahead;

use crate::integrator::{State, StepError, StepFailure};
use crate::simulate::consistent::{ConsistencyError, ConsistentValues};
use crate::simulate::failure::Failure;
use crate::simulate::setup::Options;
use crate::system::MechanicalSystem;
use leap::Leap;
use passage::{Make, Passage, Poles};
use rank::RankWatch;
use slide::Slide;

/// Looks for it, and finds ways through.
pub(crate) struct Hazards<M: MechanicalSystem> {
    consistent: ConsistentValues<M>,
    rank: Option<RankWatch>,
    leap: Option<Leap<M>>,
    passage: Option<Passage<M>>,
    poles: Option<Poles<M>>,
    slide: Slide,
}

impl<M: MechanicalSystem> Hazards<M> {
    /// From the first state on, which the method has completed.
    pub fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        Hazards {
            consistent: ConsistentValues::of(system),
            rank: (options.rank && system.constraint_rows() > 0).then(RankWatch::new),
            leap: Leap::from(system, state),
            passage: Passage::of(system, state),
            poles: Poles::of(system),
            slide: Slide::new(),
        }
    }

    /// Keeps of those before what is told at the end.
    pub(in crate::simulate) fn go_on_from(&mut self, before: Self) {
        if let Some(passage) = &mut self.passage {
            passage.count = before.crossings();
        }
        self.rank = before.rank;
    }

    /// Gives a state λ and v' of the index-1 system.
    ///
    /// # Errors
    /// [`Failure`] if there are none.
    pub fn accelerate(&mut self, system: &M, state: &mut State<M>) -> Result<(), Failure> {
        self.consistent.accelerations(system, state).map_err(|error| match error {
            ConsistencyError::Failed(failure) => Failure::Step(StepError { time: state.time, step: 0.0, failure }),
            error => Failure::InitialValues(error),
        })
    }

    /// True if singular values are looked at.
    #[cfg(all(feature = "ensemble", feature = "lanes"))]
    pub fn looks_at_rank(&self) -> bool {
        self.rank.is_some()
    }

    /// Looks how near a state is to where constraints lose rank, if that is asked for.
    ///
    /// # Errors
    /// [`Failure::Step`] where nothing can be said of it.
    pub fn look_at_rank(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
        let Some(rank) = &mut self.rank else { return Ok(()) };
        rank.look(system, state.time, &state.configuration)
    }

    /// True if there is something that may jump on the way of a step.
    pub fn may_jump(&self) -> bool {
        self.leap.is_some()
    }

    /// Looks whether the step to a state has led across a jump.
    ///
    /// # Errors
    /// [`Failure::ConstraintJumps`], [`Failure::PotentialJumps`].
    pub fn look_at_jumps(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
        self.leap.as_mut().map_or(Ok(()), |leap| leap.look(system, state))
    }

    /// The jump of a force that holds the motion in the steps up to this one.
    pub(in crate::simulate) fn held(&mut self, system: &M, from: &State<M>, to: &State<M>) -> Option<Held> {
        self.slide.look(system, from, to)
    }

    /// See [`Guard::is_crossing_ahead`](crate::simulate::motion::Guard::is_crossing_ahead).
    pub fn is_crossing_ahead(&mut self, system: &M, from: &State<M>, h: f64) -> bool {
        if const { !M::REDUNDANCY.is_minimum_norm() } {
            return false;
        }
        self.passage.as_mut().is_some_and(|passage| passage.is_ahead(system, &mut self.consistent, from, h))
    }

    /// See [`Guard::cross`](crate::simulate::motion::Guard::cross).
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
        match &mut self.passage {
            Some(passage) if failed.failure.may_be_of_lost_rank() => {
                let passed = passage.cross(system, &mut self.consistent, from, h, to);
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

    /// See [`Guard::look_at_pole`](crate::simulate::motion::Guard::look_at_pole).
    pub fn look_at_pole(&mut self, system: &M, states: [&State<M>; 2], step: Make<'_, M>) -> Result<(), StepError> {
        self.poles.as_mut().map_or(Ok(()), |poles| poles.look(system, &mut self.consistent, states, step))
    }

    /// How many steps were made by other means than the method's.
    pub(in crate::simulate) fn crossings(&self) -> usize {
        self.passage.as_ref().map_or(0, |passage| passage.count)
    }

    /// The smallest singular value that was seen.
    pub(in crate::simulate) fn smallest_singular_value(&self) -> Option<SmallestSingularValue> {
        self.rank.as_ref().and_then(RankWatch::smallest)
    }
}
