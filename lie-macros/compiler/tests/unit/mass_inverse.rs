//! Tests of `schedule::mass_inverse`.

use super::{EliminationStep, order, solve, updates};
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
    let mut rest: Vec<Vec<f64>> = (0..size).map(|i| (0..size).map(|j| mass(i, j)).collect()).collect();
    let (mut graph, mut kept, mut pivots) = (Graph::new(), Vec::new(), Vec::new());
    let mut keep = |value: f64| {
        kept.push(graph.number(value));
        kept.len() - 1
    };
    for (component, coupled) in order(&[0, 1, 2, 3, 4, 5], is_coupled) {
        let reciprocal = keep(1.0 / rest[component][component]);
        let row = rest[component].clone();
        let coupled: Vec<(usize, usize)> =
            coupled.into_iter().map(|other| (other, keep(row[other] / row[component]))).collect();
        for &(i, _) in &coupled {
            for &(j, _) in &coupled {
                rest[i][j] -= row[i] * row[j] / row[component];
            }
        }
        pivots.push(EliminationStep { component, reciprocal, coupled });
    }
    let right: Vec<f64> = (0..size).map(|at| 1.0 - 0.4 * at as f64).collect();
    let mut x: Vec<_> = right.iter().map(|&value| graph.number(value)).collect();
    solve(&mut graph, &pivots, &kept, &mut x);
    let x: Vec<f64> = x.into_iter().map(|entry| evaluate(&graph, entry, &Values::new())).collect();
    for (i, &right) in right.iter().enumerate() {
        let left: f64 = (0..size).map(|j| mass(i, j) * x[j]).sum();
        assert!((left - right).abs() < 1e-14, "{i}: {left} for {right}");
    }
}
