//! Values over a rectangle, shown as colours.

/// A grid of cells over two quantities, with one value for each cell.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The title.
    pub title: String,
    /// The caption, which explains the lines.
    pub caption: String,
    /// The label of the colours.
    pub colours: String,
    /// The labels of the horizontal and the vertical axis.
    pub axes: [String; 2],
    /// The ranges of the cells in horizontal and vertical direction.
    pub ranges: [[f64; 2]; 2],
    /// The values, row by row from the bottom.
    pub values: Vec<Vec<f64>>,
    /// The points of additional lines, drawn with white dashes.
    pub lines: Vec<Vec<(f64, f64)>>,
}
