//! Tests of `schedule::mass_inverse`.

use super::{EliminationStep, MassBlocks, eliminate, order, solve, updates};
use crate::scalar::Graph;
use crate::scalar::tests::{Values, evaluate};

/// A trunk with two components, and two legs with two components each.
fn is_coupled(i: usize, j: usize) -> bool {
    i < 2 || j < 2 || (i - 2) / 2 == (j - 2) / 2
}

#[test]
fn legs_come_first_and_fill_nothing_in() {
    let order = order(&[0, 1, 2, 3, 4, 5], is_coupled);
    let components: Vec<usize> = order.iter().map(|(component, _)| *component).collect();
    assert_eq!(components, [5, 4, 3, 2, 1, 0]);
    assert!(order.iter().all(|(i, coupled)| coupled.iter().all(|&j| is_coupled(*i, j))));
    // A dense elimination of six components has 35.
    assert_eq!(updates(&order), 19);
}

#[test]
fn factors_solve() {
    let size = 6;
    let mass = |i: usize, j: usize| {
        let (i, j) = (i.min(j), i.max(j));
        if i == j {
            5.0 + i as f64
        } else if is_coupled(i, j) {
            0.3 * (1.0 + i as f64) - 0.2 * j as f64
        } else {
            0.0
        }
    };
    let mut graph = Graph::new();
    let entries: Vec<Vec<_>> = (0..size).map(|i| (0..size).map(|j| graph.number(mass(i, j))).collect()).collect();
    let mut places = 0..;
    let mut next = || places.next().expect("a position");
    let steps = order(&[0, 1, 2, 3, 4, 5], is_coupled).into_iter().map(|(component, coupled)| EliminationStep {
        component,
        reciprocal: next(),
        coupled: coupled.into_iter().map(|other| (other, next())).collect(),
    });
    let steps: Vec<EliminationStep> = steps.collect();
    let mut outputs = MassBlocks::default();
    eliminate(&mut graph, &steps, &entries, &mut outputs);
    assert_eq!(outputs.factors.len(), places.start);
    for (step, [pivot, diagonal]) in steps.iter().zip(&outputs.pivots) {
        let [pivot, diagonal] = [pivot, diagonal].map(|node| evaluate(&graph, *node, &Values::new()));
        assert!(0.0 < pivot && pivot <= diagonal);
        assert_eq!(diagonal, mass(step.component, step.component));
    }
    let right: Vec<f64> = (0..size).map(|at| 1.0 - 0.4 * at as f64).collect();
    let mut x: Vec<_> = right.iter().map(|&value| graph.number(value)).collect();
    solve(&mut graph, &steps, &outputs.factors, &mut x);
    let x: Vec<f64> = x.into_iter().map(|entry| evaluate(&graph, entry, &Values::new())).collect();
    for (i, &right) in right.iter().enumerate() {
        let left: f64 = (0..size).map(|j| mass(i, j) * x[j]).sum();
        assert!((left - right).abs() < 1e-14, "{i}: {left} for {right}");
    }
}
