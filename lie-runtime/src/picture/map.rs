//! Values over a rectangle, shown as colours.

/// A grid of cells over two quantities, with one value for each cell.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The title, which explains the colours and the lines.
    pub title: String,
    /// The labels of the horizontal and the vertical axis.
    pub axes: [String; 2],
    /// The ranges of the cells in horizontal and vertical direction.
    pub ranges: [[f64; 2]; 2],
    /// The values, row by row from the bottom.
    pub values: Vec<Vec<f64>>,
    /// The points of additional lines, drawn in white.
    pub lines: Vec<Vec<(f64, f64)>>,
}
