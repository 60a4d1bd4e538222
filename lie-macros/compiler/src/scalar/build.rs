//! Constructors of scalars: folding of constants, zeros, ones and signs.

use super::{Call, Graph, Scalar, ScalarOp};
use crate::expr::{Function, Leaf, Parity, Relation, Singular, half_integer, position};

impl Graph {
    /// A constant.
    pub fn number(&mut self, value: f64) -> Scalar {
        let value = if value == 0.0 { 0.0 } else { value };
        self.intern(ScalarOp::Number(value.to_bits()))
    }

    /// A component of a leaf.
    pub fn leaf(&mut self, leaf: Leaf, component: u32) -> Scalar {
        self.intern(ScalarOp::Leaf(leaf, component))
    }

    /// a + b.
    pub fn add(&mut self, a: Scalar, b: Scalar) -> Scalar {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => return self.number(x + y),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        if a == b {
            // Exact; ½ x + ½ x is x again.
            let two = self.number(2.0);
            return self.mul(two, a);
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            (ScalarOp::Neg(x), ScalarOp::Neg(y)) => {
                let sum = self.add(x, y);
                self.neg(sum)
            }
            (ScalarOp::Neg(x), _) => self.sub(b, x),
            (_, ScalarOp::Neg(y)) => self.sub(a, y),
            _ => {
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                self.intern(ScalarOp::Add(a, b))
            }
        }
    }

    /// a − b.
    pub fn sub(&mut self, a: Scalar, b: Scalar) -> Scalar {
        if a == b {
            return self.number(0.0);
        }
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => return self.number(x - y),
            (Some(0.0), _) => return self.neg(b),
            (_, Some(0.0)) => return a,
            _ => {}
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            (ScalarOp::Neg(x), ScalarOp::Neg(y)) => self.sub(y, x),
            (ScalarOp::Neg(x), _) => {
                let sum = self.add(x, b);
                self.neg(sum)
            }
            (_, ScalarOp::Neg(y)) => self.add(a, y),
            // x − y and y − x are one node.
            _ if b < a => {
                let difference = self.intern(ScalarOp::Sub(b, a));
                self.neg(difference)
            }
            _ => self.intern(ScalarOp::Sub(a, b)),
        }
    }

    /// −a.
    pub fn neg(&mut self, a: Scalar) -> Scalar {
        match *self.op(a) {
            ScalarOp::Number(bits) => self.number(-f64::from_bits(bits)),
            ScalarOp::Neg(b) => b,
            _ => self.intern(ScalarOp::Neg(a)),
        }
    }

    /// a b.
    pub fn mul(&mut self, a: Scalar, b: Scalar) -> Scalar {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => return self.number(x * y),
            (Some(0.0), _) | (_, Some(0.0)) => return self.number(0.0),
            (Some(1.0), _) => return b,
            (_, Some(1.0)) => return a,
            (Some(-1.0), _) => return self.neg(b),
            (_, Some(-1.0)) => return self.neg(a),
            (None, Some(_)) => return self.mul(b, a),
            _ => {}
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            (ScalarOp::Neg(x), _) => {
                let product = self.mul(x, b);
                return self.neg(product);
            }
            (_, ScalarOp::Neg(y)) => {
                let product = self.mul(a, y);
                return self.neg(product);
            }
            // Only if the product of both numbers is a normal number: the product of all three can be normal although this one is not.
            (ScalarOp::Number(p), ScalarOp::Mul(x, y))
                if self.as_number(x).is_some_and(|x| (f64::from_bits(p) * x).is_normal()) =>
            {
                let factor = self.mul(a, x);
                return self.mul(factor, y);
            }
            // The sign of a number moves outside of the product, so that a product and its negative are shared.
            (ScalarOp::Number(bits), _) if f64::from_bits(bits) < 0.0 => {
                let positive = self.number(-f64::from_bits(bits));
                let product = self.mul(positive, b);
                return self.neg(product);
            }
            _ => {}
        }
        let (a, b) = if self.as_number(a).is_some() || a <= b { (a, b) } else { (b, a) };
        self.intern(ScalarOp::Mul(a, b))
    }

    /// a / b.
    pub fn div(&mut self, a: Scalar, b: Scalar) -> Scalar {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) if y != 0.0 => return self.number(x / y),
            (Some(0.0), _) | (_, Some(1.0)) => return a,
            // The reciprocal of a power of two is exact.
            (_, Some(y)) if y != 0.0 && (y.to_bits() & ((1 << 52) - 1)) == 0 && y.recip().is_normal() => {
                let factor = self.number(y.recip());
                return self.mul(factor, a);
            }
            _ => {}
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            (ScalarOp::Neg(x), _) => {
                let quotient = self.div(x, b);
                self.neg(quotient)
            }
            (_, ScalarOp::Neg(y)) => {
                let quotient = self.div(a, y);
                self.neg(quotient)
            }
            _ => self.intern(ScalarOp::Div(a, b)),
        }
    }

    /// Σ a_i b_i.
    pub fn dot(&mut self, a: &[Scalar], b: &[Scalar]) -> Scalar {
        let mut sum = self.number(0.0);
        for (&x, &y) in a.iter().zip(b) {
            let product = self.mul(x, y);
            sum = self.add(sum, product);
        }
        sum
    }

    /// f(a).
    pub fn function(&mut self, function: Function, a: Scalar) -> Scalar {
        // Signs move outside of odd functions; even functions drop them.
        match (function.parity(), self.op(a).clone()) {
            (Parity::Even, ScalarOp::Neg(b)) => self.function(function, b),
            (Parity::Odd, ScalarOp::Neg(b)) => {
                let value = self.function(function, b);
                self.neg(value)
            }
            _ => self.intern(ScalarOp::Function(function, a)),
        }
    }

    /// aⁿ, small powers by multiplication.
    pub fn power(&mut self, a: Scalar, exponent: i32) -> Scalar {
        match exponent {
            0 => self.number(1.0),
            1 => a,
            2 => self.mul(a, a),
            3 => {
                let square = self.mul(a, a);
                self.mul(square, a)
            }
            4 => {
                let square = self.mul(a, a);
                self.mul(square, square)
            }
            -4..=-1 => {
                let one = self.number(1.0);
                let power = self.power(a, -exponent);
                self.div(one, power)
            }
            _ => self.intern(ScalarOp::Power(a, exponent)),
        }
    }

    /// a^b, half-integer powers by roots. Negative half-integer powers come from derivatives: the reciprocal of the root stays a power of
    /// the root until `rewrite::roots` settles it.
    pub fn real_power(&mut self, a: Scalar, b: Scalar) -> Scalar {
        let Some(halves) = self.as_number(b).and_then(half_integer) else {
            return self.intern(ScalarOp::RealPower(a, b));
        };
        let root = self.function(Function::Sqrt, a);
        if halves < 0 {
            let reciprocal = self.intern(ScalarOp::Power(root, -1));
            return self.power(reciprocal, -halves);
        }
        let whole = self.power(a, halves / 2);
        self.mul(whole, root)
    }

    /// The angle of the point (x, y).
    pub fn atan2(&mut self, y: Scalar, x: Scalar) -> Scalar {
        self.intern(ScalarOp::Atan2(y, x))
    }

    /// a % b, with the sign of a.
    pub fn remainder(&mut self, a: Scalar, b: Scalar) -> Scalar {
        self.intern(ScalarOp::Remainder(a, b))
    }

    /// The n-th derivative of a singular function.
    pub fn singular(&mut self, function: Singular, order: u8, z: Scalar) -> Scalar {
        self.intern(ScalarOp::Singular(function, order, z))
    }

    /// a < b or a ≤ b.
    pub fn compare(&mut self, relation: Relation, a: Scalar, b: Scalar) -> Scalar {
        self.intern(ScalarOp::Compare(relation, a, b))
    }

    /// True if both hold.
    pub fn and(&mut self, a: Scalar, b: Scalar) -> Scalar {
        self.intern(ScalarOp::And(a, b))
    }

    /// True if at least one holds.
    pub fn or(&mut self, a: Scalar, b: Scalar) -> Scalar {
        self.intern(ScalarOp::Or(a, b))
    }

    /// True if `a` does not hold.
    pub fn not(&mut self, a: Scalar) -> Scalar {
        self.intern(ScalarOp::Not(a))
    }

    /// `a` if `condition` holds, otherwise `b`.
    pub fn select(&mut self, condition: Scalar, a: Scalar, b: Scalar) -> Scalar {
        if a == b {
            return a;
        }
        self.intern(ScalarOp::Select(condition, a, b))
    }

    /// The results of a call.
    pub fn call(&mut self, call: &Call, outputs: usize) -> Vec<Scalar> {
        (0..outputs).map(|at| self.intern(ScalarOp::Output(call.clone(), position(at)))).collect()
    }
}
