//! Through configurations in which constraints lose rank for a moment.
//!
//! On the way there the multipliers of the direction that is lost grow as 1 / σ. The stages of a step on different sides of such a point
//! do not belong together: what they say about one another is multiplied by quotients of their σ. The accelerations of the
//! equations of index 1 at *one* point are bounded nevertheless, with multipliers of least norm: S = B M⁻¹ Bᵀ is symmetric there, and the
//! direction is left to inertia where σ is under the root of round-off
//! ([`solve_least_norm`](crate::solve::solve_least_norm)).
//!
//! Off the constraints that field is singular: a velocity w away from the direction n that is lost, at the distance θ from where it is, obeys
//! (θ w)' = 0 and grows as 1 / θ, and a position that is off by w lets velocities be off by w / θ. On the constraints it is as smooth as
//! the motion itself. So every stage is brought onto them, q first and then v, before its accelerations are asked for: what is left is
//! round-off over θ, on the branch that velocities point to, and along n alone: what it does there is removed in
//! the next stage. Reactions do no work along a motion that the constraints admit, so that
//! momenta along that branch feel nothing of it.
//!
//! The same steps carry motions of systems whose rows are redundant on the constraints alone, as those of Bennett's linkage: a stage that is off by δ has
//! rows that lock the motion, of σ = δ². That is above the root of round-off ε from δ = 1e-4 on, and locks a part δ² / ε of it before.

mod filtered_projection;
mod rank_lookahead;
mod singular_step;

#[cfg(all(feature = "ensemble", feature = "lanes"))]
pub(crate) use singular_step::may_cross_singularity;
pub(super) use singular_step::{MakeStep, SingularStepCheck};

use crate::simulate::consistent::ConsistentValues;
use filtered_projection::FilteredProjection;
use num_traits::One;
use rank_lookahead::{RankForecast, RankLookahead};

use crate::group::TangentVector;
use crate::integrator::half_explicit::{HEDOP5, Workspace};
use crate::integrator::{HalfExplicit, Integrator, State, StepError, StepFailure};
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Into how many steps one that is passed through is divided, one division after the other, until two agree. Those of different divisions come
/// differently near to where the rank is lost, where accelerations are round-off.
const DIVISIONS: [u32; 6] = [1, 2, 3, 4, 6, 9];
/// Divisions agree if what is left of the finer one's error, by the order of the method, is less: of velocities in units of the largest one, of
/// positions in units of the way. Round-off does not shrink by the order: of it 31 times as much passes for agreement, from which follows
/// how small this has to be.
const AGREE: f64 = 1e-9;
/// If none do, the nearest two count if they are as near as this, or as what is left to inertia.
const RESEMBLE: f64 = 1e-6;
/// Velocities of different branches differ by more.
const BRANCHES: f64 = 1e-2;

/// What passes through a step.
pub(super) struct SingularityCrossing<M: MechanicalSystem> {
    workspace: Workspace<M>,
    here: State<M>,
    before: State<M>,
    best: State<M>,
    correction: FilteredProjection<M>,
    ahead: RankLookahead<M>,
    /// Whether stages off the constraints lock the motion, once that is known.
    locks: Option<bool>,
    /// How many steps were passed through.
    pub count: usize,
}

impl<M: MechanicalSystem> SingularityCrossing<M> {
    /// The buffers, for systems whose constraints may be redundant.
    pub fn of(system: &M, state: &State<M>) -> Option<Self> {
        if const { !M::REDUNDANCY.is_minimum_norm() } || system.constraint_rows() == 0 {
            return None;
        }
        Some(SingularityCrossing {
            workspace: HalfExplicit::hedop5().workspace(system, state),
            here: state.clone(),
            before: state.clone(),
            best: state.clone(),
            correction: FilteredProjection::of(system, state),
            ahead: RankLookahead::of(system, state),
            locks: None,
            count: 0,
        })
    }

    /// True if a step of an explicit method of size h from a state comes near to where constraints lose rank, or has them lock the motion.
    pub fn is_ahead(&mut self, system: &M, consistent: &mut ConsistentValues<M>, from: &State<M>, h: f64) -> bool {
        self.locks = self.locks.or_else(|| self.ahead.locks_off_constraints(system, consistent, from));
        (self.locks == Some(true) && self.ahead.locks(system, consistent, from, h))
            || self.ahead.look(system, consistent, from, h) != RankForecast::Independent
    }

    /// A step of size h on the equations of index 1, in as many as two divisions agree upon.
    pub fn cross(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        self.count += 1;
        let mut nearest = f64::INFINITY;
        let mut coarser = None;
        for pieces in DIVISIONS {
            core::mem::swap(&mut self.before, to);
            let is_made = self.divide(system, consistent, (from, h), pieces, to).is_ok();
            if let Some(coarser) = coarser.filter(|_| is_made) {
                let shrinks = (f64::from(pieces) / f64::from(coarser)).powf(HEDOP5.order as f64);
                let error = difference(system, h, [to, &self.before], &mut self.here.velocity) / (shrinks - 1.0);
                if error < nearest {
                    nearest = error;
                    self.best.clone_from(to);
                }
            }
            coarser = is_made.then_some(pieces);
            if nearest < AGREE {
                break;
            }
        }
        if nearest < RESEMBLE.max(self.left_to_inertia(system, from, h)?) {
            to.clone_from(&self.best);
            return Ok(());
        }
        Err(StepError { time: from.time, step: h, failure: StepFailure::RankLost })
    }

    /// The step in so many equal ones.
    fn divide(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        (from, h): (&State<M>, f64),
        pieces: u32,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        let SingularityCrossing { workspace, here, correction, .. } = self;
        let largest = h.abs() * from.velocity.max_norm();
        let mut onto = |time: f64, q: &mut M::Configuration, v: &mut M::Velocity| {
            correction.apply(system, consistent, time, q, v, largest);
        };
        here.clone_from(from);
        here.memory.forget();
        onto(from.time, &mut here.configuration, &mut here.velocity);
        HalfExplicit::start_reduced(system, here, workspace)?;
        for piece in 1..=pieces {
            let end = from.time + h * f64::from(piece) / f64::from(pieces);
            let size = end - here.time;
            HalfExplicit::hedop5().step_reduced(system, here, size, to, &mut onto, workspace)?;
            to.time = end;
            core::mem::swap(here, to);
        }
        core::mem::swap(here, to);
        to.memory.forget();
        Ok(())
    }

    /// By how much velocities may differ for the direction that is lost is left to inertia somewhere, in units of the largest one: what forces
    /// make of them, all constraints away. It is away from the motion, and gone where the next step finds constraints again.
    fn left_to_inertia(&mut self, system: &M, from: &State<M>, h: f64) -> Result<f64, StepError> {
        let here = &mut self.here;
        let free = self.correction.free_acceleration(system, from, &mut here.velocity);
        free.map_err(|error| StepError::of_saddle(error, system, from, h))?;
        let speed = from.velocity.max_norm();
        Ok((h.abs() * here.velocity.max_norm() / speed.max(f64::MIN_POSITIVE)).min(BRANCHES))
    }
}

/// How far two states are from one another after a step of size h, in units of the largest velocity and its way; a buffer is given.
fn difference<M: MechanicalSystem>(system: &M, h: f64, [one, other]: [&State<M>; 2], buffer: &mut M::Velocity) -> f64 {
    let speed = one.velocity.max_norm().max(other.velocity.max_norm()).max(f64::MIN_POSITIVE);
    buffer.assign(&one.velocity);
    buffer.axpy(-<M::Scalar as One>::one(), &other.velocity);
    let of_velocity = buffer.max_norm() / speed;
    system.space().log_difference(&other.configuration, &one.configuration, buffer);
    of_velocity.max(buffer.max_norm() / (speed * h.abs()))
}
