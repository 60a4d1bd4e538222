//! Entries, blocks, determinants and inverses of matrices.

use crate::expr::{Expressions, Node};

/// Returns the entries in row-major order.
pub(super) fn entries(e: &mut Expressions, matrix: Node) -> Vec<Node> {
    let (rows, columns) = e.shape(matrix);
    (0..rows * columns).map(|at| e.entry(matrix, at / columns, at % columns)).collect()
}

/// Returns the block of `height` × `width` entries at (`row`, `column`).
pub(super) fn block(
    e: &mut Expressions,
    matrix: Node,
    (row, column): (usize, usize),
    (height, width): (usize, usize),
) -> Node {
    if width == e.shape(matrix).1 {
        return e.slice(matrix, row, height);
    }
    let entries = (0..height * width).map(|at| e.entry(matrix, row + at / width, column + at % width)).collect();
    e.stack(entries, height, width)
}

/// Returns the matrix with the entries that `entry` returns for a row and a column.
pub(super) fn with_entries(e: &mut Expressions, matrix: Node, entry: impl Fn((usize, usize)) -> Option<Node>) -> Node {
    let (rows, columns) = e.shape(matrix);
    let place = |at: usize| (at / columns, at % columns);
    let entries = (0..rows * columns)
        .map(|at| entry(place(at)).unwrap_or_else(|| e.entry(matrix, at / columns, at % columns)))
        .collect();
    e.stack(entries, rows, columns)
}

/// Returns the matrix with one column or row replaced.
pub(super) fn with_line(e: &mut Expressions, matrix: Node, line: usize, part: Node, is_column: bool) -> Option<Node> {
    let (rows, columns) = e.shape(matrix);
    let wanted = if is_column { (rows, 1) } else { (1, columns) };
    if e.shape(part) != wanted || line >= if is_column { columns } else { rows } {
        return None;
    }
    let part = entries(e, part);
    Some(with_entries(e, matrix, |(row, column)| match is_column {
        true if column == line => Some(part[row]),
        false if row == line => Some(part[column]),
        _ => None,
    }))
}

/// Returns the determinant by expansion along the first row.
pub(super) fn determinant(e: &mut Expressions, matrix: Node) -> Node {
    let n = e.shape(matrix).0;
    let entries = entries(e, matrix);
    let all: Vec<usize> = (0..n).collect();
    minor(e, &entries, n, &all, &all)
}

/// Returns the minor of these rows and columns.
fn minor(e: &mut Expressions, entries: &[Node], n: usize, rows: &[usize], columns: &[usize]) -> Node {
    let Some((&row, rest)) = rows.split_first() else { return e.number(1.0) };
    if rest.is_empty() {
        return entries[row * n + columns[0]];
    }
    let mut sum = e.number(0.0);
    for (at, &column) in columns.iter().enumerate() {
        let others: Vec<usize> = columns.iter().copied().filter(|&other| other != column).collect();
        let minor = minor(e, entries, n, rest, &others);
        let term = e.scale(entries[row * n + column], minor);
        sum = if at % 2 == 0 { e.add(sum, term) } else { e.sub(sum, term) };
    }
    sum
}

/// Returns the inverse: the adjugate divided by the determinant.
pub(super) fn inverse(e: &mut Expressions, matrix: Node) -> Node {
    let n = e.shape(matrix).0;
    let entries = entries(e, matrix);
    let determinant = determinant(e, matrix);
    let one = e.number(1.0);
    let factor = e.divide(one, determinant);
    if n == 1 {
        return factor;
    }
    let without = |index: usize| (0..n).filter(|&other| other != index).collect::<Vec<usize>>();
    let adjugate = (0..n * n)
        .map(|at| {
            // Entry (i, j) is the cofactor (j, i).
            let (i, j) = (at / n, at % n);
            let cofactor = minor(e, &entries, n, &without(j), &without(i));
            if (i + j) % 2 == 0 { cofactor } else { e.neg(cofactor) }
        })
        .collect();
    let adjugate = e.stack(adjugate, n, n);
    e.scale(factor, adjugate)
}
