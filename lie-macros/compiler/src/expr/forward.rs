//! Tangents: the directional derivative of an expression for given tangents of its leaves.
//!
//! The tangent of a matrix is a matrix of the same shape. The tangent of a rotation R is the left-trivialised δ with R' = R δ~. Rules of
//! the group operations: D(R v) = R (dv + δ × v), D log R = T⁻¹(log R) δ, D exp w = T(w) dw.

use rustc_hash::FxHashMap;

use super::{Expressions, Function, Node, Op};

/// Tangents of leaves; a leaf that is not listed is constant.
pub(crate) type Seeds = FxHashMap<Node, Node>;

impl Expressions {
    /// The tangent of `node`.
    pub fn tangent(&mut self, node: Node, seeds: &Seeds) -> Node {
        let mut known = FxHashMap::default();
        self.tangent_with(node, seeds, &mut known)
    }

    /// The tangents of several nodes, with shared intermediate results.
    pub fn tangents(&mut self, nodes: &[Node], seeds: &Seeds) -> Vec<Node> {
        let mut known = FxHashMap::default();
        nodes.iter().map(|&node| self.tangent_with(node, seeds, &mut known)).collect()
    }

    fn tangent_with(&mut self, root: Node, seeds: &Seeds, known: &mut FxHashMap<Node, Node>) -> Node {
        // Operands come before the nodes that use them, so ascending order needs no recursion.
        for node in self.reachable(&[root]) {
            if !known.contains_key(&node) {
                let tangent = self.tangent_rule(node, seeds, known);
                known.insert(node, tangent);
            }
        }
        known[&root]
    }

    /// All nodes that `roots` depend on and the roots, in ascending order.
    pub fn reachable(&self, roots: &[Node]) -> Vec<Node> {
        let mut seen = std::collections::BTreeSet::new();
        let mut open = roots.to_vec();
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                open.extend(self.operands(node));
            }
        }
        seen.into_iter().collect()
    }

    /// f(a', b) + f(a, b') for a bilinear operation f.
    fn product_rule(&mut self, [a, b]: [Node; 2], [da, db]: [Node; 2], f: fn(&mut Self, Node, Node) -> Node) -> Node {
        let first = f(self, da, b);
        let second = f(self, a, db);
        self.add(first, second)
    }

    #[allow(clippy::too_many_lines)] // One arm for each operation.
    fn tangent_rule(&mut self, node: Node, seeds: &Seeds, known: &FxHashMap<Node, Node>) -> Node {
        let zero = self.zero_tangent(node);
        let operands = self.operands(node);
        if let Some(&seed) = seeds.get(&node) {
            return seed;
        }
        if operands.iter().all(|operand| self.is_zero(known[operand])) {
            return zero;
        }
        let d = |a: &Node| known[a];
        match self.op(node).clone() {
            Op::Number(_) | Op::Zero | Op::Leaf(_) | Op::Compare(..) | Op::And(..) | Op::Or(..) | Op::Not(_) => zero,
            Op::Add(a, b) => self.add(d(&a), d(&b)),
            Op::Neg(a) => self.neg(d(&a)),
            Op::Scale(s, a) => self.product_rule([s, a], [d(&s), d(&a)], Self::scale),
            Op::Product(a, b) => self.product_rule([a, b], [d(&a), d(&b)], Self::product),
            Op::Transpose(a) => self.transpose(d(&a)),
            Op::Dot(a, b) => {
                if a == b {
                    let two = self.number(2.0);
                    let dot = self.dot(a, d(&a));
                    return self.scale(two, dot);
                }
                self.product_rule([a, b], [d(&a), d(&b)], Self::dot)
            }
            Op::Cross(a, b) => self.product_rule([a, b], [d(&a), d(&b)], Self::cross),
            Op::Hat(a) => self.hat(d(&a)),
            Op::Stack(entries) => {
                let (rows, columns) = self.shape(node);
                self.stack(entries.iter().map(d).collect(), rows, columns)
            }
            Op::Entry(a, row, column) => self.entry(d(&a), row as usize, column as usize),
            Op::Slice(a, start) => {
                let rows = self.shape(node).0;
                self.slice(d(&a), start as usize, rows)
            }
            Op::Concat(parts) => self.concat(parts.iter().map(d).collect()),
            Op::Divide(a, b) => {
                // (a/b)' = (a' − (a/b) b') / b
                let product = self.scale(node, d(&b));
                let difference = self.sub(d(&a), product);
                self.divide(difference, b)
            }
            Op::Function(..) | Op::Power(..) | Op::Singular(..) => {
                let slope = self.slope(node);
                self.scale(slope, d(&operands[0]))
            }
            Op::RealPower(a, b) => {
                if let Some(slope) = self.reciprocal_tangent(node, d(&a)) {
                    return slope;
                }
                let (first, second) = self.real_power_slopes(a, b, node);
                let first = self.scale(first, d(&a));
                // The exponent is nearly always constant; ln(a) does not exist for a ≤ 0.
                if self.is_zero(d(&b)) {
                    return first;
                }
                let second = self.scale(second, d(&b));
                self.add(first, second)
            }
            Op::Atan2(y, x) => {
                let (by_y, by_x) = self.atan2_slopes(y, x);
                let first = self.scale(by_y, d(&y));
                let second = self.scale(by_x, d(&x));
                self.add(first, second)
            }
            Op::Remainder(a, b) => {
                let by_divisor = self.remainder_slope(a, b);
                let second = self.scale(by_divisor, d(&b));
                self.add(d(&a), second)
            }
            Op::Select(condition, a, b) => self.select(condition, d(&a), d(&b)),
            Op::Act(r, v) => {
                let moved = self.infinitesimal(self.kind(r), d(&r), v);
                let sum = self.add(d(&v), moved);
                self.act(r, sum)
            }
            Op::ActInverse(r, v) => {
                let turned = self.act_inverse(r, d(&v));
                let moved = self.infinitesimal(self.kind(r), d(&r), node);
                self.sub(turned, moved)
            }
            Op::Compose(a, b) => {
                let moved = if self.shape(d(&a)).0 == 1 { d(&a) } else { self.act_inverse(b, d(&a)) };
                self.add(moved, d(&b))
            }
            Op::Invert(a) => {
                let moved = if self.shape(d(&a)).0 == 1 { d(&a) } else { self.act(a, d(&a)) };
                self.neg(moved)
            }
            Op::Exp(rotation, v) => self.exp_tangent(rotation, v, d(&v)),
            Op::Log(r) => {
                let rotation = self.kind(r);
                // A⁻¹ B: the tangent of A is used without rotation into the frame of B.
                if let Op::Compose(a, b) = *self.op(r)
                    && let Op::Invert(_) = *self.op(a)
                    && !rotation.is_planar()
                {
                    let left = self.act(a, d(&a));
                    return self.log_tangent(node, left, d(&b));
                }
                self.rotation_tangent_inverse(rotation, node, d(&r), false)
            }
            Op::Convert(_, r) => d(&r),
            Op::RotationMatrix(r) => {
                let rate = self.algebra_matrix(d(&r));
                self.product(node, rate)
            }
            Op::Opaque { function, arguments, directions } => {
                self.opaque_tangent(node, function, &arguments, &directions, known)
            }
        }
    }

    /// δ~ as a matrix.
    pub(super) fn algebra_matrix(&mut self, delta: Node) -> Node {
        if self.shape(delta).0 == 1 {
            let zero = self.number(0.0);
            let minus = self.neg(delta);
            return self.stack(vec![zero, minus, delta, zero], 2, 2);
        }
        self.hat(delta)
    }

    /// The derivative of a function of one variable at its argument.
    pub(super) fn slope(&mut self, node: Node) -> Node {
        match *self.op(node) {
            Op::Power(a, n) => {
                let factor = self.number(f64::from(n));
                let power = match n.checked_sub(1) {
                    Some(less) => self.power(a, less),
                    None => {
                        let less = self.number(f64::from(n) - 1.0);
                        self.real_power(a, less)
                    }
                };
                self.scale(factor, power)
            }
            Op::Singular(function, order, z) => self.singular(function, order + 1, z),
            Op::Function(function, a) => self.elementary_slope(function, a, node),
            ref other => bug!("{other:?} is no function of one variable"),
        }
    }

    /// The partial derivatives of a^b.
    pub(super) fn real_power_slopes(&mut self, a: Node, b: Node, power: Node) -> (Node, Node) {
        let one = self.number(1.0);
        let less = self.sub(b, one);
        let lower = self.real_power(a, less);
        let by_base = self.scale(b, lower);
        let logarithm = self.function(Function::Ln, a);
        (by_base, self.scale(power, logarithm))
    }

    /// The partial derivative of a % b with respect to b, −trunc(a/b); the derivative with respect to a is 1.
    pub(super) fn remainder_slope(&mut self, a: Node, b: Node) -> Node {
        let quotient = self.divide(a, b);
        let whole = self.function(Function::Trunc, quotient);
        self.neg(whole)
    }

    /// The partial derivatives of the angle of (x, y) with respect to y and x.
    pub(super) fn atan2_slopes(&mut self, y: Node, x: Node) -> (Node, Node) {
        let xx = self.scale(x, x);
        let yy = self.scale(y, y);
        let square = self.add(xx, yy);
        let by_y = self.divide(x, square);
        let by_x = self.divide(y, square);
        (by_y, self.neg(by_x))
    }

    /// The derivative of an opaque function (or of its derivative) along the tangents of its arguments.
    fn opaque_tangent(
        &mut self,
        node: Node,
        function: usize,
        arguments: &[Node],
        directions: &[Vec<Node>],
        known: &FxHashMap<Node, Node>,
    ) -> Node {
        let rows = self.shape(node).0;
        if let (Some(gradient), []) = (self.hand_gradient(function, arguments), directions) {
            let moved = self.concat(arguments.iter().map(|argument| known[argument]).collect());
            return self.dot(gradient, moved);
        }
        let mut along = directions.to_vec();
        along.push(arguments.iter().map(|argument| known[argument]).collect());
        let mut sum = self.opaque(function, arguments.to_vec(), along, rows);
        // The derivative is linear in every direction, and directions can depend on the leaves.
        for (at, direction) in directions.iter().enumerate() {
            if direction.iter().all(|part| self.is_zero(known[part])) {
                continue;
            }
            let mut along = directions.to_vec();
            along[at] = direction.iter().map(|part| known[part]).collect();
            let term = self.opaque(function, arguments.to_vec(), along, rows);
            sum = self.add(sum, term);
        }
        sum
    }

    /// The gradient of an opaque scalar function with a hand-written gradient.
    pub(super) fn hand_gradient(&mut self, function: usize, arguments: &[Node]) -> Option<Node> {
        let derivative = *self.hand_derivatives.get(&function)?;
        let rows = arguments.iter().map(|&argument| self.shape(argument).0).sum();
        Some(self.opaque(derivative, arguments.to_vec(), Vec::new(), rows))
    }
}
