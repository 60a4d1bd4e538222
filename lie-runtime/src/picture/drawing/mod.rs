//! Drawing of figures as SVG.

mod animated;
mod axis;
pub(super) mod figure;
mod legend;
mod map;
mod mark;
mod motion;
pub(super) mod page;
mod panel;
mod snapshots;
pub(super) mod space;
#[cfg(test)]
mod tests;
