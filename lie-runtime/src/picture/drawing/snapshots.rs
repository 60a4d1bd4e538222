//! Drawing of snapshots.

use std::path::{Path, PathBuf};

use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::plot::{LegendEntry, LegendPosition, LegendShape, LinePlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::motion::{project, shade};
use super::write;
use crate::picture::{FigureError, Snapshots};

/// The margin around the lines, relative to the side of the picture.
const MARGIN: f64 = 0.06;

/// The width of the diagram in pixels, and the additional space for titles, labels and legend.
const SIDE: f64 = 580.0;
const FRAME: [f64; 2] = [140.0, 100.0];

impl Snapshots {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`.
    pub(super) fn draw(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
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
        let margin = MARGIN * (high[0] - low[0]).max(high[1] - low[1]);
        if !(margin.is_finite() && margin > 0.0) {
            return Err(FigureError::Empty);
        }
        let [x, y] = [0, 1].map(|k| (low[k] - margin, high[k] + margin));
        // Both directions have one scale, and the height of the picture follows from it.
        let height = FRAME[1] + (SIDE * (y.1 - y.0) / (x.1 - x.0)).clamp(0.4 * SIDE, 1.1 * SIDE);
        let layout = Layout::new(x, y)
            .with_title(self.title.as_str())
            .with_title_size(17)
            .with_width(FRAME[0] + SIDE)
            .with_height(height)
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
