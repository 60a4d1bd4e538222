//! MJCF, the language of MuJoCo → [`Robot`]: what it says about mechanics.
//!
//! Invariant: as in `urdf`, what is not understood is an error with its line. Pictures, sensors, settings of the solver and what geoms touch
//! say nothing about the motion that is declared; what drives and touches a robot (`actuator`, `tendon`, `contact`) is left out if that is said.

mod body;
mod classes;
mod compiler;
mod equality;
mod geometry;
mod replicate;
mod source;
mod within;

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};

use crate::check::checked;
use crate::model::Robot;
use crate::xml::{Read, Skipping, ensure_known, mistake, parse, tag};
use crate::{Mistake, Options};
use classes::Classes;
use compiler::Compiler;
use source::Source;
use within::Reading;

const SECTIONS: [&str; 6] = ["compiler", "option", "default", "worldbody", "equality", "contact"];
const BESIDE: [&str; 8] = ["size", "statistic", "visual", "asset", "sensor", "custom", "keyframe", "extension"];

/// Understands a file, those that it includes, which are told, and all copies in them.
pub(crate) fn read(text: &str, path: &Path, options: &Options) -> Result<(Robot, Vec<PathBuf>), Mistake> {
    let is_told = |name: &str| options.skip.iter().any(|told| told == name);
    let mut source = Source::of(text, path);
    if !is_told("include") {
        source = source.with_included()?;
    }
    if !is_told("replicate") {
        source = replicate::replicated(source)?;
    }
    let robot = parse(&source.text).and_then(|document| understood(&document, options));
    robot.map(|robot| (robot, source.included().to_vec())).map_err(|mistake| source.told(mistake))
}

/// Understands what is written out.
fn understood(document: &Document, options: &Options) -> Read<Robot> {
    let root = document.root_element();
    ensure_known(root, &["model"])?;
    let skipping = Skipping::new(&options.skip);
    // Plugins act on bodies; one that is not named there does nothing.
    if let Some(part) = root.descendants().find(|node| tag(*node) == "plugin") {
        return mistake(part, "`plugin` is not followed", "remove it, and declare in the module what it does");
    }
    let all = skipping.children(root, &SECTIONS, &BESIDE)?;
    let of = |name: &str| all.iter().copied().filter(|node| node.has_tag_name(name)).collect::<Vec<Node>>();
    for contact in of("contact") {
        // What may not touch does not touch here either.
        if !options.skip.iter().any(|name| name == "contact") {
            skipping.children(contact, &[], &["exclude"])?;
        }
    }
    let compiler = Compiler::read(&of("compiler"), &of("option"))?;
    let classes = Classes::read(&of("default"), &skipping)?;
    let reading = Reading { compiler: &compiler, classes: &classes, skipping: &skipping };
    let mut tree = body::read(&of("worldbody"), reading)?;
    let loops = equality::read(&of("equality"), &mut tree, &classes, &skipping)?;
    let name = root.attribute("model").unwrap_or("robot").to_owned();
    let gravity = compiler.gravity;
    let robot = Robot { name, gravity, links: tree.links, loops, skipped: skipping.found(), warnings: vec![] };
    checked(robot, root, options)
}
