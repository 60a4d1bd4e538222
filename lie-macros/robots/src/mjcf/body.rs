//! Bodies and their joints.

use roxmltree::Node;

use super::classes::Element;
use super::compiler::{Compiler, FromGeoms};
use super::geometry::{Piece, piece, placed, together};
use super::within::{Placed, Reading};
use crate::check::inertial;
use crate::frame::{Frame, Rotation, direction, turned};
use crate::model::{Above, Inertial, Joint, Link, Motion};
use crate::xml::{Read, child, ensure_known, function, identifier, line, mistake, number, numbers, text};

/// The links, and how the file calls them and their joints.
pub(super) struct Tree<'a> {
    pub links: Vec<Link>,
    pub bodies: Vec<Option<&'a str>>,
    /// The name in the file and that in Rust.
    pub joints: Vec<(&'a str, String)>,
    /// The sites: name, link, and where it is there.
    pub sites: Vec<(&'a str, usize, Frame)>,
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

const SITE: [&str; 14] = [
    "name",
    "class",
    "type",
    "group",
    "material",
    "rgba",
    "size",
    "fromto",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
];

/// A body that is still to be read, and the link that it hangs on.
type Open<'a, 'i> = (Placed<'a, 'i>, usize);

/// The bodies of a file, in its order.
pub(super) fn read<'a>(worlds: &[Node<'a, 'a>], reading: Reading<'_, 'a>) -> Read<Tree<'a>> {
    let world = Link { name: "world".to_owned(), line: 0, inertial: None, above: None, start: None };
    let mut tree = Tree { links: vec![world], bodies: vec![Some("world")], joints: vec![], sites: vec![] };
    let mut open: Vec<Open> = vec![];
    for &node in worlds.iter().rev() {
        ensure_known(node, &["childclass"])?;
        let class = node.attribute("childclass");
        let all = reading.elements(node, class, &["body", "site"], &[], &["geom", "camera", "light"])?;
        sites(&all, 0, reading, &mut tree)?;
        open.extend(of("body", &all).rev().map(|below| (below, 0)));
    }
    while let Some((at, parent)) = open.pop() {
        let class = at.node.attribute("childclass").or(at.class);
        let elements = ["body", "joint", "freejoint", "geom", "site"];
        let all = reading.elements(at.node, class, &elements, &["inertial"], &["camera", "light"])?;
        let place = tree.links.len();
        let link = link(at, &all, parent, class, reading, &mut tree)?;
        tree.links.push(link);
        tree.bodies.push(at.node.attribute("name"));
        sites(&all, place, reading, &mut tree)?;
        open.extend(of("body", &all).rev().map(|below| (below, place)));
    }
    Ok(tree)
}

/// The elements of that name.
fn of<'s, 'a>(name: &'static str, all: &'s [Placed<'a, 'a>]) -> impl DoubleEndedIterator<Item = Placed<'a, 'a>> + 's {
    all.iter().copied().filter(move |at| at.node.has_tag_name(name))
}

/// The sites of a link that have names.
fn sites<'a>(all: &[Placed<'a, 'a>], link: usize, reading: Reading<'_, 'a>, tree: &mut Tree<'a>) -> Read<()> {
    for at in of("site", all) {
        let site = reading.classes.element(at.node, "site", at.class)?;
        site.ensure_known(&[&SITE[..], &["user"]].concat())?;
        let has_length = ["capsule", "cylinder", "ellipsoid", "box"].contains(&site.get("type").unwrap_or("sphere"));
        let (frame, _) = placed(&site, has_length, reading.compiler)?;
        if let Some(name) = at.node.attribute("name") {
            if tree.sites.iter().any(|(known, ..)| *known == name) {
                return mistake(at.node, format!("there are two sites `{name}`"), "rename one of them");
            }
            tree.sites.push((name, link, at.frame.then(frame)));
        }
    }
    Ok(())
}

/// One body.
fn link<'a>(
    at: Placed<'a, 'a>,
    all: &[Placed<'a, 'a>],
    parent: usize,
    class: Option<&'a str>,
    reading: Reading<'_, 'a>,
    tree: &mut Tree<'a>,
) -> Read<Link> {
    let Reading { compiler, classes, .. } = reading;
    let node = at.node;
    ensure_known(node, &BODY)?;
    classes.ensure(node, class)?;
    if node.attribute("mocap") == Some("true") {
        return mistake(node, "a body of motion capture has no equations", "remove `mocap`");
    }
    if numbers(node, "gravcomp", [0.0])? != [0.0] {
        return mistake(node, "`gravcomp` is not read", "remove it, and declare the force in the module");
    }
    let name = node.attribute("name").map_or_else(|| format!("body_{}", tree.links.len()), function);
    let place = at.frame.then(compiler.frame(node)?);
    let mut joints: Vec<Joint> = vec![];
    for at in all.iter().filter(|at| at.node.has_tag_name("joint") || at.node.has_tag_name("freejoint")) {
        let child = at.node;
        let free = child.has_tag_name("freejoint");
        let element = if free { Element { levels: vec![child] } } else { classes.element(child, "joint", at.class)? };
        let motion = if free { Motion::Floating } else { motion(&element, at.frame.rotation)? };
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
        joints.push(joint(&element, called, motion, at.frame, compiler)?);
    }
    let free = joints.iter().any(|joint| joint.motion == Motion::Floating);
    if free && (parent != 0 || joints.len() > 1) {
        let help = "a free joint is the only one of a body that stands in `worldbody`";
        return mistake(node, format!("`{name}` has a free joint among others"), help);
    }
    let above = Above { parent, place: if free { Frame::IDENTITY } else { place }, joints };
    let inertial = inertia(node, all, reading)?;
    Ok(Link { name, line: line(node), inertial, above: Some(above), start: free.then_some(place) })
}

/// How a joint moves whose axis a frame turns.
fn motion(joint: &Element, turn: Rotation) -> Read<Motion> {
    let kind = joint.get("type").unwrap_or("hinge");
    let axis = || {
        let at = joint.at("axis");
        direction(numbers(at, "axis", [0.0, 0.0, 1.0])?)
            .map_or_else(|| mistake(at, "an axis of length zero", "write a direction, axis=\"0 0 1\""), Ok)
            .map(|axis| turn.turned(axis))
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

fn joint(element: &Element, name: String, motion: Motion, frame: Frame, compiler: &Compiler) -> Read<Joint> {
    element.ensure_known(&JOINT)?;
    let value = |name: &str| numbers(element.at(name), name, [0.0]).map(|[value]| value);
    // Angles have the unit of the file, lengths have not.
    let turns = matches!(motion, Motion::Hinge(_) | Motion::Ball);
    let coordinate = |value: f64| if turns { compiler.angle(value) } else { value };
    if value("frictionloss")? != 0.0 {
        // MuJoCo's is a constraint whose force follows from all others, and no law of positions and velocities.
        let help = format!(
            "remove it, and declare in the module a law that is smooth, such as \
             `#[force(on = {name})] fn friction(v: &Velocity) -> f64 {{ -0.1 * (v.{name} / 0.01).tanh() }}`"
        );
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
        joint.anchor = frame.point(numbers(element.at("pos"), "pos", [0.0; 3])?);
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
fn inertia<'a>(node: Node<'a, 'a>, all: &[Placed<'a, 'a>], reading: Reading<'_, 'a>) -> Read<Option<Inertial>> {
    let Reading { compiler, classes, skipping } = reading;
    let nodes: Vec<Node> = all.iter().map(|at| at.node).collect();
    let given = child(&nodes, "inertial")?;
    let geoms: Vec<Placed> = of("geom", all).collect();
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
    for at in geoms {
        let found = piece(&classes.element(at.node, "geom", at.class)?, compiler)?;
        pieces.extend(found.map(|piece| piece.seen_from(at.frame)));
    }
    if !pieces.is_empty() {
        skipping.note("contacts of `geom`");
    }
    let Some(Piece { mass, center, moments }) = together(&pieces) else { return Ok(None) };
    inertial(node, Inertial { mass, center, moments, line: line(node) })
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
    let mass = number(node, "mass")?;
    inertial(node, Inertial { mass, center: frame.position, moments, line: line(node) })
}
