//! Hoisting of given factors: m (g x) is (m g) x, and m g is computed once.

use super::reassociate::{Chains, LinearTerm, is_product, is_sum, sum};
use super::replacement::{ArgumentTest, Known};
use crate::scalar::{Graph, Scalar};

/// Multiplies the given factors of each product first; the results do not change. A given factor of a sum moves into its terms if each term
/// has a given factor of its own.
pub(super) fn hoisted(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
    let chains = Chains::new(graph, outputs, given);
    graph.rewritten(&chains.kernel, outputs, given, |graph, node, known| {
        if !is_product(graph, node) || !chains.is_whole(node) {
            return None;
        }
        let (fixed, moving) = parted(graph, &chains, node, given);
        // The product of separate constants can leave the range of normal numbers.
        if fixed.iter().filter(|&&factor| graph.as_number(factor).is_some()).count() > 1 {
            return None;
        }
        if let ([_, ..], &[inner]) = (&fixed[..], &moving[..])
            && let Some(terms) = terms_with_given(graph, &chains, inner, given)
        {
            let factor = product(graph, &fixed, known)?;
            return distributed(graph, factor, &terms, known);
        }
        if fixed.len() < 2 {
            return None;
        }
        product(graph, &[fixed, moving].concat(), known)
    })
}

/// The given factors of a product, and the other factors.
fn parted(graph: &Graph, chains: &Chains, node: Scalar, given: ArgumentTest) -> (Vec<Scalar>, Vec<Scalar>) {
    chains.factors(graph, node).into_iter().partition(|&factor| given(graph, factor))
}

fn product(graph: &mut Graph, factors: &[Scalar], known: &Known) -> Option<Scalar> {
    factors.iter().map(|&factor| known[factor]).reduce(|product, factor| graph.mul(product, factor))
}

/// A term with given factors: its given factors and its other factors.
struct Parted {
    coefficient: f64,
    fixed: Vec<Scalar>,
    moving: Vec<Scalar>,
}

/// The terms of a sum with one use, if each has a given factor.
fn terms_with_given(graph: &Graph, chains: &Chains, node: Scalar, given: ArgumentTest) -> Option<Vec<Parted>> {
    if !is_sum(graph, node) || !chains.is_used_once(node) {
        return None;
    }
    let part = |term: LinearTerm| {
        let node = term.node?;
        let (fixed, moving) =
            if given(graph, node) { (vec![node], vec![]) } else { parted(graph, chains, node, given) };
        let is_free = given(graph, node) || chains.is_used_once(node);
        (is_free && !fixed.is_empty()).then_some(Parted { coefficient: term.coefficient, fixed, moving })
    };
    chains.terms(graph, node).into_iter().map(part).collect()
}

/// The sum with the factor multiplied into each of its terms.
fn distributed(graph: &mut Graph, factor: Scalar, terms: &[Parted], known: &Known) -> Option<Scalar> {
    let mut all = Vec::new();
    for Parted { coefficient, fixed, moving } in terms {
        let own = product(graph, fixed, known)?;
        let own = graph.mul(factor, own);
        let value = moving.iter().fold(own, |product, &other| graph.mul(product, known[other]));
        all.push(LinearTerm { coefficient: *coefficient, node: Some(value) });
    }
    Some(sum(graph, &all))
}
