//! Elimination of linear systems as scalars, in an order that is fixed by their structural nonzeros.
//!
//! The unknowns are coordinates and then multipliers, and the rows have the same order. Constant entries of constraints can be eliminated
//! first: the row of a constraint eliminates a coordinate, and the row of this coordinate then eliminates the multiplier. This needs no
//! division and causes no fill-in between multipliers.
//!
//! Next come pivots on the diagonal. The mass matrix dominates the diagonal of the coordinates. A multiplier is eliminated after all
//! coordinates of its constraints, from the Schur complement.

use crate::expr::{Function, Relation};
use crate::scalar::{Graph, Scalar};

/// Up to this number of products an elimination is written out. A loop saves more compile time than it loses beyond this number.
const WRITTEN_OUT: usize = 1000;

/// The largest factor between a coordinate that a constraint determines and the other coordinates.
const STEEPEST: f64 = 1e3;

/// The largest ratio of the entries below any other pivot to the pivot, as in `LuFactors` of the runtime.
const GROWTH: f64 = 100.0;

/// The value of an entry at compile time.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum EntryValue {
    Zero,
    Number(f64),
    Other,
}

/// An elimination order, by the rows and columns of its pivots, with the number of its products.
pub(super) struct EliminationOrder {
    pub pivots: Vec<PivotPosition>,
    pub products: usize,
}

#[derive(Clone, Copy)]
pub(super) struct PivotPosition {
    row: usize,
    column: usize,
    /// True if a constraint determines a coordinate, or if the balance of forces in this coordinate determines the multiplier.
    is_given: bool,
}

/// The order with the fewest products, pivot by pivot; if requested, it starts with the constant entries in rows of constraints.
pub(super) fn order(
    mut pattern: Vec<Vec<EntryValue>>,
    dof: usize,
    has_mass: impl Fn(usize) -> bool,
    of_numbers: bool,
) -> Option<EliminationOrder> {
    let size = pattern.len();
    let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..size).collect(), (0..size).collect());
    let mut found = EliminationOrder { pivots: Vec::new(), products: 0 };
    while !rows.is_empty() {
        let others = |pattern: &[Vec<EntryValue>], row: usize, column: usize| {
            let right = columns.iter().filter(|&&at| at != column && pattern[row][at] != EntryValue::Zero).count();
            let below = rows.iter().filter(|&&at| at != row && pattern[at][column] != EntryValue::Zero).count();
            below * (right + 1) + right
        };
        let is_steep = |row: usize, column: usize| match pattern[row][column] {
            EntryValue::Number(pivot) => columns.iter().any(|&at| match pattern[row][at] {
                EntryValue::Number(other) => other.abs() > STEEPEST * pivot.abs(),
                _ => false,
            }),
            _ => true,
        };
        let given = rows.iter().filter(|&&row| of_numbers && row >= dof).flat_map(|&row| {
            let partners = columns.iter().filter(move |&&column| column < dof);
            partners.map(move |&column| (row, column))
        });
        let given = given.filter(|&(row, column)| {
            let is_number = |entry| matches!(entry, EntryValue::Number(_));
            rows.contains(&column) && !is_steep(row, column) && is_number(pattern[column][row])
        });
        let mut next: Vec<PivotPosition> = Vec::new();
        if let Some((row, column)) = given.min_by_key(|&(row, column)| others(&pattern, row, column)) {
            next.push(PivotPosition { row, column, is_given: true });
            next.push(PivotPosition { row: column, column: row, is_given: true });
        } else {
            let is_ready = |&at: &usize| {
                if at < dof {
                    has_mass(at)
                } else {
                    columns.iter().all(|&column| column >= dof || pattern[at][column] == EntryValue::Zero)
                }
            };
            let diagonal = rows.iter().copied().filter(|at| columns.contains(at) && is_ready(at));
            let at = diagonal
                .filter(|&at| pattern[at][at] != EntryValue::Zero)
                .min_by_key(|&at| others(&pattern, at, at))?;
            next.push(PivotPosition { row: at, column: at, is_given: false });
        }
        for pivot in next {
            rows.retain(|&row| row != pivot.row);
            columns.retain(|&column| column != pivot.column);
            let right: Vec<usize> =
                columns.iter().copied().filter(|&at| pattern[pivot.row][at] != EntryValue::Zero).collect();
            for &row in &rows {
                if pattern[row][pivot.column] == EntryValue::Zero {
                    continue;
                }
                found.products += 1 + right.len();
                for &column in &right {
                    pattern[row][column] = EntryValue::Other;
                }
            }
            found.products += right.len();
            found.pivots.push(pivot);
        }
        if found.products > WRITTEN_OUT {
            return None;
        }
    }
    Some(found)
}

/// The solution of a system by elimination in this order, and true if every pivot is large enough relative to its row or column.
pub(super) fn solve(
    graph: &mut Graph,
    mut matrix: Vec<Vec<Scalar>>,
    mut right: Vec<Scalar>,
    pivots: &[PivotPosition],
) -> (Vec<Scalar>, Scalar) {
    let size = matrix.len();
    let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..size).collect(), (0..size).collect());
    let mut checks = Checks::default();
    let mut reciprocals = Vec::with_capacity(size);
    // The columns of the other nonzeros in the row of each pivot.
    let mut beside: Vec<Vec<usize>> = Vec::with_capacity(size);
    let one = graph.number(1.0);
    for &PivotPosition { row: own, column, is_given } in pivots {
        rows.retain(|&row| row != own);
        columns.retain(|&at| at != column);
        let pivot = matrix[own][column];
        let entries: Vec<usize> = columns.iter().copied().filter(|&at| !graph.is_zero(matrix[own][at])).collect();
        let below: Vec<usize> = rows.iter().copied().filter(|&row| !graph.is_zero(matrix[row][column])).collect();
        // A coordinate depends on the others in its row; a multiplier is eliminated from the rows below.
        if is_given && own > column {
            checks.bounded(graph, entries.iter().map(|&at| matrix[own][at]), pivot, STEEPEST);
        } else {
            let most = if is_given { STEEPEST } else { GROWTH };
            checks.bounded(graph, below.iter().map(|&row| matrix[row][column]), pivot, most);
        }
        let reciprocal = graph.div(one, pivot);
        for &row in &below {
            let factor = graph.mul(matrix[row][column], reciprocal);
            for &at in &entries {
                let part = graph.mul(factor, matrix[own][at]);
                matrix[row][at] = graph.sub(matrix[row][at], part);
            }
            let part = graph.mul(factor, right[own]);
            right[row] = graph.sub(right[row], part);
        }
        reciprocals.push(reciprocal);
        beside.push(entries);
    }
    let mut solution = right.clone();
    for ((&PivotPosition { row, column, .. }, &reciprocal), entries) in
        pivots.iter().zip(&reciprocals).zip(&beside).rev()
    {
        let mut rest = right[row];
        for &at in entries {
            let part = graph.mul(matrix[row][at], solution[at]);
            rest = graph.sub(rest, part);
        }
        solution[column] = graph.mul(rest, reciprocal);
    }
    let is_safe = checks.all(graph);
    (solution, is_safe)
}

/// Conditions without repetitions.
#[derive(Default)]
struct Checks {
    all: Vec<Scalar>,
}

impl Checks {
    /// Adds the condition that the pivot is not zero and no entry exceeds `most` times the pivot.
    fn bounded(&mut self, graph: &mut Graph, entries: impl Iterator<Item = Scalar>, pivot: Scalar, most: f64) {
        let size = graph.function(Function::Abs, pivot);
        let factor = graph.number(most);
        let limit = match graph.as_number(pivot) {
            Some(number) => graph.number(most * number.abs()),
            None => graph.mul(factor, size),
        };
        let mut checks: Vec<Scalar> = Vec::new();
        for entry in entries.filter(|&entry| graph.as_number(entry).is_none()).collect::<Vec<_>>() {
            let entry = graph.function(Function::Abs, entry);
            checks.push(graph.compare(Relation::LessOrEqual, entry, limit));
        }
        if graph.as_number(pivot).is_none() {
            let zero = graph.number(0.0);
            checks.push(graph.compare(Relation::Less, zero, size));
        }
        for check in checks {
            if !self.all.contains(&check) {
                self.all.push(check);
            }
        }
    }

    /// The conjunction of all conditions; a comparison of constants if there are none.
    fn all(self, graph: &mut Graph) -> Scalar {
        let (zero, one) = (graph.number(0.0), graph.number(1.0));
        let mut all = self.all.into_iter();
        let first = all.next().unwrap_or_else(|| graph.compare(Relation::Less, zero, one));
        all.fold(first, |both, check| graph.and(both, check))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/elimination.rs"]
mod tests;
