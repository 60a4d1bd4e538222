//! The derivatives of the elementary functions.

use super::{Expressions, Function, Node, Relation};

impl Expressions {
    /// f'(a), where `value` is f(a).
    pub(super) fn elementary_slope(&mut self, function: Function, a: Node, value: Node) -> Node {
        let one = self.number(1.0);
        match function {
            Function::Sqrt => {
                let half = self.number(0.5);
                let reciprocal = self.half_power(a, -1);
                self.scale(half, reciprocal)
            }
            Function::Sin => self.function(Function::Cos, a),
            Function::Cos => {
                let sine = self.function(Function::Sin, a);
                self.neg(sine)
            }
            Function::Tan => {
                let square = self.scale(value, value);
                self.add(one, square)
            }
            Function::Asin | Function::Acos => {
                let square = self.scale(a, a);
                let rest = self.sub(one, square);
                let root = self.function(Function::Sqrt, rest);
                let slope = self.divide(one, root);
                if function == Function::Asin { slope } else { self.neg(slope) }
            }
            Function::Atan => {
                let square = self.scale(a, a);
                let sum = self.add(one, square);
                self.divide(one, sum)
            }
            Function::Exp => value,
            Function::Ln => self.divide(one, a),
            Function::Sinh => self.function(Function::Cosh, a),
            Function::Cosh => self.function(Function::Sinh, a),
            Function::Tanh => {
                let square = self.scale(value, value);
                self.sub(one, square)
            }
            Function::Asinh => {
                let square = self.scale(a, a);
                let sum = self.add(one, square);
                let root = self.function(Function::Sqrt, sum);
                self.divide(one, root)
            }
            Function::Acosh => {
                let (below, above) = (self.sub(a, one), self.add(a, one));
                let product = self.scale(below, above);
                let root = self.function(Function::Sqrt, product);
                self.divide(one, root)
            }
            Function::Atanh => {
                let square = self.scale(a, a);
                let rest = self.sub(one, square);
                self.divide(one, rest)
            }
            Function::ExpM1 => self.function(Function::Exp, a),
            Function::Ln1p => {
                let sum = self.add(one, a);
                self.divide(one, sum)
            }
            Function::Cbrt => {
                let square = self.scale(value, value);
                let three = self.number(3.0);
                let denominator = self.scale(three, square);
                self.divide(one, denominator)
            }
            Function::Floor | Function::Ceil | Function::Round | Function::Trunc => self.number(0.0),
            Function::Abs => {
                let zero = self.number(0.0);
                let minus = self.number(-1.0);
                let negative = self.compare(Relation::Less, a, zero);
                self.select(negative, minus, one)
            }
        }
    }
}
