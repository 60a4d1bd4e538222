//! Constructors of leaves, constants, vectors and matrices and their parts; every constructor simplifies.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Expressions, Leaf, Node, Op, Type, position};

impl Expressions {
    /// A scalar constant.
    pub fn number(&mut self, value: f64) -> Node {
        // −0 is a constant of its own: it equals 0, but the angle of a point on the negative axis depends on its sign.
        self.intern(Op::Number(value.to_bits()), Type::SCALAR)
    }

    /// A matrix of zeros.
    pub fn zeros(&mut self, rows: usize, columns: usize) -> Node {
        if (rows, columns) == (1, 1) {
            return self.number(0.0);
        }
        self.intern(Op::Zero, Type::Matrix { rows, columns })
    }

    /// Zeros with the type of `node`; for a rotation, zeros of its algebra.
    pub fn zero_tangent(&mut self, node: Node) -> Node {
        match self.type_of(node) {
            Type::Matrix { rows, columns } => self.zeros(rows, columns),
            Type::Rotation(rotation) => self.zeros(rotation.dimension(), 1),
            Type::Bool => self.number(0.0),
        }
    }

    /// A leaf of the given type.
    pub fn leaf(&mut self, leaf: Leaf, ty: Type) -> Node {
        self.intern(Op::Leaf(leaf), ty)
    }

    /// The vector of the scalar leaves at these positions.
    pub fn leaves(&mut self, positions: Range<usize>, leaf: fn(u32) -> Leaf) -> Node {
        let rows = positions.len();
        let leaves = positions.map(|at| self.leaf(leaf(position(at)), Type::SCALAR)).collect();
        self.stack(leaves, rows, 1)
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
        // All the entries of one vector, in order, form the vector.
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
        let key = (position(row), position(column));
        // Sums are long and share their terms: operands first, each once.
        for node in self.terms(a) {
            if !self.entries.contains_key(&(node, key)) {
                let entry = self.entry_of(node, row, column);
                self.entries.insert((node, key), entry);
            }
        }
        self.entries[&(a, key)]
    }

    fn entry_of(&mut self, a: Node, row: usize, column: usize) -> Node {
        let (_, columns) = self.shape(a);
        if self.type_of(a) == Type::SCALAR {
            return a;
        }
        if let Some(linear) = self.linear(a, |this, b| this.entry(b, row, column)) {
            return linear;
        }
        match self.op(a).clone() {
            Op::Zero => self.number(0.0),
            Op::Stack(entries) => entries[row * columns + column],
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
            _ => self.intern(Op::Entry(a, position(row), position(column)), Type::SCALAR),
        }
    }

    /// The terms of the linear combination `a`, and the intermediate sums: operands first, `a` last.
    pub(super) fn terms(&self, a: Node) -> BTreeSet<Node> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![a]);
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                match *self.op(node) {
                    Op::Add(b, c) => open.extend([b, c]),
                    Op::Neg(b) | Op::Scale(_, b) => open.push(b),
                    _ => {}
                }
            }
        }
        seen
    }

    /// The rows `start..start + rows`.
    pub fn slice(&mut self, a: Node, start: usize, rows: usize) -> Node {
        let key = (position(start), position(rows));
        for node in self.terms(a) {
            if !self.slices.contains_key(&(node, key)) {
                let slice = self.slice_of(node, start, rows);
                self.slices.insert((node, key), slice);
            }
        }
        self.slices[&(a, key)]
    }

    fn slice_of(&mut self, a: Node, start: usize, rows: usize) -> Node {
        let (all, columns) = self.shape(a);
        if (start, rows) == (0, all) {
            return a;
        }
        if rows * columns == 1 {
            return self.entry(a, start, 0);
        }
        if let Some(linear) = self.linear(a, |this, b| this.slice(b, start, rows)) {
            return linear;
        }
        match self.op(a).clone() {
            Op::Zero => return self.zeros(rows, columns),
            Op::Stack(entries) => {
                return self.stack(entries[start * columns..(start + rows) * columns].to_vec(), rows, columns);
            }
            Op::Add(b, c) => {
                let b = self.slice(b, start, rows);
                let c = self.slice(c, start, rows);
                return self.add(b, c);
            }
            Op::Slice(b, first) => return self.slice(b, start + first as usize, rows),
            Op::Concat(parts) => {
                // Parts that the slice covers entirely are returned unchanged.
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
        self.intern(Op::Slice(a, position(start)), Type::Matrix { rows, columns })
    }

    /// Stacks matrices with an equal number of columns vertically.
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
}
