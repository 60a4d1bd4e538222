//! Selections: both sides have derivatives, and the derivatives of the unselected side have no effect.

use super::{OTHER, PLACE, bench, check, point};
use crate::expr::{Function, Leaf, Node, Relation, Seeds};
use crate::scalar::tests::{Random, Values, evaluate};
use crate::scalar::{Graph, Lowering};

#[test]
fn both_sides_of_a_condition() {
    let mut b = bench();
    let first = b.e.entry(b.x, 0, 0);
    let condition = b.e.compare(Relation::Less, first, b.t);
    let square = b.e.dot(b.x, b.x);
    let root = b.e.function(Function::Sqrt, square);
    let chosen = b.e.select(condition, square, root);
    let product = b.e.scale(chosen, b.y);
    check(&mut b, product);
}

#[test]
fn an_infinite_slope_on_the_other_side_does_no_harm() {
    let mut b = bench();
    let zero = b.e.number(0.0);
    let first = b.e.entry(b.x, 0, 0);
    let other = b.e.sub(first, first);
    assert_eq!(other, zero);
    // sqrt(max(x − c, 0)) with x < c: the unselected side has no real root.
    let half = b.e.number(2.5);
    let below = b.e.sub(first, half);
    let root = b.e.function(Function::Sqrt, below);
    let condition = b.e.compare(Relation::Less, below, zero);
    let chosen = b.e.select(condition, zero, root);
    let one = b.e.number(1.0);
    let gradient = b.e.gradient(chosen, one);
    let mut graph = Graph::new();
    let mut lowering = Lowering::new();
    for (_, part) in gradient {
        for scalar in lowering.lower(&b.e, &mut graph, part) {
            assert_eq!(evaluate(&graph, scalar, &point(&[0.0; 14], 0.0)), 0.0);
        }
    }
}

/// The gradient of nested clamps, and its number of nodes.
fn nodes_of_clamps(count: usize) -> usize {
    let mut b = bench();
    let (low, high) = (b.e.entry(b.x, 1, 0), b.e.entry(b.x, 2, 0));
    let mut x = b.e.entry(b.x, 0, 0);
    for _ in 0..count {
        let sine = b.e.function(Function::Sin, x);
        let moved = b.e.add(x, sine);
        let (below, above) = (b.e.compare(Relation::Less, moved, low), b.e.compare(Relation::Less, high, moved));
        let upper = b.e.select(above, high, moved);
        x = b.e.select(below, low, upper);
    }
    let before = b.e.len();
    let one = b.e.number(1.0);
    b.e.gradient(x, one);
    b.e.len() - before
}

#[test]
fn gradients_of_choices_are_linear_in_size() {
    let nodes: Vec<usize> = [10, 20, 40, 80].into_iter().map(nodes_of_clamps).collect();
    assert_eq!(nodes[2] - nodes[1], 2 * (nodes[1] - nodes[0]), "{nodes:?}");
    assert_eq!(nodes[3] - nodes[2], 4 * (nodes[1] - nodes[0]), "{nodes:?}");
    assert!(nodes[2] < 40 * 20, "{nodes:?}");
}

#[test]
fn choices_in_a_row_have_the_derivatives_of_the_side_taken() {
    let mut b = bench();
    let limits: Vec<Node> = [0.4, 0.9, 0.2, 1.3].into_iter().map(|limit| b.e.number(limit)).collect();
    let mut x = b.e.entry(b.x, 0, 0);
    for (round, &limit) in limits.iter().enumerate() {
        let below = b.e.compare(Relation::Less, x, limit);
        let square = b.e.scale(x, x);
        let other = b.e.function(if round % 2 == 0 { Function::Sqrt } else { Function::Cos }, x);
        let turned = b.e.scale(b.t, other);
        x = b.e.select(below, square, turned);
    }
    check(&mut b, x);
}

/// A node that two selections share is differentiated once, if either of them uses it.
#[test]
fn an_infinite_slope_that_two_choices_share_does_no_harm() {
    let mut b = bench();
    let zero = b.e.number(0.0);
    let (first, second) = (b.e.entry(b.x, 0, 0), b.e.entry(b.x, 1, 0));
    // sqrt(0) is used by two sums that are not selected here.
    let root = b.e.function(Function::Sqrt, b.t);
    let mut sum = zero;
    for (part, factor) in [(first, 2.0), (second, 3.0)] {
        let factor = b.e.number(factor);
        let scaled = b.e.scale(factor, root);
        let far = b.e.number(7.0);
        let taken = b.e.compare(Relation::Less, far, part);
        let chosen = b.e.select(taken, scaled, zero);
        sum = b.e.add(sum, chosen);
    }
    let one = b.e.number(1.0);
    let gradient = b.e.gradient(sum, one);
    let mut graph = Graph::new();
    let slope = Lowering::new().lower(&b.e, &mut graph, gradient[&b.t])[0];
    let mut at_zero = point(&[0.0; 14], 0.0);
    at_zero.insert((Leaf::Time, 0), 0.0);
    assert_eq!(evaluate(&graph, slope, &at_zero), 0.0);
    // If one of them is selected, its share counts.
    at_zero.insert((Leaf::Time, 0), 4.0);
    at_zero.insert((Leaf::Configuration(PLACE, 1), 1), 8.0);
    assert_eq!(evaluate(&graph, slope, &at_zero), 0.75);
}

#[test]
fn sides_within_sides_are_merged_in_any_order() {
    let mut b = bench();
    let (first, second) = (b.e.entry(b.x, 0, 0), b.e.entry(b.x, 1, 0));
    let half = b.e.number(0.5);
    for (a, c) in [(first, second), (second, first), (first, b.t), (b.t, second)] {
        let (outer, inner) = (b.e.compare(Relation::Less, a, half), b.e.compare(Relation::Less, c, half));
        let cubic = b.e.power(b.t, 3);
        let shared = b.e.function(Function::Exp, cubic);
        let left = b.e.scale(shared, first);
        let right = b.e.scale(shared, second);
        let nested = b.e.select(inner, left, right);
        let other = b.e.scale(nested, shared);
        let chosen = b.e.select(outer, nested, other);
        let again = b.e.select(inner, chosen, shared);
        let both = b.e.scale(again, chosen);
        check(&mut b, both);
    }
}

/// Nested selections that use selected values several times: contributions of one side, of both sides together, and of shared parts.
#[test]
fn gradients_of_random_choices_are_their_tangents() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let number = |random: &mut Random| random.below(2001) as f64 / 500.0 - 2.0;
    for round in 0..3_000 {
        let mut b = bench();
        let mut pool: Vec<Node> = (0..3).flat_map(|at| [b.e.entry(b.x, at, 0), b.e.entry(b.y, at, 0)]).collect();
        pool.extend([b.t, b.e.number(0.0), b.e.number(0.7), b.e.number(-0.5)]);
        let mut conditions = Vec::new();
        for _ in 0..14 {
            let [first, second] = [0; 2].map(|_| pool[random.below(pool.len())]);
            let sum = b.e.add(first, second);
            conditions.push(b.e.compare(Relation::Less, sum, pool[random.below(pool.len())]));
            let condition = conditions[random.below(conditions.len())];
            let node = match random.below(4) {
                0 => sum,
                1 => b.e.scale(first, second),
                _ => b.e.select(condition, first, second),
            };
            pool.push(node);
        }
        let last = pool[pool.len() - 6..].to_vec();
        let whole = last.into_iter().reduce(|sum, node| b.e.add(sum, node)).expect("there are some");
        let mut seeds = Seeds::default();
        for leaf in [b.x, b.y, b.t] {
            let size = b.e.shape(leaf).0;
            let entries = (0..size).map(|_| b.e.number(number(&mut random))).collect();
            seeds.insert(leaf, b.e.stack(entries, size, 1));
        }
        let (one, mut paired) = (b.e.number(1.0), b.e.number(0.0));
        for (leaf, part) in b.e.gradient(whole, one) {
            let share = b.e.dot(part, seeds[&leaf]);
            paired = b.e.add(paired, share);
        }
        let tangent = b.e.tangent(whole, &seeds);
        let (mut graph, mut lowering) = (Graph::new(), Lowering::new());
        let [paired, tangent] = [paired, tangent].map(|node| lowering.lower(&b.e, &mut graph, node)[0]);
        for _ in 0..6 {
            let mut values = Values::new();
            for at in 0..3 {
                values.insert((Leaf::Configuration(PLACE, 1), at), number(&mut random));
                values.insert((Leaf::Configuration(OTHER, 1), at), number(&mut random));
            }
            values.insert((Leaf::Time, 0), number(&mut random));
            let [paired, tangent] = [paired, tangent].map(|node| evaluate(&graph, node, &values));
            assert!((paired - tangent).abs() <= 1e-9 * (1.0 + tangent.abs()), "{round}: {paired} for {tangent}");
        }
    }
}
