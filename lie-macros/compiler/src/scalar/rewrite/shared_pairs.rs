//! Shared parts of sums and products: a b c and a b d have a b in common, in any order of the factors.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::reassociate::{Chains, is_product, is_sum};
use super::replacement::{ArgumentTest, Known};
use crate::scalar::{Graph, Scalar, ScalarOp};

/// The number of searches for pairs; each one includes the pairs of the previous one.
const ROUNDS: usize = 8;

/// The number of operands of a chain that are searched.
const WIDTH: usize = 64;

/// The kind of a shared pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairKind {
    Sums,
    Products,
}

/// An operand: a node, or a pair by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum PairOperand {
    Node(Scalar),
    Pair(usize),
}

/// An operand, and true if it is subtracted.
type Signed = (bool, PairOperand);

/// Two operands of several chains; the second can have the opposite sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pair {
    first: PairOperand,
    second: PairOperand,
    differ: bool,
}

/// Forms pairs of factors of several products once; the results do not change.
pub(super) fn products(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
    shared(graph, outputs, given, PairKind::Products)
}

/// Forms pairs of terms of several sums once; the results do not change. Data stay in place.
pub(super) fn sums(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
    shared(graph, outputs, given, PairKind::Sums)
}

fn shared(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest, kind: PairKind) -> Vec<Scalar> {
    let chains = Chains::new(graph, outputs, given);
    let mut all: BTreeMap<Scalar, Vec<Signed>> = BTreeMap::new();
    for &node in chains.kernel.nodes.iter().filter(|&&node| chains.is_whole(node) && !given(graph, node)) {
        match kind {
            PairKind::Products if is_product(graph, node) => {
                let factors = chains.factors(graph, node).into_iter();
                all.insert(node, factors.map(|factor| (false, PairOperand::Node(factor))).collect());
            }
            PairKind::Sums if is_sum(graph, node) => {
                let terms = chains.signed_terms(graph, node).into_iter();
                all.insert(node, terms.map(|(minus, term)| (minus, PairOperand::Node(term))).collect());
            }
            PairKind::Products | PairKind::Sums => {}
        }
    }
    let may_move = |part: PairOperand| match part {
        PairOperand::Node(node) => {
            kind == PairKind::Products || !matches!(graph.op(node), ScalarOp::Leaf(..) | ScalarOp::Number(_))
        }
        PairOperand::Pair(_) => true,
    };
    let mut pairs: Vec<Pair> = Vec::new();
    for _ in 0..ROUNDS {
        if !pair_up(&mut all, &mut pairs, &may_move) {
            break;
        }
    }
    if pairs.is_empty() {
        return outputs.to_vec();
    }
    graph.rewritten(&chains.kernel, outputs, given, |graph, node, known| {
        let parts =
            all.get(&node).filter(|parts| parts.iter().any(|(_, part)| matches!(part, PairOperand::Pair(_))))?;
        let parts: Vec<(bool, Scalar)> =
            parts.iter().map(|&(minus, part)| (minus, value(graph, kind, part, &pairs, known))).collect();
        parts
            .into_iter()
            .reduce(|whole, part| joined(graph, kind, whole, part))
            .map(|(minus, whole)| if minus { graph.neg(whole) } else { whole })
    })
}

/// Replaces the most frequent pairs; false if no pair occurs twice.
fn pair_up(
    all: &mut BTreeMap<Scalar, Vec<Signed>>,
    pairs: &mut Vec<Pair>,
    may_move: &impl Fn(PairOperand) -> bool,
) -> bool {
    let mut having: FxHashMap<Pair, Vec<Scalar>> = FxHashMap::default();
    for (&node, parts) in &*all {
        let movable: Vec<Signed> = parts.iter().copied().filter(|&(_, part)| may_move(part)).take(WIDTH).collect();
        for (at, &(minus, part)) in movable.iter().enumerate() {
            for &(other_minus, other) in &movable[at + 1..] {
                let pair = Pair { first: part.min(other), second: part.max(other), differ: minus != other_minus };
                let list = having.entry(pair).or_default();
                if list.last() != Some(&node) {
                    list.push(node);
                }
            }
        }
    }
    let mut found: Vec<(Pair, Vec<Scalar>)> = having.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
    // The most frequent pairs first; equal ones in the order of their operands, independently of the order of the table.
    found.sort_unstable_by_key(|(pair, nodes)| (Reverse(nodes.len()), *pair));
    let mut changed = false;
    for (pair, nodes) in found {
        let still: Vec<Scalar> = nodes.into_iter().filter(|node| places(&all[node], pair).is_some()).collect();
        // Some chain must be longer than the pair, otherwise nothing is saved.
        if still.len() < 2 || still.iter().all(|node| all[node].len() == 2) {
            continue;
        }
        for node in still {
            let Some(parts) = all.get_mut(&node) else { continue };
            let Some((first, second)) = places(parts, pair) else { continue };
            // The pair has the sign of its first operand and the position of the earlier of the two.
            let minus = parts[first].0;
            parts[first.min(second)] = (minus, PairOperand::Pair(pairs.len()));
            parts.remove(first.max(second));
        }
        pairs.push(pair);
        changed = true;
    }
    changed
}

/// The positions of the two operands of a pair in a chain.
fn places(parts: &[Signed], pair: Pair) -> Option<(usize, usize)> {
    let firsts = (0..parts.len()).filter(|&at| parts[at].1 == pair.first);
    let second_of = |first: usize| {
        let fits =
            |at: usize| at != first && parts[at].1 == pair.second && (parts[at].0 != parts[first].0) == pair.differ;
        (0..parts.len()).find(|&at| fits(at)).map(|second| (first, second))
    };
    firsts.into_iter().find_map(second_of)
}

fn value(graph: &mut Graph, kind: PairKind, part: PairOperand, pairs: &[Pair], known: &Known) -> Scalar {
    match part {
        PairOperand::Node(node) => known[node],
        PairOperand::Pair(at) => {
            let Pair { first, second, differ } = pairs[at];
            let (first, second) = (value(graph, kind, first, pairs, known), value(graph, kind, second, pairs, known));
            joined(graph, kind, (false, first), (differ, second)).1
        }
    }
}

/// The pair of two operands, with the sign of the first.
fn joined(graph: &mut Graph, kind: PairKind, first: (bool, Scalar), second: (bool, Scalar)) -> (bool, Scalar) {
    let whole = match kind {
        PairKind::Products => graph.mul(first.1, second.1),
        PairKind::Sums if first.0 == second.0 => graph.add(first.1, second.1),
        PairKind::Sums => graph.sub(first.1, second.1),
    };
    (first.0, whole)
}
