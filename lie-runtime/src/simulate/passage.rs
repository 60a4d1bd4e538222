//! Through configurations in which constraints lose rank for a moment.
//!
//! On the way there the multipliers of the direction that is lost grow as 1 / σ. The stages of a step on different sides of such a point
//! do not belong together: what they say about one another is multiplied by quotients of their σ. The accelerations of the
//! equations of index 1 at *one* point are bounded nevertheless, with multipliers of least norm: S = B M⁻¹ Bᵀ is symmetric there, and the
//! direction is left to inertia where σ is under the root of round-off
//! ([`solve_least_norm`](crate::solve::solve_least_norm)). That is a field that changes within a time of θ / ω, θ the distance in which σ = θ²
//! is lost; resolved by steps of that size it carries the motion through on the branch that velocities point to, and momenta along
//! that branch feel nothing of it, for reactions do no work along a motion that the constraints admit.

use super::consistent::ConsistentValues;
use crate::group::TangentVector;
use crate::integrator::half_explicit::Workspace;
use crate::integrator::{Decision, HalfExplicit, Integrator, LocalError, State, StepController, StepError};
use crate::system::{MechanicalSystem, Redundancy};

/// The error of a step in units of the largest speed; what is passed through is short.
const TOLERANCE: f64 = 1e-9;
/// The shortest step, as a part of the one that is passed through: where a direction is given up the field has a jump.
const SHORTEST: f64 = 1e-4;

/// What passes through a step.
pub(super) struct Passage<M: MechanicalSystem> {
    workspace: Workspace<M>,
    error: LocalError<M>,
    here: State<M>,
    /// How many steps were passed through.
    pub count: usize,
}

impl<M: MechanicalSystem> Passage<M> {
    /// The buffers, for systems whose constraints may be redundant.
    pub fn of(system: &M, state: &State<M>) -> Option<Self> {
        let is_needed = system.redundancy() == Redundancy::MinimumNorm && system.constraint_rows() > 0;
        is_needed.then(|| Passage {
            workspace: HalfExplicit::hedop5().workspace(system, state),
            error: LocalError::of(system),
            here: state.clone(),
            count: 0,
        })
    }

    /// A step of size h on the equations of index 1, in smaller ones that their error decides.
    ///
    /// Residuals of positions would be singular themselves where the rank is lost, so that the motion takes another branch within their
    /// root: they are removed before.
    pub fn cross(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        let Passage { workspace, error, here, count } = self;
        *count += 1;
        here.clone_from(from);
        here.memory.forget();
        let speed = from.velocity.max_norm();
        if let Ok(report) = consistent.project_configuration(system, from.time, &mut here.configuration)
            && report.distance > h * speed
        {
            here.configuration.clone_from(&from.configuration);
        }
        // A velocity that cannot be projected is one of a singular point.
        let _ = consistent.project_velocity(system, from.time, &here.configuration, &mut here.velocity);
        HalfExplicit::start_reduced(system, here, workspace)?;
        let method = HalfExplicit::hedop5();
        let controller = StepController::new(TOLERANCE, TOLERANCE * speed.max(f64::MIN_POSITIVE));
        let (end, shortest) = (from.time + h, SHORTEST * h);
        let mut step = 0.1 * h;
        to.memory.forget();
        loop {
            let rest = end - here.time;
            let is_last = 1.01 * step >= rest;
            let size = if is_last { rest } else { step };
            let made = method.step_reduced(system, here, size, to, error, workspace);
            let indicator = match &made {
                Ok(()) => controller.error_norm(here, to, error),
                Err(_) => f64::NAN,
            };
            let (is_good, next) = match controller.decide(indicator, size, 4) {
                Decision::Accept { next } => (true, next),
                Decision::Reject { next } => (made.is_ok() && size <= shortest, next),
            };
            if is_good {
                if is_last {
                    to.time = end;
                    return Ok(());
                }
                core::mem::swap(here, to);
            } else if size <= shortest {
                return made;
            }
            step = next.max(shortest);
        }
    }
}
