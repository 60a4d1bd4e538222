//! `equality`: loops between bodies, and joints that follow others.

use roxmltree::Node;

use super::body::Tree;
use super::classes::{Classes, Element};
use super::compiler::truth;
use crate::frame::{Frame, Rotation};
use crate::model::{Closure, Link, Loop, Mimic};
use crate::xml::{Read, Skipping, ensure_known, function, line, list, mistake, numbers, tag, text};

const KNOWN: [&str; 11] =
    ["name", "class", "active", "body1", "body2", "anchor", "relpose", "site1", "site2", "solref", "solimp"];

/// Where links are when all joints are at their reference.
fn references(links: &[Link]) -> Vec<Frame> {
    let mut all: Vec<Frame> = vec![];
    for link in links {
        let own = link.above.as_ref().map_or(Frame::IDENTITY, |above| all[above.parent].then(above.place));
        all.push(link.start.unwrap_or(own));
    }
    all
}

/// The loops of a file; joints of the tree that follow others are told to.
pub(super) fn read<'a>(
    sections: &[Node<'a, 'a>],
    tree: &mut Tree<'a>,
    classes: &Classes<'a, 'a>,
    skipping: &Skipping,
) -> Read<Vec<Loop>> {
    let (frames, mut loops) = (references(&tree.links), vec![]);
    for &section in sections {
        for node in skipping.children(section, &["connect", "weld", "joint"], &[])? {
            let element = classes.element(node, "equality", None)?;
            if !truth(element.at("active"), "active", true)? {
                skipping.note(format!("`{}` that is not active", tag(node)));
                continue;
            }
            if node.has_tag_name("joint") {
                follow(node, tree)?;
            } else {
                loops.push(closed(&element, tree, &frames, loops.len())?);
            }
        }
    }
    Ok(loops)
}

/// The link of that name.
fn body(node: Node, attribute: &str, tree: &Tree) -> Read<usize> {
    let name = if attribute == "body2" { node.attribute(attribute).unwrap_or("world") } else { text(node, attribute)? };
    tree.bodies.iter().position(|body| *body == Some(name)).map_or_else(
        || mistake(node, format!("there is no body `{name}`"), "an equality joins two bodies of the file"),
        Ok,
    )
}

/// A `connect` or a `weld`.
fn closed(element: &Element, tree: &Tree, frames: &[Frame], before: usize) -> Read<Loop> {
    let node = element.node();
    ensure_known(node, &[&KNOWN[..], &["torquescale"]].concat())?;
    if node.has_attribute("site1") || node.has_attribute("site2") {
        return mistake(node, "sites are not read", "write body1, body2, and anchor or relpose");
    }
    let links = [body(node, "body1", tree)?, body(node, "body2", tree)?];
    if links[0] == links[1] {
        return mistake(node, "a body is joined with itself", "name two bodies");
    }
    let between = frames[links[0]].inverse().then(frames[links[1]]);
    let closure = if node.has_tag_name("connect") {
        text(node, "anchor")?;
        let anchor = numbers(node, "anchor", [0.0; 3])?;
        Closure::Point(anchor, between.inverse().point(anchor))
    } else {
        let [x, y, z, w, i, j, k] = numbers(node, "relpose", [0.0; 7])?;
        // A quaternion of nothing: as the file has them.
        let rotation = Rotation::of_quaternion([w, i, j, k]);
        Closure::Pose(rotation.map_or(between, |rotation| Frame { rotation, position: [x, y, z] }))
    };
    let name = node.attribute("name").map_or_else(|| format!("closed_{}", before + 1), function);
    Ok(Loop { name, line: line(node), links, closure })
}

/// q₁ − r₁ = a₀ + a₁ (q₂ − r₂), with the references r.
fn follow(node: Node, tree: &mut Tree) -> Read<()> {
    ensure_known(node, &["name", "class", "active", "joint1", "joint2", "polycoef", "solref", "solimp"])?;
    let named = |attribute: &str| {
        let name = text(node, attribute)?;
        match tree.joints.iter().find(|(called, _)| *called == name) {
            Some((_, joint)) => Ok(joint.clone()),
            None => mistake(node, format!("there is no joint `{name}`"), "an equality ties two joints of the file"),
        }
    };
    let (own, followed) = (named("joint1")?, named("joint2")?);
    let given = if node.has_attribute("polycoef") { list(node, "polycoef")? } else { vec![0.0, 1.0] };
    let coefficient = |at: usize| given.get(at).copied().unwrap_or(if at == 1 { 1.0 } else { 0.0 });
    if given.len() > 5 || given.iter().skip(2).any(|&x| x != 0.0) {
        let help = "remove it, and declare the relation as a `#[constraint]` in the module";
        return mistake(node, "a joint that follows another by a polynomial that is not linear", help);
    }
    let mut reference = |name: &str| {
        let joint = tree.links.iter_mut().filter_map(|link| link.above.as_mut()).flat_map(|above| &mut above.joints);
        joint.into_iter().find(|joint| joint.name == name).map_or(0.0, |joint| joint.reference)
    };
    let (r1, r2, slope) = (reference(&own), reference(&followed), coefficient(1));
    let offset = r1 + coefficient(0) - slope * r2;
    let joints = tree.links.iter_mut().filter_map(|link| link.above.as_mut()).flat_map(|above| &mut above.joints);
    for joint in joints.filter(|joint| joint.name == own) {
        if !joint.motion.is_number() {
            return mistake(node, "only a hinge or a slide follows another joint", "remove it");
        }
        let mimic = Mimic { joint: followed.clone(), multiplier: slope, offset };
        if joint.mimic.replace(mimic).is_some() {
            return mistake(node, format!("`{own}` follows two joints"), "remove one of the equalities");
        }
    }
    Ok(())
}
