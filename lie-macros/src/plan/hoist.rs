//! Values that depend on parameters only: computed once, when the system is made.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Kernel, Scalar, ScalarOp};

/// The hoisted values, in order.
pub(crate) struct Hoisted {
    pub nodes: Vec<Scalar>,
    positions: FxHashMap<Scalar, usize>,
}

impl Hoisted {
    /// Everything that the given kernels need and that parameters alone determine.
    pub fn new<'k>(graph: &Graph, kernels: impl IntoIterator<Item = &'k Vec<Scalar>>) -> Hoisted {
        let constant = |node: Scalar| {
            graph.is_hoisted(node)
                && !matches!(graph.op(node), ScalarOp::Number(_) | ScalarOp::Leaf(..))
                // A truth value is no number that could be stored.
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
        // A sign is no computation: the value itself is hoisted.
        let nodes: BTreeSet<Scalar> =
            nodes.into_iter().filter(|&node| !matches!(graph.op(node), ScalarOp::Neg(a) if !constant(*a))).collect();
        let nodes: Vec<Scalar> = nodes.into_iter().collect();
        let positions = nodes.iter().enumerate().map(|(position, &node)| (node, position)).collect();
        Hoisted { nodes, positions }
    }

    /// Where a node is stored, if it is hoisted.
    pub fn position(&self, node: Scalar) -> Option<usize> {
        self.positions.get(&node).copied()
    }
}
