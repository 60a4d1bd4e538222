//! The page of an animation for browsers, with its player.

use super::json::{Json, object};
use super::text::escaped;
use crate::picture::solid::AXES;
use crate::picture::{Animation, COLOURS, FigureError, Shape};

/// The page; the placeholders `{{…}}` are replaced.
const PAGE: &str = include_str!("animation.html");
/// The player.
const SCRIPT: &str = include_str!("animation.js");
/// The number of significant digits of the largest coordinate; all coordinates have its resolution.
const DIGITS: f64 = 5.0;

impl Animation {
    /// Returns the page.
    ///
    /// # Errors
    /// [`FigureError`], as for [`check`](Self::check).
    #[doc(hidden)]
    pub fn page(&self) -> Result<String, FigureError> {
        self.check()?;
        let points = self.lines.iter().flat_map(|line| line.points.iter().flatten().copied());
        let places = self.solids.iter().flat_map(|solid| solid.poses.iter().map(|pose| pose.translation.vector.into()));
        let tails = self.arrows.iter().flat_map(|arrow| arrow.tails.iter().chain(&arrow.vectors).copied());
        let coordinates = points.chain(places).chain(tails).flatten();
        let sizes = self.solids.iter().map(|solid| solid.shape.extent());
        let largest = coordinates.chain(sizes).fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
        let unit = 10f64.powf(DIGITS - largest.log10().ceil());
        let short = |value: f64| (value * unit).round() / unit;
        let colour = |style: usize| COLOURS[style % COLOURS.len()];
        let points = |points: &[[f64; 3]]| -> Vec<[f64; 3]> { points.iter().map(|point| point.map(short)).collect() };
        let lines = self.lines.iter().map(|line| {
            let points: Vec<Vec<[f64; 3]>> = line.points.iter().map(|own| points(own)).collect();
            object([("colour", colour(line.style).into()), ("trail", line.trail.into()), ("points", points.into())])
        });
        let solids = self.solids.iter().map(|solid| {
            let faces = solid.shape.faces();
            let dark: Vec<bool> = (0..faces.len()).map(|face| solid.shape.is_dark(face)).collect();
            let faces: Vec<Vec<[f64; 3]>> = faces.iter().map(|face| points(face)).collect();
            let axes = match solid.shape {
                Shape::Frame(length) => object([("length", length.into()), ("colours", AXES.map(colour).into())]),
                _ => Json::Null,
            };
            let pose = |pose: &nalgebra::Isometry3<f64>| {
                let (place, turn) = (pose.translation.vector, pose.rotation.coords);
                let turn = turn.map(|x| (x * 1e5).round() / 1e5);
                [short(place.x), short(place.y), short(place.z), turn.x, turn.y, turn.z, turn.w]
            };
            object([
                ("label", solid.label.as_str().into()),
                ("colour", colour(solid.style).into()),
                ("open", solid.shape.is_open().into()),
                ("faces", faces.into()),
                ("dark", dark.into()),
                ("axes", axes),
                ("poses", solid.poses.iter().map(pose).collect::<Vec<_>>().into()),
            ])
        });
        let arrows = self.arrows.iter().map(|arrow| {
            let (tails, vectors) = (points(&arrow.tails), points(&arrow.vectors));
            object([("colour", colour(arrow.style).into()), ("tails", tails.into()), ("vectors", vectors.into())])
        });
        let times: Vec<f64> = self.times.iter().map(|time| (time * 1e6).round() / 1e6).collect();
        let film = object([
            ("eye", self.eye.map(f64::to_radians).into()),
            ("times", times.into()),
            ("speed", self.speed.unwrap_or(1.0).into()),
            ("lines", lines.collect::<Vec<_>>().into()),
            ("solids", solids.collect::<Vec<_>>().into()),
            ("arrows", arrows.collect::<Vec<_>>().into()),
        ]);
        // The data must not contain the end tag of the script element.
        let film = film.to_string().replace('<', "\\u003c");
        let lines = self.lines.iter().map(|line| (&line.label, line.style));
        let solids = self.solids.iter().map(|solid| (&solid.label, solid.style));
        let arrows = self.arrows.iter().map(|arrow| (&arrow.label, arrow.style));
        let mut legend = String::new();
        for (label, style) in lines.chain(solids).chain(arrows).filter(|(label, _)| !label.is_empty()) {
            legend += "<span class=\"key\" style=\"--colour: ";
            legend += colour(style);
            legend += "\">";
            legend += &escaped(label);
            legend += "</span>";
        }
        let fill = [
            ("{{title}}", escaped(&self.title)),
            ("{{legend}}", legend),
            ("{{script}}", SCRIPT.to_owned()),
            ("{{film}}", film),
        ];
        Ok(fill.iter().fold(PAGE.to_owned(), |page, (mark, text)| page.replace(mark, text)))
    }
}
