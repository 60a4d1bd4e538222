//! Figures of runs as SVG or PNG, and animations for browsers or in glTF format, for example for Blender.
//!
//! A figure of a run needs one line of code, [`run.plot(&system).lines(["energy", "position.z"]).save("run.svg")`](Plot). An animation
//! needs a few lines, starting with [`run.animate(&system)`](Film). Both use declared names. The module also exports their parts: panels
//! with a shared legend, maps, paths, snapshots, lines and moving solids.
//!
//! The colours are the palette of Okabe and Ito, which is suitable for colour-blind readers. Every series also has its own marker or line
//! width. Text uses a generic font family: an SVG does not depend on an installed font.
//!
//! PNG requires the feature `png`. Figures are written as tables of their points without the feature `plot`. Animations need no feature.

mod animation;
mod axis;
mod columns;
#[cfg(feature = "plot")]
mod drawing;
mod error;
mod files;
mod film;
mod gltf;
mod map;
mod mesh;
mod motion;
mod panel;
mod plot;
#[cfg(not(feature = "plot"))]
mod points;
mod save;
mod snapshots;
mod solid;
mod table;
#[cfg(test)]
mod tests;
mod triangle;

pub use animation::Animation;
pub use axis::Axis;
pub use error::FigureError;
pub use film::{Film, pose};
pub use map::HeatMap;
pub use motion::SpherePath;
pub use panel::{Band, COLOURS, Panel, Series, sizes_over_time};
pub use plot::Plot;
pub use save::{save, save_titled};
pub use snapshots::{Snapshot, Snapshots};
pub use solid::{MovingLine, Shape, Solid};
pub use triangle::Triangle;
