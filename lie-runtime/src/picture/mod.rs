//! Figures of runs as SVG or PNG, and animations for browsers or in glTF format, for example for Blender.
//!
//! A figure of a run needs one line of code, [`run.plot().lines(["energy", "position.z"]).save("run.svg")`](Plot). An animation
//! needs a few lines, starting with [`run.animate()`](Film). Both use declared names. The module also exports their parts:
//! [figures](Figure) of panels with legends, maps, paths, snapshots, lines and moving solids.
//!
//! The colours are the palette of Okabe and Ito, which is suitable for colour-blind readers. Every series also has its own shape of
//! markers. A figure is 800 pixels wide and shrinks to the width of a page. Text uses a generic font family: an SVG does not depend on an
//! installed font. Each figure stores a digest of its points, so that a test can find figures that are older than their data.
//!
//! Drawing requires the feature `pictures`, and PNG the feature `png`. Without them, the methods return an error that names the feature.

mod animation;
mod axis;
#[cfg(feature = "pictures")]
mod drawing;
mod error;
mod figure;
mod files;
mod film;
mod map;
mod mechanism;
mod motion;
#[cfg(not(feature = "pictures"))]
mod not_drawn;
mod panel;
mod plot;
#[cfg(feature = "png")]
mod png;
mod save;
mod schematic;
mod snapshots;
mod solid;
#[cfg(all(test, feature = "pictures"))]
mod tests;
mod triangle;
mod triangle_mesh;

pub use animation::Animation;
pub use axis::Axis;
pub use error::FigureError;
pub use figure::Figure;
pub use film::{Film, pose};
pub use map::HeatMap;
pub use motion::SpherePath;
pub use panel::{Band, COLOURS, EventMark, Marker, Note, Panel, Series, Stroke, sizes_over_time};
pub use plot::Plot;
pub use save::{save, save_titled};
pub use schematic::{DrawSchematic, Schematic};
pub use snapshots::{Snapshot, Snapshots};
pub use solid::{Arrow, MovingLine, Shape, Solid};
pub use triangle::Triangle;
pub use triangle_mesh::TriangleMesh;
