//! URDF → [`Robot`]: the mechanical part of a file.
//!
//! Invariant: links come in an order in which each is after its parent; a part that is not read is listed or is an error with its line.

mod attributes;

use std::collections::HashMap;

use roxmltree::Node;

use self::attributes::parts;
use super::Options;
use super::check::{checked, ensure_distinct, ensure_link_count, inertial as body};
use super::frame::{Frame, Rotation, direction, rotated};
use super::model::{Above, Inertial, Joint, Link, Mimic, Motion, Robot};
use super::options::Base;
use super::xml::{Read, Skipping, child, function, identifier, line, mistake, number, numbers, optional, tag, text};

fn origin(all: &[Node], skipping: &Skipping) -> Read<Frame> {
    let Some(node) = child(all, "origin")? else { return Ok(Frame::IDENTITY) };
    parts(skipping, node, &["xyz", "rpy", "quat_xyzw"], &[])?;
    let position = numbers(node, "xyz", [0.0; 3])?;
    if !node.has_attribute("quat_xyzw") {
        return Ok(Frame { rotation: Rotation::of_roll_pitch_yaw(numbers(node, "rpy", [0.0; 3])?), position });
    }
    if node.has_attribute("rpy") {
        return mistake(node, "`rpy` and `quat_xyzw`", "remove one of them");
    }
    let [x, y, z, w] = numbers(node, "quat_xyzw", [0.0; 4])?;
    match Rotation::of_quaternion([w, x, y, z]) {
        Some(rotation) => Ok(Frame { rotation, position }),
        None => mistake(node, "a quaternion of length zero", "write quat_xyzw=\"0 0 0 1\" for no rotation"),
    }
}

fn inertial(node: Node, skipping: &Skipping) -> Read<Option<Inertial>> {
    let all = parts(skipping, node, &[], &["origin", "mass", "inertia"])?;
    let Some(mass) = child(&all, "mass")? else {
        return mistake(node, "`inertial` has no `mass`", "write <mass value=\"…\"/>");
    };
    parts(skipping, mass, &["value"], &[])?;
    let inertia = child(&all, "inertia")?;
    let mut moments = [0.0; 6];
    if let Some(inertia) = inertia {
        let names = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
        parts(skipping, inertia, &names, &[])?;
        for (moment, name) in moments.iter_mut().zip(names) {
            *moment = numbers(inertia, name, [0.0])?[0];
        }
    }
    let frame = origin(&all, skipping)?;
    let value = number(mass, "value")?;
    let at = if value < 0.0 { mass } else { inertia.unwrap_or(mass) };
    let moments = rotated(moments, frame.rotation);
    body(at, Inertial { mass: value, center: frame.position, moments, compensation: 0.0, line: line(at) })
}

/// A joint, the links that it joins, and the pose of the child in the parent.
struct Joining<'a> {
    parent: &'a str,
    child: &'a str,
    place: Frame,
    /// `None` if it is fixed.
    joint: Option<Joint>,
}

/// The direction along or about which a joint moves.
fn axis(all: &[Node], joint: Node, skipping: &Skipping) -> Read<[f64; 3]> {
    let Some(node) = child(all, "axis")? else { return Ok([1.0, 0.0, 0.0]) };
    parts(skipping, node, &["xyz"], &[])?;
    let numbers = numbers(node, "xyz", [1.0, 0.0, 0.0])?;
    let kind = joint.attribute("type").unwrap_or_default();
    let help = format!("a {kind} joint needs a direction, <axis xyz=\"0 0 1\"/>");
    direction(numbers).map_or_else(|| mistake(node, "an axis of length zero", help), Ok)
}

fn joining<'a>(node: Node<'a, '_>, skipping: &Skipping) -> Read<Joining<'a>> {
    let is_fixed = text(node, "type")? == "fixed";
    let ends = ["origin", "parent", "child"];
    let all = if is_fixed {
        // All other parts act on a coordinate, which a fixed joint does not have.
        for name in node.attributes().map(|part| part.name()).filter(|name| !["name", "type"].contains(name)) {
            skipping.note(format!("`{name}` of fixed joints"));
        }
        let (read, other): (Vec<Node>, Vec<Node>) =
            node.children().filter(Node::is_element).partition(|part| ends.contains(&tag(*part).as_str()));
        for part in other {
            skipping.note(format!("`{}` of fixed joints", tag(part)));
        }
        read
    } else {
        parts(skipping, node, &["name", "type"], &[&ends[..], &["axis", "dynamics", "limit", "mimic"]].concat())?
    };
    let end = |name: &str| match child(&all, name)? {
        Some(end) => {
            parts(skipping, end, &["link"], &[])?;
            text(end, "link")
        }
        None => mistake(node, format!("the joint has no `{name}`"), format!("write <{name} link=\"…\"/>")),
    };
    let (parent, below, place) = (end("parent")?, end("child")?, origin(&all, skipping)?);
    let joint = if is_fixed { None } else { Some(joint(node, &all, skipping)?) };
    Ok(Joining { parent, child: below, place, joint })
}

/// A joint that moves.
fn joint(node: Node, all: &[Node], skipping: &Skipping) -> Read<Joint> {
    let motion = match text(node, "type")? {
        "revolute" | "continuous" => Motion::Hinge(axis(all, node, skipping)?),
        "prismatic" => Motion::Slide(axis(all, node, skipping)?),
        "planar" => Motion::Planar(axis(all, node, skipping)?),
        "floating" => Motion::Floating,
        other => {
            let help = "joints are revolute, continuous, prismatic, planar, floating or fixed";
            return mistake(node, format!("a joint of the type `{other}` is not understood"), help);
        }
    };
    let name = text(node, "name")?;
    let mut joint = Joint::new(identifier(name), line(node), motion);
    name.clone_into(&mut joint.written);
    if let Some(dynamics) = child(all, "dynamics")? {
        parts(skipping, dynamics, &["damping", "friction"], &[])?;
        let value = |name: &str| {
            let given = Some(dynamics).filter(|_| !skipping.is_skipped(name));
            Ok(optional(given, name)?.unwrap_or(0.0))
        };
        (joint.damping, joint.friction) = (value("damping")?, value("friction")?);
        if joint.damping != 0.0 && !motion.is_number() {
            let help = "write `skip = [damping]`, and declare in the module a `#[dissipation]`";
            return mistake(dynamics, "damping of a joint with several coordinates", help);
        }
        if joint.damping < 0.0 {
            let help = "a damping is not negative; `skip = [damping]` leaves out the damping of all joints";
            return mistake(dynamics, format!("a damping of {}", joint.damping), help);
        }
    }
    if let Some(limit) = child(all, "limit")? {
        parts(skipping, limit, &["lower", "upper", "effort", "velocity"], &[])?;
        let limits = match (optional(Some(limit), "lower")?, optional(Some(limit), "upper")?) {
            (None, None) => None,
            (lower, upper) => Some([lower.unwrap_or(0.0), upper.unwrap_or(0.0)]),
        };
        joint.limits = limits.filter(|[lower, upper]| lower <= upper);
        if let Some([lower, upper]) = limits.filter(|_| joint.limits.is_none()) {
            skipping.note(format!("the limits of `{}`, from {lower} to {upper}", joint.name));
        }
        (joint.effort, joint.speed) = (optional(Some(limit), "effort")?, optional(Some(limit), "velocity")?);
    }
    if let Some(mimic) = child(all, "mimic")? {
        parts(skipping, mimic, &["joint", "multiplier", "offset"], &[])?;
        if !motion.is_number() {
            let help = "write `skip = [mimic]`, and declare in the module a `#[constraint]`";
            return mistake(mimic, "only a hinge or a slide follows another joint", help);
        }
        joint.mimic = Some(Mimic {
            joint: text(mimic, "joint")?.to_owned(),
            multiplier: numbers(mimic, "multiplier", [1.0])?[0],
            offset: numbers(mimic, "offset", [0.0])?[0],
        });
    }
    Ok(joint)
}

/// The links in an order in which each is after its parent, each with the place of its parent in this order and the number of its joint.
type Order = Vec<(usize, Option<(usize, usize)>)>;

/// Orders the links of a tree from the root to the tips.
fn ordered(root: Node, links: &[Node], joints: &[(Node, Joining)]) -> Read<Order> {
    let places: HashMap<&str, usize> =
        links.iter().enumerate().filter_map(|(place, link)| Some((link.attribute("name")?, place))).collect();
    let place = |node: Node, name: &str| match places.get(name) {
        Some(place) => Ok(*place),
        None => mistake(node, format!("unknown link `{name}`"), "a joint joins two links of the file"),
    };
    let mut joint_of: Vec<Option<usize>> = vec![None; links.len()];
    let mut children: Vec<Vec<usize>> = vec![vec![]; links.len()];
    for (number, (node, Joining { parent, child, .. })) in joints.iter().enumerate() {
        let (above, below) = (place(*node, parent)?, place(*node, child)?);
        children[above].push(below);
        if joint_of[below].replace(number).is_some() {
            let help = "a link is the child of one joint: close loops by a `#[constraint]` of the module";
            return mistake(*node, format!("`{child}` is the child of two joints"), help);
        }
    }
    // Children in the order of the file.
    for all in &mut children {
        all.sort_unstable();
    }
    let name = |link: usize| links[link].attribute("name").unwrap_or_default();
    let mut roots = (0..links.len()).filter(|&link| joint_of[link].is_none());
    let first = match (roots.next(), roots.next()) {
        (Some(first), None) => first,
        (Some(first), Some(second)) => {
            let message =
                format!("`{}` and `{}` are both roots: no joint has them as a child", name(first), name(second));
            return mistake(links[second], message, format!("join `{}` to the others by a joint", name(second)));
        }
        (None, _) if links.is_empty() => return mistake(root, "a robot without links", "write <link name=\"…\"/>"),
        (None, _) => {
            return mistake(root, "every link is the child of a joint", "one link, the root, is the child of none");
        }
    };
    let mut order: Order = vec![(first, None)];
    let mut at = 0;
    while at < order.len() {
        let below = &children[order[at].0];
        order.extend(below.iter().map(|&link| (link, joint_of[link].map(|joint| (at, joint)))));
        at += 1;
    }
    let mut is_lost = vec![true; links.len()];
    for (link, _) in &order {
        is_lost[*link] = false;
    }
    if let Some(lost) = is_lost.into_iter().position(|lost| lost) {
        let message = format!("the joints above `{}` lead in a circle", name(lost));
        return mistake(links[lost], message, "a link has a parent that leads to the root");
    }
    Ok(order)
}

/// Understands a file.
pub(super) fn read(root: Node, options: &Options) -> Read<Robot> {
    let skipping = Skipping::new(&options.skip);
    let all = parts(&skipping, root, &["name"], &["link", "joint"])?;
    let links: Vec<Node> = all.iter().copied().filter(|node| node.has_tag_name("link")).collect();
    ensure_link_count(links.len(), root)?;
    let mut joints = vec![];
    for node in all.iter().filter(|node| node.has_tag_name("joint")) {
        joints.push((*node, joining(*node, &skipping)?));
    }
    for (nodes, what) in [(&links, "links"), (&joints.iter().map(|(node, _)| *node).collect(), "joints")] {
        let names = nodes.iter().map(|node| Ok((line(*node), function(text(*node, "name")?))));
        ensure_distinct(names.collect::<Read<Vec<_>>>()?.into_iter(), what)?;
    }
    let order = ordered(root, &links, &joints)?;
    let mut read = vec![];
    for &(link, above) in &order {
        let node = links[link];
        let all = parts(&skipping, node, &["name"], &["inertial"])?;
        let inertial = child(&all, "inertial")?.map(|node| inertial(node, &skipping)).transpose()?.flatten();
        let above = above.map(|(parent, number)| {
            let Joining { place, joint, .. } = &joints[number].1;
            Above { parent, place: *place, joints: joint.iter().cloned().collect() }
        });
        read.push(Link { name: function(text(node, "name")?), line: line(node), inertial, above, start: None });
    }
    for motion in follow(&mut read, &joints)? {
        skipping.note(motion);
    }
    let name = root.attribute("name").unwrap_or("robot").to_owned();
    let gravity = [0.0, 0.0, -9.81];
    let mut robot = Robot { name, gravity, links: read, skipped: skipping.found(), ..Robot::default() };
    if options.base == Some(Base::Floating) {
        robot.attach_floating_base();
    }
    checked(robot, root, options)
}

/// Joints that follow others name them as Rust does; a joint that follows a fixed one stands still at its offset.
fn follow(links: &mut [Link], joints: &[(Node, Joining)]) -> Read<Vec<String>> {
    let mut still = vec![];
    let is_fixed: HashMap<&str, bool> =
        joints.iter().filter_map(|(node, joining)| Some((node.attribute("name")?, joining.joint.is_none()))).collect();
    for above in links.iter_mut().filter_map(|link| link.above.as_mut()) {
        let Some(joint) = above.joints.first_mut() else { continue };
        let Some(mimic) = &mut joint.mimic else { continue };
        match is_fixed.get(mimic.joint.as_str()) {
            Some(false) => mimic.joint = identifier(&mimic.joint),
            Some(true) => {
                let offset = mimic.offset;
                still.push(format!("the motion of `{}`, which follows the fixed joint `{}`", joint.name, mimic.joint));
                let moved = match joint.motion {
                    Motion::Slide(axis) => Frame::at(axis.map(|x| offset * x)),
                    Motion::Hinge(axis) => Frame { rotation: Rotation::about(axis, offset), position: [0.0; 3] },
                    Motion::Ball | Motion::Planar(_) | Motion::Floating => Frame::IDENTITY,
                };
                above.place = above.place.then(moved);
                above.joints.clear();
            }
            None => {
                let message = format!("unknown joint `{}` in `mimic`", mimic.joint);
                let help = "name a joint of the file, or write `skip = [mimic]`: no joint follows another then";
                return super::xml::at(joint.line, message, help);
            }
        }
    }
    Ok(still)
}
