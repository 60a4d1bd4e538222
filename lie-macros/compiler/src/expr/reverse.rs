//! Gradients: the cotangents of all leaves for a given cotangent of an expression.
//!
//! The cotangent of a rotation R is the covector θ with dL = θ·δ along R' = R δ~. Every rule is the transpose of the
//! rule in `forward`.

use std::collections::BTreeMap;

use super::path_conditions::{EVERYWHERE, Parts, Region, Regions};
use super::{Expressions, Leaf, Node, Op};

/// Cotangents of leaves.
pub(crate) type Gradient = BTreeMap<Node, Node>;

impl Expressions {
    /// The cotangents of all leaves that `output` depends on, for the cotangent `seed` of `output`.
    pub fn gradient(&mut self, output: Node, seed: Node) -> Gradient {
        self.gradient_of_all(&[(output, seed)])
    }

    /// The sum of the cotangents of all leaves for several outputs with a cotangent each.
    pub fn gradient_of_all(&mut self, seeded: &[(Node, Node)]) -> Gradient {
        let mut gradient = Gradient::new();
        let mut regions = Regions::new();
        let mut cotangents: BTreeMap<Node, Parts> = BTreeMap::new();
        for &(output, seed) in seeded {
            self.collect(&mut cotangents, output, EVERYWHERE, seed);
        }
        let outputs: Vec<Node> = seeded.iter().map(|&(output, _)| output).collect();
        // Operands come before the nodes that use them; in descending order every cotangent is complete.
        for node in self.reachable(&outputs).into_iter().rev() {
            let Some(parts) = cotangents.remove(&node) else { continue };
            let is_leaf = matches!(self.op(node), Op::Leaf(_));
            let region = if is_leaf { EVERYWHERE } else { regions.union(parts.keys()) };
            let zero = self.zero_tangent(node);
            let cotangent = regions.merge(self, parts, region, zero);
            if self.is_zero(cotangent) {
                continue;
            }
            if is_leaf {
                gradient.insert(node, cotangent);
            } else if let Op::Select(condition, a, b) = *self.op(node) {
                let (taken, other) = (regions.side(region, condition, true), regions.side(region, condition, false));
                self.collect(&mut cotangents, a, taken, cotangent);
                self.collect(&mut cotangents, b, other, cotangent);
            } else {
                for (operand, part) in self.pullback(node, cotangent) {
                    self.collect(&mut cotangents, operand, region, part);
                }
            }
        }
        gradient
    }

    fn collect(&mut self, into: &mut BTreeMap<Node, Parts>, node: Node, region: Region, part: Node) {
        let parts = into.entry(node).or_default();
        let sum = match parts.get(&region) {
            Some(&before) => self.add(before, part),
            None => part,
        };
        parts.insert(region, sum);
    }

    /// The contributions of a node to the cotangents of its operands.
    #[allow(clippy::too_many_lines)] // One arm for each operation.
    fn pullback(&mut self, node: Node, y: Node) -> Vec<(Node, Node)> {
        match self.op(node).clone() {
            // Constants, and conditions, which are piecewise constant.
            Op::Number(_) | Op::Zero | Op::Leaf(_) | Op::Compare(..) | Op::And(..) | Op::Or(..) | Op::Not(_) => {
                Vec::new()
            }
            Op::Select(..) => bug!("a choice is taken apart by regions"),
            Op::Add(a, b) => vec![(a, y), (b, y)],
            Op::Neg(a) => vec![(a, self.neg(y))],
            Op::Scale(s, a) => {
                let by_factor = self.dot(y, a);
                vec![(s, by_factor), (a, self.scale(s, y))]
            }
            Op::Product(a, b) => {
                let (at, bt) = (self.transpose(a), self.transpose(b));
                let by_a = self.product(y, bt);
                vec![(a, by_a), (b, self.product(at, y))]
            }
            Op::Transpose(a) => vec![(a, self.transpose(y))],
            Op::Dot(a, b) => vec![(a, self.scale(y, b)), (b, self.scale(y, a))],
            Op::Cross(a, b) => {
                let by_a = self.cross(b, y);
                vec![(a, by_a), (b, self.cross(y, a))]
            }
            Op::Hat(a) => vec![(a, self.axial(y))],
            Op::Stack(entries) => {
                let columns = self.shape(node).1;
                entries
                    .iter()
                    .enumerate()
                    .map(|(at, &entry)| (entry, self.entry(y, at / columns, at % columns)))
                    .collect()
            }
            Op::Entry(a, row, column) => {
                let (rows, columns) = self.shape(a);
                let zero = self.number(0.0);
                let mut entries = vec![zero; rows * columns];
                entries[row as usize * columns + column as usize] = y;
                vec![(a, self.stack(entries, rows, columns))]
            }
            Op::Slice(a, start) => {
                let (all, columns) = self.shape(a);
                let rows = self.shape(node).0;
                let (before, after) = (start as usize, all - start as usize - rows);
                let mut parts = Vec::new();
                if before > 0 {
                    parts.push(self.zeros(before, columns));
                }
                parts.push(y);
                if after > 0 {
                    parts.push(self.zeros(after, columns));
                }
                vec![(a, self.concat(parts))]
            }
            Op::Concat(parts) => {
                let mut start = 0;
                let mut result = Vec::new();
                for part in parts {
                    let rows = self.shape(part).0;
                    result.push((part, self.slice(y, start, rows)));
                    start += rows;
                }
                result
            }
            Op::Divide(a, b) => {
                let by_a = self.divide(y, b);
                let product = self.scale(by_a, node);
                vec![(a, by_a), (b, self.neg(product))]
            }
            Op::Function(_, a) | Op::Power(a, _) | Op::Singular(_, _, a) => {
                let slope = self.slope(node);
                vec![(a, self.scale(slope, y))]
            }
            Op::RealPower(a, b) => {
                let (by_base, by_exponent) = self.real_power_slopes(a, b, node);
                let mut result = vec![(a, self.scale(by_base, y))];
                if self.depends_on_leaves(b) {
                    result.push((b, self.scale(by_exponent, y)));
                }
                result
            }
            Op::Atan2(first, second) => {
                let (by_first, by_second) = self.atan2_slopes(first, second);
                vec![(first, self.scale(by_first, y)), (second, self.scale(by_second, y))]
            }
            Op::Remainder(a, b) => {
                let by_divisor = self.remainder_slope(a, b);
                vec![(a, y), (b, self.scale(by_divisor, y))]
            }
            Op::Act(r, v) => {
                let back = self.act_inverse(r, y);
                vec![(v, back), (r, self.moment(self.kind(r), v, back))]
            }
            Op::ActInverse(r, v) => {
                let back = self.act(r, y);
                let moment = self.moment(self.kind(r), node, y);
                vec![(v, back), (r, self.neg(moment))]
            }
            Op::Compose(a, b) => {
                let by_a = if self.shape(y).0 == 1 { y } else { self.act(b, y) };
                vec![(a, by_a), (b, y)]
            }
            Op::Invert(a) => {
                let moved = if self.shape(y).0 == 1 { y } else { self.act_inverse(a, y) };
                vec![(a, self.neg(moved))]
            }
            Op::Exp(rotation, v) => self.exp_pullback(rotation, v, y),
            Op::Log(r) => self.log_pullback(node, r, y),
            Op::Convert(_, r) => vec![(r, y)],
            Op::RotationMatrix(r) => {
                let turned = self.transpose(node);
                let seen = self.product(turned, y);
                vec![(r, self.axial(seen))]
            }
            Op::Opaque { function, arguments, directions } => {
                self.opaque_pullback(node, y, function, &arguments, &directions)
            }
        }
    }

    /// T⁻ᵀ y; in A⁻¹ B the cotangent of A is used without rotation into the frame of B.
    fn log_pullback(&mut self, node: Node, r: Node, y: Node) -> Vec<(Node, Node)> {
        let rotation = self.kind(r);
        if let Op::Compose(a, b) = *self.op(r)
            && let Op::Invert(_) = *self.op(a)
            && !rotation.is_planar()
        {
            let left = self.rotation_tangent_inverse(rotation, node, y, false);
            let right = self.rotation_tangent_inverse(rotation, node, y, true);
            return vec![(a, self.act_inverse(a, left)), (b, right)];
        }
        vec![(r, self.rotation_tangent_inverse(rotation, node, y, true))]
    }

    /// Derivatives along the coordinate directions of each argument, contracted with the cotangent.
    fn opaque_pullback(
        &mut self,
        node: Node,
        y: Node,
        function: usize,
        arguments: &[Node],
        directions: &[Vec<Node>],
    ) -> Vec<(Node, Node)> {
        let rows = self.shape(node).0;
        let mut result = Vec::new();
        if let (Some(gradient), []) = (self.hand_gradient(function, arguments), directions) {
            let mut start = 0;
            for &argument in arguments {
                let size = self.shape(argument).0;
                let part = self.slice(gradient, start, size);
                result.push((argument, self.scale(y, part)));
                start += size;
            }
            return result;
        }
        let constant: Vec<Node> = arguments.iter().map(|&argument| self.zero_tangent(argument)).collect();
        let along_unit = |at: usize, unit: Node| {
            let mut direction = constant.clone();
            direction[at] = unit;
            direction
        };
        let mut by_part = |this: &mut Self, part: Node, along: &dyn Fn(Node) -> Vec<Vec<Node>>| {
            let size = this.shape(part).0;
            let components = (0..size).map(|index| {
                let directions = along(this.unit(size, index));
                let derivative = this.opaque(function, arguments.to_vec(), directions, rows);
                this.dot(derivative, y)
            });
            let components = components.collect();
            result.push((part, this.stack(components, size, 1)));
        };
        for (at, &argument) in arguments.iter().enumerate() {
            by_part(self, argument, &|unit| [directions, &[along_unit(at, unit)]].concat());
        }
        // Linear in every direction.
        for (order, direction) in directions.iter().enumerate() {
            for (at, &part) in direction.iter().enumerate() {
                if self.depends_on_leaves(part) {
                    by_part(self, part, &|unit| {
                        let mut along = directions.to_vec();
                        along[order] = along_unit(at, unit);
                        along
                    });
                }
            }
        }
        result
    }

    /// The covector a with a·δ = Σ y_ij (δ~)_ij for all δ.
    fn axial(&mut self, y: Node) -> Node {
        if self.shape(y).0 == 2 {
            let below = self.entry(y, 1, 0);
            let above = self.entry(y, 0, 1);
            return self.sub(below, above);
        }
        let parts = [(2, 1), (0, 2), (1, 0)]
            .map(|(row, column)| {
                let below = self.entry(y, row, column);
                let above = self.entry(y, column, row);
                self.sub(below, above)
            })
            .to_vec();
        self.stack(parts, 3, 1)
    }

    /// True if `node` depends only on parameters.
    pub fn is_constant(&self, node: Node) -> bool {
        self.reachable(&[node]).into_iter().all(|node| !matches!(self.op(node), Op::Leaf(leaf) if !leaf.is_data()))
    }

    /// True if `node` depends on a parameter.
    pub fn has_parameters(&self, node: Node) -> bool {
        self.reachable(&[node])
            .into_iter()
            .any(|node| matches!(self.op(node), Op::Leaf(Leaf::Parameter { .. } | Leaf::Item { .. })))
    }

    /// True if `node` depends on a leaf.
    pub fn depends_on_leaves(&self, node: Node) -> bool {
        self.reachable(&[node]).into_iter().any(|node| matches!(self.op(node), Op::Leaf(_)))
    }
}
