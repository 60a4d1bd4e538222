//! XML → [`Robot`]: what a URDF says about mechanics.
//!
//! Invariant: links come in an order in which each is after the one it hangs on; what is not understood is an error with its line.
//! How things look and touch (`visual`, `collision`, `material`), and what other programs read (`gazebo`, `transmission`,
//! `calibration`, `safety_controller`), says nothing about how they move.

use roxmltree::{Document, Node};

use super::Mistake;

/// Where a frame is in another one: position, and roll, pitch and yaw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Origin {
    pub position: [f64; 3],
    pub angles: [f64; 3],
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inertial {
    pub origin: Origin,
    pub mass: f64,
    /// xx, xy, xz, yy, yz, zz about the centre of mass.
    pub moments: [f64; 6],
}

/// A link and what it hangs on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    /// As it is called in Rust.
    pub name: String,
    pub inertial: Option<Inertial>,
    /// None of the root.
    pub joint: Option<Joint>,
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Fixed,
    Hinge,
    Slide,
    Planar,
    Floating,
}

/// The coordinate of another joint that a joint follows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joint {
    pub name: String,
    pub motion: Motion,
    /// The place of the link that it hangs on in the list.
    pub parent: usize,
    pub origin: Origin,
    /// Of length one.
    pub axis: [f64; 3],
    pub damping: f64,
    /// Lower and upper.
    pub limits: Option<[f64; 2]>,
    pub effort: Option<f64>,
    pub speed: Option<f64>,
    pub mimic: Option<Mimic>,
}

/// A robot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Robot {
    pub name: String,
    pub links: Vec<Link>,
}

type Read<T> = Result<T, Mistake>;

fn mistake<T>(node: Node, message: impl Into<String>, help: impl Into<String>) -> Read<T> {
    let line = node.document().text_pos_at(node.range().start).row;
    Err(Mistake { line, message: message.into(), help: help.into() })
}

/// The elements in a node, all of which have to be known.
fn children<'a, 'i>(node: Node<'a, 'i>, known: &[&str]) -> Read<Vec<Node<'a, 'i>>> {
    let elements: Vec<Node> = node.children().filter(Node::is_element).collect();
    match elements.iter().find(|child| !known.contains(&child.tag_name().name())) {
        Some(child) => mistake(
            *child,
            format!("`{}` is not understood in `{}`", child.tag_name().name(), node.tag_name().name()),
            format!("known are {}; declare in the module what else there is", known.join(", ")),
        ),
        None => Ok(elements),
    }
}

/// The one element of that name, if there is one.
fn child<'a, 'i>(all: &[Node<'a, 'i>], name: &str) -> Read<Option<Node<'a, 'i>>> {
    let mut found = all.iter().filter(|child| child.has_tag_name(name));
    match (found.next(), found.next()) {
        (_, Some(second)) => mistake(*second, format!("`{name}` is given twice"), "remove one of them"),
        (first, None) => Ok(first.copied()),
    }
}

/// An attribute that has to be there.
fn text<'a>(node: Node<'a, '_>, name: &str) -> Read<&'a str> {
    match node.attribute(name) {
        Some(text) => Ok(text),
        None => {
            let tag = node.tag_name().name();
            mistake(node, format!("`{tag}` has no `{name}`"), format!("write <{tag} {name}=\"…\">"))
        }
    }
}

fn numbers<const N: usize>(node: Node, name: &str, default: [f64; N]) -> Read<[f64; N]> {
    let Some(text) = node.attribute(name) else { return Ok(default) };
    let parsed: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    let parsed = parsed.filter(|all| all.iter().all(|number| number.is_finite()));
    match parsed.and_then(|all| <[f64; N]>::try_from(all).ok()) {
        Some(numbers) => Ok(numbers),
        None => {
            let many = if N == 1 { "a number".to_owned() } else { format!("{N} numbers") };
            mistake(node, format!("`{name}=\"{text}\"` is not {many}"), "write them in decimals, with spaces between")
        }
    }
}

fn number(node: Node, name: &str) -> Read<f64> {
    text(node, name)?;
    numbers(node, name, [0.0]).map(|[number]| number)
}

fn optional(node: Option<Node>, name: &str) -> Read<Option<f64>> {
    match node.filter(|node| node.has_attribute(name)) {
        Some(node) => number(node, name).map(Some),
        None => Ok(None),
    }
}

fn origin(all: &[Node]) -> Read<Origin> {
    let Some(node) = child(all, "origin")? else { return Ok(Origin::default()) };
    Ok(Origin { position: numbers(node, "xyz", [0.0; 3])?, angles: numbers(node, "rpy", [0.0; 3])? })
}

/// A name as Rust has it: `FL_hip-joint` becomes `fl_hip_joint`.
fn identifier(node: Node) -> Read<String> {
    let name = text(node, "name")?;
    let mut written: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if !written.starts_with(|c: char| c.is_ascii_alphabetic()) {
        written.insert_str(0, "the_");
    }
    if syn::parse_str::<syn::Ident>(&written).is_err() {
        written.push('_');
    }
    Ok(written)
}

fn inertial(node: Node) -> Read<Inertial> {
    let all = children(node, &["origin", "mass", "inertia"])?;
    let Some(mass) = child(&all, "mass")? else {
        return mistake(node, "`inertial` has no `mass`", "write <mass value=\"…\"/>");
    };
    let value = number(mass, "value")?;
    if value <= 0.0 {
        return mistake(mass, format!("a mass of {value}"), "a link without mass has no `inertial`");
    }
    let mut moments = [0.0; 6];
    if let Some(inertia) = child(&all, "inertia")? {
        for (moment, name) in moments.iter_mut().zip(["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]) {
            *moment = numbers(inertia, name, [0.0])?[0];
        }
    }
    Ok(Inertial { origin: origin(&all)?, mass: value, moments })
}

/// A joint, with the names of the links that it joins.
fn joint<'a>(node: Node<'a, '_>) -> Read<(Joint, &'a str, &'a str)> {
    let known = ["origin", "parent", "child", "axis", "dynamics", "limit", "mimic", "calibration", "safety_controller"];
    let all = children(node, &known)?;
    let motion = match text(node, "type")? {
        "revolute" | "continuous" => Motion::Hinge,
        "prismatic" => Motion::Slide,
        "fixed" => Motion::Fixed,
        "floating" => Motion::Floating,
        "planar" => Motion::Planar,
        other => {
            let help = "joints are revolute, continuous, prismatic, planar, floating or fixed";
            return mistake(node, format!("a joint of the type `{other}` is not understood"), help);
        }
    };
    let end = |name: &str| match child(&all, name)? {
        Some(end) => text(end, "link"),
        None => mistake(node, format!("the joint has no `{name}`"), format!("write <{name} link=\"…\"/>")),
    };
    let (parent, below) = (end("parent")?, end("child")?);
    let along = child(&all, "axis")?;
    let axis = along.map_or(Ok([1.0, 0.0, 0.0]), |axis| numbers(axis, "xyz", [1.0, 0.0, 0.0]))?;
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length < 1e-12 {
        return mistake(along.unwrap_or(node), "an axis of length zero", "write a direction, <axis xyz=\"0 0 1\"/>");
    }
    let dynamics = child(&all, "dynamics")?;
    if let (Some(friction), Some(at)) = (optional(dynamics, "friction")?.filter(|&friction| friction != 0.0), dynamics)
    {
        let help = "remove it, and declare the friction that is meant as a `#[force(on = …)]` in the module";
        return mistake(at, format!("dry friction of {friction} has no law here"), help);
    }
    let has_number = matches!(motion, Motion::Hinge | Motion::Slide);
    let damping = optional(dynamics, "damping")?.unwrap_or(0.0);
    if let Some(at) = dynamics.filter(|_| damping != 0.0 && !has_number) {
        let help = "declare it as a `#[dissipation]` in the module";
        return mistake(at, "damping of a joint with several coordinates, or none", help);
    }
    let limit = child(&all, "limit")?;
    let limits = match (optional(limit, "lower")?, optional(limit, "upper")?) {
        (None, None) => None,
        (lower, upper) => Some([lower.unwrap_or(0.0), upper.unwrap_or(0.0)]),
    };
    let mimic = match child(&all, "mimic")? {
        Some(at) if !has_number => {
            return mistake(at, "only a hinge or a slide follows another joint", "remove `mimic`");
        }
        Some(at) => Some(Mimic {
            joint: text(at, "joint")?.to_owned(),
            multiplier: numbers(at, "multiplier", [1.0])?[0],
            offset: numbers(at, "offset", [0.0])?[0],
        }),
        None => None,
    };
    let read = Joint {
        name: identifier(node)?,
        motion,
        parent: 0,
        origin: origin(&all)?,
        axis: axis.map(|x| x / length),
        damping,
        limits,
        effort: optional(limit, "effort")?,
        speed: optional(limit, "velocity")?,
        mimic,
    };
    Ok((read, parent, below))
}

/// Refuses the second one of two equal names.
fn ensure_distinct<'a>(named: impl Iterator<Item = (Node<'a, 'a>, String)>, what: &str) -> Read<()> {
    let mut seen: Vec<String> = vec![];
    for (node, name) in named {
        if seen.contains(&name) {
            return mistake(node, format!("there are two {what} `{name}`"), "names differ in letters, digits and `_`");
        }
        seen.push(name);
    }
    Ok(())
}

/// Understands a file.
pub(super) fn read(source: &str) -> Read<Robot> {
    let document = Document::parse(source).map_err(|error| Mistake {
        line: error.pos().row,
        message: format!("this is no XML: {error}"),
        help: "a URDF is <robot name=\"…\"> with links and joints".to_owned(),
    })?;
    let root = document.root_element();
    if !root.has_tag_name("robot") {
        return mistake(root, format!("`{}` is no robot", root.tag_name().name()), "a URDF is <robot name=\"…\">");
    }
    let all = children(root, &["link", "joint", "material", "gazebo", "transmission"])?;
    let links: Vec<Node> = all.iter().copied().filter(|node| node.has_tag_name("link")).collect();
    let mut joints = vec![];
    for node in all.iter().filter(|node| node.has_tag_name("joint")) {
        joints.push((*node, joint(*node)?));
    }
    let mut names = vec![];
    for &link in &links {
        names.push((link, identifier(link)?));
    }
    ensure_distinct(names.iter().cloned(), "links")?;
    ensure_distinct(joints.iter().map(|(node, (joint, ..))| (*node, joint.name.clone())), "joints")?;

    let place = |node: Node, name: &str| match links.iter().position(|link| link.attribute("name") == Some(name)) {
        Some(place) => Ok(place),
        None => mistake(node, format!("there is no link `{name}`"), "a joint joins two links of the file"),
    };
    let mut above: Vec<Option<usize>> = vec![None; links.len()];
    let mut parents = vec![];
    for (number, (node, (_, parent, below))) in joints.iter().enumerate() {
        let (parent, below_at) = (place(*node, parent)?, place(*node, below)?);
        parents.push(parent);
        if above[below_at].replace(number).is_some() {
            let help = "a link hangs on one joint: close loops by a `#[constraint]` of the module";
            return mistake(*node, format!("`{below}` hangs on two joints"), help);
        }
    }
    let mut roots = (0..links.len()).filter(|&link| above[link].is_none());
    let first = match (roots.next(), roots.next()) {
        (Some(first), None) => first,
        (Some(_), Some(second)) => {
            return mistake(links[second], "a second link hangs on nothing", "join it to the others by a joint");
        }
        (None, _) => return mistake(root, "no link hangs on nothing", "one link is the ground"),
    };

    // Outwards from the root.
    let mut order = vec![first];
    let mut at = 0;
    while at < order.len() {
        let here = order[at];
        let below = (0..links.len()).filter(|&link| above[link].is_some_and(|joint| parents[joint] == here));
        order.extend(below);
        at += 1;
    }
    if let Some(lost) = (0..links.len()).find(|link| !order.contains(link)) {
        return mistake(links[lost], "joints lead in a circle", "a link hangs on one that leads to the root");
    }
    let mut robot = Robot { name: root.attribute("name").unwrap_or("robot").to_owned(), links: vec![] };
    for &link in &order {
        let parts = children(links[link], &["inertial", "visual", "collision"])?;
        let inertial = child(&parts, "inertial")?.map(inertial).transpose()?;
        let joint = match above[link] {
            None => None,
            Some(number) => {
                let (node, (joint, ..)) = &joints[number];
                let mut joint = joint.clone();
                joint.parent = order.iter().position(|&other| other == parents[number]).unwrap_or(0);
                if let Some(mimic) = &mut joint.mimic {
                    let followed = joints.iter().find(|(node, _)| node.attribute("name") == Some(&mimic.joint));
                    match followed {
                        Some((_, (followed, ..)))
                            if followed.mimic.is_none() && matches!(followed.motion, Motion::Hinge | Motion::Slide) =>
                        {
                            mimic.joint.clone_from(&followed.name);
                        }
                        Some(_) => {
                            let help = "follow a hinge or a slide that has a coordinate of its own";
                            return mistake(*node, format!("`{}` cannot be followed", mimic.joint), help);
                        }
                        None => {
                            let message = format!("there is no joint `{}` to follow", mimic.joint);
                            return mistake(*node, message, "name a joint of the file");
                        }
                    }
                }
                Some(joint)
            }
        };
        robot.links.push(Link { name: names[link].1.clone(), inertial, joint });
    }
    if robot.links.iter().all(|link| link.joint.as_ref().is_none_or(|joint| joint.motion == Motion::Fixed)) {
        return mistake(root, "nothing moves", "a robot has a joint that is not fixed");
    }
    Ok(robot)
}
