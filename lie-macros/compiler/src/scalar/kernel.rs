//! Kernels: the part of the graph that some outputs need, in order, with its dependences and its cost.

use std::collections::BTreeSet;

use super::{Graph, Scalar, ScalarOp, each_operand};

/// A computation: the nodes that some outputs need.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// All nodes of the computation, operands first.
    pub nodes: Vec<Scalar>,
    /// The number of uses of each node, outputs included, from the first of `nodes` on.
    uses: Vec<u32>,
}

impl Kernel {
    /// Returns the computation of `outputs`. Nodes for which `given` holds are arguments of the kernel.
    pub fn new(graph: &Graph, outputs: &[Scalar], given: impl Fn(Scalar) -> bool) -> Kernel {
        // One bit for each node, because kernels are built many times. Operands come before the nodes that use them, so one descending pass
        // finds all nodes, the last one first.
        let mut seen = vec![0_u64; outputs.iter().max().map_or(0, |last| last.0 as usize / 64 + 1)];
        let mark = |seen: &mut [u64], node: Scalar| seen[node.0 as usize / 64] |= 1 << (node.0 % 64);
        for &output in outputs {
            mark(&mut seen, output);
        }
        let mut nodes = Vec::new();
        for word in (0..seen.len()).rev() {
            let mut below = u64::MAX;
            while let Some(bit) = (seen[word] & below).checked_ilog2() {
                below = (1 << bit) - 1;
                let node = Scalar(super::position(word * 64) + bit);
                nodes.push(node);
                if !given(node) {
                    each_operand(graph.op(node), |operand| mark(&mut seen, operand));
                }
            }
        }
        nodes.reverse();
        let range = nodes.first().zip(nodes.last()).map_or(0, |(first, last)| (last.0 - first.0) as usize + 1);
        let mut kernel = Kernel { nodes, uses: vec![0; range] };
        for at in 0..kernel.nodes.len() {
            let node = kernel.nodes[at];
            if !given(node) {
                each_operand(graph.op(node), |operand| kernel.count(operand));
            }
        }
        for &output in outputs {
            kernel.count(output);
        }
        kernel
    }

    fn count(&mut self, node: Scalar) {
        let at = self.position(node).unwrap_or_else(|| bug!("{node:?} is not of the kernel"));
        self.uses[at] += 1;
    }

    fn position(&self, node: Scalar) -> Option<usize> {
        let at = node.0.checked_sub(self.nodes.first()?.0)? as usize;
        (at < self.uses.len()).then_some(at)
    }

    /// Returns the number of uses of a node.
    pub fn uses_of(&self, node: Scalar) -> usize {
        self.position(node).map_or(0, |at| self.uses[at] as usize)
    }

    /// Returns the number of scalar operations. A call or an elementary function counts as one, a sign as zero.
    pub fn operations(&self, graph: &Graph, given: impl Fn(Scalar) -> bool) -> usize {
        let mut calls = BTreeSet::new();
        self.nodes
            .iter()
            .filter(|&&node| {
                !given(node)
                    && match graph.op(node) {
                        ScalarOp::Number(_) | ScalarOp::Leaf(..) | ScalarOp::Neg(_) => false,
                        ScalarOp::Output(call, _) => calls.insert(call.operands()),
                        _ => true,
                    }
            })
            .count()
    }
}
