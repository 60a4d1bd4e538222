//! Drawing of maps.

use std::path::{Path, PathBuf};

use kuva::plot::{ColorMap, Heatmap, LinePlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::write;
use crate::picture::{FigureError, HeatMap};

/// The colour of lines, in contrast to all colours of the map; the title explains the lines.
const LINE: &str = "#FFFFFF";

impl HeatMap {
    /// Writes `folder/name.svg`, and `folder/name.png` with the feature `png`.
    pub(super) fn draw(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        if self.values.iter().all(Vec::is_empty) {
            return Err(FigureError::Empty);
        }
        let [[left, right], [bottom, top]] = self.ranges;
        let cells = Heatmap::new()
            .with_data(self.values.clone())
            .with_x_range(left, right)
            .with_y_range(bottom, top)
            .with_cell_size(1.0)
            .with_color_map(ColorMap::Viridis);
        let mut plots = vec![Plot::Heatmap(cells)];
        for line in &self.lines {
            let inside = |&(x, y): &(f64, f64)| (left..=right).contains(&x) && (bottom..=top).contains(&y);
            let points: Vec<(f64, f64)> = line.iter().copied().filter(inside).collect();
            plots.push(Plot::Line(LinePlot::new().with_data(points).with_color(LINE).with_stroke_width(2.5)));
        }
        // A bar at the right shows the colours of the cells.
        let layout = Layout::auto_from_plots(&plots)
            .with_title(self.title.as_str())
            .with_title_size(17)
            .with_width(760.0)
            .with_height(560.0)
            .with_x_label(self.axes[0].as_str())
            .with_y_label(self.axes[1].as_str())
            .with_x_axis_min(left)
            .with_x_axis_max(right)
            .with_y_axis_min(bottom)
            .with_y_axis_max(top)
            .with_box_axes()
            .with_label_size(15)
            .with_tick_size(13)
            .with_font_family("DejaVu Sans, Helvetica, Arial, sans-serif");
        write(&render_multiple(plots, layout), folder, name)
    }
}
