//! Drawing of figures, schematics and animations: SVG, pages for browsers, glTF, and tables of points.

mod animated;
mod animation_page;
mod axis;
mod canvas;
mod figure;
mod gltf;
mod json;
mod legend;
mod map;
mod mark;
mod mesh;
mod motion;
mod page;

mod panel;
mod schematic;
mod snapshots;
mod space;
mod table;
#[cfg(test)]
mod tests;
mod text;
