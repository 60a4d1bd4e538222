//! URDF → [`Robot`]: what it says about mechanics.
//!
//! Invariant: links come in an order in which each is after the one it hangs on; what is not understood is an error with its line.
//! How things look and touch (`visual`, `collision`, `material`), and what other programs read (`gazebo`, `transmission`,
//! `calibration`, `safety_controller`), says nothing about how they move.

use roxmltree::Node;

use super::check::{checked, ensure_distinct, inertial as body};
use super::frame::{Frame, Rotation, direction, turned};
use super::model::{Above, Inertial, Joint, Link, Mimic, Motion, Robot};
use super::xml::{
    Read, Skipping, child, ensure_known, function, identifier, line, mistake, number, numbers, optional, text,
};

fn origin(all: &[Node]) -> Read<Frame> {
    let Some(node) = child(all, "origin")? else { return Ok(Frame::IDENTITY) };
    ensure_known(node, &["xyz", "rpy"])?;
    let rotation = Rotation::of_roll_pitch_yaw(numbers(node, "rpy", [0.0; 3])?);
    Ok(Frame { rotation, position: numbers(node, "xyz", [0.0; 3])? })
}

fn inertial(node: Node, skipping: &Skipping) -> Read<Option<Inertial>> {
    let all = skipping.children(node, &["origin", "mass", "inertia"], &[])?;
    let Some(mass) = child(&all, "mass")? else {
        return mistake(node, "`inertial` has no `mass`", "write <mass value=\"…\"/>");
    };
    ensure_known(mass, &["value"])?;
    let inertia = child(&all, "inertia")?;
    let mut moments = [0.0; 6];
    if let Some(inertia) = inertia {
        let names = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
        ensure_known(inertia, &names)?;
        for (moment, name) in moments.iter_mut().zip(names) {
            *moment = numbers(inertia, name, [0.0])?[0];
        }
    }
    let frame = origin(&all)?;
    let value = number(mass, "value")?;
    let at = if value < 0.0 { mass } else { inertia.unwrap_or(mass) };
    body(at, Inertial { mass: value, center: frame.position, moments: turned(moments, frame.rotation) })
}

/// A joint and what it joins.
struct Hung<'a> {
    parent: &'a str,
    below: &'a str,
    place: Frame,
    /// None that is fixed.
    joint: Option<Joint>,
}

/// A direction across or along which a joint moves.
fn axis(all: &[Node], joint: Node) -> Read<[f64; 3]> {
    let Some(node) = child(all, "axis")? else { return Ok([1.0, 0.0, 0.0]) };
    ensure_known(node, &["xyz"])?;
    let numbers = numbers(node, "xyz", [1.0, 0.0, 0.0])?;
    let kind = joint.attribute("type").unwrap_or_default();
    let help = format!("a {kind} joint needs a direction, <axis xyz=\"0 0 1\"/>");
    direction(numbers).map_or_else(|| mistake(node, "an axis of length zero", help), Ok)
}

fn joint<'a>(node: Node<'a, '_>, skipping: &Skipping) -> Read<Hung<'a>> {
    let known = ["origin", "parent", "child", "axis", "dynamics", "limit", "mimic"];
    let all = skipping.children(node, &known, &["calibration", "safety_controller"])?;
    ensure_known(node, &["name", "type"])?;
    let motion = match text(node, "type")? {
        "revolute" | "continuous" => Some(Motion::Hinge(axis(&all, node)?)),
        "prismatic" => Some(Motion::Slide(axis(&all, node)?)),
        "planar" => Some(Motion::Planar(axis(&all, node)?)),
        "floating" => Some(Motion::Floating),
        "fixed" => None,
        other => {
            let help = "joints are revolute, continuous, prismatic, planar, floating or fixed";
            return mistake(node, format!("a joint of the type `{other}` is not understood"), help);
        }
    };
    let end = |name: &str| match child(&all, name)? {
        Some(end) => text(end, "link"),
        None => mistake(node, format!("the joint has no `{name}`"), format!("write <{name} link=\"…\"/>")),
    };
    let mut hung = Hung { parent: end("parent")?, below: end("child")?, place: origin(&all)?, joint: None };
    let dynamics = child(&all, "dynamics")?;
    dynamics.map_or(Ok(()), |node| ensure_known(node, &["damping", "friction"]))?;
    if let (Some(friction), Some(at)) = (optional(dynamics, "friction")?.filter(|&friction| friction != 0.0), dynamics)
    {
        let help = "remove it, and declare the friction that is meant as a `#[force(on = …)]` in the module";
        return mistake(at, format!("dry friction of {friction} has no law here"), help);
    }
    let has_number = motion.is_some_and(Motion::is_number);
    let damping = optional(dynamics, "damping")?.unwrap_or(0.0);
    if let Some(at) = dynamics.filter(|_| damping != 0.0 && !has_number) {
        let help = "declare it as a `#[dissipation]` in the module";
        return mistake(at, "damping of a joint with several coordinates, or none", help);
    }
    if let Some(at) = dynamics.filter(|_| damping < 0.0) {
        return mistake(at, format!("a damping of {damping}"), "write a positive number");
    }
    let mimic = child(&all, "mimic")?;
    if let Some(at) = mimic.filter(|_| !has_number) {
        return mistake(at, "only a hinge or a slide follows another joint", "remove `mimic`");
    }
    let Some(motion) = motion else { return Ok(hung) };
    let mut joint = Joint::new(identifier(text(node, "name")?), line(node), motion);
    joint.damping = damping;
    let limit = child(&all, "limit")?;
    if let Some(limit) = limit {
        ensure_known(limit, &["lower", "upper", "effort", "velocity", "acceleration", "jerk"])?;
    }
    joint.limits = match (optional(limit, "lower")?, optional(limit, "upper")?) {
        (None, None) => None,
        (lower, upper) => Some([lower.unwrap_or(0.0), upper.unwrap_or(0.0)]),
    };
    if let (Some([lower, upper]), Some(at)) = (joint.limits.filter(|[lower, upper]| lower > upper), limit) {
        let help = "the lower one is not greater; one that is not given is zero";
        return mistake(at, format!("limits from {lower} to {upper}"), help);
    }
    (joint.effort, joint.speed) = (optional(limit, "effort")?, optional(limit, "velocity")?);
    if let Some(at) = mimic {
        ensure_known(at, &["joint", "multiplier", "offset"])?;
        joint.mimic = Some(Mimic {
            joint: text(at, "joint")?.to_owned(),
            multiplier: numbers(at, "multiplier", [1.0])?[0],
            offset: numbers(at, "offset", [0.0])?[0],
        });
    }
    hung.joint = Some(joint);
    Ok(hung)
}

/// Understands a file.
pub(super) fn read(root: Node, skip: &[String]) -> Read<Robot> {
    ensure_known(root, &["name", "version"])?;
    let skipping = Skipping::new(skip);
    let all = skipping.children(root, &["link", "joint"], &["material", "gazebo", "transmission"])?;
    let links: Vec<Node> = all.iter().copied().filter(|node| node.has_tag_name("link")).collect();
    let mut joints = vec![];
    for node in all.iter().filter(|node| node.has_tag_name("joint")) {
        joints.push((*node, joint(*node, &skipping)?));
    }
    for (nodes, what) in [(&links, "links"), (&joints.iter().map(|(node, _)| *node).collect(), "joints")] {
        let names = nodes.iter().map(|node| Ok((line(*node), function(text(*node, "name")?))));
        ensure_distinct(names.collect::<Read<Vec<_>>>()?.into_iter(), what)?;
    }

    let place = |node: Node, name: &str| match links.iter().position(|link| link.attribute("name") == Some(name)) {
        Some(place) => Ok(place),
        None => mistake(node, format!("there is no link `{name}`"), "a joint joins two links of the file"),
    };
    let mut above: Vec<Option<usize>> = vec![None; links.len()];
    let mut parents = vec![];
    for (number, (node, Hung { parent, below, .. })) in joints.iter().enumerate() {
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
    let called = |name: &str| joints.iter().any(|(node, _)| node.attribute("name") == Some(name));
    let mut read = vec![];
    for &link in &order {
        let node = links[link];
        ensure_known(node, &["name", "type"])?;
        let parts = skipping.children(node, &["inertial"], &["visual", "collision"])?;
        let inertial = child(&parts, "inertial")?.map(|node| inertial(node, &skipping)).transpose()?.flatten();
        let above = above[link].map(|number| {
            let parent = order.iter().position(|&other| other == parents[number]).unwrap_or(0);
            let Hung { place, joint, .. } = &joints[number].1;
            (Above { parent, place: *place, joints: joint.iter().cloned().collect() }, joints[number].0)
        });
        if let Some((above, node)) = &above
            && let Some(mimic) = above.joints.first().and_then(|joint| joint.mimic.as_ref())
            && !called(&mimic.joint)
        {
            let message = format!("there is no joint `{}` to follow", mimic.joint);
            return mistake(*node, message, "name a joint of the file");
        }
        let above = above.map(|(mut above, _)| {
            for mimic in above.joints.iter_mut().filter_map(|joint| joint.mimic.as_mut()) {
                mimic.joint = identifier(&mimic.joint);
            }
            above
        });
        read.push(Link { name: function(text(node, "name")?), line: line(node), inertial, above, start: None });
    }
    let name = root.attribute("name").unwrap_or("robot").to_owned();
    let gravity = [0.0, 0.0, -9.81];
    checked(Robot { name, gravity, links: read, loops: vec![], skipped: skipping.found() }, root)
}
