//! Animations of lines and solids in one HTML file, for any browser, without network access or libraries.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::files::{extension, put, write};
use super::{COLOURS, FigureError, MovingLine, Solid};

/// The page; the placeholders `{{…}}` are replaced.
const PAGE: &str = include_str!("animation.html");
/// The player.
const SCRIPT: &str = include_str!("animation.js");
/// The number of significant digits of the largest coordinate; all coordinates have its resolution.
const DIGITS: f64 = 5.0;

/// Moving lines and solids, with z upwards.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The title.
    pub title: String,
    /// Azimuth and elevation of the viewpoint, in degrees.
    pub eye: [f64; 2],
    /// The times of the frames, in s, increasing.
    pub times: Vec<f64>,
    /// The lines; each has a constant number of points.
    pub lines: Vec<MovingLine>,
    /// The solids.
    pub solids: Vec<Solid>,
}

impl Animation {
    /// Writes `folder/name.html`.
    ///
    /// # Errors
    /// [`FigureError`], as for [`check`](Self::check), or if the file cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        put(folder, name, "html", self.page()?.as_bytes())
    }

    /// Writes a page for browsers, `.html`, or [glTF](Self::save_as) 2.0: `.glb`, or `.gltf` with a separate file `.bin`.
    ///
    /// # Errors
    /// [`FigureError`], as for [`check`](Self::check), or if a file cannot be written.
    pub fn save_as(&self, path: impl AsRef<Path>) -> Result<PathBuf, FigureError> {
        let path = path.as_ref();
        match extension(path, &["html", "glb", "gltf"])? {
            "html" => write(path, self.page()?.as_bytes()),
            "glb" => write(path, &self.gltf()?.binary()),
            _ => {
                let buffer = path.with_extension("bin");
                let name = buffer.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let (text, bytes) = self.gltf()?.separate(&name);
                write(&buffer, &bytes)?;
                write(path, text.as_bytes())
            }
        }
    }

    /// Checks that there is something to show at each time, and that all values are finite.
    ///
    /// # Errors
    /// [`FigureError::Empty`] or [`FigureError::Frames`].
    pub fn check(&self) -> Result<(), FigureError> {
        let frames = |label: &str, reason| Err(FigureError::Frames { label: label.to_owned(), reason });
        if self.times.is_empty() || (self.lines.is_empty() && self.solids.is_empty()) {
            return Err(FigureError::Empty);
        }
        let is_in_order = self.times.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_in_order || !self.times.iter().all(|time| time.is_finite()) {
            return frames(&self.title, "the times of frames must be finite and increasing");
        }
        for line in &self.lines {
            let count = line.points.first().map_or(0, Vec::len);
            if line.points.len() != self.times.len() || count == 0 || line.points.iter().any(|own| own.len() != count) {
                return frames(
                    &line.label,
                    "a line must have points in every frame, and their number must be constant",
                );
            }
            if line.trail.is_some_and(|point| point >= count) {
                return frames(&line.label, "the index of the trail is not a point of the line");
            }
            if !line.points.iter().flatten().flatten().all(|x| x.is_finite()) {
                return frames(&line.label, "a coordinate is not finite");
            }
        }
        for solid in &self.solids {
            if solid.poses.len() != self.times.len() {
                return frames(&solid.label, "a solid must have a pose in every frame");
            }
            let is_finite = |pose: &nalgebra::Isometry3<f64>| {
                pose.translation.vector.iter().chain(pose.rotation.coords.iter()).all(|x| x.is_finite())
            };
            if !solid.poses.iter().all(is_finite) {
                return frames(&solid.label, "a pose is not finite");
            }
            if !(solid.shape.extent() > 0.0 && solid.shape.extent().is_finite()) {
                return frames(&solid.label, "its size must be positive and finite");
            }
        }
        Ok(())
    }

    /// Returns the page.
    ///
    /// # Errors
    /// [`FigureError`], as for [`check`](Self::check).
    pub fn page(&self) -> Result<String, FigureError> {
        self.check()?;
        let solids = self.solids.iter().flat_map(Solid::lines);
        let all: Vec<MovingLine> = self.lines.iter().cloned().chain(solids).collect();
        let coordinates = || all.iter().flat_map(|line| line.points.iter().flatten().flatten());
        let largest = coordinates().fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
        let unit = 10f64.powf(DIGITS - largest.log10().ceil());
        let short = |value: f64| (value * unit).round() / unit;
        let lines: Vec<serde_json::Value> = all
            .iter()
            .enumerate()
            .map(|(number, line)| {
                let points: Vec<Vec<[f64; 3]>> =
                    line.points.iter().map(|points| points.iter().map(|point| point.map(short)).collect()).collect();
                // The corners of solids are not joints.
                let has_joints = number < self.lines.len();
                let colour = COLOURS[line.style % COLOURS.len()];
                json!({ "colour": colour, "trail": line.trail, "joints": has_joints, "points": points })
            })
            .collect();
        let times: Vec<f64> = self.times.iter().map(|time| (time * 1e6).round() / 1e6).collect();
        let eye = self.eye.map(f64::to_radians);
        // The data must not contain the end tag of the script element.
        let film = json!({ "eye": eye, "times": times, "lines": lines }).to_string().replace('<', "\\u003c");
        let mut legend = String::new();
        for line in all.iter().filter(|line| !line.label.is_empty()) {
            legend += "<span class=\"key\" style=\"--colour: ";
            legend += COLOURS[line.style % COLOURS.len()];
            legend += "\">";
            legend += &escaped(&line.label);
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

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn animation() -> Animation {
        let line = MovingLine {
            label: "rod </script>".to_owned(),
            style: 0,
            trail: Some(1),
            points: vec![vec![[0.0; 3], [1.0, 0.0, 0.0]], vec![[0.0; 3], [0.0, 12.345_678_9, -1.0]]],
        };
        Animation {
            title: "a < b".to_owned(),
            eye: [30.0, 20.0],
            times: vec![0.0, 0.5],
            lines: vec![line],
            solids: vec![],
        }
    }

    #[test]
    fn a_page_needs_nothing_from_elsewhere() {
        let page = animation().page().unwrap();
        assert!(!page.contains("{{") && !page.contains("http") && !page.contains("src="), "{page}");
        assert!(page.contains("<title>a &lt; b</title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        let film = page.split(r#"application/json">"#).nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
        let film: serde_json::Value = serde_json::from_str(film).unwrap();
        assert_eq!(film["times"], json!([0.0, 0.5]));
        assert_eq!(film["lines"][0]["points"][1][1], json!([0.0, 12.346, -1.0]));
    }

    #[test]
    fn frames_that_do_not_fit_are_refused() {
        let mut short = animation();
        short.times.push(1.0);
        assert!(matches!(short.page(), Err(FigureError::Frames { .. })));
        let mut torn = animation();
        torn.lines[0].points[1].pop();
        assert!(matches!(torn.page(), Err(FigureError::Frames { .. })));
        let mut lost = animation();
        lost.lines[0].points[1][0][2] = f64::NAN;
        assert!(matches!(lost.page(), Err(FigureError::Frames { .. })));
        let mut bare = animation();
        bare.lines.clear();
        assert!(matches!(bare.page(), Err(FigureError::Empty)));
    }
}
