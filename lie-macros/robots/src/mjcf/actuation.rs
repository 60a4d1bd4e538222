//! Actuators and tendons: sections that a declaration does not contain.
//!
//! An actuator without a bias exerts no force while its control is zero. A tendon without a spring, a damper, an armature and friction exerts
//! no force at all. Both are noted; all others need an option.

use roxmltree::Node;

use super::classes::Classes;
use crate::options::Options;
use crate::xml::{Read, Skipping, list, mistake, tag};

/// Actuators that exert no force while their control is zero, unless a default gives them a bias.
const WITHOUT_BIAS: [&str; 4] = ["general", "motor", "damper", "adhesion"];
/// Defaults that give an actuator a bias.
const WITH_BIAS: [&str; 7] = ["position", "velocity", "intvelocity", "orientation", "pid", "muscle", "dcmotor"];

/// Whether an attribute of an element or of its defaults has a value that is not zero.
fn acts(levels: &[Node], names: &[&str]) -> Read<bool> {
    for name in names {
        let Some(level) = levels.iter().find(|level| level.has_attribute(*name)) else { continue };
        if list(*level, name)?.iter().any(|&x| x != 0.0) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Notes the actuators, or refuses the first one that acts without a control.
pub(super) fn actuators<'a>(
    sections: &[Node<'a, 'a>],
    classes: &Classes<'a, 'a>,
    options: &Options,
    skipping: &Skipping,
) -> Read<()> {
    let mut count = 0;
    for node in sections.iter().flat_map(Node::children).filter(Node::is_element) {
        count += 1;
        if options.actuators {
            continue;
        }
        let name = tag(node);
        let general = classes.element(node, "general", None)?;
        let levels: Vec<Node> = classes.element(node, &name, None)?.levels;
        let is_biased = |level: &Node| level.attribute("biastype").is_some_and(|kind| kind != "none");
        let inherits = |of: &str| Ok(classes.element(node, of, None)?.levels.len() > 1);
        let mut biased = !WITHOUT_BIAS.contains(&name.as_str()) || acts(&levels, &["armature", "damping"])?;
        if name == "general" {
            biased |= general.levels.iter().any(is_biased);
            for of in &WITH_BIAS {
                biased |= inherits(of)?;
            }
        }
        if biased {
            let help = "write `actuators = ignore`, and declare inputs and forces in the module if needed";
            return mistake(node, format!("the actuator `{name}` acts while its control is zero"), help);
        }
    }
    if count > 0 {
        let which = if options.actuators { "(`actuators = ignore`)" } else { "with zero force at zero control" };
        skipping.note(format!("`actuator`: {count} {which}"));
    }
    Ok(())
}

/// Notes the tendons, or refuses the first one that acts.
pub(super) fn tendons<'a>(sections: &[Node<'a, 'a>], classes: &Classes<'a, 'a>, skipping: &Skipping) -> Read<()> {
    let mut count = 0;
    for node in sections.iter().flat_map(Node::children).filter(Node::is_element) {
        count += 1;
        let levels = classes.element(node, "tendon", None)?.levels;
        if acts(&levels, &["stiffness", "damping", "frictionloss", "armature"])? {
            let name = node.attribute("name").unwrap_or_default();
            let help = "write `skip = [tendon]`, and declare the tendon as a `#[potential]` or a `#[force]` in the module if needed";
            return mistake(node, format!("the forces of the tendon `{name}` are not computed"), help);
        }
    }
    if count > 0 {
        skipping.note(format!("`tendon`: {count} without forces of their own"));
    }
    Ok(())
}
