//! Lines in space at several times, seen from afar.

use std::path::{Path, PathBuf};

use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::plot::{LegendEntry, LegendPosition, LegendShape, LinePlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::motion::{project, shade};
use super::{FigureError, write};

/// What the picture reaches beyond the lines, relative to its side.
const MARGIN: f64 = 0.06;

/// The lines of one instant.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The time, as it stands in the legend.
    pub label: String,
    /// Their points.
    pub lines: Vec<Vec<[f64; 3]>>,
}

/// Lines at several times in one picture, coloured by their order.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// The title.
    pub title: String,
    /// What is to the right and upwards.
    pub axes: [String; 2],
    /// Azimuth and elevation of the eye in degrees.
    pub eye: [f64; 2],
    /// In the order of time.
    pub snapshots: Vec<Snapshot>,
}

impl Snapshots {
    /// Draws into `folder/name.svg` and `folder/name.png`.
    ///
    /// # Errors
    /// [`FigureError`].
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        let mut plots = Vec::new();
        let mut legend = Vec::new();
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let last = self.snapshots.len().saturating_sub(1).max(1) as f64;
        for (index, snapshot) in self.snapshots.iter().enumerate() {
            let colour = shade(index as f64 / last, false);
            for line in &snapshot.lines {
                let points: Vec<(f64, f64)> = line
                    .iter()
                    .map(|&point| {
                        let [x, y, _] = project(self.eye, point);
                        (x, y)
                    })
                    .collect();
                for &(x, y) in &points {
                    low = [low[0].min(x), low[1].min(y)];
                    high = [high[0].max(x), high[1].max(y)];
                }
                let line = LinePlot::new().with_data(points.clone()).with_color(&colour).with_stroke_width(2.0);
                let nodes = ScatterPlot::new().with_data(points).with_color(&colour).with_marker(MarkerShape::Circle);
                plots.push(Plot::Line(line));
                plots.push(Plot::Scatter(nodes.with_size(2.5)));
            }
            legend.push(LegendEntry {
                label: snapshot.label.clone(),
                color: colour,
                shape: LegendShape::Line,
                dasharray: None,
            });
        }
        let side = (high[0] - low[0]).max(high[1] - low[1]) * (1.0 + 2.0 * MARGIN);
        if !(side.is_finite() && side > 0.0) {
            return Err(FigureError::Empty);
        }
        let [x, y] = [0, 1].map(|k| {
            let middle = 0.5 * (low[k] + high[k]);
            (middle - 0.5 * side, middle + 0.5 * side)
        });
        let layout = Layout::new(x, y)
            .with_title(self.title.as_str())
            .with_title_size(17)
            .with_width(720.0)
            .with_height(660.0)
            .with_x_axis_min(x.0)
            .with_x_axis_max(x.1)
            .with_y_axis_min(y.0)
            .with_y_axis_max(y.1)
            .with_x_label(self.axes[0].as_str())
            .with_y_label(self.axes[1].as_str())
            .with_box_axes()
            .with_equal_aspect()
            .with_label_size(15)
            .with_tick_size(13)
            .with_legend_title("t [s]")
            .with_legend_entries(legend)
            .with_legend_position(LegendPosition::OutsideRightTop)
            .with_font_family("DejaVu Sans, Helvetica, Arial, sans-serif");
        write(&render_multiple(plots, layout), folder, name)
    }
}
