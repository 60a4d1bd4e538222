//! Crossing of singular configurations, in which the constraint Jacobian momentarily loses rank.
//!
//! Close to such a configuration, the multipliers of the lost direction grow as 1 / σ. The stages of a step on different sides are not
//! compatible: their errors are multiplied by quotients of their σ. The accelerations of the index-1 equations at *one* point remain
//! bounded, with multipliers of least norm. S = B M⁻¹ Bᵀ is symmetric there, and the motion along the lost direction is determined by
//! inertia if σ is below the square root of the round-off ([`solve_least_norm`](crate::solve::solve_least_norm)).
//!
//! This vector field is singular off the constraint manifold. A velocity w along the lost direction n, at the distance θ from the singular
//! configuration, obeys (θ w)' = 0 and grows as 1 / θ. A position error w causes a velocity error w / θ. On the constraint manifold the
//! vector field is as smooth as the motion. Therefore q and then v of every stage are projected onto the constraint manifold before its
//! accelerations are evaluated. The remaining error is the round-off divided by θ, on the branch of the velocities and along n only; the
//! next stage removes its effect. Reactions do no work along an admissible motion, so that momenta along this branch are not affected.
//!
//! The same steps integrate systems whose rows are redundant on the constraint manifold only, such as Bennett's linkage. The rows of a
//! stage with a position error δ lock the motion with σ = δ². This exceeds the square root of the round-off ε from δ = 1e-4 on; a smaller
//! error locks the part δ² / ε of the motion.

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
use crate::integrator::half_explicit::{HEDOP5, HalfExplicitWorkspace};
use crate::integrator::{HalfExplicit, Integrator, State, StepError, StepFailure};
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Numbers of substeps for a crossing. They are tried in this order until two results agree. Different divisions have different distances
/// from the singular configuration, where accelerations are round-off.
const DIVISIONS: [u32; 6] = [1, 2, 3, 4, 6, 9];
/// Tolerance for the agreement of two divisions: the estimated error of the finer one by the order of the method. Velocities are in units
/// of the largest velocity, positions in units of the path length. Round-off does not decrease with the order, so that up to 31 times this
/// value may be accepted; therefore the tolerance is small.
const AGREE: f64 = 1e-9;
/// If no two divisions agree, the closest two are accepted up to this tolerance, or up to the effect of inertia on the lost direction.
const RESEMBLE: f64 = 1e-6;
/// Lower bound of the velocity difference of two branches.
const BRANCHES: f64 = 1e-2;
/// Velocities below this fraction of the velocity that the forces would cause without constraints are round-off: the system cannot move.
const ROUND_OFF: f64 = 1e-9;

/// Crosses singular configurations.
pub(super) struct SingularityCrossing<M: MechanicalSystem> {
    workspace: HalfExplicitWorkspace<M>,
    here: State<M>,
    before: State<M>,
    best: State<M>,
    correction: FilteredProjection<M>,
    ahead: RankLookahead<M>,
    /// True if the rows lock the motion off the constraint manifold; `None` until it is known.
    locks: Option<bool>,
    /// The number of crossings.
    pub count: usize,
}

impl<M: MechanicalSystem> SingularityCrossing<M> {
    /// Allocates the buffers, for systems whose constraints may be redundant.
    pub fn of(system: &M, state: &State<M>) -> Option<Self> {
        if !system.has_least_norm() || system.constraint_rows() == 0 {
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

    /// Returns true if the constraints lose rank or lock the motion in an explicit step of size h.
    pub fn is_ahead(&mut self, system: &M, consistent: &mut ConsistentValues<M>, from: &State<M>, h: f64) -> bool {
        self.locks = self.locks.or_else(|| self.ahead.locks_off_constraints(system, consistent, from));
        (self.locks == Some(true) && self.ahead.locks(system, consistent, from, h))
            || self.ahead.predict(system, consistent, from, h) != RankForecast::Independent
    }

    /// Makes a step of size h on the index-1 equations, divided until two results agree.
    pub fn cross(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        self.count += 1;
        let free = self.free_speed(system, from, h)?;
        let mut nearest = f64::INFINITY;
        let mut coarser = None;
        for pieces in DIVISIONS {
            core::mem::swap(&mut self.before, to);
            let is_made = self.divide(system, consistent, (from, h), pieces, to).is_ok();
            if let Some(coarser) = coarser.filter(|_| is_made) {
                let shrinks = (f64::from(pieces) / f64::from(coarser)).powf(HEDOP5.order as f64);
                // Forces may start from zero.
                let free = free.max(self.free_speed(system, to, h)?);
                let error = difference(system, (h, free), [to, &self.before], &mut self.here.velocity);
                let error = error / (shrinks - 1.0);
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
        // If the motion along the lost direction is determined by inertia, the velocities may differ by the effect of the forces without
        // constraints. This component is orthogonal to the motion and vanishes when the next step satisfies the constraints again.
        let left_to_inertia = free / from.velocity.max_norm().max(f64::MIN_POSITIVE);
        if nearest < RESEMBLE.max(left_to_inertia.min(BRANCHES)) {
            to.clone_from(&self.best);
            return Ok(());
        }
        Err(StepError { time: from.time, step: h, failure: StepFailure::RankLost })
    }

    /// Makes the step in `pieces` equal parts.
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

    /// Returns the change of the velocity in a step of size h by the forces without constraints.
    fn free_speed(&mut self, system: &M, from: &State<M>, h: f64) -> Result<f64, StepError> {
        let here = &mut self.here;
        let free = self.correction.free_acceleration(system, from, &mut here.velocity);
        free.map_err(|error| StepError::of_kkt(error, system, from, h))?;
        Ok(h.abs() * here.velocity.max_norm())
    }
}

/// Returns the distance of two states after a step of size h, in units of the largest velocity and its path. `buffer` is overwritten.
///
/// The velocities of a system that cannot move are round-off of the velocity `free` that the forces without constraints would cause.
fn difference<M: MechanicalSystem>(
    system: &M,
    (h, free): (f64, f64),
    [one, other]: [&State<M>; 2],
    buffer: &mut M::Velocity,
) -> f64 {
    let speed = one.velocity.max_norm().max(other.velocity.max_norm()).max(ROUND_OFF * free).max(f64::MIN_POSITIVE);
    buffer.assign(&one.velocity);
    buffer.axpy(-<M::Scalar as One>::one(), &other.velocity);
    let of_velocity = buffer.max_norm() / speed;
    system.space().log_difference(&other.configuration, &one.configuration, buffer);
    of_velocity.max(buffer.max_norm() / (speed * h.abs()))
}
