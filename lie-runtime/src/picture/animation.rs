//! Animations of lines, solids and arrows: one HTML file for any browser, without network access or libraries; SVG; or glTF.

use std::path::{Path, PathBuf};

use super::files::{extension, put, write};
use super::{Arrow, FigureError, MovingLine, Solid};

/// Moving lines, solids and arrows, with z upwards.
#[derive(Clone, Debug, Default)]
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
    /// The arrows.
    pub arrows: Vec<Arrow>,
    /// The initial speed, relative to the real time; without it, an SVG lasts 3 to 10 seconds.
    pub speed: Option<f64>,
}

impl Animation {
    /// Writes `folder/name.html`.
    ///
    /// # Errors
    /// [`FigureError`], as for [`check`](Self::check), or if the file cannot be written.
    #[doc(hidden)]
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        put(folder, name, "html", self.page()?.as_bytes())
    }

    /// Writes a page for browsers, `.html`, an animated picture without a script, `.svg`, or glTF 2.0: `.glb`, or `.gltf` with a separate
    /// file `.bin`. The SVG is smaller than 480 kB unless 12 frames are larger.
    ///
    /// # Errors
    /// [`FigureError`], as for [`check`](Self::check), or if a file cannot be written.
    pub fn save_as(&self, path: impl AsRef<Path>) -> Result<PathBuf, FigureError> {
        let path = path.as_ref();
        match extension(path, &["html", "svg", "glb", "gltf"])? {
            "html" => write(path, self.page()?.as_bytes()),
            "svg" => write(path, self.draw()?.as_bytes()),
            "glb" => write(path, &self.glb()?),
            _ => {
                let buffer = path.with_extension("bin");
                let name = buffer.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let (text, bytes) = self.gltf(&name)?;
                write(&buffer, &bytes)?;
                write(path, text.as_bytes())
            }
        }
    }

    /// Checks that there is something to show at each time, and that all values are finite.
    ///
    /// # Errors
    /// [`FigureError::Empty`], [`FigureError::NothingAnimated`] or [`FigureError::Frames`].
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), FigureError> {
        let frames = |label: &str, reason| Err(FigureError::Frames { label: label.to_owned(), reason });
        if self.times.is_empty() {
            return Err(FigureError::Empty);
        }
        if self.lines.is_empty() && self.solids.is_empty() && self.arrows.is_empty() {
            return Err(FigureError::NothingAnimated);
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
        for arrow in &self.arrows {
            if [&arrow.tails, &arrow.vectors].iter().any(|list| list.len() != self.times.len()) {
                return frames(&arrow.label, "an arrow must have a start and a vector in every frame");
            }
            if !arrow.tails.iter().chain(&arrow.vectors).flatten().all(|x| x.is_finite()) {
                return frames(&arrow.label, "a coordinate is not finite");
            }
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "pictures"))]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::picture::Shape;

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
            ..Animation::default()
        }
    }

    /// A rolling cylinder on a floor, with a force and a frame.
    fn wheel() -> Animation {
        let times: Vec<f64> = (0..=100).map(|k| 0.02 * f64::from(k)).collect();
        let pose = |t: &f64| {
            let turn = nalgebra::UnitQuaternion::from_axis_angle(&nalgebra::Vector3::y_axis(), *t);
            let upright =
                nalgebra::UnitQuaternion::from_axis_angle(&nalgebra::Vector3::x_axis(), core::f64::consts::FRAC_PI_2);
            nalgebra::Isometry3::from_parts(nalgebra::Translation3::new(*t, 0.0, 0.0), turn * upright)
        };
        let solid = |label: &str, style, shape: Shape, poses: Vec<nalgebra::Isometry3<f64>>| Solid {
            label: label.to_owned(),
            style,
            shape,
            poses,
        };
        let rest = times.iter().map(|_| nalgebra::Isometry3::translation(1.0, 0.0, -1.0)).collect();
        let weight = Arrow {
            label: "weight".to_owned(),
            style: 1,
            tails: times.iter().map(|t| [*t, 0.0, 0.0]).collect(),
            vectors: times.iter().map(|_| [0.0, 0.0, -0.6]).collect(),
        };
        Animation {
            title: "Wheel".to_owned(),
            eye: [-60.0, 20.0],
            solids: vec![
                solid("wheel", 0, Shape::Cylinder { radius: 1.0, length: 0.4 }, times.iter().map(pose).collect()),
                solid("axes", 6, Shape::Frame(1.4), times.iter().map(pose).collect()),
                solid("floor", 6, Shape::Plane([4.0, 2.0]), rest),
            ],
            arrows: vec![weight],
            times,
            ..Animation::default()
        }
    }

    #[test]
    fn an_animated_svg_has_a_group_for_each_frame_and_no_script() {
        let svg = wheel().draw().unwrap();
        assert!(svg.len() < 500_000 && !svg.contains("<script"), "{}", svg.len());
        // Two seconds last three; each frame is visible once in a period, and without animation the first one is visible.
        let groups = svg.matches(r#"<animate attributeName="display""#).count();
        assert_eq!((groups, svg.matches(r#"<g display="none">"#).count()), (75, 74));
        assert!(svg.contains(">weight</text>") && svg.contains(">axes</text>") && svg.contains(">t = 2.00 s</text>"));
        // At real speed.
        let fast = Animation { speed: Some(1.0), ..wheel() }.draw().unwrap();
        assert_eq!(fast.matches("<animate ").count(), 50);
        // Several balls: fewer frames instead of a larger file.
        let mut many = wheel();
        many.solids = (0..6).map(|_| Solid { shape: Shape::Ball(0.2), ..many.solids[0].clone() }).collect();
        let svg = many.draw().unwrap();
        assert!(svg.len() < 500_000 && svg.matches("<animate ").count() >= 12, "{}", svg.len());
    }

    #[test]
    fn a_page_has_faces_poses_and_arrows() {
        let page = wheel().page().unwrap();
        let film = page.split(r#"application/json">"#).nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
        let film: serde_json::Value = serde_json::from_str(film).unwrap();
        assert_eq!(film["solids"][0]["faces"].as_array().unwrap().len(), 18);
        assert_eq!(film["solids"][1]["axes"]["length"], json!(1.4));
        assert_eq!(film["solids"][2]["poses"][0], json!([1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0]));
        assert_eq!(film["arrows"][0]["vectors"][100], json!([0.0, 0.0, -0.6]));
        let mut short = wheel();
        short.arrows[0].tails.pop();
        assert!(matches!(short.page(), Err(FigureError::Frames { .. })));
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
        assert!(matches!(bare.page(), Err(FigureError::NothingAnimated)));
    }
}
