//! Constructors of nodes: every one simplifies what the algebra of vectors and matrices allows.
//!
//! Normal form: signs and scalar factors stand outside of products; sums of vectors seen through the same rotation
//! are formed before the rotation.

use super::{Expressions, Function, Leaf, Node, Op, Relation, Singular, Type};

impl Expressions {
    /// A scalar constant.
    pub fn number(&mut self, value: f64) -> Node {
        // −0 and 0 are one constant.
        let value = if value == 0.0 { 0.0 } else { value };
        self.intern(Op::Number(value.to_bits()), Type::SCALAR)
    }

    /// A matrix of zeros.
    pub fn zeros(&mut self, rows: usize, columns: usize) -> Node {
        if (rows, columns) == (1, 1) {
            return self.number(0.0);
        }
        self.intern(Op::Zero, Type::Matrix { rows, columns })
    }

    /// Zeros of the type of `node`; of a rotation, zeros of its algebra.
    pub fn zero_tangent(&mut self, node: Node) -> Node {
        match self.type_of(node) {
            Type::Matrix { rows, columns } => self.zeros(rows, columns),
            Type::Rotation(rotation) => self.zeros(rotation.dimension(), 1),
            Type::Truth => self.number(0.0),
        }
    }

    /// A leaf of the given type.
    pub fn leaf(&mut self, leaf: Leaf, ty: Type) -> Node {
        self.intern(Op::Leaf(leaf), ty)
    }

    /// The unit vector e_index of R^rows.
    pub fn unit(&mut self, rows: usize, index: usize) -> Node {
        let entries = (0..rows).map(|row| self.number(if row == index { 1.0 } else { 0.0 })).collect();
        self.stack(entries, rows, 1)
    }

    /// The identity matrix.
    pub fn identity(&mut self, size: usize) -> Node {
        let entries = (0..size * size).map(|at| self.number(if at / size == at % size { 1.0 } else { 0.0 })).collect();
        self.stack(entries, size, size)
    }

    /// The matrix with the given scalar entries, by rows.
    pub fn stack(&mut self, entries: Vec<Node>, rows: usize, columns: usize) -> Node {
        debug_assert_eq!(entries.len(), rows * columns);
        if entries.len() == 1 {
            return entries[0];
        }
        if entries.iter().all(|&entry| self.is_zero(entry)) {
            return self.zeros(rows, columns);
        }
        // All the entries of one vector, in order, are that vector.
        if let Op::Entry(whole, 0, 0) = *self.op(entries[0])
            && self.shape(whole) == (rows, columns)
            && entries.iter().enumerate().all(|(at, &entry)| {
                matches!(*self.op(entry), Op::Entry(node, row, column)
                    if node == whole && (row as usize, column as usize) == (at / columns, at % columns))
            })
        {
            return whole;
        }
        self.intern(Op::Stack(entries), Type::Matrix { rows, columns })
    }

    /// The scalar a_{row, column}.
    pub fn entry(&mut self, a: Node, row: usize, column: usize) -> Node {
        let (_, columns) = self.shape(a);
        if self.type_of(a) == Type::SCALAR {
            return a;
        }
        match self.op(a).clone() {
            Op::Zero => self.number(0.0),
            Op::Stack(entries) => entries[row * columns + column],
            Op::Neg(b) => {
                let entry = self.entry(b, row, column);
                self.neg(entry)
            }
            Op::Scale(s, b) => {
                let entry = self.entry(b, row, column);
                self.scale(s, entry)
            }
            Op::Add(b, c) => {
                let b = self.entry(b, row, column);
                let c = self.entry(c, row, column);
                self.add(b, c)
            }
            Op::Transpose(b) => self.entry(b, column, row),
            Op::Slice(b, start) => self.entry(b, row + start as usize, column),
            Op::Concat(parts) => {
                let mut row = row;
                for part in parts {
                    let rows = self.shape(part).0;
                    if row < rows {
                        return self.entry(part, row, column);
                    }
                    row -= rows;
                }
                self.number(0.0)
            }
            _ => {
                #[allow(clippy::cast_possible_truncation)] // Shapes are checked to be small on reading.
                let (row, column) = (row as u16, column as u16);
                self.intern(Op::Entry(a, row, column), Type::SCALAR)
            }
        }
    }

    /// The `rows` rows from `start` on.
    pub fn slice(&mut self, a: Node, start: usize, rows: usize) -> Node {
        let (all, columns) = self.shape(a);
        if (start, rows) == (0, all) {
            return a;
        }
        if rows * columns == 1 {
            return self.entry(a, start, 0);
        }
        match self.op(a).clone() {
            Op::Zero => return self.zeros(rows, columns),
            Op::Stack(entries) => {
                return self.stack(entries[start * columns..(start + rows) * columns].to_vec(), rows, columns);
            }
            Op::Neg(b) => {
                let part = self.slice(b, start, rows);
                return self.neg(part);
            }
            Op::Scale(s, b) => {
                let part = self.slice(b, start, rows);
                return self.scale(s, part);
            }
            Op::Add(b, c) => {
                let b = self.slice(b, start, rows);
                let c = self.slice(c, start, rows);
                return self.add(b, c);
            }
            Op::Slice(b, first) => return self.slice(b, start + first as usize, rows),
            Op::Concat(parts) => {
                // Parts that the slice covers entirely are handed out as they are.
                let mut at = 0;
                let mut covered = Vec::new();
                let mut aligned = true;
                for part in parts {
                    let size = self.shape(part).0;
                    if at >= start && at + size <= start + rows {
                        covered.push(part);
                    } else if at < start + rows && at + size > start {
                        aligned = false;
                        if at <= start && start + rows <= at + size {
                            return self.slice(part, start - at, rows);
                        }
                    }
                    at += size;
                }
                if aligned {
                    return self.concat(covered);
                }
            }
            _ => {}
        }
        #[allow(clippy::cast_possible_truncation)] // Shapes are checked to be small on reading.
        let start = start as u16;
        self.intern(Op::Slice(a, start), Type::Matrix { rows, columns })
    }

    /// Matrices of equally many columns below each other.
    pub fn concat(&mut self, parts: Vec<Node>) -> Node {
        if parts.len() == 1 {
            return parts[0];
        }
        let rows = parts.iter().map(|&part| self.shape(part).0).sum();
        let columns = parts.first().map_or(0, |&part| self.shape(part).1);
        if parts.iter().all(|&part| self.is_zero(part)) {
            return self.zeros(rows, columns);
        }
        self.intern(Op::Concat(parts), Type::Matrix { rows, columns })
    }

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
            // Numbers come first.
            (None, Some(_)) => return self.scale(a, s),
            _ => {}
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
            // The square of a norm is smooth, and quadratic, where the norm is not.
            (Op::Function(Function::Sqrt, radicand), _) if s == a => return radicand,
            // One scalar factor in front, its number outermost.
            (_, Op::Scale(t, b)) if self.as_number(t).is_some() || rows * columns > 1 => {
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

    /// a / b of scalars.
    pub fn divide(&mut self, a: Node, b: Node) -> Node {
        if self.is_zero(a) {
            return a;
        }
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) if y != 0.0 => return self.number(x / y),
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

    /// aᵀ.
    pub fn transpose(&mut self, a: Node) -> Node {
        let (rows, columns) = self.shape(a);
        if rows * columns == 1 {
            return a;
        }
        match self.op(a).clone() {
            Op::Zero => self.zeros(columns, rows),
            Op::Transpose(b) => b,
            Op::Stack(entries) => {
                let turned = (0..rows * columns).map(|at| entries[(at % rows) * columns + at / rows]).collect();
                self.stack(turned, columns, rows)
            }
            Op::Neg(b) => {
                let b = self.transpose(b);
                self.neg(b)
            }
            Op::Scale(s, b) => {
                let b = self.transpose(b);
                self.scale(s, b)
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
        match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Neg(x), _) => {
                let product = self.product(x, b);
                self.neg(product)
            }
            (_, Op::Neg(y)) => {
                let product = self.product(a, y);
                self.neg(product)
            }
            (Op::Scale(s, x), _) => {
                let product = self.product(x, b);
                self.scale(s, product)
            }
            (_, Op::Scale(s, y)) => {
                let product = self.product(a, y);
                self.scale(s, product)
            }
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
        match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Neg(x), _) => {
                let dot = self.dot(x, b);
                return self.neg(dot);
            }
            (_, Op::Neg(y)) => {
                let dot = self.dot(a, y);
                return self.neg(dot);
            }
            (Op::Scale(s, x), _) => {
                let dot = self.dot(x, b);
                return self.scale(s, dot);
            }
            (_, Op::Scale(s, y)) => {
                let dot = self.dot(a, y);
                return self.scale(s, dot);
            }
            // Rotations keep inner products.
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
        match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Neg(x), _) => {
                let cross = self.cross(x, b);
                self.neg(cross)
            }
            (_, Op::Neg(y)) => {
                let cross = self.cross(a, y);
                self.neg(cross)
            }
            (Op::Scale(s, x), _) => {
                let cross = self.cross(x, b);
                self.scale(s, cross)
            }
            (_, Op::Scale(s, y)) => {
                let cross = self.cross(a, y);
                self.scale(s, cross)
            }
            // Rotations keep cross products.
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

    /// f(a).
    pub fn function(&mut self, function: Function, a: Node) -> Node {
        if let Some(x) = self.as_number(a) {
            let value = match function {
                Function::Sqrt => x.sqrt(),
                Function::Sin => x.sin(),
                Function::Cos => x.cos(),
                Function::Tan => x.tan(),
                Function::Asin => x.asin(),
                Function::Acos => x.acos(),
                Function::Atan => x.atan(),
                Function::Exp => x.exp(),
                Function::Ln => x.ln(),
                Function::Sinh => x.sinh(),
                Function::Cosh => x.cosh(),
                Function::Tanh => x.tanh(),
                Function::Abs => x.abs(),
            };
            if value.is_finite() {
                return self.number(value);
            }
        }
        self.intern(Op::Function(function, a), Type::SCALAR)
    }

    /// aⁿ.
    pub fn power(&mut self, a: Node, exponent: i32) -> Node {
        match (exponent, self.as_number(a)) {
            (0, _) => self.number(1.0),
            (1, _) => a,
            (_, Some(x)) if x.powi(exponent).is_finite() => self.number(x.powi(exponent)),
            (2, _) => self.scale(a, a),
            _ => self.intern(Op::Power(a, exponent), Type::SCALAR),
        }
    }

    /// a^b.
    pub fn real_power(&mut self, a: Node, b: Node) -> Node {
        match self.as_number(b) {
            Some(0.5) => self.function(Function::Sqrt, a),
            #[allow(clippy::cast_possible_truncation)] // Small whole numbers only.
            Some(x) if x.fract() == 0.0 && x.abs() <= 64.0 => self.power(a, x as i32),
            _ => self.intern(Op::RealPower(a, b), Type::SCALAR),
        }
    }

    /// The angle of the point (x, y).
    pub fn atan2(&mut self, y: Node, x: Node) -> Node {
        self.intern(Op::Atan2(y, x), Type::SCALAR)
    }

    /// The n-th derivative of a singular function at z.
    pub fn singular(&mut self, function: Singular, order: u8, z: Node) -> Node {
        self.intern(Op::Singular(function, order, z), Type::SCALAR)
    }

    /// a < b or a ≤ b.
    pub fn compare(&mut self, relation: Relation, a: Node, b: Node) -> Node {
        self.intern(Op::Compare(relation, a, b), Type::Truth)
    }

    /// Both hold.
    pub fn and(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::And(a, b), Type::Truth)
    }

    /// One of them holds.
    pub fn or(&mut self, a: Node, b: Node) -> Node {
        self.intern(Op::Or(a, b), Type::Truth)
    }

    /// It does not hold.
    pub fn not(&mut self, a: Node) -> Node {
        match *self.op(a) {
            Op::Not(b) => b,
            _ => self.intern(Op::Not(a), Type::Truth),
        }
    }

    /// `a` where `condition` holds, else `b`.
    pub fn select(&mut self, condition: Node, a: Node, b: Node) -> Node {
        if a == b {
            return a;
        }
        let ty = self.type_of(a);
        self.intern(Op::Select(condition, a, b), ty)
    }

    /// An opaque function, or its derivative along directions (one entry for each order, one node an argument).
    pub fn opaque(&mut self, function: usize, arguments: Vec<Node>, directions: Vec<Vec<Node>>, rows: usize) -> Node {
        self.intern(Op::Opaque { function, arguments, directions }, Type::vector(rows))
    }
}
