//! How near a motion comes to configurations where constraints lose rank.

use crate::integrator::{StepError, StepFailure};
use crate::scalar::Scalar;
use crate::simulate::failure::Failure;
use crate::system::{MechanicalSystem, singular_values};

/// The smallest singular value of the scaled rows of B that was seen, of as many as are independent somewhere on the way: of
/// constraints that are always redundant, that of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestSingularValue {
    /// It, see [`Diagnosis::smallest_kept`](crate::system::Diagnosis::smallest_kept).
    pub value: f64,
    /// When it was seen.
    pub time: f64,
}

/// Keeps the smallest singular values that were seen.
pub(super) struct RankMonitor {
    /// Of the smallest, the second smallest and so on.
    smallest: Vec<SmallestSingularValue>,
    /// The largest rank that was seen.
    rank: usize,
}

impl RankMonitor {
    /// Nothing has been seen yet.
    pub fn new() -> Self {
        RankMonitor { smallest: Vec::new(), rank: 0 }
    }

    /// Looks at q at a time.
    ///
    /// # Errors
    /// [`Failure::Step`] where the mass matrix is not positive definite or a number is not finite.
    pub fn look<M: MechanicalSystem>(&mut self, system: &M, time: f64, q: &M::Configuration) -> Result<(), Failure> {
        let t = M::Scalar::from_f64(time);
        let (values, rank) = singular_values(system, t, q).map_err(|error| {
            Failure::Step(StepError { time, step: 0.0, failure: StepFailure::of_saddle_at(error, system, t, q) })
        })?;
        self.rank = self.rank.max(rank);
        self.smallest.resize(values.len(), SmallestSingularValue { value: f64::INFINITY, time: f64::NAN });
        for (smallest, value) in self.smallest.iter_mut().zip(values) {
            if value < smallest.value {
                *smallest = SmallestSingularValue { value, time };
            }
        }
        Ok(())
    }

    /// The smallest one of as many as the rank; `None` where there are no rows, or none that restricts anything.
    pub fn smallest(&self) -> Option<SmallestSingularValue> {
        self.smallest.get(self.smallest.len() - self.rank).copied()
    }
}
