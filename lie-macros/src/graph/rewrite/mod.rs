//! The optimiser: passes of one idea each over the part of the graph that a kernel needs.
//!
//! Kernel by kernel, because it is the uses within a kernel that decide; and a pass counts only if it saves operations, or
//! divisions among as many.
//!
//! What may happen to rounding: terms are moved within a sum only if they are products, which are rounded already; equal
//! terms are added up and cancelled exactly; of what multiplies a sum only data may go to its terms, where each has data of
//! its own to meet (`hoist`). The error of a sum is thus never more than a few roundings of its terms as they were written,
//! and a difference of data that is exact stays one.

mod chains;
mod factor;
mod hoist;
mod reciprocal;
mod roots;
mod share;
mod sum;
#[cfg(test)]
pub(crate) mod tests;

use std::ops::Index;

use super::{Call, Graph, Kernel, Scalar, ScalarOp, each_operand};

/// Tells the nodes that a kernel is handed instead of computing them.
type Given = fn(&Graph, Scalar) -> bool;

/// The same results in another way.
type Pass = fn(&mut Graph, &[Scalar], Given) -> Vec<Scalar>;

/// In this order; what one finds may open the way for another.
const PASSES: [Pass; 6] =
    [sum::cancelled, factor::factored, hoist::hoisted, share::products, share::sums, reciprocal::common];

/// As often as they save something, up to so many times.
const ROUNDS: usize = 4;

/// What has fewer operations than this has nothing to share.
const SMALLEST: usize = 3;

/// What a kernel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    operations: usize,
    /// How many of them are divisions, which take as long as several others.
    divisions: usize,
}

/// What has become of the nodes of a kernel.
struct Known(Vec<Option<Scalar>>);

impl Known {
    /// Nothing yet, of the nodes of `kernel`.
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
    /// The same results by fewer operations.
    pub fn optimised(&mut self, outputs: &[Scalar], given: Given) -> Vec<Scalar> {
        self.improved(outputs, given, &PASSES)
    }

    /// The same results by fewer operations, or by as many of which fewer are divisions, as some of the passes find them.
    fn improved(&mut self, outputs: &[Scalar], given: Given, passes: &[Pass]) -> Vec<Scalar> {
        let mut best = outputs.to_vec();
        let mut cost = self.cost(&best, given);
        // Passes in a row that have found nothing: what all of them leave as it is, they leave so again.
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

    /// What it takes to compute `outputs`.
    fn cost(&self, outputs: &[Scalar], given: Given) -> Cost {
        let given = |node| given(self, node);
        let kernel = Kernel::new(self, outputs, given);
        let is_division = |&&node: &&Scalar| !given(node) && matches!(self.op(node), ScalarOp::Div(..));
        Cost { operations: kernel.operations(self, given), divisions: kernel.nodes.iter().filter(is_division).count() }
    }

    /// The outputs with every node replaced by what `rule` makes of it, operands first; `None` leaves it what it is, on
    /// new operands.
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

    /// The operation of `node` on other operands, folded anew.
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
