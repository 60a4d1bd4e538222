//! Rotations about a fixed axis: exp(θ a).
//!
//! They form a one-parameter group: the tangent operator is the identity along a, T(θ a) a = a. Their derivatives therefore do not contain
//! T, and their evaluation needs one sine and one cosine.

use super::{Expressions, Node, Op, Rotation, Type};

/// A rotation about a constant axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    /// The axis a, of any length except 0.
    pub axis: [f64; 3],
    /// θ.
    pub angle: Node,
}

impl Expressions {
    /// The components of a constant vector.
    pub fn as_numbers(&self, v: Node) -> Option<Vec<f64>> {
        match self.op(v) {
            Op::Zero => Some(vec![0.0; self.type_of(v).numbers()]),
            Op::Stack(entries) => entries.iter().map(|&entry| self.as_number(entry)).collect(),
            _ => self.as_number(v).map(|number| vec![number]),
        }
    }

    /// θ and a of a vector θ a with a constant a.
    pub fn about_axis(&self, v: Node) -> Option<Turn> {
        let Op::Stack(entries) = self.op(v) else { return None };
        if self.type_of(v) != Type::vector(3) {
            return None;
        }
        let (mut axis, mut angle) = ([0.0; 3], None);
        for (component, &entry) in axis.iter_mut().zip(entries).filter(|(_, entry)| !self.is_zero(**entry)) {
            let (factor, of) = self.multiple(entry)?;
            if *angle.get_or_insert(of) != of {
                return None;
            }
            *component = factor;
        }
        angle.map(|angle| Turn { axis, angle })
    }

    /// f and x of f x with a constant f and a non-constant x.
    fn multiple(&self, a: Node) -> Option<(f64, Node)> {
        match *self.op(a) {
            Op::Number(_) => None,
            Op::Neg(b) => self.multiple(b).map(|(factor, of)| (-factor, of)),
            Op::Scale(s, b) if let Some(factor) = self.as_number(s) => Some((factor, b)),
            _ => Some((1.0, a)),
        }
    }

    /// The planar rotation with this angle.
    pub fn planar(&self, angle: Node) -> Option<Node> {
        match *self.op(angle) {
            Op::Log(r) if self.kind(r).is_planar() => Some(r),
            _ => None,
        }
    }

    /// The tangent of exp(v) along v' = `rate`.
    pub(super) fn exp_tangent(&mut self, rotation: Rotation, v: Node, rate: Node) -> Node {
        // A vector that depends only on the angle moves along the axis.
        if self.about_axis(v).is_some() { rate } else { self.rotation_tangent(rotation, v, rate, false) }
    }

    /// The cotangents of the operands of exp(v): T(v)ᵀ y for v; a·y for the angle θ of v = θ a.
    pub(super) fn exp_pullback(&mut self, rotation: Rotation, v: Node, y: Node) -> Vec<(Node, Node)> {
        if let Some(Turn { axis, angle }) = self.about_axis(v) {
            let entries = axis.map(|entry| self.number(entry)).to_vec();
            let axis = self.stack(entries, 3, 1);
            return vec![(angle, self.dot(axis, y))];
        }
        let across = self.rotation_tangent(rotation, v, y, true);
        match *self.op(v) {
            Op::Scale(angle, axis) if !rotation.is_planar() => {
                vec![(angle, self.dot(axis, y)), (axis, self.scale(angle, across))]
            }
            _ => vec![(v, across)],
        }
    }
}
