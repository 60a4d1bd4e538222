//! Expressions that take one of two sides: both have derivatives, and those of the side that is not taken do no harm.

use super::{PLACE, bench, check, point};
use crate::expr::{Function, Leaf, Node, Relation};
use crate::graph::tests::evaluate;
use crate::graph::{Graph, Lowering};

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
    // sqrt(max(x − c, 0)) with x < c: the side that is not taken has no real root.
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

/// The gradient of clamps in a row, and how many nodes it took.
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

/// What two choices share is differentiated once, where either of them takes it.
#[test]
fn an_infinite_slope_that_two_choices_share_does_no_harm() {
    let mut b = bench();
    let zero = b.e.number(0.0);
    let (first, second) = (b.e.entry(b.x, 0, 0), b.e.entry(b.x, 1, 0));
    // sqrt(0) is used by two sums that are not taken here.
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
    // Where one of them is taken, its share counts.
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
