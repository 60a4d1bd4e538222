//! Checks for robots of all file formats: distinct names, existing bodies, movable coordinates with inertia, and an option for each part
//! that a declaration cannot represent.

use roxmltree::Node;

use super::closure::rows;
use super::dynamics::{Singular, singular_joint};
use super::frame::principal;
use super::model::{Inertial, Joint, Robot};
use super::options::{Friction, Inertia, Options};
use super::xml::{Read, at, line};

/// Maximum number of links from the root to a tip. Each frame is a function that calls the function of its parent, and the compiler follows
/// 64 nested calls.
const LONGEST: usize = 60;
/// Maximum number of links.
const MOST: usize = 2000;
const LONG_CHAIN: &str = "declare a long chain with `#[kinematics(over = …)]`, whose length is set at run time";

/// Returns the inertia of a body with its line in the file; `None` if mass and moments are zero.
pub(super) fn inertial(node: Node, mut body: Inertial) -> Read<Option<Inertial>> {
    body.line = line(node);
    if body.mass < 0.0 {
        return at(body.line, format!("a mass of {}", body.mass), "write a positive mass");
    }
    Ok((body.mass > 0.0 || body.moments != [0.0; 6]).then_some(body))
}

/// Accepts a physically possible inertia; the option `inertia` determines the treatment of any other one.
///
/// The density of a body is not negative. The matrix ∫ x xᵀ dm = ½ tr J 1 − J therefore has no negative eigenvalue: no principal moment is
/// greater than the sum of the others. The tolerance covers values with three digits, and radii of gyration in micrometres.
fn ensure_possible(body: &mut Inertial, link: &str, choice: Option<Inertia>) -> Read<()> {
    let Inertial { mass, moments, line, .. } = *body;
    let [a, b, c] = principal(moments);
    let rounding = 1e-3 * c.abs().max(a.abs()) + 1e-12 * mass;
    let is_possible = a >= -rounding && a + b >= c - rounding;
    if choice == Some(Inertia::AsWritten) || (is_possible && (mass > 0.0 || moments == [0.0; 6])) {
        return Ok(());
    }
    let as_written = "`inertia = as_written` uses the numbers of the file";
    if is_possible {
        let message = format!("`{link}` has moments of inertia and no mass");
        return at(line, message, format!("write its mass; {as_written}"));
    }
    let mean = (a + b + c) / 3.0;
    if choice == Some(Inertia::Balanced) && mean > 0.0 {
        body.moments = [mean, mean, mean, 0.0, 0.0, 0.0];
        return Ok(());
    }
    let rule = if a < -rounding { "none may be negative" } else { "none may be greater than the sum of the others" };
    let message = format!("the principal moments of inertia of `{link}` are {a:.3e}, {b:.3e} and {c:.3e}: {rule}");
    let balanced = if mean > 0.0 { ", `inertia = balanced` replaces them by their mean" } else { "" };
    at(line, message, format!("correct them (about the centre of mass, in kg m²); {as_written}{balanced}"))
}

/// Rejects the second of two equal names.
pub(super) fn ensure_distinct(named: impl Iterator<Item = (u32, String)>, what: &str) -> Read<()> {
    let mut seen = std::collections::HashSet::new();
    for (line, name) in named {
        if !seen.insert(name.clone()) {
            let help = "rename one: only letters without case, digits and `_` distinguish names";
            return at(line, format!("there are two {what} `{name}`"), help);
        }
    }
    Ok(())
}

/// Rejects links whose name is the name of a generated function of another link or joint.
fn ensure_unused_names(robot: &Robot) -> Read<()> {
    let taken = |name: &str| {
        let linked = |prefix: &str, suffix: &str| {
            let inner = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
            inner.is_some_and(|inner| robot.links.iter().any(|link| link.name == inner))
        };
        let jointed = |prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|inner| robot.joints().any(|joint| joint.name == inner))
        };
        let actuated = |prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|inner| robot.actuators.iter().any(|one| one.name == inner))
        };
        linked("", "_rate")
            || linked("", "_start")
            || linked("kinetic_energy_of_", "")
            || linked("weight_of_", "")
            || name.strip_prefix("keyframe_").is_some_and(|inner| robot.keyframes.iter().any(|key| key.name == inner))
            || ["force_of_", "wrench_of_"].into_iter().any(actuated)
            || ["actuation_of_", "damping_of_", "friction_of_", "spring_of_", "armature_of_", "stop_of_"]
                .into_iter()
                .any(jointed)
    };
    let links = robot.links.iter().map(|link| (link.line, &link.name));
    let loops = robot.loops.iter().map(|closed| (closed.line, &closed.name));
    let relations = robot.relations.iter().map(|relation| (relation.line, &relation.name));
    match links.chain(loops).chain(relations).find(|(_, name)| taken(name)) {
        Some((line, name)) => {
            at(line, format!("`{name}` is the name of a generated function of another part"), "rename it in the file")
        }
        None => Ok(()),
    }
}

/// Replaces a joint that follows a following joint by a joint that follows the independent joint at the end.
fn resolve(robot: &mut Robot) -> Read<()> {
    let joints: Vec<Joint> = robot.joints().cloned().collect();
    for joint in robot.joints_mut() {
        let Some(mimic) = &mut joint.mimic else { continue };
        for passes in 0.. {
            let Some(followed) = joints.iter().find(|other| other.name == mimic.joint) else {
                let message = format!("unknown joint `{}` in a relation", mimic.joint);
                return at(joint.line, message, "use the name of a joint that is not fixed");
            };
            if !followed.motion.is_number() {
                let help = "follow a hinge or a slide";
                return at(joint.line, format!("`{}` cannot be followed", mimic.joint), help);
            }
            let Some(next) = &followed.mimic else { break };
            if passes > joints.len() {
                let help = "remove one relation: at least one joint must be independent";
                return at(joint.line, format!("`{}` follows joints that follow it", joint.name), help);
            }
            mimic.offset += mimic.multiplier * next.offset;
            mimic.multiplier *= next.multiplier;
            mimic.joint.clone_from(&next.joint);
        }
    }
    Ok(())
}

/// Rejects a coordinate whose acceleration the mass matrix does not determine.
fn ensure_inertia(robot: &Robot, options: &Options) -> Read<()> {
    if options.inertia == Some(Inertia::AsWritten) {
        return Ok(());
    }
    let Some((name, why)) = singular_joint(robot) else { return Ok(()) };
    let line = robot.joints().find(|joint| joint.name == name).map_or(0, |joint| joint.line);
    let message = match why {
        Singular::NoMass => format!("no link that `{name}` moves has a mass"),
        Singular::OnAxis => format!("the links that `{name}` moves have no moment of inertia about its axis"),
        Singular::Dependent => {
            format!("other joints move all links of `{name}` in the same direction")
        }
    };
    let help = "give a link that the joint moves an inertia, or make the joint fixed; `inertia = as_written` leaves the mass \
                matrix singular: the module must then declare an inertia";
    at(line, message, help)
}

/// Rejects a file with too many links: the declaration has one function for each.
pub(super) fn ensure_link_count(links: usize, root: Node) -> Read<()> {
    if links > MOST {
        return at(line(root), format!("{links} links: the limit for a file is {MOST}"), LONG_CHAIN);
    }
    Ok(())
}

/// Rejects a tip with too many links between the root and itself.
fn ensure_depth(robot: &Robot) -> Read<()> {
    let mut depths: Vec<usize> = vec![];
    for link in &robot.links {
        depths.push(link.above.as_ref().map_or(0, |above| depths[above.parent] + 1));
    }
    if let Some(deep) = depths.iter().position(|&depth| depth > LONGEST) {
        let longest = depths.iter().max().unwrap_or(&0);
        let message = format!("{longest} links in a row: the limit from the root to a tip is {LONGEST}");
        return at(robot.links[deep].line, message, LONG_CHAIN);
    }
    Ok(())
}

/// Requires the option `friction` for joints with dry friction.
fn ensure_friction_law(robot: &mut Robot, options: &Options) -> Read<()> {
    let help = |is_number: bool| {
        let other = if is_number {
            "`friction = dry`, `friction = smooth(0.01)` with the speed of the transition, or "
        } else {
            ""
        };
        format!("write {other}`friction = ignore` after the name of the file")
    };
    let mut ignored: Vec<String> = vec![];
    for joint in robot.joints().filter(|joint| joint.friction != 0.0) {
        let (name, friction, is_number) = (&joint.name, joint.friction, joint.motion.is_number());
        match options.friction {
            Some(Friction::Ignore) => ignored.push(format!("`{name}`")),
            Some(Friction::Smooth(_) | Friction::Dry) if is_number && friction > 0.0 => {}
            Some(Friction::Smooth(_) | Friction::Dry) => {
                let message = format!("dry friction of {friction} at `{name}` has no law");
                return at(joint.line, message, help(false));
            }
            None => {
                let message = format!("dry friction of {friction} at `{name}` needs a law");
                return at(joint.line, message, help(is_number && friction > 0.0));
            }
        }
    }
    if !ignored.is_empty() {
        robot.skipped.push(format!("dry friction of {} (`friction = ignore`)", ignored.join(", ")));
    }
    Ok(())
}

/// Requires a range between the stops of each joint.
fn ensure_ranges(robot: &Robot, options: &Options) -> Read<()> {
    for joint in robot.joints().filter(|joint| options.stops && joint.mimic.is_none()) {
        if let Some([lower, upper]) = stops(robot, joint).filter(|[lower, upper]| lower >= upper) {
            let message =
                format!("the stops of `{}` and of its followers have no range: from {lower} to {upper}", joint.name);
            return at(joint.line, message, "correct the limits, or remove `limits = stops`");
        }
    }
    Ok(())
}

/// Returns the lower and the upper stop of a hinge or a slide: its limits, restricted by the limits of the joints that follow it.
pub(super) fn stops(robot: &Robot, joint: &Joint) -> Option<[f64; 2]> {
    let followed = |other: &Joint| match &other.mimic {
        Some(mimic) if mimic.joint == joint.name && mimic.multiplier != 0.0 => {
            let own = other.limits?.map(|limit| (limit - mimic.offset) / mimic.multiplier);
            Some([own[0].min(own[1]), own[0].max(own[1])])
        }
        None if other.name == joint.name => other.limits.filter(|_| joint.motion.is_number()),
        _ => None,
    };
    robot.joints().filter_map(followed).reduce(|[lower, upper], own| [lower.max(own[0]), upper.min(own[1])])
}

/// Checks the inertias of movable links and lists the links that cannot move.
fn ensure_bodies(robot: &mut Robot, options: &Options) -> Read<()> {
    let moves = robot.moves();
    let (mut still, mut base): (Vec<String>, f64) = (vec![], 0.0);
    for (link, moves) in robot.links.iter_mut().zip(moves) {
        let Some(body) = &mut link.inertial else { continue };
        if moves {
            ensure_possible(body, &link.name, options.inertia)?;
        } else {
            still.push(format!("`{}`", link.name));
            base += body.mass;
        }
    }
    let root = &robot.links[0].name;
    if !still.is_empty() {
        robot.skipped.push(format!("the inertia of {}: fixed to `{root}`, which stands still", still.join(", ")));
    }
    // A root with the name `world` states that its children are mounted.
    if options.base.is_none() && base > 0.0 && root != "world" {
        robot.warnings.push(format!(
            "the base `{root}` stands still, and its mass of {base} kg has no effect: write `base = fixed`, or `base = floating` for a robot \
             that is not mounted"
        ));
    }
    Ok(())
}

/// Rejects loops between links that have no relative motion, and loops with a gap that no joint can close.
///
/// Points in files are rounded.
fn ensure_closable(robot: &Robot) -> Read<()> {
    for closed in &robot.loops {
        let [one, other] = closed.links.map(|link| &robot.links[link].name);
        let rows = rows(robot, closed);
        if rows.directions.is_empty() {
            let message = format!("no joint moves `{one}` relative to `{other}`");
            return at(closed.line, message, "remove the equality");
        }
        if rows.left > 1e-6 {
            let message = format!("`{one}` and `{other}` cannot meet: no joint closes a gap of {:e}", rows.left);
            return at(closed.line, message, "correct the equality, or add a joint that closes the gap");
        }
    }
    Ok(())
}

/// Returns the robot with its options applied.
pub(super) fn checked(mut robot: Robot, root: Node, options: &Options) -> Read<Robot> {
    let links = robot.links.iter().map(|link| (link.line, link.name.clone()));
    let loops = robot.loops.iter().map(|closed| (closed.line, closed.name.clone()));
    let relations = robot.relations.iter().map(|relation| (relation.line, relation.name.clone()));
    ensure_distinct(links.chain(loops).chain(relations), "links")?;
    ensure_distinct(robot.keyframes.iter().map(|key| (key.line, key.name.clone())), "keyframes")?;
    ensure_distinct(robot.joints().map(|joint| (joint.line, joint.name.clone())), "joints")?;
    ensure_distinct(robot.actuators.iter().map(|one| (one.line, one.name.clone())), "actuators")?;
    ensure_unused_names(&robot)?;
    ensure_depth(&robot)?;
    resolve(&mut robot)?;
    if robot.joints().all(|joint| joint.mimic.is_some()) {
        let help = match options.base {
            None if robot.links[0].name != "world" => "write `base = floating` for a robot that is not mounted",
            _ => "add a joint that is not fixed",
        };
        return at(line(root), "a robot without movable joints", help);
    }
    ensure_friction_law(&mut robot, options)?;
    ensure_ranges(&robot, options)?;
    ensure_bodies(&mut robot, options)?;
    ensure_inertia(&robot, options)?;
    ensure_closable(&robot)?;
    Ok(robot)
}
