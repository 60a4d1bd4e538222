//! The first k − 1 steps.
//!
//! A first step consists of four steps of a half-explicit method of order 5 if a quarter of a step resolves the motion. If a rate √|D_q v'|
//! or |D_v v'| exceeds 8 / h, explicit steps are unstable, even if that motion is not excited. TR-BDF2, which is L-stable, then makes the
//! step in two parts and again in four. For θ, v, v' and λ of each,
//!
//! ```text
//! y = (4 y_4 − y_2) / 3,    q = q_n exp(θ),
//! ```
//!
//! the error h³ of one step cancels. The remaining error O(h⁴) is sufficient for q and v of all k. Stiff motions are reduced to the
//! fraction (h c)⁻².

use num_traits::Zero;

use super::workspace::{BLieDFWorkspace, Iteration};
use crate::group::TangentVector;
use crate::integrator::{FastestRate, HalfExplicit, Integrator, State, StepError, TrBdf2};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::Linearised;

/// The number of steps of the order-5 method for one first step.
pub(crate) const PARTS: u32 = 4;
/// The largest product of rate and step of the order-5 method, which is stable up to 3.3.
const STABLE: f64 = 2.0;
/// The numbers of TR-BDF2 steps for stiff motions and their weights.
pub(crate) const STIFF: [(u32, f64); 2] = [(2, -1.0 / 3.0), (4, 4.0 / 3.0)];

/// Returns true if a motion close to a state, in any lane, is too fast for the explicit method.
pub(crate) fn is_stiff<M: Linearised>(fastest: &mut FastestRate<M>, system: &M, from: &State<M>, h: f64) -> bool {
    fastest.at(system, from).is_some_and(|rate| rate * h.abs() > STABLE * f64::from(PARTS))
}

impl<M: Linearised> BLieDFWorkspace<M> {
    /// Makes a step or a part of one and writes its increment to the θ of the stage.
    pub(super) fn start(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        if is_stiff(&mut self.fastest, system, from, h) {
            self.start_stiff(system, from, h, to)
        } else {
            self.start_explicit(system, from, h, to)
        }
    }

    fn start_explicit(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        let method = HalfExplicit::hedop5();
        let BLieDFWorkspace { starter, parts: [current, next], sums, iteration, .. } = self;
        let Iteration { stage, extrapolated, .. } = iteration;
        let theta = &mut stage.buffers.theta;
        theta.fill(M::Scalar::zero());
        current.copy_motion_from(from);
        for part in 1..=PARTS {
            method.step(system, current, h / f64::from(PARTS), next, starter)?;
            next.time = from.time + h * f64::from(part) / f64::from(PARTS);
            system.space().log_difference(&current.configuration, &next.configuration, extrapolated);
            sums.go_on(system, theta, extrapolated);
            core::mem::swap(current, next);
        }
        to.copy_motion_from(current);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn start_stiff(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        let method = TrBdf2::new();
        let BLieDFWorkspace { stiff_starter, parts: [current, next], sums, iteration, .. } = self;
        let starter = stiff_starter.get_or_insert_with(|| Box::new(method.workspace(system, from)));
        let Iteration { stage, coordinates, .. } = iteration;
        let theta = &mut stage.buffers.theta;
        to.time = from.time + h;
        to.memory.forget();
        to.multipliers.fill(M::Scalar::zero());
        for vector in [&mut *theta, &mut to.velocity, &mut to.acceleration] {
            vector.fill(M::Scalar::zero());
        }
        for (parts, weight) in STIFF {
            let weight = M::Scalar::from_f64(weight);
            coordinates.fill(M::Scalar::zero());
            current.copy_motion_from(from);
            for part in 1..=parts {
                method.step(system, current, h / f64::from(parts), next, starter)?;
                next.time = from.time + h * f64::from(part) / f64::from(parts);
                sums.go_on(system, coordinates, starter.increment());
                core::mem::swap(current, next);
            }
            theta.axpy(weight, coordinates);
            to.velocity.axpy(weight, &current.velocity);
            to.acceleration.axpy(weight, &current.acceleration);
            to.multipliers.axpy(weight, &current.multipliers);
        }
        system.space().compose_exp(&from.configuration, theta, &mut to.configuration);
        Ok(())
    }
}
