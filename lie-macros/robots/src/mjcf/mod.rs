//! MJCF, the language of MuJoCo → [`Robot`]: the mechanical part of a file, with the meaning that it has in MuJoCo.
//!
//! Invariant: every element and attribute is read, or noted as ignored, or an error with its line. Ignored parts cannot change the motion, or an
//! option names them. Contacts are noted, and stops at joint limits without `limits = stops`.

mod actuation;
mod body;
mod classes;
mod compiler;
mod equality;
mod geometry;
mod keyframes;
mod mesh;
mod replicate;
mod source;
mod within;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};

use crate::assembly::assemble;
use crate::check::checked;
use crate::model::Robot;
use crate::xml::{Read, Skipping, mistake, parse, tag};
use crate::{Actuation, Base, Mistake, Options};
use classes::Classes;
use compiler::Compiler;
use mesh::Meshes;
use source::Source;
use within::{Reading, attributes};

const SECTIONS: [&str; 10] =
    ["compiler", "option", "default", "asset", "worldbody", "equality", "contact", "actuator", "tendon", "keyframe"];
const BESIDE: [&str; 6] = ["size", "statistic", "visual", "sensor", "custom", "extension"];

/// Reads a file, and returns the files that it includes and the meshes that were read.
pub(crate) fn read(text: &str, path: &Path, options: &Options) -> Result<(Robot, Vec<PathBuf>), Mistake> {
    if let Some(base) = options.base {
        let word = if base == Base::Fixed { "fixed" } else { "floating" };
        let help = "remove the option: the bodies with a <freejoint/> are free, all others are fixed to the world";
        return Err(Mistake {
            file: String::new(),
            line: 0,
            message: format!("`base = {word}` is an option of a URDF"),
            help: help.to_owned(),
        });
    }
    let is_told = |name: &str| options.skip.iter().any(|skipped| skipped == name);
    let mut source = Source::of(text, path);
    if !is_told("include") {
        source = source.with_included()?;
    }
    if !is_told("replicate") {
        source = replicate::replicated(source)?;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let read = parse(&source.text).and_then(|document| understood(&document, folder, options));
    let (robot, meshes) = read.map_err(|mistake| source.told(mistake))?;
    Ok((robot, [source.included(), &meshes].concat()))
}

/// Reads the text with all files included and all copies written out.
fn understood(document: &Document, folder: &Path, options: &Options) -> Read<(Robot, Vec<PathBuf>)> {
    let root = document.root_element();
    let skipping = Skipping::new(&options.skip);
    attributes(root, &["model"], &[], &skipping)?;
    // Plugins act on bodies; one that is not named there does nothing.
    if let Some(part) = root.descendants().find(|node| tag(*node) == "plugin") {
        if !skipping.is_skipped("plugin") {
            let help = "write `skip = [plugin]`, and declare its forces in the module if needed";
            return mistake(part, "the forces of a `plugin` are not computed", help);
        }
        skipping.note("`plugin` (`skip = [plugin]`)");
    }
    let all = skipping.children(root, &SECTIONS, &BESIDE)?;
    let of = |name: &str| all.iter().copied().filter(|node| node.has_tag_name(name)).collect::<Vec<Node>>();
    let compiler = Compiler::read(&of("compiler"), &of("option"), &skipping)?;
    let classes = Classes::read(&of("default"), &skipping)?;
    let meshes = Meshes::of(folder, &of("asset"), &classes)?;
    if !of("asset").is_empty() {
        skipping.note("`asset` except meshes that give inertia");
    }
    let reading = Reading { compiler: &compiler, classes: &classes, meshes: &meshes, skipping: &skipping };
    let mut tree = body::read(&of("worldbody"), reading)?;
    let joints = || tree.links.iter().filter_map(|link| link.above.as_ref()).flat_map(|above| &above.joints);
    if joints().any(|joint| joint.limits.is_some() && !(options.stops && joint.motion.is_number())) {
        skipping.note("stops at the limits of joints");
    }
    contacts(&of("contact"), tree.colliding, &skipping)?;
    let actuators = actuation::actuators(&of("actuator"), &tree, reading, options)?;
    if options.actuators != Some(Actuation::Inputs) {
        for joint in tree.links.iter().filter_map(|link| link.above.as_ref()).flat_map(|above| &above.joints) {
            if let Some([lower, upper]) = joint.actuation_limits.filter(|_| joint.effort.is_none()) {
                skipping.note(format!("`actuatorfrcrange` from {lower} to {upper} of joint `{}`", joint.name));
            }
        }
    }
    actuation::tendons(&of("tendon"), &classes, &skipping)?;
    let (loops, relations) = equality::read(&of("equality"), &mut tree, reading)?;
    let keyframes = keyframes::read(&of("keyframe"), &tree.links, &skipping)?;
    let name = root.attribute("model").unwrap_or("robot").to_owned();
    let gravity = compiler.gravity;
    let skipped = grouped(skipping.found());
    let links = tree.links;
    let robot = Robot { name, gravity, links, loops, relations, actuators, keyframes, skipped, ..Robot::default() };
    let mut robot = checked(robot, root, options)?;
    assemble(&mut robot);
    Ok((robot, meshes.files()))
}

/// Notes contacts: bodies of the declaration pass through each other.
fn contacts(sections: &[Node], colliding: usize, skipping: &Skipping) -> Read<()> {
    if colliding > 0 {
        skipping.note(format!("contacts between geoms ({colliding} can collide)"));
    }
    for &section in sections {
        for pair in skipping.children(section, &["pair"], &["exclude"])? {
            let [one, other] = ["geom1", "geom2"].map(|name| pair.attribute(name).unwrap_or_default());
            skipping.note(format!("the contact of geoms `{one}` and `{other}`"));
        }
    }
    Ok(())
}

/// Attributes of one element in one phrase.
fn grouped(notes: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = vec![];
    let mut elements: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for note in notes {
        match note.split_once(" of ") {
            Some((attribute, element)) if [attribute, element].iter().all(|part| is_name(part)) => {
                elements.entry(element.to_owned()).or_default().push(attribute.to_owned());
            }
            _ => all.push(note),
        }
    }
    all.extend(elements.into_iter().map(|(element, attributes)| format!("{} of {element}", attributes.join(", "))));
    all
}

/// Whether a phrase is one name of the file.
fn is_name(phrase: &str) -> bool {
    let inner = phrase.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.is_some_and(|name| !name.contains('`'))
}
