//! MJCF, the language of MuJoCo → [`Robot`]: what it says about mechanics.
//!
//! Invariant: as in `urdf`, what is not understood is an error with its line. Pictures, sensors, settings of the solver and what geoms touch
//! say nothing about the motion that is declared; what drives and touches a robot (`actuator`, `tendon`, `contact`) is left out if that is said.

mod body;
mod classes;
mod compiler;
mod equality;
mod geometry;

use roxmltree::Node;

use crate::check::checked;
use crate::model::Robot;
use crate::xml::{Read, Skipping, ensure_known, mistake, tag};
use classes::Classes;
use compiler::Compiler;

const SECTIONS: [&str; 6] = ["compiler", "option", "default", "worldbody", "equality", "contact"];
const BESIDE: [&str; 8] = ["size", "statistic", "visual", "asset", "sensor", "custom", "keyframe", "extension"];

/// Understands a file.
pub(crate) fn read(root: Node, skip: &[String]) -> Read<Robot> {
    ensure_known(root, &["model"])?;
    let skipping = Skipping::new(skip);
    // Plugins act on bodies; one that is not named there does nothing.
    if let Some(part) = root.descendants().find(|node| ["include", "plugin"].contains(&tag(*node).as_str())) {
        let message = format!("`{}` is not followed", tag(part));
        return mistake(
            part,
            message,
            "write the file in one, without plugins: MuJoCo's `mj_saveLastXML` joins what is included",
        );
    }
    let all = skipping.children(root, &SECTIONS, &BESIDE)?;
    let of = |name: &str| all.iter().copied().filter(|node| node.has_tag_name(name)).collect::<Vec<Node>>();
    for contact in of("contact") {
        // What may not touch does not touch here either.
        if !skip.iter().any(|name| name == "contact") {
            skipping.children(contact, &[], &["exclude"])?;
        }
    }
    let compiler = Compiler::read(&of("compiler"), &of("option"))?;
    let classes = Classes::read(&of("default"), &skipping)?;
    let mut tree = body::read(&of("worldbody"), &compiler, &classes, &skipping)?;
    let loops = equality::read(&of("equality"), &mut tree, &classes, &skipping)?;
    let name = root.attribute("model").unwrap_or("robot").to_owned();
    checked(Robot { name, gravity: compiler.gravity, links: tree.links, loops, skipped: skipping.found() }, root)
}
