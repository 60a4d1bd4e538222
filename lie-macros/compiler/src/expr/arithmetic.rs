//! Constructors of sums and products: each constructor applies the algebraic simplifications of vectors and matrices.
//!
//! Normal form: signs and scalar factors stand outside of products; sums of vectors with the same rotation are formed before the rotation.

use super::{Expressions, Node, Op, Type};

impl Expressions {
    /// a + b.
    pub fn add(&mut self, a: Node, b: Node) -> Node {
        debug_assert_eq!(self.type_of(a), self.type_of(b));
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            return self.number(x + y);
        }
        if a == b {
            let two = self.number(2.0);
            return self.scale(two, a);
        }
        let (rows, columns) = self.shape(a);
        match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Neg(x), _) if x == b => return self.zeros(rows, columns),
            (_, Op::Neg(y)) if y == a => return self.zeros(rows, columns),
            (Op::Neg(x), Op::Neg(y)) => {
                let sum = self.add(x, y);
                return self.neg(sum);
            }
            (Op::Stack(xs), Op::Stack(ys)) => {
                let sums = xs.into_iter().zip(ys).map(|(x, y)| self.add(x, y)).collect();
                return self.stack(sums, rows, columns);
            }
            (Op::Concat(xs), Op::Concat(ys))
                if xs.len() == ys.len() && xs.iter().zip(&ys).all(|(&x, &y)| self.shape(x) == self.shape(y)) =>
            {
                let sums = xs.into_iter().zip(ys).map(|(x, y)| self.add(x, y)).collect();
                return self.concat(sums);
            }
            _ if rows * columns > 1 => {
                if let Some(sum) = self.add_scaled(a, b).or_else(|| self.add_rotated(a, b)) {
                    return sum;
                }
            }
            _ => {}
        }
        // Addition commutes: one order for both.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let ty = self.type_of(a);
        self.intern(Op::Add(a, b), ty)
    }

    /// ± s x ± s y = ± s (x ± y), for vectors with the same factor.
    fn add_scaled(&mut self, a: Node, b: Node) -> Option<Node> {
        let scaled = |this: &Self, node: Node| match *this.op(node) {
            Op::Scale(s, x) => Some((false, s, x)),
            Op::Neg(inner) => match *this.op(inner) {
                Op::Scale(s, x) => Some((true, s, x)),
                _ => None,
            },
            _ => None,
        };
        let (minus, s, x) = scaled(self, a)?;
        let (other_minus, t, y) = scaled(self, b)?;
        if s != t {
            return None;
        }
        let sum = if minus == other_minus { self.add(x, y) } else { self.sub(x, y) };
        let product = self.scale(s, sum);
        Some(if minus { self.neg(product) } else { product })
    }

    /// a − b.
    pub fn sub(&mut self, a: Node, b: Node) -> Node {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// The sum of all terms; zeros of the given shape if there are none.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Node>, rows: usize, columns: usize) -> Node {
        let zero = self.zeros(rows, columns);
        terms.into_iter().fold(zero, |sum, term| self.add(sum, term))
    }

    /// −a.
    pub fn neg(&mut self, a: Node) -> Node {
        match self.op(a).clone() {
            Op::Zero => a,
            Op::Number(bits) => self.number(-f64::from_bits(bits)),
            Op::Neg(b) => b,
            Op::Stack(entries) => {
                let (rows, columns) = self.shape(a);
                let entries = entries.into_iter().map(|entry| self.neg(entry)).collect();
                self.stack(entries, rows, columns)
            }
            Op::Concat(parts) => {
                let parts = parts.into_iter().map(|part| self.neg(part)).collect();
                self.concat(parts)
            }
            _ => {
                let ty = self.type_of(a);
                self.intern(Op::Neg(a), ty)
            }
        }
    }

    /// s a with a scalar s.
    pub fn scale(&mut self, s: Node, a: Node) -> Node {
        debug_assert_eq!(self.type_of(s), Type::SCALAR);
        let (rows, columns) = self.shape(a);
        if self.is_zero(s) || self.is_zero(a) {
            return self.zeros(rows, columns);
        }
        match (self.as_number(s), self.as_number(a)) {
            (Some(x), Some(y)) => return self.number(x * y),
            (Some(1.0), _) => return a,
            (_, Some(1.0)) => return s,
            (Some(-1.0), _) => return self.neg(a),
            (_, Some(-1.0)) => return self.neg(s),
            // Constants come first.
            (None, Some(_)) => return self.scale(a, s),
            _ => {}
        }
        if rows * columns == 1
            && let Some(product) = self.joined(s, a)
        {
            return product;
        }
        match (self.op(s).clone(), self.op(a).clone()) {
            (Op::Neg(t), _) => {
                let product = self.scale(t, a);
                return self.neg(product);
            }
            (_, Op::Neg(b)) => {
                let product = self.scale(s, b);
                return self.neg(product);
            }
            // One scalar factor in front, with its constant outermost.
            (_, Op::Scale(t, b)) if (self.as_number(t).is_some() || rows * columns > 1) && self.may_join(s, t) => {
                let factor = self.scale(s, t);
                return self.scale(factor, b);
            }
            (Op::Scale(t, u), _) if self.as_number(t).is_some() && rows * columns == 1 => {
                let product = self.scale(u, a);
                return self.scale(t, product);
            }
            (_, Op::Stack(entries)) if entries.iter().all(|&entry| self.as_number(entry).is_some()) => {
                let entries = entries.into_iter().map(|entry| self.scale(s, entry)).collect();
                return self.stack(entries, rows, columns);
            }
            (_, Op::Concat(parts)) => {
                let parts = parts.into_iter().map(|part| self.scale(s, part)).collect();
                return self.concat(parts);
            }
            _ => {}
        }
        let (s, a) = if rows * columns == 1 && self.as_number(s).is_none() && a < s { (a, s) } else { (s, a) };
        let ty = self.type_of(a);
        self.intern(Op::Scale(s, a), ty)
    }

    /// True if the product of two separate factors can be formed first. Constants must not leave the range in which they are exact to
    /// rounding: 1e308 · (10 · x) is not ∞ for all x.
    fn may_join(&self, s: Node, t: Node) -> bool {
        match (self.as_number(s), self.as_number(t)) {
            (Some(x), Some(y)) => (x * y).is_normal(),
            _ => true,
        }
    }

    /// a / b of scalars.
    pub fn divide(&mut self, a: Node, b: Node) -> Node {
        if self.is_zero(a) {
            return a;
        }
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => return self.number(x / y),
            (_, Some(1.0)) => return a,
            _ => {}
        }
        if a == b {
            return self.number(1.0);
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Neg(x), _) => {
                let quotient = self.divide(x, b);
                self.neg(quotient)
            }
            (_, Op::Neg(y)) => {
                let quotient = self.divide(a, y);
                self.neg(quotient)
            }
            _ => self.intern(Op::Divide(a, b), Type::SCALAR),
        }
    }

    /// A linear operation of −b or s b as −f(b) or s f(b); `None` for other operands.
    pub(super) fn linear(&mut self, a: Node, f: impl Fn(&mut Self, Node) -> Node) -> Option<Node> {
        match *self.op(a) {
            Op::Neg(b) => {
                let value = f(self, b);
                Some(self.neg(value))
            }
            Op::Scale(s, b) => {
                let value = f(self, b);
                Some(self.scale(s, value))
            }
            _ => None,
        }
    }

    /// A bilinear operation, with the sign or the scalar factor of an operand outside; `None` without these. Signs are taken out first.
    fn bilinear(&mut self, a: Node, b: Node, f: fn(&mut Self, Node, Node) -> Node) -> Option<Node> {
        let second = |this: &mut Self| this.linear(b, |this, y| f(this, a, y));
        match (self.op(a), self.op(b)) {
            (Op::Scale(..), Op::Neg(_)) => second(self),
            (Op::Neg(_) | Op::Scale(..), _) => self.linear(a, |this, x| f(this, x, b)),
            _ => second(self),
        }
    }

    /// aᵀ.
    pub fn transpose(&mut self, a: Node) -> Node {
        let (rows, columns) = self.shape(a);
        if rows * columns == 1 {
            return a;
        }
        if let Some(linear) = self.linear(a, Self::transpose) {
            return linear;
        }
        match self.op(a).clone() {
            Op::Zero => self.zeros(columns, rows),
            Op::Transpose(b) => b,
            Op::Stack(entries) => {
                let turned = (0..rows * columns).map(|at| entries[(at % rows) * columns + at / rows]).collect();
                self.stack(turned, columns, rows)
            }
            Op::Hat(b) => {
                let hat = self.hat(b);
                self.neg(hat)
            }
            _ => self.intern(Op::Transpose(a), Type::Matrix { rows: columns, columns: rows }),
        }
    }

    /// a b, the matrix product.
    pub fn product(&mut self, a: Node, b: Node) -> Node {
        let ((rows, inner), (_, columns)) = (self.shape(a), self.shape(b));
        debug_assert_eq!(inner, self.shape(b).0);
        if self.is_zero(a) || self.is_zero(b) {
            return self.zeros(rows, columns);
        }
        if (rows, columns) == (1, 1) {
            let a = self.transpose(a);
            return self.dot(a, b);
        }
        if inner == 1 && rows == 1 {
            return self.scale(a, b);
        }
        if inner == 1 && columns == 1 {
            return self.scale(b, a);
        }
        if let Some(bilinear) = self.bilinear(a, b, Self::product) {
            return bilinear;
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Hat(x), _) if columns == 1 => self.cross(x, b),
            (Op::RotationMatrix(r), _) if columns == 1 => self.act(r, b),
            (Op::Transpose(x), _) if columns == 1 && matches!(self.op(x), Op::RotationMatrix(_)) => {
                let Op::RotationMatrix(r) = *self.op(x) else { return self.zeros(rows, columns) };
                self.act_inverse(r, b)
            }
            _ if a == self.identity(inner) => b,
            _ if b == self.identity(inner) => a,
            _ => self.intern(Op::Product(a, b), Type::Matrix { rows, columns }),
        }
    }

    /// Σ a_ij b_ij.
    pub fn dot(&mut self, a: Node, b: Node) -> Node {
        debug_assert_eq!(self.shape(a), self.shape(b));
        if self.type_of(a) == Type::SCALAR {
            return self.scale(a, b);
        }
        if self.is_zero(a) || self.is_zero(b) {
            return self.number(0.0);
        }
        if let Some(bilinear) = self.bilinear(a, b, Self::dot) {
            return bilinear;
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            // Rotations preserve inner products.
            (Op::Act(r, x), Op::Act(s, y)) | (Op::ActInverse(r, x), Op::ActInverse(s, y)) if r == s => {
                return self.dot(x, y);
            }
            (Op::Concat(xs), Op::Concat(ys))
                if xs.len() == ys.len() && xs.iter().zip(&ys).all(|(&x, &y)| self.shape(x) == self.shape(y)) =>
            {
                let dots: Vec<_> = xs.into_iter().zip(ys).map(|(x, y)| self.dot(x, y)).collect();
                return self.sum(dots, 1, 1);
            }
            _ => {}
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Op::Dot(a, b), Type::SCALAR)
    }

    /// a × b in R³.
    pub fn cross(&mut self, a: Node, b: Node) -> Node {
        if a == b || self.is_zero(a) || self.is_zero(b) {
            return self.zeros(3, 1);
        }
        if let Some(bilinear) = self.bilinear(a, b, Self::cross) {
            return bilinear;
        }
        match (self.op(a).clone(), self.op(b).clone()) {
            // Rotations preserve cross products.
            (Op::Act(r, x), Op::Act(s, y)) if r == s => {
                let cross = self.cross(x, y);
                self.act(r, cross)
            }
            (Op::ActInverse(r, x), Op::ActInverse(s, y)) if r == s => {
                let cross = self.cross(x, y);
                self.act_inverse(r, cross)
            }
            _ if b < a => {
                let cross = self.cross(b, a);
                self.neg(cross)
            }
            _ => self.intern(Op::Cross(a, b), Type::vector(3)),
        }
    }

    /// a~ with a~ b = a × b.
    pub fn hat(&mut self, a: Node) -> Node {
        if self.is_zero(a) {
            return self.zeros(3, 3);
        }
        self.intern(Op::Hat(a), Type::Matrix { rows: 3, columns: 3 })
    }
}
