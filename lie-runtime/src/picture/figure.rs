//! Figures: panels with a title and a caption.

use super::Panel;

/// Panels with a title and a caption, 800 pixels wide.
///
/// ```
/// use lie_runtime::picture::{Axis, Figure, Panel, Series};
///
/// # fn main() -> Result<(), lie_runtime::picture::FigureError> {
/// # let file = std::env::temp_dir().join(format!("figure-{}.svg", std::process::id()));
/// let exact = (0..=50).map(|k| 0.1 * f64::from(k)).map(|t| (t, f64::cos(t))).collect();
/// let computed = (0..=10).map(|k| 0.5 * f64::from(k)).map(|t| (t, f64::cos(t))).collect();
/// let series = vec![Series::line("exact", 6, exact).dashed(), Series::marks("computed", 0, computed).open()];
/// Figure::new(vec![Panel::over_time("Deflection", Axis::linear("deflection w/L"), series)])
///     .caption("A linear oscillator, ω = 1 rad/s, h = 0.5 s.")
///     .save(&file)?;
/// # std::fs::remove_file(&file).unwrap();
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is drawn before `save`"]
pub struct Figure {
    pub(super) panels: Vec<Panel>,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) columns: Option<usize>,
}

impl Figure {
    /// Returns a figure of these panels.
    pub fn new(panels: Vec<Panel>) -> Self {
        Figure { panels, title: String::new(), caption: String::new(), columns: None }
    }

    /// Sets the title.
    pub fn title(self, title: &str) -> Self {
        Figure { title: title.to_owned(), ..self }
    }

    /// Sets the caption below the panels: the parameters, and the result that the figure shows.
    pub fn caption(self, caption: &str) -> Self {
        Figure { caption: caption.to_owned(), ..self }
    }

    /// Sets the number of panels in a row. The default is two, and one for an odd number of panels up to three.
    pub fn columns(self, columns: usize) -> Self {
        Figure { columns: Some(columns.max(1)), ..self }
    }
}
