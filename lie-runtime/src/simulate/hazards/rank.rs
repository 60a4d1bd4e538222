//! How near a motion comes to configurations where constraints lose rank.

use crate::integrator::{StepError, StepFailure};
use crate::scalar::Scalar;
use crate::simulate::failure::Failure;
use crate::system::{MechanicalSystem, smallest_singular_value};

/// The smallest singular value of the scaled rows of B that was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestSingularValue {
    /// It, see [`smallest_singular_value`](crate::system::smallest_singular_value).
    pub value: f64,
    /// When it was seen.
    pub time: f64,
}

/// Keeps the smallest singular value that was seen.
pub(super) struct RankWatch {
    pub smallest: SmallestSingularValue,
}

impl RankWatch {
    /// Nothing has been seen yet.
    pub fn new() -> Self {
        RankWatch { smallest: SmallestSingularValue { value: f64::INFINITY, time: f64::NAN } }
    }

    /// Looks at q at a time.
    ///
    /// # Errors
    /// [`Failure::Step`] where the mass matrix is not positive definite or a number is not finite.
    pub fn look<M: MechanicalSystem>(&mut self, system: &M, time: f64, q: &M::Configuration) -> Result<(), Failure> {
        let t = M::Scalar::from_f64(time);
        let value = smallest_singular_value(system, t, q).map_err(|error| {
            Failure::Step(StepError { time, step: 0.0, failure: StepFailure::of_saddle_at(error, system, t, q) })
        })?;
        if value < self.smallest.value {
            self.smallest = SmallestSingularValue { value, time };
        }
        Ok(())
    }
}
