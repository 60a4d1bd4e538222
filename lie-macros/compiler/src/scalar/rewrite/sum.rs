//! Sums with cancellation: a + (b − a) is b.
//!
//! Derivatives produce such sums: D_j D_i f follows from D_i D_j f and a bracket, which subtracts terms that were added before.

use rustc_hash::FxHashMap;

use super::reassociate::{Chains, LinearTerm, is_sum, sum};
use super::replacement::ArgumentTest;
use crate::scalar::{Graph, Scalar};

/// Adds equal terms of sums; the results do not change. A sum with other uses is opened only if terms cancel.
pub(super) fn cancelled(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
    let chains = Chains::new(graph, outputs, given);
    graph.rewritten(&chains.kernel, outputs, given, |graph, node, known| {
        if !is_sum(graph, node) || !chains.is_whole(node) {
            return None;
        }
        let terms = chains.terms(graph, node);
        let fewest = opened(graph, &chains, given, collected(&terms));
        (fewest.len() < terms.len()).then(|| {
            let renewed = |term: &LinearTerm| LinearTerm { node: term.node.map(|node| known[node]), ..*term };
            sum(graph, &fewest.iter().map(renewed).collect::<Vec<_>>())
        })
    })
}

/// Each node once, at its first position, with the sum of its coefficients; nodes with the coefficient zero are left out.
fn collected(terms: &[LinearTerm]) -> Vec<LinearTerm> {
    let mut places: FxHashMap<Option<Scalar>, usize> = FxHashMap::default();
    let mut all: Vec<LinearTerm> = Vec::new();
    for term in terms {
        match places.get(&term.node) {
            Some(&at) => all[at].coefficient += term.coefficient,
            None => {
                places.insert(term.node, all.len());
                all.push(*term);
            }
        }
    }
    all.retain(|term| term.coefficient != 0.0);
    all
}

/// Replaces sums among the terms by their own terms, as long as this reduces the number of terms.
fn opened(graph: &Graph, chains: &Chains, given: ArgumentTest, mut terms: Vec<LinearTerm>) -> Vec<LinearTerm> {
    let mut at = 0;
    while at < terms.len() {
        let LinearTerm { coefficient, node } = terms[at];
        let inner = node.filter(|&node| is_sum(graph, node) && !given(graph, node));
        let fewer = inner.and_then(|node| {
            let parts = chains.terms(graph, node);
            let parts = parts.iter().map(|part| LinearTerm { coefficient: coefficient * part.coefficient, ..*part });
            let all: Vec<LinearTerm> =
                terms[..at].iter().copied().chain(parts).chain(terms[at + 1..].iter().copied()).collect();
            Some(collected(&all)).filter(|all| all.len() < terms.len())
        });
        match fewer {
            Some(fewer) => (terms, at) = (fewer, 0),
            None => at += 1,
        }
    }
    terms
}
