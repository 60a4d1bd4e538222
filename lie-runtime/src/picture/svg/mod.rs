//! SVG documents: elements, and the widths and line breaks of texts.

pub(super) mod canvas;
pub(super) mod text;
