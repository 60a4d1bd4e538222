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

mod chains;
mod factor;
mod hoist;
mod reciprocal;
mod roots;
mod shared_pairs;
mod sum;
#[cfg(test)]
pub(crate) mod tests;

use std::ops::Index;

use super::{Call, Graph, Kernel, Scalar, ScalarOp, each_operand};

/// Returns true for nodes that are arguments of a kernel.
type Given = fn(&Graph, Scalar) -> bool;

/// Returns the same results by a different computation.
type Pass = fn(&mut Graph, &[Scalar], Given) -> Vec<Scalar>;

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

/// The new nodes of the nodes of a kernel.
struct Known(Vec<Option<Scalar>>);

impl Known {
    /// Returns an empty map for the nodes of `kernel`.
    fn of(kernel: &Kernel) -> Self {
        Self(vec![None; kernel.nodes.last().map_or(0, |last| last.0 as usize + 1)])
    }

    fn insert(&mut self, node: Scalar, result: Scalar) {
        self.0[node.0 as usize] = Some(result);
    }
}

impl Index<Scalar> for Known {
    type Output = Scalar;

    fn index(&self, node: Scalar) -> &Scalar {
        self.0[node.0 as usize].as_ref().unwrap_or_else(|| bug!("{node:?} is used before it is known"))
    }
}

impl Graph {
    /// Returns the same results with fewer operations.
    pub fn optimised(&mut self, outputs: &[Scalar], given: Given) -> Vec<Scalar> {
        self.improved(outputs, given, &PASSES)
    }

    /// Returns the same results with fewer operations, or with fewer divisions at an equal number of operations, by the given passes.
    fn improved(&mut self, outputs: &[Scalar], given: Given, passes: &[Pass]) -> Vec<Scalar> {
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
    fn cost(&self, outputs: &[Scalar], given: Given) -> Cost {
        let given = |node| given(self, node);
        let kernel = Kernel::new(self, outputs, given);
        let is_division = |&&node: &&Scalar| !given(node) && matches!(self.op(node), ScalarOp::Div(..));
        Cost { operations: kernel.operations(self, given), divisions: kernel.nodes.iter().filter(is_division).count() }
    }

    /// Replaces every node by the result of `rule`, operands first. `None` keeps the operation of the node with its new operands.
    fn rewritten(
        &mut self,
        kernel: &Kernel,
        outputs: &[Scalar],
        given: Given,
        mut rule: impl FnMut(&mut Graph, Scalar, &Known) -> Option<Scalar>,
    ) -> Vec<Scalar> {
        let mut known = Known::of(kernel);
        for &node in &kernel.nodes {
            let result = if given(self, node) {
                node
            } else {
                rule(self, node, &known).unwrap_or_else(|| self.on_operands(node, &known))
            };
            known.insert(node, result);
        }
        outputs.iter().map(|&output| known[output]).collect()
    }

    /// Applies the operation of `node` to new operands and folds it again.
    fn on_operands(&mut self, node: Scalar, known: &Known) -> Scalar {
        let mut same = true;
        each_operand(self.op(node), |operand| same &= known[operand] == operand);
        if same {
            return node;
        }
        let new = |old: &Scalar| known[*old];
        let list = |scalars: &[Scalar]| scalars.iter().map(new).collect::<Vec<_>>();
        match self.op(node).clone() {
            ScalarOp::Number(_) | ScalarOp::Leaf(..) => node,
            ScalarOp::Add(a, b) => self.add(new(&a), new(&b)),
            ScalarOp::Sub(a, b) => self.sub(new(&a), new(&b)),
            ScalarOp::Mul(a, b) => self.mul(new(&a), new(&b)),
            ScalarOp::Div(a, b) => self.div(new(&a), new(&b)),
            ScalarOp::Neg(a) => self.neg(new(&a)),
            ScalarOp::Function(function, a) => self.function(function, new(&a)),
            ScalarOp::Power(a, exponent) => self.power(new(&a), exponent),
            ScalarOp::RealPower(a, b) => self.real_power(new(&a), new(&b)),
            ScalarOp::Atan2(a, b) => self.atan2(new(&a), new(&b)),
            ScalarOp::Remainder(a, b) => self.remainder(new(&a), new(&b)),
            ScalarOp::Singular(function, order, z) => self.singular(function, order, new(&z)),
            ScalarOp::Compare(relation, a, b) => self.compare(relation, new(&a), new(&b)),
            ScalarOp::And(a, b) => self.and(new(&a), new(&b)),
            ScalarOp::Or(a, b) => self.or(new(&a), new(&b)),
            ScalarOp::Not(a) => self.not(new(&a)),
            ScalarOp::Select(condition, a, b) => self.select(new(&condition), new(&a), new(&b)),
            ScalarOp::Output(call, at) => {
                let call = match &call {
                    Call::Log(rotation, components) => Call::Log(*rotation, list(components)),
                    Call::Opaque { function, arguments, directions } => Call::Opaque {
                        function: *function,
                        arguments: arguments.iter().map(|argument| list(argument)).collect(),
                        directions: directions
                            .iter()
                            .map(|direction| direction.iter().map(|part| list(part)).collect())
                            .collect(),
                    },
                };
                self.intern(ScalarOp::Output(call, at))
            }
        }
    }
}
