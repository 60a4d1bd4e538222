//! What axes show.

/// An axis and what is written at it.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// In proportion.
    Linear(String),
    /// In proportion, and at the same scale as the other axis where that is of this kind too: lengths in a plane.
    Length(String),
    /// In decades; values that are not positive are left out.
    Log(String),
}

impl Axis {
    /// In proportion, with this label.
    pub fn linear(label: &str) -> Self {
        Axis::Linear(label.to_owned())
    }

    /// At the scale of the other axis, with this label.
    pub fn length(label: &str) -> Self {
        Axis::Length(label.to_owned())
    }

    /// In decades, with this label.
    pub fn log(label: &str) -> Self {
        Axis::Log(label.to_owned())
    }
}
