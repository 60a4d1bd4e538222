//! Files with declarations: Rust, URDF and MJCF.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use lie_compiler::{Compiled, DeclaredSystem, Diagnostics, compile, declared_systems, robot_module};
use lie_robots::{Language, Options};
use proc_macro2::{Literal, TokenStream, TokenTree};

use crate::failure::Failure;

/// The arguments that select a declaration.
#[derive(Args)]
pub struct InputArguments {
    /// A Rust file with a module `#[mechanical_system] mod name { … }`, or a robot file (URDF or MJCF)
    pub file: PathBuf,
    /// The name of the module, if the file has several systems
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// An option of a robot file, as in the attribute: friction=ignore, base=floating
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

/// A file with declarations.
pub struct Input {
    /// The text of the Rust file, or the declaration of the robot.
    pub text: String,
    /// The format and the options of a robot file, from which the text was generated.
    pub robot: Option<(Language, Options)>,
    /// The name of the file in messages.
    name: String,
    pub path: PathBuf,
    systems: Vec<DeclaredSystem>,
    selected: Option<String>,
}

impl Input {
    /// Reads a file. A text that begins with `<` is a robot file.
    pub fn read(arguments: &InputArguments) -> Result<Self, Failure> {
        let path = arguments.file.clone();
        let file = path.display().to_string();
        let text = read_text(&path)?;
        let is_robot = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        // The reader reports another root element.
        let language = Language::of(&text).unwrap_or(Language::Urdf);
        let robot = is_robot.then_some(options(&arguments.options)?).map(|options| (language, options));
        if !is_robot && !arguments.options.is_empty() {
            return Err(Failure::Usage(
                "`--option` is for robot files: write the option into the attribute".to_owned(),
            ));
        }
        let (text, name) = match &robot {
            Some(robot) => (declaration(&path, &text, robot)?, format!("declaration of {file}")),
            None => (text, file),
        };
        let located = |errors: Diagnostics| Failure::of_declaration(&errors.in_file(&name));
        let systems = declared_systems(&text).map_err(located)?;
        if systems.is_empty() {
            // The compiler reports the missing declaration.
            compile(&text).map_err(located)?;
        }
        Ok(Self { text, robot, name, path, systems, selected: arguments.system.clone() })
    }

    /// Returns the selected system, or all systems of the file.
    pub fn selected(&self) -> Result<Vec<&DeclaredSystem>, Failure> {
        let Some(name) = &self.selected else { return Ok(self.systems.iter().collect()) };
        let found: Vec<_> = self.systems.iter().filter(|system| system.name == *name).collect();
        if found.is_empty() {
            let message = format!("`{}` has no system `{name}`; its systems are {}", self.name, self.names());
            return Err(Failure::Usage(message));
        }
        Ok(found)
    }

    /// Returns the selected system, or the only system of the file.
    pub fn single(&self) -> Result<&DeclaredSystem, Failure> {
        match self.selected()?[..] {
            [system] => Ok(system),
            [first, ..] if self.selected.is_some() => {
                let message =
                    format!("`{}` has several systems `{}`: rename one of the modules", self.name, first.name);
                Err(Failure::Usage(message))
            }
            _ => {
                let message = format!(
                    "`{}` has several systems ({}): select a system with `--system NAME`",
                    self.name,
                    self.names()
                );
                Err(Failure::Usage(message))
            }
        }
    }

    fn names(&self) -> String {
        self.systems.iter().map(|system| format!("`{}`", system.name)).collect::<Vec<_>>().join(", ")
    }

    /// Compiles a system of the file.
    pub fn compile(&self, system: &DeclaredSystem) -> Result<Compiled, Failure> {
        compile(self.with_paths(system)).map_err(|errors| Failure::of_declaration(&self.located(errors)))
    }

    /// Returns a system with absolute paths of its robot files.
    pub fn with_paths(&self, system: &DeclaredSystem) -> DeclaredSystem {
        let arguments = with_absolute_path(system.arguments.clone(), &package_folder(&self.path));
        DeclaredSystem { arguments, ..system.clone() }
    }

    /// Adds the name and the lines of the file.
    pub fn located(&self, errors: Diagnostics) -> Diagnostics {
        errors.with_text(&self.text).in_file(&self.name)
    }
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("the file `{}` cannot be read: {error}", path.display())))
}

/// Returns the options of a robot file.
fn options(given: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    for option in given {
        let (name, value) = option.split_once('=').ok_or_else(|| {
            Failure::Usage(format!("`--option {option}` has no value: write `--option friction=ignore`"))
        })?;
        options.set(name.trim(), value.trim()).map_err(|mistake| Failure::Usage(mistake.to_string()))?;
    }
    Ok(options)
}

/// Returns the declaration of a robot file.
fn declaration(path: &Path, text: &str, (language, options): &(Language, Options)) -> Result<String, Failure> {
    // Its errors have the format of the errors of a declaration.
    robot_module(text, path, *language, options).map_err(|errors| {
        Failure::Declaration(format!(
            "{errors}\n\nerror: 1 error in the robot file; options have the form `--option NAME=VALUE`"
        ))
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    lie_robots::module(&name, text, path, options).map_err(|mistake| Failure::Usage(mistake.to_string()))
}

/// Returns the folder of the `Cargo.toml` of a file; the folder of the file if there is none.
fn package_folder(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let package = path.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file());
    package.or(path.parent()).map_or_else(PathBuf::new, Path::to_owned)
}

/// Makes the path in `urdf = "…"` or `mjcf = "…"` absolute. The macro adds the folder of the package.
fn with_absolute_path(arguments: TokenStream, folder: &Path) -> TokenStream {
    let mut is_path = false;
    let absolute = |token: TokenTree| {
        if is_path && let TokenTree::Literal(literal) = &token {
            is_path = false;
            let Ok(relative) = syn::parse_str::<syn::LitStr>(&literal.to_string()) else { return token };
            let mut absolute = Literal::string(&folder.join(relative.value()).display().to_string());
            absolute.set_span(literal.span());
            return TokenTree::Literal(absolute);
        }
        is_path = match &token {
            TokenTree::Ident(name) => name == "urdf" || name == "mjcf",
            TokenTree::Punct(sign) => is_path && sign.as_char() == '=',
            _ => false,
        };
        token
    };
    arguments.into_iter().map(absolute).collect()
}
