//! Tests of `schedule::elimination`.

use super::{EliminationOrder, EntryValue, order, solve};
use crate::scalar::Graph;
use crate::scalar::tests::{Values, evaluate};

/// Two bodies with three coordinates each. The mass matrix couples the coordinates of one body. Two constraints connect the ends of the
/// bodies; one has constant entries.
fn entry(row: usize, column: usize) -> Option<f64> {
    let (low, high) = (row.min(column), row.max(column));
    match (low, high) {
        (6.., _) => None,
        (_, 6) => [Some(0.4), None, Some(1.0), Some(-0.7), None, Some(-1.0)][low],
        (_, 7) => [None, Some(0.9), None, Some(0.3), Some(-1.2), None][low],
        _ if low == high => Some(3.0 + low as f64),
        _ => (low / 3 == high / 3).then_some(0.5 - 0.2 * row as f64 + 0.1 * column as f64),
    }
}

fn pattern(row: usize, column: usize) -> EntryValue {
    let is_number = row.max(column) == 6 && [2, 5].contains(&row.min(column));
    match entry(row, column) {
        None => EntryValue::Zero,
        Some(value) if is_number => EntryValue::Number(value),
        Some(_) => EntryValue::Other,
    }
}

fn found(of_numbers: bool) -> Option<EliminationOrder> {
    let pattern = (0..8).map(|row| (0..8).map(|column| pattern(row, column)).collect()).collect();
    order(pattern, 6, |_| true, of_numbers)
}

#[test]
fn every_order_solves() {
    for of_numbers in [false, true] {
        let order = found(of_numbers).expect("it is small");
        let (first, is_first) = (&order.pivots[0], order.pivots.iter().any(|pivot| pivot.is_given));
        assert_eq!((is_first, first.row == 6), (of_numbers, of_numbers));
        let mut graph = Graph::new();
        let matrix: Vec<Vec<_>> =
            (0..8).map(|row| (0..8).map(|column| graph.number(entry(row, column).unwrap_or(0.0))).collect()).collect();
        let right: Vec<f64> = (0..8).map(|at| 1.0 - 0.3 * f64::from(at)).collect();
        let given = right.iter().map(|&value| graph.number(value)).collect();
        let (solution, _) = solve(&mut graph, matrix, given, &order.pivots);
        let x: Vec<f64> = solution.into_iter().map(|entry| evaluate(&graph, entry, &Values::new())).collect();
        for (row, right) in right.iter().enumerate() {
            let left: f64 = (0..8).map(|column| entry(row, column).unwrap_or(0.0) * x[column]).sum();
            assert!((left - right).abs() < 1e-12, "{row}: {left} for {right}");
        }
    }
}

#[test]
fn what_takes_too_much_is_not_written_out() {
    let dense = vec![vec![EntryValue::Other; 20]; 20];
    assert!(order(dense, 20, |_| true, true).is_none());
    // A diagonal matrix is written out at any size.
    let diagonal =
        (0..60).map(|row| (0..60).map(|at| if at == row { EntryValue::Other } else { EntryValue::Zero }).collect());
    assert!(order(diagonal.collect(), 60, |_| true, true).is_some_and(|order| order.products == 0));
    // No order is safe without a mass.
    assert!(order(vec![vec![EntryValue::Other; 2]; 2], 2, |at| at == 0, true).is_none());
}
