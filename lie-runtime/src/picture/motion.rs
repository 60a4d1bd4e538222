//! A path on a sphere, in parallel projection.

/// The path of a point on a sphere around the origin.
#[derive(Clone, Debug)]
pub struct SpherePath {
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// The labels of the ends of the path.
    pub ends: [String; 2],
    /// The points in the order of time.
    pub path: Vec<[f64; 3]>,
    /// Azimuth and elevation of the viewpoint, in degrees.
    pub eye: [f64; 2],
}
