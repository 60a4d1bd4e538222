//! SIMD batches: several systems of one declaration as one system whose scalar has several lanes.

use super::MechanicalSystem;
use crate::scalar::Lanes;

/// A system of which a batch can be computed at once, one system a lane. All declared systems of fixed size without
/// inputs, `opaque` functions and list parameters implement it.
///
/// Each lane has its own parameters and state. A kernel computes the same bits in a lane as for the single system.
/// Decisions are common to all lanes: an error in one lane is an error of the step, Newton's iteration ends when all
/// lanes have converged (a converged lane does not change), matrices are refactorised when one lane needs it, and the
/// error control uses the largest error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be batched in SIMD lanes",
    note = "systems with chains, frames, inputs, `opaque` functions and list parameters run one by one"
)]
#[doc(alias = "SIMD")]
#[doc(alias = "vmap")]
#[doc(alias = "batch")]
#[doc(hidden)]
pub trait Batched<L: Lanes>: MechanicalSystem<Scalar = f64> {
    /// The system on lanes.
    type Batch: MechanicalSystem<Scalar = L>;

    /// Creates a batch of as many systems as there are lanes; `None` if they differ in a value that is not a real
    /// number, such as a flag or an integer.
    #[doc(hidden)]
    fn batch(systems: &[&Self]) -> Option<Self::Batch>;
    /// Creates a batch of as many configurations.
    #[doc(hidden)]
    fn batch_configurations(
        configuration: &dyn Fn(usize) -> Self::Configuration,
    ) -> <Self::Batch as MechanicalSystem>::Configuration;
    /// Returns the configuration of one lane.
    #[doc(hidden)]
    fn lane_configuration(
        together: &<Self::Batch as MechanicalSystem>::Configuration,
        lane: usize,
    ) -> Self::Configuration;
}
