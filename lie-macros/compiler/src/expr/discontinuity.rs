//! Discontinuities of a value during a motion.

use rustc_hash::FxHashSet;

use super::{Expressions, Function, Modulus, Node, Op};

impl Expressions {
    /// True if `node` depends on an operation that is discontinuous at some value of a changing operand. Such operations are the angle of a
    /// rotation by π, a selection, a remainder, and an opaque function. The positions `frames` are continuous.
    pub fn may_jump(&self, node: Node, frames: &[Node]) -> bool {
        let mut pending = vec![node];
        let mut before: FxHashSet<Node> = frames.iter().copied().collect();
        while let Some(node) = pending.pop() {
            if before.insert(node) {
                if self.is_discontinuous(node) {
                    return true;
                }
                pending.extend(self.operands(node));
            }
        }
        false
    }

    /// True for a discontinuous operation with a changing operand.
    fn is_discontinuous(&self, node: Node) -> bool {
        match self.op(node) {
            // The arc tangent is smooth, but a quotient with divisor zero makes it discontinuous.
            Op::Function(function, a) => {
                (*function == Function::Atan || function.modulus() == Modulus::Pieces) && self.moves(&[*a])
            }
            Op::Atan2(a, b) | Op::Remainder(a, b) => self.moves(&[*a, *b]),
            Op::Log(a) | Op::Select(a, _, _) => self.moves(&[*a]),
            Op::Opaque { arguments, .. } => self.moves(arguments),
            _ => false,
        }
    }

    /// True if any of the nodes changes during a motion.
    fn moves(&self, nodes: &[Node]) -> bool {
        self.reachable(nodes).into_iter().any(|node| matches!(self.op(node), Op::Leaf(leaf) if !leaf.is_data()))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/discontinuity.rs"]
mod tests;
