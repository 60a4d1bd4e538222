//! M as the Hessian of the kinetic energy, computed in one backward pass over its expressions.
//!
//! If T is a sum of squares and products of expressions that are linear in the velocity, its Hessian with respect to these expressions is
//! known. An expression y = Σ Lᵢ xᵢ passes its second derivatives on to its operands, ∂²/∂xᵢ∂z += Lᵢᵀ ∂²/∂y∂z, until only the derivatives
//! with respect to v are left. The outermost expressions come first. Common subexpressions are visited once: in a kinematic tree, ∂²T with
//! respect to the twist of a body is the inertia of its subtree, and the result is the composite-rigid-body algorithm.
//!
//! Sources: R. M. Gower, M. P. Mello, A framework for the computation of Hessians, 2012; R. Featherstone, Rigid Body Dynamics Algorithms,
//! 2008, chapter 6.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Derivation;
use crate::expr::{Node, Op};
use crate::scalar::{Graph, Scalar};

/// Second derivatives with respect to the components of two nodes.
type SecondDerivatives = Vec<Vec<Scalar>>;

/// The second derivatives with respect to a node and each node that does not come after it.
type Hessian = BTreeMap<Node, BTreeMap<Node, SecondDerivatives>>;

/// The nonzero degrees in v.
type Degrees = FxHashMap<Node, u8>;

fn transposed(block: &SecondDerivatives) -> SecondDerivatives {
    (0..block.first().map_or(0, Vec::len)).map(|column| block.iter().map(|row| row[column]).collect()).collect()
}

impl Derivation<'_, '_> {
    /// The second derivatives of `energy` with respect to v; `None` if it contains an unsupported operation.
    pub(super) fn composite_mass(&mut self, energy: Node) -> Option<SecondDerivatives> {
        let degrees = self.degrees(energy)?;
        let mut hessian = self.squares(energy, &degrees)?;
        let velocities = self.interpreter.leaves.velocity_leaves();
        while let Some(&y) = hessian.keys().rev().find(|y| !velocities.contains(y)) {
            self.push(&mut hessian, y, &degrees)?;
        }
        let mut offset = 0;
        let offsets: Vec<(Node, usize)> = velocities
            .into_iter()
            .map(|leaf| {
                offset += self.interpreter.expressions.shape(leaf).0;
                (leaf, offset - self.interpreter.expressions.shape(leaf).0)
            })
            .collect();
        let zero = self.graph.number(0.0);
        let mut mass = vec![vec![zero; offset]; offset];
        for &(first, row) in &offsets {
            for &(second, column) in &offsets {
                let Some(block) = hessian.get(&first).and_then(|others| others.get(&second)) else { continue };
                for (i, entries) in block.iter().enumerate() {
                    for (j, &entry) in entries.iter().enumerate() {
                        mass[row + i][column + j] = entry;
                        mass[column + j][row + i] = entry;
                    }
                }
            }
        }
        Some(mass)
    }

    /// The degrees in v of the operands of `energy`, up to 2.
    fn degrees(&self, energy: Node) -> Option<Degrees> {
        let (e, velocities) = (&self.interpreter.expressions, self.interpreter.leaves.velocity_leaves());
        let mut degrees = Degrees::default();
        for node in e.reachable(&[energy]) {
            let of = |operand: &Node| degrees.get(operand).copied().unwrap_or(0);
            let operands = e.operands(node);
            let largest = operands.iter().map(of).max().unwrap_or(0);
            let degree = match e.op(node) {
                Op::Leaf(_) => u8::from(velocities.contains(&node)),
                _ if largest == 0 => 0,
                Op::Dot(a, b) | Op::Scale(a, b) | Op::Product(a, b) | Op::Cross(a, b) => of(a) + of(b),
                Op::Divide(a, b) if of(b) == 0 => of(a),
                Op::Power(a, 2) => 2 * of(a),
                Op::Act(r, v) | Op::ActInverse(r, v) if of(r) == 0 => of(v),
                Op::Add(..)
                | Op::Neg(_)
                | Op::Transpose(_)
                | Op::Stack(_)
                | Op::Entry(..)
                | Op::Slice(..)
                | Op::Concat(_) => largest,
                _ => return None,
            };
            if degree > 2 {
                return None;
            }
            if degree > 0 {
                degrees.insert(node, degree);
            }
        }
        Some(degrees)
    }

    /// The second derivatives with respect to the linear expressions in the sum of products `energy`.
    fn squares(&mut self, energy: Node, degrees: &Degrees) -> Option<Hessian> {
        let mut hessian = Hessian::new();
        let one = self.graph.number(1.0);
        let mut slopes = BTreeMap::from([(energy, one)]);
        let of = |node: Node| degrees.get(&node).copied().unwrap_or(0);
        // Operands come before the nodes that use them: the last node has its complete derivative.
        while let Some((node, slope)) = slopes.pop_last() {
            if of(node) < 2 {
                continue;
            }
            let mut parts = Vec::new();
            match *self.interpreter.expressions.op(node) {
                Op::Add(a, b) => parts.extend([(a, slope), (b, slope)]),
                Op::Neg(a) => parts.push((a, self.graph.neg(slope))),
                Op::Divide(a, b) => {
                    let by = self.scalar(b);
                    parts.push((a, self.graph.div(slope, by)));
                }
                Op::Power(a, 2) if of(a) == 1 => self.square(&mut hessian, a, a, slope),
                Op::Dot(a, b) | Op::Scale(a, b) if (of(a), of(b)) == (1, 1) => {
                    if self.interpreter.expressions.shape(a) != self.interpreter.expressions.shape(b) {
                        return None;
                    }
                    self.square(&mut hessian, a, b, slope);
                }
                Op::Scale(a, b) if self.interpreter.expressions.shape(b) == (1, 1) => {
                    let (factor, rest) = if of(a) == 0 { (a, b) } else { (b, a) };
                    let factor = self.scalar(factor);
                    parts.push((rest, self.graph.mul(factor, slope)));
                }
                _ => return None,
            }
            for (part, slope) in parts {
                let sum = match slopes.get(&part) {
                    Some(&before) => self.graph.add(before, slope),
                    None => slope,
                };
                slopes.insert(part, sum);
            }
        }
        Some(hessian)
    }

    /// Adds the second derivatives of s a · b.
    fn square(&mut self, hessian: &mut Hessian, a: Node, b: Node, slope: Scalar) {
        let (rows, columns) = self.interpreter.expressions.shape(a);
        let (size, zero) = (rows * columns, self.graph.number(0.0));
        let block: SecondDerivatives =
            (0..size).map(|i| (0..size).map(|j| if i == j { slope } else { zero }).collect()).collect();
        self.collect(hessian, a, b, &block);
        if a == b {
            self.collect(hessian, a, b, &block);
        }
    }

    /// Adds second derivatives with respect to a and b; the block of one node twice is symmetric already.
    fn collect(&mut self, hessian: &mut Hessian, a: Node, b: Node, block: &SecondDerivatives) {
        let (later, earlier, block) = if a >= b { (a, b, block.clone()) } else { (b, a, transposed(block)) };
        let others = hessian.entry(later).or_default();
        let Some(before) = others.get_mut(&earlier) else {
            others.insert(earlier, block);
            return;
        };
        for (row, added) in before.iter_mut().zip(block) {
            for (entry, added) in row.iter_mut().zip(added) {
                *entry = self.graph.add(*entry, added);
            }
        }
    }

    /// Passes the second derivatives of y on to the operands of y.
    fn push(&mut self, hessian: &mut Hessian, y: Node, degrees: &Degrees) -> Option<()> {
        let mut others = hessian.remove(&y).unwrap_or_default();
        let own = others.remove(&y);
        for (z, block) in others {
            for (x, part) in self.handed_on(y, &block, degrees)? {
                if x == z {
                    let both = self.symmetrised(&part);
                    self.collect(hessian, x, x, &both);
                } else {
                    self.collect(hessian, x, z, &part);
                }
            }
        }
        let Some(block) = own else { return Some(()) };
        if let Op::Act(_, x) | Op::ActInverse(_, x) = *self.interpreter.expressions.op(y)
            && self.is_multiple_of_identity(&block)
        {
            self.collect(hessian, x, x, &block);
            return Some(());
        }
        let halves = self.handed_on(y, &block, degrees)?;
        for (at, (x, half)) in halves.iter().enumerate() {
            for (number, (z, whole)) in self.handed_on(y, &transposed(half), degrees)?.into_iter().enumerate() {
                // Block (z, x); block (x, z) is its transpose.
                if number == at {
                    let upper = (0..whole.len()).map(|i| (0..whole.len()).map(|j| whole[i.min(j)][i.max(j)]).collect());
                    let upper: SecondDerivatives = upper.collect();
                    self.collect(hessian, *x, *x, &upper);
                } else if number > at {
                    if *x == z {
                        let both = self.symmetrised(&whole);
                        self.collect(hessian, z, z, &both);
                    } else {
                        self.collect(hessian, z, *x, &whole);
                    }
                }
            }
        }
        Some(())
    }

    /// A + Aᵀ.
    fn symmetrised(&mut self, block: &SecondDerivatives) -> SecondDerivatives {
        let size = block.len();
        let mut entry = |i: usize, j: usize| self.graph.add(block[i.min(j)][i.max(j)], block[i.max(j)][i.min(j)]);
        (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect()
    }

    /// True if rotations do not change the block.
    fn is_multiple_of_identity(&self, block: &SecondDerivatives) -> bool {
        let is_there =
            |i: usize, j: usize| if i == j { block[i][i] == block[0][0] } else { self.graph.is_zero(block[i][j]) };
        (0..block.len()).all(|i| (0..block.len()).all(|j| is_there(i, j)))
    }

    /// Lᵢᵀ A for every xᵢ in y = Σ Lᵢ xᵢ that depends on v.
    fn handed_on(
        &mut self,
        y: Node,
        block: &SecondDerivatives,
        degrees: &Degrees,
    ) -> Option<Vec<(Node, SecondDerivatives)>> {
        let depends = |node: &Node| degrees.contains_key(node);
        let whole = |this: &Self, node: Node| this.interpreter.expressions.shape(node);
        let width = block.first().map_or(0, Vec::len);
        Some(match self.interpreter.expressions.op(y).clone() {
            Op::Add(a, b) => [a, b].into_iter().filter(depends).map(|x| (x, block.clone())).collect(),
            Op::Neg(a) => vec![(a, self.each(block, Graph::neg))],
            Op::Scale(s, a) if depends(&a) => {
                let factor = self.scalar(s);
                vec![(a, self.each(block, |graph, entry| graph.mul(factor, entry)))]
            }
            Op::Scale(s, a) => {
                let line = self.lower(a);
                vec![(s, self.times(&[line], block))]
            }
            Op::Dot(a, b) => {
                let (x, other) = if depends(&a) { (a, b) } else { (b, a) };
                let column: SecondDerivatives = self.lower(other).into_iter().map(|entry| vec![entry]).collect();
                vec![(x, self.times(&column, block))]
            }
            Op::Divide(a, b) => {
                let by = self.scalar(b);
                vec![(a, self.each(block, |graph, entry| graph.div(entry, by)))]
            }
            Op::Product(a, b) if depends(&b) && !depends(&a) && whole(self, b).1 == 1 => {
                let (rows, columns) = whole(self, a);
                let entries = self.lower(a);
                let matrix: SecondDerivatives =
                    (0..columns).map(|j| (0..rows).map(|i| entries[i * columns + j]).collect()).collect();
                vec![(b, self.times(&matrix, block))]
            }
            // The derivative of a × b with respect to b is a~, with respect to a it is −b~; both are antisymmetric.
            Op::Cross(a, b) => {
                let (x, other, minus) = if depends(&a) { (a, b, false) } else { (b, a, true) };
                let hat = self.interpreter.expressions.hat(other);
                let hat = if minus { self.interpreter.expressions.neg(hat) } else { hat };
                let matrix: SecondDerivatives = self.lower(hat).chunks(3).map(<[Scalar]>::to_vec).collect();
                vec![(x, self.times(&matrix, block))]
            }
            Op::Act(r, x) | Op::ActInverse(r, x) => {
                let is_inverse = matches!(self.interpreter.expressions.op(y), Op::ActInverse(..));
                let turned = self.interpreter.expressions.rotation_matrix(r);
                let size = whole(self, x).0;
                let matrix: SecondDerivatives = self.lower(turned).chunks(size).map(<[Scalar]>::to_vec).collect();
                let matrix = if is_inverse { matrix } else { transposed(&matrix) };
                vec![(x, self.times(&matrix, block))]
            }
            Op::Transpose(a) if whole(self, a).0 == 1 || whole(self, a).1 == 1 => vec![(a, block.clone())],
            Op::Stack(entries) => {
                let parts = entries.into_iter().zip(block).filter(|(x, _)| depends(x));
                parts.map(|(x, row)| (x, vec![row.clone()])).collect()
            }
            Op::Concat(parts) => {
                let mut rows = block.iter().cloned();
                let parts = parts.into_iter().map(|x| {
                    let (count, columns) = whole(self, x);
                    (x, rows.by_ref().take(count * columns).collect())
                });
                parts.collect::<Vec<_>>().into_iter().filter(|(x, _)| depends(x)).collect()
            }
            Op::Entry(a, row, column) => {
                vec![(a, self.placed(a, row as usize * whole(self, a).1 + column as usize, block, width))]
            }
            Op::Slice(a, start) => vec![(a, self.placed(a, start as usize * whole(self, a).1, block, width))],
            _ => return None,
        })
    }

    /// The rows of a block at the position `first` among all rows of a node.
    fn placed(&mut self, whole: Node, first: usize, block: &SecondDerivatives, width: usize) -> SecondDerivatives {
        let zero = self.graph.number(0.0);
        let (rows, columns) = self.interpreter.expressions.shape(whole);
        let mut placed = vec![vec![zero; width]; rows * columns];
        placed[first..first + block.len()].clone_from_slice(block);
        placed
    }

    fn each(&mut self, block: &SecondDerivatives, f: impl Fn(&mut Graph, Scalar) -> Scalar) -> SecondDerivatives {
        block.iter().map(|row| row.iter().map(|&entry| f(&mut self.graph, entry)).collect()).collect()
    }

    fn times(&mut self, matrix: &[Vec<Scalar>], block: &SecondDerivatives) -> SecondDerivatives {
        let columns = transposed(block);
        matrix.iter().map(|row| columns.iter().map(|column| self.graph.dot(row, column)).collect()).collect()
    }
}
