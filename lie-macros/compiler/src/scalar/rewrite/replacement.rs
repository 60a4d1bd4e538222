//! Replacement of the nodes of a kernel, operands first.

use std::ops::Index;

use crate::scalar::{Call, Graph, Kernel, Scalar, ScalarOp, each_operand};

/// Returns true for nodes that are arguments of a kernel.
pub(super) type ArgumentTest = fn(&Graph, Scalar) -> bool;

/// The new nodes of the nodes of a kernel.
pub(super) struct Known(Vec<Option<Scalar>>);

impl Known {
    /// Returns an empty map for the nodes of `kernel`.
    pub fn of(kernel: &Kernel) -> Self {
        Self(vec![None; kernel.nodes.last().map_or(0, |last| last.0 as usize + 1)])
    }

    pub fn insert(&mut self, node: Scalar, result: Scalar) {
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
    /// Replaces every node by the result of `rule`, operands first. `None` keeps the operation of the node with its new operands.
    pub(super) fn rewritten(
        &mut self,
        kernel: &Kernel,
        outputs: &[Scalar],
        given: ArgumentTest,
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
    pub(super) fn on_operands(&mut self, node: Scalar, known: &Known) -> Scalar {
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
