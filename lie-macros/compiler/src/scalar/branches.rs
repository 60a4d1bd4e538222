//! Branches: selections with one condition share one branch, and values that only one side needs are computed only there.
//!
//! A force law that is active only in contact costs nothing elsewhere. If the sides are a few operations, the code computes both and
//! selects one: this is cheaper than a conditional jump.

use std::collections::BTreeMap;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Call, Graph, Kernel, Scalar, ScalarOp, each_operand};

/// Least saving of a branch, in operations.
const WORTH: usize = 16;

/// Weight of an elementary function, a quotient or a call, in operations.
const HEAVY: usize = 8;

/// The selections of a kernel that share one branch, and the nodes that they need.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub condition: Scalar,
    /// The selections, by node.
    pub choices: Vec<Scalar>,
    /// The values of the selections if the condition holds, and if it does not.
    pub sides: [Vec<Scalar>; 2],
    /// The nodes that must be computed before the branch: the condition, and the other operands of both sides.
    pub needs: Vec<Scalar>,
}

/// The branches of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Branches {
    all: Vec<Branch>,
    of: FxHashMap<Scalar, usize>,
}

impl Branches {
    /// Returns the branches that save operations.
    pub fn new(graph: &Graph, kernel: &Kernel, given: impl Fn(Scalar) -> bool) -> Self {
        Self::worth(WORTH, graph, kernel, given)
    }

    /// Returns the branches that save at least `worth` operations.
    fn worth(worth: usize, graph: &Graph, kernel: &Kernel, given: impl Fn(Scalar) -> bool) -> Self {
        let mut branches = Self::default();
        if kernel.nodes.iter().all(|&node| operands(graph, node).is_none()) {
            return branches;
        }
        let units = Units::new(graph, kernel, &given);
        for choices in &units.choices {
            let parts: Vec<[Scalar; 3]> = choices.iter().filter_map(|&choice| operands(graph, choice)).collect();
            let Some(&[condition, ..]) = parts.first() else { continue };
            let sides = [1, 2].map(|side| parts.iter().map(|part| part[side]).collect::<Vec<_>>());
            let inside = [1, 2].map(|side| units.inside(graph, kernel, &given, choices, side));
            if inside.iter().map(|nodes| cost(graph, nodes)).max() < Some(worth) {
                continue;
            }
            let mut needs = vec![condition];
            for (side, nodes) in sides.iter().zip(&inside) {
                let mut outside = |node: Scalar| {
                    if !nodes.contains(&node) && !needs.contains(&node) {
                        needs.push(node);
                    }
                };
                for &value in side {
                    outside(value);
                }
                for &node in nodes {
                    each_operand(graph.op(node), &mut outside);
                }
            }
            branches.of.extend(choices.iter().map(|&choice| (choice, branches.all.len())));
            branches.all.push(Branch { condition, choices: choices.clone(), sides, needs });
        }
        branches
    }

    /// Returns the branch of a selection; `None` if both of its sides are computed.
    pub fn of(&self, choice: Scalar) -> Option<&Branch> {
        self.of.get(&choice).map(|&at| &self.all[at])
    }
}

fn operands(graph: &Graph, node: Scalar) -> Option<[Scalar; 3]> {
    match *graph.op(node) {
        ScalarOp::Select(condition, a, b) => Some([condition, a, b]),
        _ => None,
    }
}

fn cost(graph: &Graph, nodes: &[Scalar]) -> usize {
    let cost = |&node: &Scalar| match graph.op(node) {
        ScalarOp::Number(_) | ScalarOp::Leaf(..) | ScalarOp::Neg(_) => 0,
        ScalarOp::Add(..) | ScalarOp::Sub(..) | ScalarOp::Mul(..) | ScalarOp::Select(..) => 1,
        _ => HEAVY,
    };
    nodes.iter().map(cost).sum()
}

/// Groups of nodes that are computed as a unit: the results of a call, and selections with the same condition and the same depth (number of
/// selections before them). Therefore at most one of two such groups needs the other. Every other node is a unit of its own.
struct Units {
    /// The groups of selections with one condition.
    choices: Vec<Vec<Scalar>>,
    /// All units, operands first.
    ordered: Vec<Vec<Scalar>>,
}

impl Units {
    fn new(graph: &Graph, kernel: &Kernel, given: &impl Fn(Scalar) -> bool) -> Self {
        let mut depths: FxHashMap<Scalar, usize> =
            FxHashMap::with_capacity_and_hasher(kernel.nodes.len(), FxBuildHasher);
        let mut choices: BTreeMap<(usize, Scalar), Vec<Scalar>> = BTreeMap::new();
        let mut calls: FxHashMap<&Call, Vec<Scalar>> = FxHashMap::default();
        for &node in &kernel.nodes {
            let mut depth = 0;
            if !given(node) {
                each_operand(graph.op(node), |operand| depth = depth.max(depths[&operand]));
                if let Some([condition, ..]) = operands(graph, node) {
                    depth += 1;
                    choices.entry((depth, condition)).or_default().push(node);
                } else if let ScalarOp::Output(call, _) = graph.op(node) {
                    calls.entry(call).or_default().push(node);
                }
            }
            depths.insert(node, depth);
        }
        let choices: Vec<Vec<Scalar>> = choices.into_values().collect();
        let mut together: FxHashMap<Scalar, &[Scalar]> = FxHashMap::default();
        for unit in choices.iter().chain(calls.values()) {
            together.extend(unit.iter().map(|&node| (node, unit.as_slice())));
        }
        let ordered = ordered(graph, kernel, given, &together);
        Self { choices, ordered }
    }

    /// Returns the nodes that only one side of the selections needs. A unit is inside completely or not at all.
    fn inside(
        &self,
        graph: &Graph,
        kernel: &Kernel,
        given: &impl Fn(Scalar) -> bool,
        choices: &[Scalar],
        side: usize,
    ) -> Vec<Scalar> {
        let mut uses: FxHashMap<Scalar, usize> = FxHashMap::default();
        for parts in choices.iter().filter_map(|&choice| operands(graph, choice)) {
            *uses.entry(parts[side]).or_default() += 1;
        }
        let mut nodes = Vec::new();
        for unit in self.ordered.iter().rev() {
            let is_inside =
                |node: &Scalar| uses.get(node).is_some_and(|&count| count == kernel.uses_of(*node)) && !given(*node);
            if unit.iter().all(is_inside) {
                for &node in unit {
                    nodes.push(node);
                    each_operand(graph.op(node), |operand| *uses.entry(operand).or_default() += 1);
                }
            }
        }
        nodes
    }
}

/// Returns the nodes of a kernel as units, operands first.
fn ordered(
    graph: &Graph,
    kernel: &Kernel,
    given: &impl Fn(Scalar) -> bool,
    together: &FxHashMap<Scalar, &[Scalar]>,
) -> Vec<Vec<Scalar>> {
    let mut all = Vec::new();
    // True after the operands have been visited as well.
    let mut seen: FxHashMap<Scalar, bool> = FxHashMap::with_capacity_and_hasher(kernel.nodes.len(), FxBuildHasher);
    let mut open: Vec<Scalar> = kernel.nodes.iter().rev().copied().collect();
    while let Some(&node) = open.last() {
        let alone = [node];
        let unit = together.get(&node).copied().unwrap_or(&alone);
        let first = unit[0];
        match seen.get(&first) {
            None => {
                seen.insert(first, false);
                for &member in unit.iter().filter(|&&member| !given(member)) {
                    each_operand(graph.op(member), |operand| open.push(operand));
                }
            }
            Some(is_done) => {
                if !is_done {
                    seen.insert(first, true);
                    all.push(unit.to_vec());
                }
                open.pop();
            }
        }
    }
    all
}

#[cfg(test)]
#[path = "../../tests/unit/branches.rs"]
pub(super) mod tests;
