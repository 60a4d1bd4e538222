//! Constructors of elementary, singular and opaque functions, of comparisons and selections.

use super::{Expressions, Function, Node, Op, Relation, Singular, Type};

impl Expressions {
    /// f(a).
    pub fn function(&mut self, function: Function, a: Node) -> Node {
        if let Some(x) = self.as_number(a) {
            return self.number(function.value(x));
        }
        self.intern(Op::Function(function, a), Type::SCALAR)
    }

    /// aⁿ.
    pub fn power(&mut self, a: Node, exponent: i32) -> Node {
        match (exponent, self.as_number(a)) {
            (0, _) => self.number(1.0),
            (1, _) => a,
            (_, Some(x)) => self.number(x.powi(exponent)),
            (2, _) => self.scale(a, a),
            _ => match self.power_of_root(a, exponent) {
                Some(power) => power,
                None => self.intern(Op::Power(a, exponent), Type::SCALAR),
            },
        }
    }

    /// a^b.
    pub fn real_power(&mut self, a: Node, b: Node) -> Node {
        match self.as_number(b) {
            Some(0.5) => self.function(Function::Sqrt, a),
            #[allow(clippy::cast_possible_truncation)] // Small integers only.
            Some(x) if x.fract() == 0.0 && x.abs() <= 64.0 => self.power(a, x as i32),
            Some(x) if let Op::Function(Function::Sqrt, radicand) = *self.op(a) => {
                let half = self.number(0.5 * x);
                self.real_power(radicand, half)
            }
            _ => self.intern(Op::RealPower(a, b), Type::SCALAR),
        }
    }

    /// The angle of the point (x, y).
    pub fn atan2(&mut self, y: Node, x: Node) -> Node {
        self.intern(Op::Atan2(y, x), Type::SCALAR)
    }

    /// a % b, with the sign of a.
    pub fn remainder(&mut self, a: Node, b: Node) -> Node {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => self.number(x % y),
            _ => self.intern(Op::Remainder(a, b), Type::SCALAR),
        }
    }

    /// The n-th derivative of a singular function at z.
    pub fn singular(&mut self, function: Singular, order: u8, z: Node) -> Node {
        self.intern(Op::Singular(function, order, z), Type::SCALAR)
    }

    /// a < b or a ≤ b.
    pub fn compare(&mut self, relation: Relation, a: Node, b: Node) -> Node {
        self.intern(Op::Compare(relation, a, b), Type::Bool)
    }

    /// True if both hold.
    pub fn and(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::And(a, b), Type::Bool)
    }

    /// True if at least one holds.
    pub fn or(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::Or(a, b), Type::Bool)
    }

    /// True if `a` does not hold.
    pub fn not(&mut self, a: Node) -> Node {
        match *self.op(a) {
            Op::Not(b) => b,
            _ => self.intern(Op::Not(a), Type::Bool),
        }
    }

    /// `a` if `condition` holds, otherwise `b`.
    pub fn select(&mut self, condition: Node, a: Node, b: Node) -> Node {
        if a == b {
            return a;
        }
        if let Some(holds) = self.as_truth(condition) {
            return if holds { a } else { b };
        }
        let ty = self.type_of(a);
        self.intern(Op::Select(condition, a, b), ty)
    }

    /// The value of a comparison of constants, or of its negation.
    fn as_truth(&self, condition: Node) -> Option<bool> {
        match *self.op(condition) {
            Op::Compare(relation, a, b) => {
                let (a, b) = (self.as_number(a)?, self.as_number(b)?);
                Some(match relation {
                    Relation::Less => a < b,
                    Relation::LessOrEqual => a <= b,
                })
            }
            Op::Not(a) => match *self.op(a) {
                Op::Compare(..) => self.as_truth(a).map(|holds| !holds),
                _ => None,
            },
            _ => None,
        }
    }

    /// An opaque function, or its derivative along directions (one entry for each order, one node for each argument).
    pub fn opaque(&mut self, function: usize, arguments: Vec<Node>, directions: Vec<Vec<Node>>, rows: usize) -> Node {
        self.intern(Op::Opaque { function, arguments, directions }, Type::vector(rows))
    }
}
