//! The first k − 1 steps.
//!
//! A motion whose rates a quarter of a step resolves begins by four steps of a half-explicit method of order 5. Where some rate is
//! larger, √|D_q v'| or |D_v v'| above 8 / h, explicit steps would blow up, whether that motion is excited or not. Such a step is made by
//! TR-BDF2, which is L-stable, in two parts and once more in four; with θ, v, v' and λ of each,
//!
//! ```text
//! y = (4 y_4 − y_2) / 3,    q = q_n exp(θ),
//! ```
//!
//! the error h³ of one step drops out, and what is left is O(h⁴), enough for q and v of all k. Stiff motions leave (h c)⁻² of themselves.

use num_traits::Zero;

use super::workspace::{Iteration, Workspace};
use crate::group::TangentVector;
use crate::integrator::{FastestRate, HalfExplicit, Integrator, State, StepError, TrBdf2};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::Linearised;

/// Steps of the method of order 5 that make one of the first steps.
pub(crate) const PARTS: u32 = 4;
/// Units of the fastest motion that a step of that method follows; it is stable up to 3.3.
const STABLE: f64 = 2.0;
/// Steps of TR-BDF2 that do where motions are stiff, and their weight.
pub(crate) const STIFF: [(u32, f64); 2] = [(2, -1.0 / 3.0), (4, 4.0 / 3.0)];

/// True if some motion near a state, of any lane, is too fast for the explicit method.
pub(crate) fn is_stiff<M: Linearised>(fastest: &mut FastestRate<M>, system: &M, from: &State<M>, h: f64) -> bool {
    fastest.at(system, from).is_some_and(|rate| rate * h.abs() > STABLE * f64::from(PARTS))
}

impl<M: Linearised> Workspace<M> {
    /// A step, or a part of one; leaves its increment in the θ of the stage.
    pub(super) fn start(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        if is_stiff(&mut self.fastest, system, from, h) {
            self.start_stiff(system, from, h, to)
        } else {
            self.start_explicit(system, from, h, to)
        }
    }

    fn start_explicit(&mut self, system: &M, from: &State<M>, h: f64, to: &mut State<M>) -> Result<(), StepError> {
        let method = HalfExplicit::hedop5();
        let Workspace { starter, parts: [current, next], sums, iteration, .. } = self;
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
        let Workspace { stiff_starter, parts: [current, next], sums, iteration, .. } = self;
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
