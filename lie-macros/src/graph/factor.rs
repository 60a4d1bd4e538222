//! Common factors: a x ± a y becomes a (x ± y) where no other result needs the products; one of them is enough where
//! x ± y is known beforehand.
//!
//! Done kernel by kernel, because it is the uses within a kernel that decide.

use std::collections::HashMap;

use super::{Call, Graph, Kernel, Scalar, ScalarOp};

impl Graph {
    /// The same results with common factors taken out. Nodes for which `given` holds stay as they are; sums of them are
    /// taken to cost nothing.
    pub fn factored(&mut self, outputs: &[Scalar], given: impl Fn(Scalar) -> bool) -> Vec<Scalar> {
        let kernel = Kernel::new(self, outputs, &given);
        let mut known: HashMap<Scalar, Scalar> = HashMap::with_capacity(kernel.nodes.len());
        for &node in &kernel.nodes {
            let result = if given(node) { node } else { self.rebuilt(node, &known, &kernel, &given) };
            known.insert(node, result);
        }
        outputs.iter().map(|output| known[output]).collect()
    }

    /// `node` of operands that have been rebuilt.
    fn rebuilt(
        &mut self,
        node: Scalar,
        known: &HashMap<Scalar, Scalar>,
        kernel: &Kernel,
        given: &impl Fn(Scalar) -> bool,
    ) -> Scalar {
        let new = |old: &Scalar| known[old];
        let list = |scalars: &[Scalar]| scalars.iter().map(new).collect::<Vec<_>>();
        match self.op(node).clone() {
            ScalarOp::Number(_) | ScalarOp::Leaf(..) => node,
            ScalarOp::Add(a, b) | ScalarOp::Sub(a, b) => {
                let is_sum = matches!(self.op(node), ScalarOp::Add(..));
                let once = [a, b].map(|product| kernel.uses_of(product) == 1);
                let (a, b) = (new(&a), new(&b));
                let common = self
                    .common_factor(a, b)
                    .filter(|&(_, x, y)| once == [true; 2] || (once != [false; 2] && given(x) && given(y)));
                let (x, y) = common.map_or((a, b), |(_, x, y)| (x, y));
                let sum = if is_sum { self.add(x, y) } else { self.sub(x, y) };
                common.map_or(sum, |(factor, ..)| self.mul(factor, sum))
            }
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

    /// (f, x, y) if the arguments are products f x and f y.
    fn common_factor(&self, a: Scalar, b: Scalar) -> Option<(Scalar, Scalar, Scalar)> {
        let (&ScalarOp::Mul(p, q), &ScalarOp::Mul(r, s)) = (self.op(a), self.op(b)) else { return None };
        [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)]
            .into_iter()
            .find(|(p, _, r, _)| p == r)
            .map(|(factor, x, _, y)| (factor, x, y))
    }
}
