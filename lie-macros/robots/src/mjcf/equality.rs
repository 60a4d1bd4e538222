//! `equality`: loops between bodies, and joints that follow others.

use roxmltree::Node;

use super::body::Tree;
use super::classes::Element;
use super::compiler::truth;
use super::within::Reading;
use crate::frame::{Frame, Rotation, times};
use crate::model::{Closure, Joint, Link, Loop, Mimic, Relation};
use crate::xml::{Read, function, line, list, mistake, numbers, tag, text};

const EQUALITY: [&str; 3] = ["name", "class", "active"];
const LOOP: [&str; 6] = ["body1", "body2", "anchor", "relpose", "site1", "site2"];
const JOINT: [&str; 3] = ["joint1", "joint2", "polycoef"];

/// The frames of the links with all joints at their reference.
fn references(links: &[Link]) -> Vec<Frame> {
    let mut all: Vec<Frame> = vec![];
    for link in links {
        let own = link.above.as_ref().map_or(Frame::IDENTITY, |above| all[above.parent].then(above.place));
        all.push(link.start.unwrap_or(own));
    }
    all
}

/// The loops and the relations between coordinates of a file; joints of the tree that follow others linearly are marked.
pub(super) fn read<'a>(
    sections: &[Node<'a, 'a>],
    tree: &mut Tree<'a>,
    reading: Reading<'_, 'a>,
) -> Read<(Vec<Loop>, Vec<Relation>)> {
    let Reading { compiler, classes, skipping, .. } = reading;
    let (frames, mut loops, mut relations) = (references(&tree.links), vec![], vec![]);
    for &section in sections {
        for node in skipping.children(section, &["connect", "weld", "joint"], &[])? {
            let element = classes.element(node, "equality", None)?;
            let own = if node.has_tag_name("joint") { &JOINT[..] } else { &LOOP };
            element.attributes(&[own, &EQUALITY].concat(), &["solref", "solimp", "torquescale"], skipping)?;
            let name = node.attribute("name").unwrap_or_default();
            if !truth(element.at("active"), "active", true)? {
                skipping.note(format!("`{}` `{name}` (not active)", tag(node)));
            } else if compiler.disables(&["equality", "constraint"]) {
                skipping.note(format!("`{}` `{name}` (disabled by a `flag`)", tag(node)));
            } else if node.has_tag_name("joint") {
                follow(node, tree, &mut relations)?;
            } else {
                loops.push(closed(&element, tree, &frames, loops.len())?);
            }
        }
    }
    Ok((loops, relations))
}

/// The link of that name.
fn body(node: Node, attribute: &str, tree: &Tree) -> Read<usize> {
    let name = if attribute == "body2" { node.attribute(attribute).unwrap_or("world") } else { text(node, attribute)? };
    tree.bodies
        .iter()
        .position(|body| *body == Some(name))
        .map_or_else(|| mistake(node, format!("unknown body `{name}`"), "an equality joins two bodies of the file"), Ok)
}

/// A `connect` or a `weld`.
fn closed(element: &Element, tree: &Tree, frames: &[Frame], before: usize) -> Read<Loop> {
    let node = element.node();
    let (links, closure) = if node.has_attribute("site1") || node.has_attribute("site2") {
        between_sites(node, tree)?
    } else {
        between_bodies(node, tree, frames)?
    };
    if links[0] == links[1] {
        return mistake(node, "a body is joined with itself", "name two bodies");
    }
    let name = node.attribute("name").map_or_else(|| format!("closed_{}", before + 1), function);
    Ok(Loop { name, line: line(node), links, closure })
}

/// Two sites are at one place, or two frames are one; wherever they are at the reference.
fn between_sites(node: Node, tree: &Tree) -> Read<([usize; 2], Closure)> {
    if let Some(other) = ["body1", "body2", "anchor", "relpose"].into_iter().find(|name| node.has_attribute(*name)) {
        return mistake(node, format!("sites and `{other}`"), "write two sites, or bodies");
    }
    let site = |attribute: &str| {
        let name = text(node, attribute)?;
        let found = tree.sites.iter().find(|(called, ..)| *called == name).map(|&(_, link, frame)| (link, frame));
        found.map_or_else(
            || mistake(node, format!("unknown site `{name}`"), "an equality joins two sites of the file"),
            Ok,
        )
    };
    let ((one, first), (other, second)) = (site("site1")?, site("site2")?);
    let closure = if node.has_tag_name("connect") {
        Closure::Point(first.position, second.position)
    } else {
        Closure::Pose(first.then(second.inverse()))
    };
    Ok(([one, other], closure))
}

/// Two bodies keep a point or their relative pose: the reference pose, or the pose in `relpose`.
fn between_bodies(node: Node, tree: &Tree, frames: &[Frame]) -> Read<([usize; 2], Closure)> {
    let links = [body(node, "body1", tree)?, body(node, "body2", tree)?];
    let between = frames[links[0]].inverse().then(frames[links[1]]);
    let closure =
        if node.has_tag_name("connect") {
            text(node, "anchor")?;
            let anchor = numbers(node, "anchor", [0.0; 3])?;
            Closure::Point(anchor, between.inverse().point(anchor))
        } else {
            let [x, y, z, w, i, j, k] = numbers(node, "relpose", [0.0; 7])?;
            let anchor = numbers(node, "anchor", [0.0; 3])?;
            // A quaternion of nothing: as the file has them. The place is that of the second body's anchor.
            let rotation = Rotation::of_quaternion([w, i, j, k]);
            Closure::Pose(rotation.map_or(between, |rotation| {
                Frame { rotation, position: [x, y, z] }.then(Frame::at(times(-1.0, anchor)))
            }))
        };
    Ok((links, closure))
}

/// y − y₀ = a₀ + a₁ (x − x₀) + … with the references y₀ of `joint1` and x₀ of `joint2`; without `joint2` the first joint is held at y₀ + a₀.
///
/// A joint that follows another one linearly has no coordinate of its own. All other relations are rows of constraints.
fn follow(node: Node, tree: &mut Tree, relations: &mut Vec<Relation>) -> Read<()> {
    let number = |attribute: &str| {
        let name = text(node, attribute)?;
        let Some((_, called)) = tree.joints.iter().find(|(written, _)| *written == name) else {
            let help = "an equality names joints of the file";
            return mistake(node, format!("unknown joint `{name}`"), help);
        };
        match joints(&tree.links).find(|joint| joint.name == *called) {
            Some(joint) if joint.motion.is_number() => Ok((called.clone(), joint.reference, joint.mimic.is_some())),
            _ => mistake(node, format!("joint `{name}` is not a hinge or a slide"), "name hinges and slides"),
        }
    };
    let (own, reference, is_taken) = number("joint1")?;
    let followed = if node.has_attribute("joint2") { Some(number("joint2")?) } else { None };
    let mut coefficients = vec![0.0, 1.0, 0.0, 0.0, 0.0];
    let given = list(node, "polycoef")?;
    if given.len() > coefficients.len() {
        let help = "write at most five, of the powers 0 to 4";
        return mistake(node, format!("`polycoef` with {} numbers", given.len()), help);
    }
    coefficients[..given.len()].copy_from_slice(&given);
    if followed.is_none() {
        coefficients.truncate(1);
    }
    while coefficients.len() > 1 && coefficients.last() == Some(&0.0) {
        coefficients.pop();
    }
    match (followed, &coefficients[..]) {
        (Some((followed, from, _)), &[constant, slope]) if !is_taken => {
            let mimic = Mimic { joint: followed, multiplier: slope, offset: reference + constant - slope * from };
            let joints =
                tree.links.iter_mut().filter_map(|link| link.above.as_mut()).flat_map(|above| &mut above.joints);
            joints.filter(|joint| joint.name == own).for_each(|joint| joint.mimic = Some(mimic.clone()));
        }
        (followed, _) => {
            let name = node.attribute("name").map_or_else(|| format!("tied_{}", relations.len() + 1), function);
            let followed = followed.map(|(name, from, _)| (name, from));
            relations.push(Relation { name, line: line(node), joint: (own, reference), followed, coefficients });
        }
    }
    Ok(())
}

/// The joints of these links.
fn joints(links: &[Link]) -> impl Iterator<Item = &Joint> {
    links.iter().filter_map(|link| link.above.as_ref()).flat_map(|above| &above.joints)
}
