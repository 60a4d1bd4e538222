//! Inertia of bodies from the shapes of their geoms.

use std::f64::consts::PI;

use super::classes::Element;
use super::compiler::{Compiler, ORIENTATIONS, truth};
use super::within::Reading;
use crate::frame::{
    Frame, Moments, Rotation, Vector, direction, eigensystem, norm, of_point, plus, principal, rotated, symmetric,
    times,
};
use crate::xml::{Read, list, mistake, number, numbers};

/// A solid: volume, centre, and moments of inertia of a mass of one about the centre.
#[derive(Clone, Copy)]
pub(super) struct Solid {
    pub volume: f64,
    pub center: Vector,
    pub moments: Moments,
}

impl Solid {
    /// A solid whose centre is its origin, with its axes as principal axes.
    fn centered(volume: f64, [x, y, z]: Vector) -> Self {
        Self { volume, center: [0.0; 3], moments: [x, y, z, 0.0, 0.0, 0.0] }
    }

    fn of_box([a, b, c]: Vector) -> Self {
        let [x, y, z] = [a * a, b * b, c * c];
        Self::centered(8.0 * a * b * c, [(y + z) / 3.0, (x + z) / 3.0, (x + y) / 3.0])
    }

    fn of_ellipsoid([a, b, c]: Vector) -> Self {
        let [x, y, z] = [a * a, b * b, c * c];
        Self::centered(4.0 / 3.0 * PI * a * b * c, [(y + z) / 5.0, (x + z) / 5.0, (x + y) / 5.0])
    }

    fn of_cylinder(radius: f64, half: f64) -> Self {
        let (r, h) = (radius * radius, half * half);
        let across = 0.25 * r + h / 3.0;
        Self::centered(2.0 * PI * r * half, [across, across, 0.5 * r])
    }

    /// A cylinder and two halves of a sphere, whose centres have the distance 3 r / 8 from their faces.
    fn of_capsule(radius: f64, half: f64) -> Self {
        let middle = Self::of_cylinder(radius, half);
        let ends = 4.0 / 3.0 * PI * radius.powi(3);
        let volume = middle.volume + ends;
        let (m, n) = (middle.volume / volume, ends / volume);
        let along = 0.4 * radius * radius;
        let across = along + half * half + 0.75 * half * radius;
        let [x, _, z, ..] = middle.moments;
        Self::centered(volume, [m * x + n * across, m * x + n * across, m * z + n * along])
    }
}

/// A mass somewhere in a body.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub mass: f64,
    pub center: Vector,
    pub moments: Moments,
}

impl Piece {
    /// Expresses the mass in the frame around its own frame.
    pub fn in_frame(self, frame: Frame) -> Self {
        Self { center: frame.point(self.center), moments: rotated(self.moments, frame.rotation), ..self }
    }
}

/// The frame of a geom or a site, and half its length if `fromto` gives its ends.
pub(super) fn placed(element: &Element, has_length: bool, compiler: &Compiler) -> Read<(Frame, Option<f64>)> {
    let own = element.node();
    let is_placed = ["pos"].iter().chain(&ORIENTATIONS).any(|name| own.has_attribute(*name));
    if !(has_length && element.get("fromto").is_some() && (own.has_attribute("fromto") || !is_placed)) {
        let position = numbers(element.at("pos"), "pos", [0.0; 3])?;
        return Ok((Frame { rotation: compiler.rotation(&element.levels)?, position }, None));
    }
    // The ends of its third axis: position, orientation and length at once.
    let [a, b, c, d, e, f] = numbers(element.at("fromto"), "fromto", [0.0; 6])?;
    let (from, to) = ([a, b, c], [d, e, f]);
    let way = plus(to, times(-1.0, from));
    let Some(axis) = direction(way) else {
        return mistake(element.at("fromto"), "`fromto` ends where it begins", "write two points");
    };
    let frame = Frame { rotation: Rotation::of_third_axis(axis), position: plus(from, times(0.5, way)) };
    Ok((frame, Some(0.5 * norm(way))))
}

const GEOM: [&str; 19] = [
    "name",
    "class",
    "type",
    "group",
    "size",
    "mass",
    "density",
    "shellinertia",
    "contype",
    "conaffinity",
    "fromto",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "mesh",
    "fitscale",
];
const GEOM_IGNORED: [&str; 17] = [
    "adhesion",
    "condim",
    "fluidcoef",
    "fluidshape",
    "friction",
    "gap",
    "hfield",
    "margin",
    "material",
    "priority",
    "rgba",
    "solimp",
    "solmix",
    "solref",
    "surfacevel",
    "user",
    "castshadow",
];

/// Checks the attributes of a geom and returns whether it can collide with others.
pub(super) fn collides(geom: &Element, reading: Reading) -> Read<bool> {
    geom.attributes(&GEOM, &GEOM_IGNORED, reading.skipping)?;
    for name in ["contype", "conaffinity"] {
        if numbers(geom.at(name), name, [1.0])? != [0.0] {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The contribution of a geom to the inertia of its body.
pub(super) fn piece(geom: &Element, reading: Reading) -> Read<Option<Piece>> {
    let compiler = reading.compiler;
    let [group] = numbers(geom.at("group"), "group", [0.0])?;
    let given = geom.get("mass").map(|_| number(geom.at("mass"), "mass")).transpose()?;
    let [density] = numbers(geom.at("density"), "density", [1000.0])?;
    if let Some((bad, name)) = given.map(|mass| (mass, "mass")).or(Some((density, "density"))).filter(|(x, _)| *x < 0.0)
    {
        return mistake(geom.at(name), format!("a {name} of {bad}"), "write a positive number");
    }
    let weightless = given.map_or(density == 0.0, |mass| mass == 0.0);
    if weightless || !(compiler.groups[0]..=compiler.groups[1]).contains(&group) {
        return Ok(None);
    }
    if truth(geom.at("shellinertia"), "shellinertia", false)? {
        let help = "give the body an `inertial`";
        return mistake(geom.at("shellinertia"), "the inertia of a shell is not computed", help);
    }
    let shape = geom.get("type").unwrap_or("sphere");
    let (needed, has_length) = match shape {
        "sphere" => (1, false),
        "capsule" | "cylinder" => (2, true),
        "box" | "ellipsoid" => (3, true),
        "mesh" => (0, false),
        "plane" | "hfield" => return Ok(None),
        other => {
            let help =
                "give the body an `inertial`, as MuJoCo's own `mj_saveLastXML` writes it, or the geom mass=\"0\"";
            return mistake(geom.node(), format!("the inertia of a `{other}` is not computed"), help);
        }
    };
    if let Some(mesh) = geom.get("mesh").filter(|_| shape != "mesh") {
        let help = "give the body an `inertial`, or the geom mass=\"0\"";
        return mistake(
            geom.node(),
            format!("the inertia of a {shape} that is fitted to the mesh `{mesh}` is not computed"),
            help,
        );
    }
    let mut size = list(geom.at("size"), "size")?;
    let (frame, half) = placed(geom, has_length, compiler)?;
    match (half, needed, size.first().copied()) {
        (Some(half), 2, Some(radius)) => size = vec![radius, half],
        (Some(half), 3, Some(first)) => size = vec![first, first, half],
        _ => {}
    }
    if size.len() < needed || size[..needed].iter().any(|&x| x <= 0.0) {
        let message = format!("a {shape} needs {needed} positive numbers as its `size`");
        return mistake(geom.at("size"), message, "write them as radius and half lengths");
    }
    let solid = match (shape, &size[..]) {
        ("sphere", &[r, ..]) => Solid::of_ellipsoid([r; 3]),
        ("capsule", &[r, half, ..]) => Solid::of_capsule(r, half),
        ("cylinder", &[r, half, ..]) => Solid::of_cylinder(r, half),
        ("box", &[a, b, c, ..]) => Solid::of_box([a, b, c]),
        ("mesh", _) => reading.meshes.solid(geom, compiler, reading.skipping)?,
        (_, &[a, b, c, ..]) => Solid::of_ellipsoid([a, b, c]),
        _ => return Ok(None),
    };
    let mass = given.unwrap_or(density * solid.volume);
    let moments = rotated(solid.moments.map(|moment| mass * moment), frame.rotation);
    Ok(Some(Piece { mass, center: frame.point(solid.center), moments }))
}

/// Moments of inertia with principal values of at least `least`, about the same axes.
pub(super) fn raised(moments: Moments, least: f64) -> Moments {
    if principal(moments)[0] >= least {
        return moments;
    }
    let (values, axes) = eigensystem(symmetric(moments));
    rotated([values[0].max(least), values[1].max(least), values[2].max(least), 0.0, 0.0, 0.0], Rotation::of_axes(axes))
}

/// All pieces as one: the common centre, and moments about it.
pub(super) fn together(pieces: &[Piece]) -> Option<Piece> {
    let mass: f64 = pieces.iter().map(|piece| piece.mass).sum();
    if mass == 0.0 {
        return None;
    }
    let center = pieces.iter().fold([0.0; 3], |sum, piece| plus(sum, times(piece.mass / mass, piece.center)));
    let mut moments = [0.0; 6];
    for piece in pieces {
        let away = of_point(piece.mass, plus(piece.center, times(-1.0, center)));
        for (sum, (own, away)) in moments.iter_mut().zip(piece.moments.iter().zip(away)) {
            *sum += own + away;
        }
    }
    Some(Piece { mass, center, moments })
}
