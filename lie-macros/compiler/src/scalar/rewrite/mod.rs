//! The optimiser: a sequence of passes over the part of the graph that a kernel needs.
//!
//! Each kernel is optimised separately, because the uses within a kernel decide which rewrite saves operations. A pass is accepted only if
//! it saves operations, or divisions at an equal number of operations.
//!
//! Rules for rounding:
//!
//! * Only products, which are rounded already, move within a sum.
//! * Equal terms are added and cancelled exactly.
//! * Only data are distributed over a sum, and only if each term has data of its own (`hoist`).
//!
//! The error of a sum is therefore at most a few roundings of its terms as written, and an exact difference of data stays exact.

mod factor;
mod hoist;
mod reassociate;
mod reciprocal;
mod replacement;
mod roots;
mod shared_pairs;
mod sum;
#[cfg(test)]
#[path = "../../../tests/unit/scalar_rewrite.rs"]
pub(crate) mod tests;

use self::replacement::ArgumentTest;
use super::{Graph, Kernel, Scalar, ScalarOp};

/// Returns the same results by a different computation.
type Pass = fn(&mut Graph, &[Scalar], ArgumentTest) -> Vec<Scalar>;

/// The passes in their order; one pass can enable another.
const PASSES: [Pass; 6] =
    [sum::cancelled, factor::factored, hoist::hoisted, shared_pairs::products, shared_pairs::sums, reciprocal::common];

/// Largest number of repetitions while the passes save something.
const ROUNDS: usize = 4;

/// Results with fewer operations than this have nothing to share.
const SMALLEST: usize = 3;

/// The cost of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    operations: usize,
    /// The number of divisions; one division takes as long as several other operations.
    divisions: usize,
}

impl Graph {
    /// Returns the same results with fewer operations.
    pub fn optimised(&mut self, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
        self.improved(outputs, given, &PASSES)
    }

    /// Returns the same results with fewer operations, or with fewer divisions at an equal number of operations, by the given passes.
    fn improved(&mut self, outputs: &[Scalar], given: ArgumentTest, passes: &[Pass]) -> Vec<Scalar> {
        let mut best = outputs.to_vec();
        let mut cost = self.cost(&best, given);
        // The number of passes in a row without a change: after all of them, no pass can change anything.
        let mut idle = 0;
        for &pass in passes.iter().cycle().take(ROUNDS * passes.len()) {
            if idle == passes.len() || cost.operations < SMALLEST {
                break;
            }
            let next = pass(self, &best, given);
            let lower = if next == best { cost } else { self.cost(&next, given) };
            idle += 1;
            if lower < cost {
                (best, cost, idle) = (next, lower, 0);
            }
        }
        best
    }

    /// Returns the cost of `outputs`.
    fn cost(&self, outputs: &[Scalar], given: ArgumentTest) -> Cost {
        let given = |node| given(self, node);
        let kernel = Kernel::new(self, outputs, given);
        let is_division = |&&node: &&Scalar| !given(node) && matches!(self.op(node), ScalarOp::Div(..));
        Cost { operations: kernel.operations(self, given), divisions: kernel.nodes.iter().filter(is_division).count() }
    }
}
