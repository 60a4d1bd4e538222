//! Blocks, determinants and inverses of matrices, entry by entry.

use super::SymbolicInterpreter;
use crate::expr::Node;

impl SymbolicInterpreter<'_> {
    /// Returns the entries in row-major order.
    pub(super) fn entries(&mut self, matrix: Node) -> Vec<Node> {
        let (rows, columns) = self.expressions.shape(matrix);
        (0..rows * columns).map(|at| self.expressions.entry(matrix, at / columns, at % columns)).collect()
    }

    /// Returns the block of `height` × `width` entries at (`row`, `column`).
    pub(super) fn block_of(&mut self, matrix: Node, row: usize, column: usize, height: usize, width: usize) -> Node {
        if width == self.expressions.shape(matrix).1 {
            return self.expressions.slice(matrix, row, height);
        }
        let entries = (0..height * width)
            .map(|at| self.expressions.entry(matrix, row + at / width, column + at % width))
            .collect();
        self.expressions.stack(entries, height, width)
    }

    /// Returns the matrix with one column or row replaced.
    pub(super) fn with_line(&mut self, matrix: Node, line: usize, part: Node, is_column: bool) -> Option<Node> {
        let (rows, columns) = self.expressions.shape(matrix);
        let wanted = if is_column { (rows, 1) } else { (1, columns) };
        if self.expressions.shape(part) != wanted || line >= if is_column { columns } else { rows } {
            return None;
        }
        let entries = (0..rows * columns)
            .map(|at| {
                let (row, column) = (at / columns, at % columns);
                match is_column {
                    true if column == line => self.expressions.entry(part, row, 0),
                    false if row == line => self.expressions.entry(part, 0, column),
                    _ => self.expressions.entry(matrix, row, column),
                }
            })
            .collect();
        Some(self.expressions.stack(entries, rows, columns))
    }

    /// Returns the determinant by expansion along the first row.
    pub(super) fn determinant(&mut self, matrix: Node) -> Node {
        let n = self.expressions.shape(matrix).0;
        let entries = self.entries(matrix);
        let all: Vec<usize> = (0..n).collect();
        self.minor(&entries, n, &all, &all)
    }

    /// Returns the minor of these rows and columns.
    fn minor(&mut self, entries: &[Node], n: usize, rows: &[usize], columns: &[usize]) -> Node {
        let Some((&row, rest)) = rows.split_first() else { return self.expressions.number(1.0) };
        if rest.is_empty() {
            return entries[row * n + columns[0]];
        }
        let mut sum = self.expressions.number(0.0);
        for (at, &column) in columns.iter().enumerate() {
            let others: Vec<usize> = columns.iter().copied().filter(|&other| other != column).collect();
            let minor = self.minor(entries, n, rest, &others);
            let term = self.expressions.scale(entries[row * n + column], minor);
            sum = if at % 2 == 0 { self.expressions.add(sum, term) } else { self.expressions.sub(sum, term) };
        }
        sum
    }

    /// Returns the inverse: the adjugate divided by the determinant.
    pub(super) fn inverse_matrix(&mut self, matrix: Node) -> Node {
        let n = self.expressions.shape(matrix).0;
        let entries = self.entries(matrix);
        let determinant = self.determinant(matrix);
        let one = self.expressions.number(1.0);
        let factor = self.expressions.divide(one, determinant);
        if n == 1 {
            return factor;
        }
        let without = |index: usize| (0..n).filter(|&other| other != index).collect::<Vec<usize>>();
        let adjugate = (0..n * n)
            .map(|at| {
                // Entry (i, j) is the cofactor (j, i).
                let (i, j) = (at / n, at % n);
                let cofactor = self.minor(&entries, n, &without(j), &without(i));
                if (i + j) % 2 == 0 { cofactor } else { self.expressions.neg(cofactor) }
            })
            .collect();
        let adjugate = self.expressions.stack(adjugate, n, n);
        self.expressions.scale(factor, adjugate)
    }
}
