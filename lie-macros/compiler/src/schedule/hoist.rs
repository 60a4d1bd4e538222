//! Values that depend only on parameters; they are computed once, when the system is created.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::scalar::{Graph, Kernel, Scalar, ScalarOp};

/// The hoisted values, in order.
pub(crate) struct Hoisted {
    pub nodes: Vec<Scalar>,
    positions: FxHashMap<Scalar, usize>,
}

impl Hoisted {
    /// All values that the given kernels need and that depend only on parameters.
    pub fn new<'k>(graph: &Graph, kernels: impl IntoIterator<Item = &'k Vec<Scalar>>) -> Hoisted {
        let constant = |node: Scalar| {
            graph.is_hoisted(node)
                && !matches!(graph.op(node), ScalarOp::Number(_) | ScalarOp::Leaf(..))
                // A truth value is not a scalar that can be stored.
                && !matches!(
                    graph.op(node),
                    ScalarOp::Compare(..) | ScalarOp::And(..) | ScalarOp::Or(..) | ScalarOp::Not(_)
                )
        };
        let mut nodes = BTreeSet::new();
        for outputs in kernels {
            nodes.extend(outputs.iter().copied().filter(|&output| constant(output)));
            let kernel = Kernel::new(graph, outputs, constant);
            for &node in &kernel.nodes {
                if !constant(node) {
                    nodes.extend(graph.operands(node).into_iter().filter(|&operand| constant(operand)));
                }
            }
        }
        // A sign is not a computation: the value itself is hoisted.
        let nodes: BTreeSet<Scalar> =
            nodes.into_iter().filter(|&node| !matches!(graph.op(node), ScalarOp::Neg(a) if !constant(*a))).collect();
        let nodes: Vec<Scalar> = nodes.into_iter().collect();
        let positions = nodes.iter().enumerate().map(|(position, &node)| (node, position)).collect();
        Hoisted { nodes, positions }
    }

    /// The position of a hoisted node.
    pub fn position(&self, node: Scalar) -> Option<usize> {
        self.positions.get(&node).copied()
    }
}
