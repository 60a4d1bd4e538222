//! Declarations from robot files (URDF and MJCF).
//!
//! *Reading* (`urdf`, `mjcf`) converts a file to a common `model`, or returns an error with the line. Common checks (`check`) and the rows
//! of loops (`closure`) follow. *Declaring* (`declare`, `terms`) writes the items that a user of `#[mechanical_system]` would write by hand. The
//! macro compiles them as a part of the module, and users can copy and modify them.

mod assembly;
mod check;
mod closure;
mod declare;
mod dynamics;
mod frame;
mod mjcf;
mod model;
mod options;
mod terms;
#[cfg(test)]
mod tests;
mod urdf;
mod xml;

use std::path::{Path, PathBuf};

use model::Robot;

pub use options::{Actuation, Base, Friction, Inertia, Options};

/// A configuration of a robot file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedConfiguration {
    /// `reference`, or the name of a keyframe in the file.
    pub name: String,
    /// The members in Rust and their scalars: a value of a hinge or slide, a unit quaternion w, x, y, z of a ball, a quaternion and a
    /// position of a floating joint, an angle and a position of a planar joint.
    pub values: Vec<(String, Vec<f64>)>,
}

/// The formats of robot files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The Unified Robot Description Format of ROS.
    Urdf,
    /// The XML format of MuJoCo.
    Mjcf,
}

impl Language {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Urdf, Self::Mjcf];

    /// The name of the format in macro arguments.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Urdf => "urdf",
            Self::Mjcf => "mjcf",
        }
    }

    /// Returns the format of a text, by its root element.
    ///
    /// # Errors
    /// [`Mistake`] for another root element, or for a text that is not XML.
    pub fn of(text: &str) -> Result<Self, Mistake> {
        let document = xml::parse(text)?;
        Self::of_root(document.root_element())
    }

    fn of_root(root: roxmltree::Node<'_, '_>) -> Result<Self, Mistake> {
        let tag = root.tag_name().name();
        let help = "the root element of a URDF is <robot name=\"…\">, the root element of an MJCF is <mujoco>";
        match Self::ALL.into_iter().find(|language| language.root() == tag) {
            Some(language) => Ok(language),
            None => xml::mistake(root, format!("`{tag}` is not the root element of a robot file"), help),
        }
    }

    /// The root element of a file.
    fn root(self) -> &'static str {
        match self {
            Self::Urdf => "robot",
            Self::Mjcf => "mujoco",
        }
    }
}

/// An error in a robot file.
#[derive(Debug, PartialEq)]
pub struct Mistake {
    /// The included file that contains the error, relative to the folder of the main file; empty for the main file.
    pub file: String,
    /// The line, from 1; 0 for an error of the whole file.
    pub line: u32,
    /// The fault.
    pub message: String,
    /// The correction.
    pub help: String,
}

impl core::fmt::Display for Mistake {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { file, line, .. } = self;
        match (file.as_str(), line) {
            (_, 0) => {}
            ("", line) => write!(f, "line {line}: ")?,
            (file, line) => write!(f, "{file}, line {line}: ")?,
        }
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for Mistake {}

/// Reads a text in the given format, or in the format of its root element. Returns the robot and the paths of included files.
fn read(
    text: &str,
    path: &Path,
    language: Option<Language>,
    options: &Options,
) -> Result<(Robot, Vec<PathBuf>), Mistake> {
    let document = xml::parse(text)?;
    let root = document.root_element();
    let (tag, found) = (root.tag_name().name(), Language::of_root(root)?);
    if let Some(other) = language.filter(|language| *language != found) {
        let (message, help) = (
            format!(
                "`{tag}` is not the root element of {} files, which is <{}>",
                other.name().to_uppercase(),
                other.root()
            ),
            format!("write `{} = \"…\"`", found.name()),
        );
        return xml::mistake(root, message, help);
    }
    match found {
        Language::Urdf => urdf::read(root, options).map(|robot| (robot, vec![])),
        Language::Mjcf => mjcf::read(text, path, options),
    }
}

/// A declaration and the files that it depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The items of a module, as Rust source.
    pub items: String,
    /// The paths of included files.
    pub included: Vec<PathBuf>,
    /// The parts of the file that the declaration does not contain, one phrase for each.
    pub ignored: Vec<String>,
    /// Assumptions that change the motion and that an option confirms or replaces.
    pub warnings: Vec<String>,
    /// The reference configuration, then the keyframes.
    pub configurations: Vec<NamedConfiguration>,
}

impl Declaration {
    /// Returns the items as a module with these arguments of `#[mechanical_system]`: `(redundant = minimum_norm)`. Characters of `name` that
    /// Rust does not allow become `_`.
    #[must_use]
    pub fn module(&self, name: &str, arguments: &str) -> String {
        let name: String =
            name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let prefix = if syn::parse_str::<syn::Ident>(&name).is_ok() { "" } else { "robot_" };
        let indented = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
        let items: String = self.items.lines().map(indented).collect();
        format!("#[mechanical_system{arguments}]\npub mod {prefix}{name} {{\n{items}}}\n")
    }
}

/// Converts the text of a file to a declaration. Included files are searched in the folder of `path`.
///
/// # Errors
/// [`Mistake`], with the line of the part that is wrong or needs an option.
pub fn declaration(text: &str, path: &Path, language: Language, options: &Options) -> Result<Declaration, Mistake> {
    Ok(declared(read(text, path, Some(language), options)?, options))
}

fn declared((robot, included): (Robot, Vec<PathBuf>), options: &Options) -> Declaration {
    let items = declare::declare(&robot, options);
    let configurations = declare::named_configurations(&robot);
    Declaration { items, included, ignored: robot.skipped, warnings: robot.warnings, configurations }
}

/// Converts the text of a file in either format to a complete module. Characters of `name` that Rust does not allow become `_`.
///
/// # Errors
/// [`Mistake`], with the line of the part that is wrong or needs an option.
pub fn module(name: &str, text: &str, path: &Path, options: &Options) -> Result<String, Mistake> {
    let (robot, included) = read(text, path, None, options)?;
    // Spatial loops can have redundant rows.
    let arguments = if robot.loops.is_empty() { "" } else { "(redundant = minimum_norm)" };
    let module = declared((robot, included), options).module(name, arguments);
    Ok(format!("use lie_runtime::prelude::*;\n\n{module}"))
}
