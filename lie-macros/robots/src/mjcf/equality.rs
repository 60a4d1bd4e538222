//! `equality`: loops between bodies, and joints that follow others.

use roxmltree::Node;

use super::body::Tree;
use super::classes::{Classes, Element};
use super::compiler::truth;
use crate::frame::{Frame, Rotation, times};
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
            || mistake(node, format!("there is no site `{name}`"), "an equality joins two sites of the file"),
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

/// Two bodies are where the file has them, at a point or altogether, unless it says where they are to be.
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
