//! Substitution of nodes in an expression.

use rustc_hash::FxHashMap;

use super::{Expressions, Node, Op};

impl Expressions {
    /// `node` with every key of `replacements` replaced by its value.
    pub fn substitute(&mut self, node: Node, replacements: &FxHashMap<Node, Node>) -> Node {
        let mut known = replacements.clone();
        for at in self.reachable(&[node]) {
            if !known.contains_key(&at) {
                let rebuilt = self.rebuild(at, &known);
                known.insert(at, rebuilt);
            }
        }
        known[&node]
    }

    /// Applies the operation of `node` to other operands, and simplifies the result.
    fn rebuild(&mut self, node: Node, known: &FxHashMap<Node, Node>) -> Node {
        let n = |a: &Node| known[a];
        let (rows, columns) = self.shape(node);
        match self.op(node).clone() {
            Op::Number(_) | Op::Zero | Op::Leaf(_) => node,
            Op::Add(a, b) => self.add(n(&a), n(&b)),
            Op::Neg(a) => self.neg(n(&a)),
            Op::Scale(a, b) => self.scale(n(&a), n(&b)),
            Op::Product(a, b) => self.product(n(&a), n(&b)),
            Op::Transpose(a) => self.transpose(n(&a)),
            Op::Dot(a, b) => self.dot(n(&a), n(&b)),
            Op::Cross(a, b) => self.cross(n(&a), n(&b)),
            Op::Hat(a) => self.hat(n(&a)),
            Op::Stack(entries) => self.stack(entries.iter().map(n).collect(), rows, columns),
            Op::Entry(a, row, column) => self.entry(n(&a), row as usize, column as usize),
            Op::Slice(a, start) => self.slice(n(&a), start as usize, rows),
            Op::Concat(parts) => self.concat(parts.iter().map(n).collect()),
            Op::Divide(a, b) => self.divide(n(&a), n(&b)),
            Op::Function(function, a) => self.function(function, n(&a)),
            Op::Power(a, exponent) => self.power(n(&a), exponent),
            Op::RealPower(a, b) => self.real_power(n(&a), n(&b)),
            Op::Atan2(a, b) => self.atan2(n(&a), n(&b)),
            Op::Remainder(a, b) => self.remainder(n(&a), n(&b)),
            Op::Singular(function, order, a) => self.singular(function, order, n(&a)),
            Op::Compare(relation, a, b) => self.compare(relation, n(&a), n(&b)),
            Op::And(a, b) => self.and(n(&a), n(&b)),
            Op::Or(a, b) => self.or(n(&a), n(&b)),
            Op::Not(a) => self.not(n(&a)),
            Op::Select(a, b, c) => self.select(n(&a), n(&b), n(&c)),
            Op::Act(a, b) => self.act(n(&a), n(&b)),
            Op::ActInverse(a, b) => self.act_inverse(n(&a), n(&b)),
            Op::Compose(a, b) => self.compose(n(&a), n(&b)),
            Op::Invert(a) => self.invert(n(&a)),
            Op::Exp(rotation, a) => self.rotation_exp(rotation, n(&a)),
            Op::Log(a) => self.rotation_log(n(&a)),
            Op::Convert(rotation, a) => self.convert(rotation, n(&a)),
            Op::RotationMatrix(a) => self.rotation_matrix(n(&a)),
            Op::Opaque { function, arguments, directions } => {
                let arguments = arguments.iter().map(n).collect();
                let directions = directions.iter().map(|direction| direction.iter().map(n).collect()).collect();
                self.opaque(function, arguments, directions, rows)
            }
        }
    }
}
