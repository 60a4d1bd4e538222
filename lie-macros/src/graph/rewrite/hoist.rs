//! Products with several given factors: m (g x) is (m g) x, of which m g is computed once and for all.

use super::Given;
use super::chains::{Chains, is_product};
use crate::graph::{Graph, Scalar};

/// The same results with the given factors of each product multiplied first.
pub(super) fn hoisted(graph: &mut Graph, outputs: &[Scalar], given: Given) -> Vec<Scalar> {
    let chains = Chains::new(graph, outputs, given);
    graph.rewritten(&chains.kernel, outputs, given, |graph, node, known| {
        if !is_product(graph, node) || !chains.is_whole(node) {
            return None;
        }
        let factors = chains.factors(graph, node);
        let (fixed, moving): (Vec<Scalar>, Vec<Scalar>) = factors.into_iter().partition(|&factor| given(graph, factor));
        if fixed.len() < 2 {
            return None;
        }
        let all = fixed.into_iter().chain(moving);
        all.map(|factor| known[&factor]).reduce(|product, factor| graph.mul(product, factor))
    })
}
