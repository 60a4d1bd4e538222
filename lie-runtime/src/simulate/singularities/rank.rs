//! Monitoring of the rank of the constraint Jacobian.

use crate::integrator::{StepError, StepFailure};
use crate::scalar::Scalar;
use crate::simulate::failure::Failure;
use crate::system::{MechanicalSystem, singular_values};

/// The smallest singular value of the scaled constraint Jacobian during a run. Rows that are always redundant are excluded: the number of
/// singular values is the largest rank during the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestSingularValue {
    /// The singular value, see [`Diagnosis::smallest_kept`](crate::system::Diagnosis::smallest_kept).
    pub value: f64,
    /// The time of the state.
    pub time: f64,
}

/// Stores the smallest singular values of a run.
pub(super) struct RankMonitor {
    /// The smallest value of the smallest singular value, of the second smallest and so on.
    smallest: Vec<SmallestSingularValue>,
    /// The largest rank so far.
    rank: usize,
}

impl RankMonitor {
    /// Creates an empty monitor.
    pub fn new() -> Self {
        RankMonitor { smallest: Vec::new(), rank: 0 }
    }

    /// Evaluates the singular values at q and a time.
    ///
    /// # Errors
    /// [`Failure::Step`] if the mass matrix is not positive definite or a value is not finite.
    pub fn check<M: MechanicalSystem>(&mut self, system: &M, time: f64, q: &M::Configuration) -> Result<(), Failure> {
        let t = M::Scalar::from_f64(time);
        let (values, rank) = singular_values(system, t, q).map_err(|error| {
            Failure::Step(StepError { time, step: 0.0, failure: StepFailure::of_kkt_at(error, system, t, q) })
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

    /// Returns the smallest singular value of the largest rank; `None` without independent rows.
    pub fn smallest(&self) -> Option<SmallestSingularValue> {
        self.smallest.get(self.smallest.len() - self.rank).copied()
    }
}
