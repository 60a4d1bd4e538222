//! Robots' files as declarations.
//!
//! *Reading* (`urdf`, `mjcf`) understands a file or says in which line it does not, both into one `model` of which they ask the same
//! (`check`), the rows of its loops (`closure`) among it; *declaring* (`declare`) writes the items that a user of `#[mechanical_system]` would have written: for the macro, which reads
//! them as if they stood in the module, and for people who want to go on from there.

mod assembly;
mod check;
mod closure;
mod declare;
mod dynamics;
mod frame;
mod mjcf;
mod model;
mod options;
#[cfg(test)]
mod tests;
mod urdf;
mod xml;

use std::path::{Path, PathBuf};

use model::Robot;

pub use options::{Base, Friction, Inertia, Options};

/// The languages of robots' files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The Unified Robot Description Format of ROS.
    Urdf,
    /// MuJoCo's XML.
    Mjcf,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Urdf, Self::Mjcf];

    /// As arguments call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Urdf => "urdf",
            Self::Mjcf => "mjcf",
        }
    }

    /// The element that is the whole of a file.
    fn root(self) -> &'static str {
        match self {
            Self::Urdf => "robot",
            Self::Mjcf => "mujoco",
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, PartialEq)]
pub struct Mistake {
    /// The file that is included, as it is seen from the folder of the one that is read; empty if it is that one.
    pub file: String,
    /// The line, from 1 on; 0 if it is about the file as a whole.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
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

/// Reads the text of a file in the given language, or in the language that its first element names; returns the robot and the files that
/// it includes.
fn read(
    text: &str,
    path: &Path,
    language: Option<Language>,
    options: &Options,
) -> Result<(Robot, Vec<PathBuf>), Mistake> {
    let document = xml::parse(text)?;
    let root = document.root_element();
    let tag = root.tag_name().name();
    let Some(found) = Language::ALL.into_iter().find(|language| language.root() == tag) else {
        let help = "a URDF is <robot name=\"…\">, an MJCF <mujoco>";
        return xml::mistake(root, format!("`{tag}` is no robot"), help);
    };
    if let Some(other) = language.filter(|language| *language != found) {
        let (message, help) = (
            format!("`{tag}` is no {}, which begins with <{}>", other.name().to_uppercase(), other.root()),
            format!("write `{} = \"…\"`", found.name()),
        );
        return xml::mistake(root, message, help);
    }
    match found {
        Language::Urdf => urdf::read(root, options).map(|robot| (robot, vec![])),
        Language::Mjcf => mjcf::read(text, path, options),
    }
}

/// A declaration, and the files it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Rust: the items of a module.
    pub items: String,
    /// The files that are included.
    pub included: Vec<PathBuf>,
    /// The parts of the file that the declaration does not contain, one phrase for each.
    pub ignored: Vec<String>,
    /// Assumptions that change the motion and that an option confirms or replaces.
    pub warnings: Vec<String>,
}

/// Returns the declaration that the text of a file stands for. Included files are searched beside `path`.
///
/// # Errors
/// [`Mistake`], with the line of the part that is wrong or needs an option.
pub fn declaration(text: &str, path: &Path, language: Language, options: &Options) -> Result<Declaration, Mistake> {
    let (robot, included) = read(text, path, Some(language), options)?;
    let items = declare::declare(&robot, options);
    Ok(Declaration { items, included, ignored: robot.skipped, warnings: robot.warnings })
}

/// Returns the declaration of a file in either language as a complete module. Characters of `name` that Rust does not allow become `_`.
///
/// # Errors
/// [`Mistake`], with the line of the part that is wrong or needs an option.
pub fn module(name: &str, text: &str, path: &Path, options: &Options) -> Result<String, Mistake> {
    let name: String = name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let prefix = if syn::parse_str::<syn::Ident>(&name).is_ok() { "" } else { "robot_" };
    let indented = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    let (robot, _) = read(text, path, None, options)?;
    let items: String = declare::declare(&robot, options).lines().map(indented).collect();
    // Loops in space may have more rows than are needed.
    let arguments = if robot.loops.is_empty() { "" } else { "(redundant = minimum_norm)" };
    Ok(format!(
        "use lie_runtime::prelude::*;\n\n#[mechanical_system{arguments}]\npub mod {prefix}{name} {{\n    use lie_runtime::prelude::*;\n\n{items}}}\n"
    ))
}
