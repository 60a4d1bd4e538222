//! What every robot has to be, whichever language its file is written in: names that differ, bodies that there are, joints that have
//! something to move.

use roxmltree::Node;

use super::Mistake;
use super::closure::rows;
use super::frame::principal;
use super::model::{Inertial, Joint, Robot};
use super::xml::{Read, line, mistake};

/// Refuses what no body has; a body without mass has no inertia.
///
/// Of a body the density is positive, so that ∫ x xᵀ dm = ½ tr J 1 − J is: no principal moment is greater than the sum of the others. Numbers
/// in files are rounded, to three digits at the least.
pub(super) fn inertial(node: Node, body: Inertial) -> Read<Option<Inertial>> {
    let Inertial { mass, moments, .. } = body;
    if mass < 0.0 {
        return mistake(node, format!("a mass of {mass}"), "a mass is a positive number");
    }
    let [a, b, c] = principal(moments);
    let rounding = 1e-3 * c.abs().max(a.abs());
    if a < -rounding {
        let message = format!("principal moments of inertia {a:.3e}, {b:.3e} and {c:.3e}");
        return mistake(node, message, "none is negative: products of inertia may be too large, or of the wrong unit");
    }
    if a + b < c - rounding {
        let message = format!("principal moments of inertia {a:.3e}, {b:.3e} and {c:.3e}");
        let help = "of a body none is greater than the sum of the others; are they about the centre of mass, in kg m²?";
        return mistake(node, message, help);
    }
    if mass == 0.0 && moments != [0.0; 6] {
        let help = "write its mass, or no `inertial`: a rotor is an inertia at the joint, declared in the module";
        return mistake(node, "moments of inertia without mass", help);
    }
    Ok((mass > 0.0).then_some(body))
}

fn told<T>(line: u32, message: String, help: &str) -> Read<T> {
    Err(Mistake { file: String::new(), line, message, help: help.to_owned() })
}

/// Refuses the second one of two equal names.
pub(super) fn ensure_distinct(named: impl Iterator<Item = (u32, String)>, what: &str) -> Read<()> {
    let mut seen = std::collections::HashSet::new();
    for (line, name) in named {
        if !seen.insert(name.clone()) {
            let help = "names differ in letters (small or capital is the same), digits and `_`";
            return told(line, format!("there are two {what} `{name}`"), help);
        }
    }
    Ok(())
}

/// Functions that are declared beside the links' own must not be called like a link.
fn ensure_free(robot: &Robot) -> Read<()> {
    let taken = |name: &str| {
        let linked = |prefix: &str, suffix: &str| {
            let inner = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
            inner.is_some_and(|inner| robot.links.iter().any(|link| link.name == inner))
        };
        let jointed = |prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|inner| robot.joints().any(|joint| joint.name == inner))
        };
        linked("", "_rate")
            || linked("", "_start")
            || linked("kinetic_energy_of_", "")
            || linked("weight_of_", "")
            || ["damping_of_", "spring_of_", "armature_of_"].into_iter().any(jointed)
    };
    let links = robot.links.iter().map(|link| (link.line, &link.name));
    let loops = robot.loops.iter().map(|closed| (closed.line, &closed.name));
    match links.chain(loops).find(|(_, name)| taken(name)) {
        Some((line, name)) => {
            told(line, format!("`{name}` is a function that is declared for another one"), "rename it in the file")
        }
        None => Ok(()),
    }
}

/// Joints that follow others that follow: all of them follow one that has a coordinate of its own.
fn resolve(robot: &mut Robot) -> Read<()> {
    let joints: Vec<Joint> = robot.joints().cloned().collect();
    for joint in robot.joints_mut() {
        let Some(mimic) = &mut joint.mimic else { continue };
        for turns in 0.. {
            let Some(followed) = joints.iter().find(|other| other.name == mimic.joint) else {
                let message = format!("there is no joint `{}` to follow", mimic.joint);
                return told(joint.line, message, "name a joint of the file that is not fixed");
            };
            if !followed.motion.is_number() {
                let help = "follow a hinge or a slide";
                return told(joint.line, format!("`{}` cannot be followed", mimic.joint), help);
            }
            let Some(next) = &followed.mimic else { break };
            if turns > joints.len() {
                let help = "one of them has a coordinate of its own";
                return told(joint.line, format!("`{}` follows joints that follow it", joint.name), help);
            }
            mimic.offset += mimic.multiplier * next.offset;
            mimic.multiplier *= next.multiplier;
            mimic.joint.clone_from(&next.joint);
        }
    }
    Ok(())
}

/// Refuses a coordinate that moves no mass: its acceleration is not determined.
fn ensure_inertia(robot: &Robot) -> Read<()> {
    // Outermost links first.
    let mut heavy: Vec<bool> = robot.links.iter().map(|link| link.inertial.is_some()).collect();
    for (place, link) in robot.links.iter().enumerate().rev() {
        if let Some(above) = &link.above {
            heavy[above.parent] |= heavy[place];
        }
    }
    let mut moving: Vec<&str> = vec![];
    let mut all: Vec<(u32, &str)> = vec![];
    for (link, heavy) in robot.links.iter().zip(heavy) {
        for joint in link.above.iter().flat_map(|above| &above.joints) {
            let own = joint.mimic.as_ref().map_or(&joint.name, |mimic| &mimic.joint);
            if (heavy || joint.armature > 0.0) && joint.mimic.as_ref().is_none_or(|mimic| mimic.multiplier != 0.0) {
                moving.push(own);
            }
            if joint.mimic.is_none() {
                all.push((joint.line, own));
            }
        }
    }
    match all.into_iter().find(|(_, name)| !moving.contains(name)) {
        Some((line, name)) => told(
            line,
            format!("nothing that `{name}` moves has a mass"),
            "give a link behind it an `inertial`, or make the joint a fixed one",
        ),
        None => Ok(()),
    }
}

/// Refuses loops between links that no joint moves against each other, and those that are open in a direction in which nothing moves.
///
/// Points of a file are rounded.
fn ensure_closable(robot: &Robot) -> Read<()> {
    for closed in &robot.loops {
        let [one, other] = closed.links.map(|link| &robot.links[link].name);
        let rows = rows(robot, closed);
        if rows.directions.is_empty() {
            let message = format!("no joint moves `{one}` against `{other}`");
            return told(closed.line, message, "remove the equality");
        }
        if rows.left > 1e-6 {
            let message = format!("`{one}` and `{other}` cannot meet: no joint closes a gap of {:e}", rows.left);
            return told(closed.line, message, "let the equality ask for what the joints can do");
        }
    }
    Ok(())
}

/// The robot, if all is well.
pub(super) fn checked(mut robot: Robot, root: Node) -> Read<Robot> {
    let links = robot.links.iter().map(|link| (link.line, link.name.clone()));
    let loops = robot.loops.iter().map(|closed| (closed.line, closed.name.clone()));
    ensure_distinct(links.chain(loops), "links")?;
    ensure_distinct(robot.joints().map(|joint| (joint.line, joint.name.clone())), "joints")?;
    ensure_free(&robot)?;
    resolve(&mut robot)?;
    if robot.joints().all(|joint| joint.mimic.is_some()) {
        return told(line(root), "nothing moves".to_owned(), "a robot has a joint that is not fixed");
    }
    ensure_inertia(&robot)?;
    ensure_closable(&robot)?;
    if robot.links[0].inertial.is_some() {
        robot.skipped.push(format!("the mass of `{}`, which stands still", robot.links[0].name));
    }
    Ok(robot)
}
