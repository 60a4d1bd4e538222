//! Bodies and their joints.

use roxmltree::Node;

use super::classes::{Classes, Element};
use super::compiler::{Compiler, FromGeoms};
use super::geometry::{Piece, piece, together};
use crate::check::inertial;
use crate::frame::{Frame, direction, turned};
use crate::model::{Above, Inertial, Joint, Link, Motion};
use crate::xml::{Read, Skipping, child, ensure_known, function, identifier, line, mistake, number, numbers, text};

/// The links, and how the file calls them and their joints.
pub(super) struct Tree<'a> {
    pub links: Vec<Link>,
    pub bodies: Vec<Option<&'a str>>,
    /// The name in the file and that in Rust.
    pub joints: Vec<(&'a str, String)>,
}

const BODY: [&str; 12] = [
    "name",
    "childclass",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "mocap",
    "gravcomp",
    "user",
    "sleep",
];
const JOINT: [&str; 25] = [
    "name",
    "class",
    "type",
    "group",
    "pos",
    "axis",
    "springdamper",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "stiffness",
    "range",
    "limited",
    "actuatorfrclimited",
    "actuatorfrcrange",
    "actuatorgravcomp",
    "margin",
    "ref",
    "springref",
    "armature",
    "damping",
    "frictionloss",
    "user",
    "align",
];
const INERTIAL: [&str; 9] =
    ["pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mass", "diaginertia", "fullinertia"];

/// A body that is still to be read: its node, the link that it hangs on, and the class of its elements.
type Open<'a, 'i> = (Node<'a, 'i>, usize, Option<&'a str>);

/// The bodies of a file, in its order.
pub(super) fn read<'a>(
    worlds: &[Node<'a, 'a>],
    compiler: &Compiler,
    classes: &Classes<'a, 'a>,
    skipping: &Skipping,
) -> Read<Tree<'a>> {
    let world = Link { name: "world".to_owned(), line: 0, inertial: None, above: None, start: None };
    let mut tree = Tree { links: vec![world], bodies: vec![Some("world")], joints: vec![] };
    let mut open: Vec<Open> = vec![];
    for &node in worlds.iter().rev() {
        ensure_known(node, &["childclass"])?;
        let all = skipping.children(node, &["body"], &["geom", "site", "camera", "light"])?;
        open.extend(all.into_iter().rev().map(|below| (below, 0, node.attribute("childclass"))));
    }
    while let Some((node, parent, childclass)) = open.pop() {
        let class = node.attribute("childclass").or(childclass);
        let all = skipping.children(
            node,
            &["body", "joint", "freejoint", "inertial", "geom"],
            &["site", "camera", "light"],
        )?;
        let place = tree.links.len();
        let link = link(node, &all, parent, class, (compiler, classes, skipping), &mut tree)?;
        tree.links.push(link);
        tree.bodies.push(node.attribute("name"));
        open.extend(
            all.into_iter().rev().filter(|child| child.has_tag_name("body")).map(|below| (below, place, class)),
        );
    }
    Ok(tree)
}

/// One body.
fn link<'a>(
    node: Node<'a, 'a>,
    all: &[Node<'a, 'a>],
    parent: usize,
    class: Option<&'a str>,
    (compiler, classes, skipping): (&Compiler, &Classes<'a, 'a>, &Skipping),
    tree: &mut Tree<'a>,
) -> Read<Link> {
    ensure_known(node, &BODY)?;
    classes.ensure(node, class)?;
    if node.attribute("mocap") == Some("true") {
        return mistake(node, "a body of motion capture has no equations", "remove `mocap`");
    }
    if numbers(node, "gravcomp", [0.0])? != [0.0] {
        return mistake(node, "`gravcomp` is not read", "remove it, and declare the force in the module");
    }
    let name = node.attribute("name").map_or_else(|| format!("body_{}", tree.links.len()), function);
    let place = compiler.frame(node)?;
    let mut joints: Vec<Joint> = vec![];
    for &child in all.iter().filter(|child| child.has_tag_name("joint") || child.has_tag_name("freejoint")) {
        let free = child.has_tag_name("freejoint");
        let element = if free { Element { levels: vec![child] } } else { classes.element(child, "joint", class)? };
        let motion = if free { Motion::Floating } else { motion(&element)? };
        let called = match child.attribute("name") {
            Some(name) => identifier(name),
            None => (1..=joints.len() + 1)
                .map(|number| format!("{name}_joint{}", if number == 1 { String::new() } else { format!("_{number}") }))
                .find(|free| joints.iter().all(|joint| joint.name != *free))
                .unwrap_or_default(),
        };
        if let Some(name) = child.attribute("name") {
            tree.joints.push((name, called.clone()));
        }
        joints.push(joint(&element, called, motion, compiler)?);
    }
    let free = joints.iter().any(|joint| joint.motion == Motion::Floating);
    if free && (parent != 0 || joints.len() > 1) {
        let help = "a free joint is the only one of a body that stands in `worldbody`";
        return mistake(node, format!("`{name}` has a free joint among others"), help);
    }
    let above = Above { parent, place: if free { Frame::IDENTITY } else { place }, joints };
    let inertial = of(node, all, class, (compiler, classes, skipping))?;
    Ok(Link { name, line: line(node), inertial, above: Some(above), start: free.then_some(place) })
}

fn motion(joint: &Element) -> Read<Motion> {
    let kind = joint.get("type").unwrap_or("hinge");
    let axis = || {
        let at = joint.at("axis");
        direction(numbers(at, "axis", [0.0, 0.0, 1.0])?)
            .map_or_else(|| mistake(at, "an axis of length zero", "write a direction, axis=\"0 0 1\""), Ok)
    };
    match kind {
        "hinge" => Ok(Motion::Hinge(axis()?)),
        "slide" => Ok(Motion::Slide(axis()?)),
        "ball" => Ok(Motion::Ball),
        "free" => Ok(Motion::Floating),
        other => {
            let help = "joints are hinge, slide, ball or free";
            mistake(joint.at("type"), format!("a joint of the type `{other}` is not understood"), help)
        }
    }
}

fn joint(element: &Element, name: String, motion: Motion, compiler: &Compiler) -> Read<Joint> {
    element.ensure_known(&JOINT)?;
    let value = |name: &str| numbers(element.at(name), name, [0.0]).map(|[value]| value);
    // Angles have the unit of the file, lengths have not.
    let turns = matches!(motion, Motion::Hinge(_) | Motion::Ball);
    let coordinate = |value: f64| if turns { compiler.angle(value) } else { value };
    if value("frictionloss")? != 0.0 {
        let help = "remove it, and declare the friction that is meant as a `#[force(on = …)]` in the module";
        return mistake(element.at("frictionloss"), "`frictionloss` has no law here", help);
    }
    if numbers(element.at("springdamper"), "springdamper", [0.0; 2])? != [0.0; 2] {
        let help = "write what it makes: `stiffness` and `damping`";
        return mistake(element.at("springdamper"), "`springdamper` is not read", help);
    }
    if element.get("align") == Some("true") {
        return mistake(element.at("align"), "`align` changes what a frame is", "write align=\"false\"");
    }
    let mut joint = Joint::new(name, line(element.node()), motion);
    for (place, name) in
        [(&mut joint.damping, "damping"), (&mut joint.stiffness, "stiffness"), (&mut joint.armature, "armature")]
    {
        *place = value(name)?;
        if *place < 0.0 {
            return mistake(element.at(name), format!("`{name}` of {place}"), "write a positive number");
        }
    }
    if motion == Motion::Floating && joint.stiffness != 0.0 {
        let help = "declare the spring as a `#[potential]` in the module";
        return mistake(element.at("stiffness"), "the spring of a free joint is not read", help);
    }
    if motion.is_number() {
        joint.reference = coordinate(value("ref")?);
        joint.ease = coordinate(value("springref")?);
    }
    if matches!(motion, Motion::Hinge(_) | Motion::Ball) {
        joint.anchor = numbers(element.at("pos"), "pos", [0.0; 3])?;
    }
    let range = numbers(element.at("range"), "range", [0.0; 2])?;
    let at = element.at("range");
    let limited = match element.get("limited").unwrap_or("auto") {
        "true" => true,
        "false" => false,
        "auto" if range == [0.0; 2] => false,
        "auto" if compiler.autolimits => true,
        "auto" => {
            let help = "write limited=\"true\" or \"false\"; autolimits=\"false\" leaves that open";
            return mistake(at, "`range` without `limited`", help);
        }
        other => {
            let help = "write `true`, `false` or `auto`";
            return mistake(element.at("limited"), format!("`limited=\"{other}\"` is not understood"), help);
        }
    };
    if limited && range[0] >= range[1] {
        let message = format!("limits from {} to {}", range[0], range[1]);
        return mistake(at, message, "write the lower one first, range=\"-1 1\"");
    }
    joint.limits = (limited && motion != Motion::Floating).then(|| range.map(coordinate));
    Ok(joint)
}

/// The inertia of a body: as it is given, or of its geoms.
fn of<'a>(
    node: Node<'a, 'a>,
    all: &[Node<'a, 'a>],
    class: Option<&'a str>,
    (compiler, classes, skipping): (&Compiler, &Classes<'a, 'a>, &Skipping),
) -> Read<Option<Inertial>> {
    let given = child(all, "inertial")?;
    let geoms: Vec<Node> = all.iter().copied().filter(|child| child.has_tag_name("geom")).collect();
    if let Some(given) = given.filter(|_| compiler.from_geoms != FromGeoms::Always || geoms.is_empty()) {
        if !geoms.is_empty() {
            skipping.note("`geom`");
        }
        return declared(given, compiler);
    }
    if compiler.from_geoms == FromGeoms::Never {
        return Ok(None);
    }
    let mut pieces: Vec<Piece> = vec![];
    for geom in geoms {
        pieces.extend(piece(&classes.element(geom, "geom", class)?, compiler)?);
    }
    if !pieces.is_empty() {
        skipping.note("contacts of `geom`");
    }
    let Some(Piece { mass, center, moments }) = together(&pieces) else { return Ok(None) };
    inertial(node, Inertial { mass, center, moments })
}

/// What an `inertial` says.
fn declared(node: Node, compiler: &Compiler) -> Read<Option<Inertial>> {
    ensure_known(node, &INERTIAL)?;
    text(node, "pos")?;
    let frame = compiler.frame(node)?;
    let moments = if node.has_attribute("fullinertia") {
        if let Some(other) = INERTIAL[1..6].iter().chain(&["diaginertia"]).find(|name| node.has_attribute(**name)) {
            let help = "`fullinertia` is in the axes of the body and is all there is";
            return mistake(node, format!("`fullinertia` and `{other}`"), help);
        }
        numbers(node, "fullinertia", [0.0; 6])?
    } else {
        let [x, y, z] = numbers(node, "diaginertia", [0.0; 3])?;
        turned([x, y, z, 0.0, 0.0, 0.0], frame.rotation)
    };
    inertial(node, Inertial { mass: number(node, "mass")?, center: frame.position, moments })
}
