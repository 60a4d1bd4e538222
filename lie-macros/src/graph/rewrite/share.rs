//! Shared parts of products: a b c and a b d have a b in common, in whatever order they were written.

use std::collections::{BTreeMap, HashMap};

use super::Given;
use super::chains::{Chains, is_product};
use crate::graph::{Graph, Scalar};

/// Pairs are looked for so many times, each time among what the last one made.
const ROUNDS: usize = 8;

/// The same results with pairs of factors that several products have formed once.
pub(super) fn shared(graph: &mut Graph, outputs: &[Scalar], given: Given) -> Vec<Scalar> {
    let chains = Chains::new(graph, outputs, given);
    let mut products: BTreeMap<Scalar, Vec<Factor>> = BTreeMap::new();
    for &node in &chains.kernel.nodes {
        if is_product(graph, node) && chains.is_whole(node) && !given(graph, node) {
            let factors = chains.factors(graph, node).into_iter().map(Factor::Node).collect();
            products.insert(node, factors);
        }
    }
    let mut pairs: Vec<(Factor, Factor)> = Vec::new();
    for _ in 0..ROUNDS {
        if !pair_up(&mut products, &mut pairs) {
            break;
        }
    }
    if pairs.is_empty() {
        return outputs.to_vec();
    }
    graph.rewritten(&chains.kernel, outputs, given, |graph, node, known| {
        let factors = products.get(&node)?;
        let values: Vec<Scalar> = factors.iter().map(|&factor| value(graph, factor, &pairs, known)).collect();
        values.into_iter().reduce(|product, factor| graph.mul(product, factor))
    })
}

/// A factor: a node, or the product of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Factor {
    Node(Scalar),
    Pair(usize),
}

/// Replaces the pairs that most products have; false if none has two.
fn pair_up(products: &mut BTreeMap<Scalar, Vec<Factor>>, pairs: &mut Vec<(Factor, Factor)>) -> bool {
    let mut having: BTreeMap<(Factor, Factor), Vec<Scalar>> = BTreeMap::new();
    for (&node, factors) in &*products {
        // A product of two is a pair already: it is counted, and stays.
        for (at, &first) in factors.iter().enumerate() {
            for &second in &factors[at + 1..] {
                let list = having.entry((first.min(second), first.max(second))).or_default();
                if list.last() != Some(&node) {
                    list.push(node);
                }
            }
        }
    }
    let mut found: Vec<_> = having.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
    // Those of most products first; a stable sort keeps the order of equals.
    found.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
    let mut changed = false;
    for ((first, second), nodes) in found {
        let still: Vec<Scalar> = nodes.into_iter().filter(|node| has(&products[node], first, second)).collect();
        // Some product has to be longer than the pair, or nothing is saved.
        if still.len() < 2 || still.iter().all(|node| products[node].len() == 2) {
            continue;
        }
        let pair = Factor::Pair(pairs.len());
        pairs.push((first, second));
        changed = true;
        for node in still {
            if let Some(factors) = products.get_mut(&node) {
                for factor in [first, second] {
                    if let Some(at) = factors.iter().position(|&other| other == factor) {
                        factors.remove(at);
                    }
                }
                factors.push(pair);
            }
        }
    }
    changed
}

fn has(factors: &[Factor], first: Factor, second: Factor) -> bool {
    let count = |wanted| factors.iter().filter(|&&factor| factor == wanted).count();
    if first == second { count(first) > 1 } else { count(first) > 0 && count(second) > 0 }
}

fn value(graph: &mut Graph, factor: Factor, pairs: &[(Factor, Factor)], known: &HashMap<Scalar, Scalar>) -> Scalar {
    match factor {
        Factor::Node(node) => known[&node],
        Factor::Pair(at) => {
            let (first, second) = pairs[at];
            let (first, second) = (value(graph, first, pairs, known), value(graph, second, pairs, known));
            graph.mul(first, second)
        }
    }
}
