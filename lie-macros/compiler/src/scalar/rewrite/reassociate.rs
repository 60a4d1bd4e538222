//! Chains: sums and products of many operands, collected from the binary nodes of a kernel.

use rustc_hash::FxHashSet;

use super::replacement::ArgumentTest;
use crate::scalar::{Graph, Kernel, Scalar, ScalarOp, each_operand};

/// Operands of one sum or product; longer chains are split.
const LONGEST: usize = 256;

/// c x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinearTerm {
    pub coefficient: f64,
    /// `None` is the factor 1.
    pub node: Option<Scalar>,
}

/// A kernel and its sums and products.
pub(super) struct Chains {
    pub kernel: Kernel,
    given: ArgumentTest,
    /// Nodes that are only a part of the one chain that uses them.
    inner: FxHashSet<Scalar>,
}

impl Chains {
    /// Returns the chains of the computation of `outputs`.
    pub fn new(graph: &Graph, outputs: &[Scalar], given: ArgumentTest) -> Self {
        let kernel = Kernel::new(graph, outputs, |node| given(graph, node));
        let mut inner = FxHashSet::default();
        for &node in kernel.nodes.iter().filter(|&&node| !given(graph, node)) {
            let same = match graph.op(node) {
                ScalarOp::Add(..) | ScalarOp::Sub(..) | ScalarOp::Neg(_) => is_sum,
                ScalarOp::Mul(..) => is_product,
                _ => continue,
            };
            each_operand(graph.op(node), |operand| {
                if same(graph, operand) && !given(graph, operand) && kernel.uses_of(operand) == 1 {
                    inner.insert(operand);
                }
            });
        }
        Self { kernel, given, inner }
    }

    /// True for a sum or a product that is not part of a larger one.
    pub fn is_whole(&self, node: Scalar) -> bool {
        !self.inner.contains(&node)
    }

    /// True if only one operation needs the node.
    pub fn is_used_once(&self, node: Scalar) -> bool {
        self.kernel.uses_of(node) == 1
    }

    /// The terms of a sum in their order, with constant factors as coefficients; differences of data are not split.
    pub fn terms(&self, graph: &Graph, node: Scalar) -> Vec<LinearTerm> {
        let term = |(minus, at): (bool, Scalar)| {
            let sign = if minus { -1.0 } else { 1.0 };
            match *graph.op(at) {
                ScalarOp::Number(bits) => LinearTerm { coefficient: sign * f64::from_bits(bits), node: None },
                ScalarOp::Mul(number, a)
                    if let Some(number) = graph.as_number(number)
                        && !(self.given)(graph, at)
                        && self.kernel.uses_of(at) <= 1 =>
                {
                    LinearTerm { coefficient: sign * number, node: Some(a) }
                }
                _ => LinearTerm { coefficient: sign, node: Some(at) },
            }
        };
        self.signed_terms(graph, node).into_iter().map(term).collect()
    }

    /// The terms of a sum in their order, each with a flag that is true if it is subtracted; constant factors of products stay in place.
    pub fn signed_terms(&self, graph: &Graph, node: Scalar) -> Vec<(bool, Scalar)> {
        let mut terms = Vec::new();
        let mut open = vec![(false, node)];
        while let Some((minus, at)) = open.pop() {
            let is_apart =
                at == node || (self.inner.contains(&at) && !is_data(graph, at) && terms.len() + open.len() < LONGEST);
            match *graph.op(at) {
                ScalarOp::Add(a, b) if is_apart => open.extend([(minus, b), (minus, a)]),
                ScalarOp::Sub(a, b) if is_apart => open.extend([(!minus, b), (minus, a)]),
                ScalarOp::Neg(a) if !(self.given)(graph, at) => open.push((!minus, a)),
                _ => terms.push((minus, at)),
            }
        }
        terms
    }

    /// The factors of a product in their order; any other node is its own factor.
    pub fn factors(&self, graph: &Graph, node: Scalar) -> Vec<Scalar> {
        let mut factors = Vec::new();
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            let is_apart = (at == node && !(self.given)(graph, at)) || self.inner.contains(&at);
            match *graph.op(at) {
                ScalarOp::Mul(a, b) if is_apart && factors.len() + open.len() < LONGEST => open.extend([b, a]),
                _ => factors.push(at),
            }
        }
        factors
    }
}

pub(super) fn is_sum(graph: &Graph, node: Scalar) -> bool {
    matches!(graph.op(node), ScalarOp::Add(..) | ScalarOp::Sub(..) | ScalarOp::Neg(_))
}

pub(super) fn is_product(graph: &Graph, node: Scalar) -> bool {
    matches!(graph.op(node), ScalarOp::Mul(..))
}

/// True for a sum or a difference of leaves: it can be exact, so that no other term may be added inside it.
fn is_data(graph: &Graph, node: Scalar) -> bool {
    let mut is_data = true;
    each_operand(graph.op(node), |operand| {
        is_data &= matches!(graph.op(operand), ScalarOp::Leaf(..) | ScalarOp::Number(_));
    });
    is_data
}

/// The sum of the terms in their order, except that a positive term comes first.
pub(super) fn sum(graph: &mut Graph, terms: &[LinearTerm]) -> Scalar {
    let first = terms.iter().position(|term| term.coefficient > 0.0).unwrap_or(0);
    let (before, after) = terms.split_at(first);
    let (leading, rest) = after.split_at(after.len().min(1));
    let mut total = graph.number(0.0);
    for term in leading.iter().chain(before).chain(rest) {
        let number = graph.number(term.coefficient.abs());
        let value = term.node.map_or(number, |node| graph.mul(number, node));
        total = if term.coefficient > 0.0 { graph.add(total, value) } else { graph.sub(total, value) };
    }
    total
}
