//! Tests of `scalar::branches`.

use std::collections::HashSet;

use super::*;
use crate::expr::Relation;
use crate::scalar::rewrite::tests::{Random, random_graph, random_values};
use crate::scalar::tests::{Values, evaluate};

/// The order of a printer: values outside of branches, and the values of the two sides, which no other node may use.
struct Walk<'a> {
    graph: &'a Graph,
    branches: &'a Branches,
    values: &'a Values,
    known: HashSet<Scalar>,
    gone: HashSet<Scalar>,
    taken: usize,
}

impl Walk<'_> {
    fn visit(&mut self, node: Scalar) {
        assert!(!self.gone.contains(&node), "{node:?} was computed on one side, and is needed elsewhere");
        if self.known.contains(&node) {
            return;
        }
        let Some(branch) = self.branches.of(node).cloned() else {
            let mut operands = Vec::new();
            each_operand(self.graph.op(node), |operand| operands.push(operand));
            for operand in operands {
                self.visit(operand);
            }
            self.known.insert(node);
            return;
        };
        for &need in &branch.needs {
            self.visit(need);
        }
        let before = self.known.clone();
        for side in &branch.sides {
            for &value in side {
                self.visit(value);
            }
            let inner: Vec<Scalar> = self.known.difference(&before).copied().collect();
            self.gone.extend(inner);
            self.known.clone_from(&before);
        }
        let holds = evaluate(self.graph, branch.condition, self.values) != 0.0;
        for (at, &choice) in branch.choices.iter().enumerate() {
            let side = branch.sides[usize::from(!holds)][at];
            let (whole, taken) = [choice, side].map(|node| evaluate(self.graph, node, self.values)).into();
            assert_eq!(whole, taken);
        }
        self.known.extend(branch.choices);
        self.taken += 1;
    }
}

/// Returns a random graph with selections on few conditions on top of it, in layers.
pub(crate) fn random_choices(random: &mut Random) -> (Graph, Vec<Scalar>) {
    let (mut graph, mut nodes) = random_graph(random);
    let mut pick = |nodes: &[Scalar]| nodes[random.below(nodes.len())];
    let conditions = [0; 3].map(|_| graph.compare(Relation::Less, pick(&nodes), pick(&nodes)));
    for _ in 0..12 {
        let [a, b, c, d] = [0; 4].map(|_| pick(&nodes));
        let (sum, product) = (graph.add(a, b), graph.mul(c, d));
        let whole = graph.sub(sum, product);
        let sides = [pick(&nodes), whole];
        let condition = pick(&conditions);
        nodes.push(graph.select(condition, sides[0], sides[1]));
        nodes.push(graph.select(condition, product, pick(&nodes)));
    }
    let outputs = (0..4).map(|_| pick(&nodes)).chain(nodes.last().copied()).collect();
    (graph, outputs)
}

#[test]
fn what_is_computed_on_one_side_is_needed_there_only() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut taken = 0;
    for _ in 0..4_000 {
        let (graph, outputs) = random_choices(&mut random);
        let kernel = Kernel::new(&graph, &outputs, |_| false);
        let branches = Branches::worth(1, &graph, &kernel, |_| false);
        let values = random_values(&mut random);
        let (known, gone) = (HashSet::new(), HashSet::new());
        let mut walk = Walk { graph: &graph, branches: &branches, values: &values, known, gone, taken: 0 };
        for &output in &outputs {
            walk.visit(output);
        }
        taken += walk.taken;
    }
    assert!(taken > 1_000, "{taken}");
}
