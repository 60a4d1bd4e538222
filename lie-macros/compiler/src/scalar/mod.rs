//! The scalar graph: expressions expanded into scalars, hash-consed over all kernels of a system.
//!
//! Invariant: equal computations are one node, zeros and ones are folded, signs stand outside of products, operands come before the nodes
//! that use them. Rust has no fast-math flag, so all folding happens here.

mod axis_rotation;
mod branches;
mod build;
mod dependence;
mod kernel;
mod lower;
mod rewrite;
mod rotations;
#[cfg(test)]
#[path = "../../tests/unit/scalar.rs"]
pub(crate) mod tests;

use rustc_hash::FxHashMap;

pub(crate) use branches::{Branch, Branches};
pub(crate) use dependence::Dependence;
pub(crate) use kernel::Kernel;
pub(crate) use lower::Lowering;

use crate::expr::{Function, Leaf, Relation, Rotation, Singular, position};

/// A scalar node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Scalar(u32);

/// A scalar operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScalarOp {
    /// A constant, by its bits.
    Number(u64),
    /// A component of a leaf: entries by rows, quaternions as (w, x, y, z), planar rotations as (cos, sin).
    Leaf(Leaf, u32),
    Add(Scalar, Scalar),
    Sub(Scalar, Scalar),
    Mul(Scalar, Scalar),
    Div(Scalar, Scalar),
    Neg(Scalar),
    Function(Function, Scalar),
    Power(Scalar, i32),
    RealPower(Scalar, Scalar),
    Atan2(Scalar, Scalar),
    Remainder(Scalar, Scalar),
    Singular(Singular, u8, Scalar),
    Compare(Relation, Scalar, Scalar),
    And(Scalar, Scalar),
    Or(Scalar, Scalar),
    Not(Scalar),
    Select(Scalar, Scalar, Scalar),
    /// One result of a call.
    Output(Call, u32),
}

/// A function with several results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Call {
    /// The logarithm of a rotation, given by its components.
    Log(Rotation, Vec<Scalar>),
    /// An opaque function of arguments of the given sizes; `directions` has one entry for each order of differentiation.
    Opaque { function: usize, arguments: Vec<Vec<Scalar>>, directions: Vec<Vec<Vec<Scalar>>> },
}

impl Call {
    /// The operands in order.
    pub fn operands(&self) -> Vec<Scalar> {
        match self {
            Call::Log(_, components) => components.clone(),
            Call::Opaque { arguments, directions, .. } => {
                arguments.iter().flatten().chain(directions.iter().flatten().flatten()).copied().collect()
            }
        }
    }
}

/// The arena of scalars of a system.
#[derive(Default)]
pub(crate) struct Graph {
    ops: Vec<ScalarOp>,
    /// The dependence of each node.
    dependences: Vec<Dependence>,
    known: FxHashMap<ScalarOp, Scalar>,
}

impl Graph {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// The operation of a node.
    pub fn op(&self, node: Scalar) -> &ScalarOp {
        &self.ops[node.0 as usize]
    }

    /// Returns the dependence of a node.
    pub fn dependence(&self, node: Scalar) -> Dependence {
        self.dependences[node.0 as usize]
    }

    /// True if a node depends only on parameters; such a node is computed once for a system.
    pub fn is_hoisted(&self, node: Scalar) -> bool {
        self.dependence(node).within(Dependence::PARAMETERS)
    }

    /// The value of a constant.
    pub fn as_number(&self, node: Scalar) -> Option<f64> {
        match self.op(node) {
            ScalarOp::Number(bits) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// True for the constant 0.
    pub fn is_zero(&self, node: Scalar) -> bool {
        self.as_number(node) == Some(0.0)
    }

    /// The operands of a node, in order.
    pub fn operands(&self, node: Scalar) -> Vec<Scalar> {
        operands_of(self.op(node))
    }

    fn intern(&mut self, op: ScalarOp) -> Scalar {
        if let Some(&node) = self.known.get(&op) {
            return node;
        }
        let node = Scalar(position(self.ops.len()));
        let dependence = match &op {
            ScalarOp::Leaf(leaf, _) => Dependence::of(*leaf),
            _ => {
                let mut all = Dependence::NONE;
                each_operand(&op, |operand| all = all.with(self.dependence(operand)));
                all
            }
        };
        self.dependences.push(dependence);
        self.ops.push(op.clone());
        self.known.insert(op, node);
        node
    }
}

fn operands_of(op: &ScalarOp) -> Vec<Scalar> {
    let mut operands = Vec::new();
    each_operand(op, |operand| operands.push(operand));
    operands
}

fn each_operand(op: &ScalarOp, mut visit: impl FnMut(Scalar)) {
    match op {
        ScalarOp::Number(_) | ScalarOp::Leaf(..) => {}
        ScalarOp::Neg(a)
        | ScalarOp::Function(_, a)
        | ScalarOp::Power(a, _)
        | ScalarOp::Singular(_, _, a)
        | ScalarOp::Not(a) => visit(*a),
        ScalarOp::Add(a, b)
        | ScalarOp::Sub(a, b)
        | ScalarOp::Mul(a, b)
        | ScalarOp::Div(a, b)
        | ScalarOp::RealPower(a, b)
        | ScalarOp::Atan2(a, b)
        | ScalarOp::Remainder(a, b)
        | ScalarOp::Compare(_, a, b)
        | ScalarOp::And(a, b)
        | ScalarOp::Or(a, b) => [*a, *b].into_iter().for_each(visit),
        ScalarOp::Select(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
        ScalarOp::Output(call, _) => call.operands().into_iter().for_each(visit),
    }
}
