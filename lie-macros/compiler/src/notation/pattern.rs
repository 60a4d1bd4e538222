//! The structural nonzeros of a matrix as a small picture.

/// Pixels of an entry.
const CELL: usize = 7;
/// Largest number of rows and columns of a picture.
const LARGEST: usize = 48;

/// A picture of the nonzero entries of a matrix; `None` for a matrix that is too large.
pub(crate) fn pattern(rows: usize, columns: usize, is_there: impl Fn(usize, usize) -> bool) -> Option<String> {
    if rows == 0 || columns == 0 || rows > LARGEST || columns > LARGEST {
        return None;
    }
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let squares = cells.filter(|&(row, column)| is_there(row, column));
    let path: Vec<String> = squares.map(|(row, column)| format!("M{column} {row}h.86v.86h-.86z")).collect();
    let (width, height) = (CELL * columns, CELL * rows);
    Some(format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"-.07 -.07 {columns} {rows}\" \
         style=\"outline: 1px solid; margin: 2px; vertical-align: middle\"><path fill=\"currentColor\" d=\"{}\"></path></svg>",
        path.join("")
    ))
}
