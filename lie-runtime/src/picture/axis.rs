//! Axes of panels.

/// The scale and the label of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// A linear scale.
    Linear(String),
    /// A linear scale for lengths in a plane: equal to the scale of the other axis if both are of this kind.
    Length(String),
    /// A logarithmic scale; values that are not positive are omitted.
    Log(String),
}

impl Axis {
    /// Returns an axis with a linear scale and this label.
    pub fn linear(label: &str) -> Self {
        Axis::Linear(label.to_owned())
    }

    /// Returns an axis with the scale of the other axis and this label.
    pub fn length(label: &str) -> Self {
        Axis::Length(label.to_owned())
    }

    /// Returns an axis with a logarithmic scale and this label.
    pub fn log(label: &str) -> Self {
        Axis::Log(label.to_owned())
    }
}
