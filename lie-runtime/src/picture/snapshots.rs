//! Lines in space at several times, in parallel projection.

/// The lines at one time.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The time, as shown in the legend.
    pub label: String,
    /// The points of the lines.
    pub lines: Vec<Vec<[f64; 3]>>,
}

/// Lines at several times in one figure, coloured by their order.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// The labels of the horizontal and the vertical axis.
    pub axes: [String; 2],
    /// True for smooth lines through the points, for example for rods.
    pub smooth: bool,
    /// Azimuth and elevation of the viewpoint, in degrees.
    pub eye: [f64; 2],
    /// Points with their names, for example supports and loaded ends.
    pub marks: Vec<(String, [f64; 3])>,
    /// The snapshots, in the order of time.
    pub snapshots: Vec<Snapshot>,
}
