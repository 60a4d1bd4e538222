//! The passes keep values and never add operations, on random graphs.

use super::{ArgumentTest, PASSES};
use crate::expr::{Function, Leaf, MemberPosition, Relation};
use crate::scalar::tests::{Values, evaluate};
use crate::scalar::{Graph, Scalar, ScalarOp};

/// xorshift64*: small and portable.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % limit
    }
}

const LEAVES: u32 = 6;

fn leaf(at: u32) -> Leaf {
    match at {
        0 | 1 => Leaf::Parameter { field: at, element: 0 },
        _ => Leaf::Configuration(MemberPosition { member: at, element: 0 }, 1),
    }
}

/// Numbers with more binary digits are not exact.
const DIGITS: u32 = 48;

/// A graph of sums, products and selections, with many uses of few operands, and some of its nodes.
pub(crate) fn random_graph(random: &mut Random) -> (Graph, Vec<Scalar>) {
    let mut graph = Graph::new();
    // Each node has the number of digits that it can need: all values below are exact.
    let mut nodes: Vec<(Scalar, u32)> = (0..LEAVES).map(|at| (graph.leaf(leaf(at), 0), 3)).collect();
    for _ in 0..random.below(60) {
        let ((a, p), (b, q)) = (nodes[random.below(nodes.len())], nodes[random.below(nodes.len())]);
        let sum = p.max(q) + 1;
        let next = match random.below(13) {
            0..=3 if sum <= DIGITS => (graph.add(a, b), sum),
            4..=6 if sum <= DIGITS => (graph.sub(a, b), sum),
            7..=9 if p + q <= DIGITS => (graph.mul(a, b), p + q),
            10 if p + 3 <= DIGITS => {
                let number = graph.number([2.0, -3.0, 0.5, 4.0][random.below(4)]);
                (graph.mul(number, a), p + 3)
            }
            11 => (graph.neg(a), p),
            12 => {
                let condition = graph.compare(Relation::Less, a, b);
                (graph.select(condition, b, a), p.max(q))
            }
            _ => (graph.function(Function::Abs, a), p),
        };
        nodes.push(next);
    }
    let outputs = (0..=random.below(8)).map(|_| nodes[random.below(nodes.len())].0).collect();
    (graph, outputs)
}

pub(crate) fn random_values(random: &mut Random) -> Values {
    let value = |random: &mut Random| [0.0, 1.0, -1.0, 2.0, -3.0, 5.0, 0.0, 4.0][random.below(8)];
    (0..LEAVES).map(|at| ((leaf(at), 0), value(random))).collect()
}

const GIVEN: [ArgumentTest; 2] = [|_, _| false, Graph::is_hoisted];

#[test]
fn every_pass_keeps_values() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut changed = [0; PASSES.len()];
    for round in 0..4_000 {
        let (mut graph, outputs) = random_graph(&mut random);
        let given = GIVEN[round % 2];
        for (pass, changed) in PASSES.into_iter().zip(&mut changed) {
            let others = pass(&mut graph, &outputs, given);
            *changed += usize::from(others != outputs);
            for _ in 0..4 {
                let values = random_values(&mut random);
                for (&before, &after) in outputs.iter().zip(&others) {
                    assert_eq!(evaluate(&graph, before, &values), evaluate(&graph, after, &values), "round {round}");
                }
            }
        }
    }
    // A pass without any effect is not tested. The graphs have no quotients (see `quotients_keep_their_values`).
    assert!(changed[..PASSES.len() - 1].iter().all(|&count| count > 10), "{changed:?}");
}

#[test]
fn the_optimiser_never_adds_operations() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let (mut before, mut after) = (0, 0);
    for round in 0..2_000 {
        let (mut graph, outputs) = random_graph(&mut random);
        let given = GIVEN[round % 2];
        let optimised = graph.optimised(&outputs, given);
        let [first, last] = [&outputs, &optimised].map(|outputs| graph.cost(outputs, given).operations);
        assert!(last <= first, "round {round}: {first} became {last}");
        (before, after) = (before + first, after + last);
        let values = random_values(&mut random);
        for (&old, &new) in outputs.iter().zip(&optimised) {
            assert_eq!(evaluate(&graph, old, &values), evaluate(&graph, new, &values), "round {round}");
        }
    }
    assert!(after * 100 < before * 97, "{before} operations became {after}");
}

/// Symbols of sums.
fn symbols(graph: &mut Graph) -> [Scalar; 6] {
    std::array::from_fn(|at| {
        graph.leaf(Leaf::Configuration(MemberPosition { member: 9, element: 0 }, 1), u32::try_from(at).unwrap())
    })
}

fn optimised(graph: &mut Graph, outputs: &[Scalar]) -> Vec<Scalar> {
    graph.optimised(outputs, |_, _| false)
}

#[test]
fn what_is_added_and_subtracted_is_gone() {
    let mut g = Graph::new();
    let [a, b, c, ..] = symbols(&mut g);
    let product = g.mul(b, c);
    let difference = g.sub(product, a);
    let sum = g.add(a, difference);
    // The difference is an output as well: it is opened, and it is kept.
    assert_eq!(optimised(&mut g, &[sum, difference]), [product, difference]);
}

#[test]
fn a_factor_of_many_terms_is_taken_out_once() {
    let mut g = Graph::new();
    let [a, b, c, d, e, f] = symbols(&mut g);
    // a b + c + a d - a e f, of 7 operations: a (b + d - e f) + c has 5.
    let (ab, ad, ef) = (g.mul(a, b), g.mul(a, d), g.mul(e, f));
    let aef = g.mul(a, ef);
    let mut sum = g.add(ab, c);
    sum = g.add(sum, ad);
    sum = g.sub(sum, aef);
    let result = optimised(&mut g, &[sum]);
    assert_eq!([&[sum][..], &result].map(|outputs| g.cost(outputs, |_, _| false).operations), [7, 5]);
}

#[test]
fn products_share_their_parts() {
    let mut g = Graph::new();
    let [a, b, c, d, ..] = symbols(&mut g);
    let (ac, ad) = (g.mul(a, c), g.mul(a, d));
    let (first, second, third) = (g.mul(ac, b), g.mul(b, ad), g.mul(b, a));
    let result = optimised(&mut g, &[first, second, third]);
    assert_eq!(g.cost(&result, |_, _| false).operations, 3);
}

#[test]
fn given_factors_meet() {
    let mut g = Graph::new();
    let [x, y, ..] = symbols(&mut g);
    let [m, p, q] = [0, 1, 2].map(|field| g.leaf(Leaf::Parameter { field, element: 0 }, 0));
    // m (p x − q y) and (m x) p: given values are not multiplied.
    let (px, qy, mx) = (g.mul(p, x), g.mul(q, y), g.mul(m, x));
    let difference = g.sub(px, qy);
    let (first, second) = (g.mul(m, difference), g.mul(mx, p));
    let result = g.optimised(&[first, second], Graph::is_hoisted);
    assert_eq!(g.cost(&result, Graph::is_hoisted).operations, 3);
}

#[test]
fn sums_share_their_parts_whatever_the_sign() {
    let mut g = Graph::new();
    let [a, b, c, d, e, f] = symbols(&mut g);
    let [ab, cd, ef, ad] = [(a, b), (c, d), (e, f), (a, d)].map(|(x, y)| g.mul(x, y));
    // a b + e f - c d and a d - a b + c d.
    let (mut first, mut second) = (g.add(ab, ef), g.sub(ad, ab));
    first = g.sub(first, cd);
    second = g.add(second, cd);
    let third = g.mul(first, second);
    let before = g.cost(&[third], |_, _| false).operations;
    let pass = super::shared_pairs::sums(&mut g, &[third], |_, _| false);
    assert_eq!(g.cost(&pass, |_, _| false).operations, before - 1);
}

/// The difference of two close positions is exact: other terms stay outside.
#[test]
fn differences_of_data_stay_together() {
    let mut g = Graph::new();
    let [a, b, c, d, e, f] = symbols(&mut g);
    let (near, far) = (g.sub(a, b), g.sub(c, d));
    let (first, second) = (g.mul(e, f), g.mul(e, a));
    let mut sum = g.add(near, first);
    sum = g.add(sum, second);
    sum = g.add(sum, far);
    let result = optimised(&mut g, &[sum]);
    let kernel = crate::scalar::Kernel::new(&g, &result, |_| false);
    for difference in [(a, b), (c, d)] {
        let kept = |&node: &Scalar| *g.op(node) == ScalarOp::Sub(difference.0, difference.1);
        assert!(kernel.nodes.iter().any(kept));
    }
}

/// A graph of sums, products and quotients of positive numbers; its condition number follows from its operations.
fn random_quotients(random: &mut Random) -> (Graph, Vec<Scalar>) {
    let mut graph = Graph::new();
    let mut nodes: Vec<Scalar> = (0..LEAVES).map(|at| graph.leaf(leaf(at), 0)).collect();
    for _ in 0..random.below(40) {
        let (a, b) = (nodes[random.below(nodes.len())], nodes[random.below(nodes.len())]);
        // Few divisors for many quotients.
        let divisor = nodes[random.below(nodes.len().min(9))];
        let next = match random.below(6) {
            0 | 1 => graph.add(a, b),
            2 => graph.mul(a, nodes[random.below(nodes.len().min(6))]),
            3 => {
                let number = graph.number([1.0, 3.0, 0.7][random.below(3)]);
                graph.div(number, divisor)
            }
            _ => graph.div(a, divisor),
        };
        nodes.push(next);
    }
    let outputs = (0..=random.below(8)).map(|_| nodes[nodes.len() - 1 - random.below(nodes.len())]).collect();
    (graph, outputs)
}

#[test]
fn quotients_keep_their_values() {
    let mut random = Random(0x0123_4567_89AB_CDEF);
    let (mut before, mut after) = (0, 0);
    for round in 0..2_000 {
        let (mut graph, outputs) = random_quotients(&mut random);
        let given = GIVEN[round % 2];
        let optimised = graph.optimised(&outputs, given);
        let [first, last] = [&outputs, &optimised].map(|outputs| graph.cost(outputs, given));
        assert!(last <= first && last.operations <= first.operations, "round {round}: {first:?} became {last:?}");
        (before, after) = (before + first.divisions, after + last.divisions);
        let values: Values = (0..LEAVES).map(|at| ((leaf(at), 0), 0.3 + 0.37 * random.below(9) as f64)).collect();
        for (&old, &new) in outputs.iter().zip(&optimised) {
            let (old, new) = (evaluate(&graph, old, &values), evaluate(&graph, new, &values));
            // One more rounding for each operation.
            let bound = 2.0 * f64::EPSILON * (4 + first.operations) as f64 * old.abs();
            assert!((old - new).abs() <= bound, "round {round}: {old:e} became {new:e}");
        }
    }
    assert!(after * 100 < before * 95, "{before} divisions became {after}");
}

#[test]
fn quotients_of_a_sum_are_divided_once() {
    let mut g = Graph::new();
    let [a, b, c, x, ..] = symbols(&mut g);
    // a / x + b c / x, of 4 operations: (a + b c) / x has 3.
    let product = g.mul(b, c);
    let (first, second) = (g.div(a, x), g.div(product, x));
    let sum = g.add(first, second);
    let result = optimised(&mut g, &[sum]);
    assert_eq!(g.cost(&result, |_, _| false), super::Cost { operations: 3, divisions: 1 });
}

#[test]
fn what_is_rounded_to_whole_numbers_is_divided() {
    let mut g = Graph::new();
    let [d, a, b] = [0, 2, 3].map(|at| g.leaf(leaf(at), 0));
    let (first, second) = (g.div(a, d), g.div(b, d));
    let (sum, below) = (g.add(first, second), g.compare(Relation::Less, first, second));
    let outputs = [g.function(Function::Trunc, first), g.function(Function::Floor, sum), g.select(below, a, d)];
    for given in GIVEN {
        let optimised = g.optimised(&outputs, given);
        for n in 1..100_u8 {
            let n = f64::from(n);
            let values: Values = (0..LEAVES).map(|at| ((leaf(at), 0), if at == 3 { 2.0 * n } else { n })).collect();
            let values = optimised.iter().map(|&output| evaluate(&g, output, &values)).collect::<Vec<_>>();
            assert_eq!(values, [1.0, 3.0, n]);
        }
    }
}
