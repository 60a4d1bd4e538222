//! Prints the module that a robot file stands for: `cargo run --example urdf -- arm.urdf > arm.rs`, with the options of the attribute:
//! `-- arm.xml --friction 'smooth(0.01)' --skip tendon,contact`.
//!
//! `#[mechanical_system(urdf = "arm.urdf")]` and `#[mechanical_system(mjcf = "arm.xml")]` read the same items; the printed module is meant
//! to be read, changed and extended.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use lie_robots::Options;

/// The arguments.
fn command() -> Command {
    let file = Arg::new("file").required(true).value_parser(value_parser!(PathBuf)).help("a robot file, URDF or MJCF");
    let option = |(name, example)| {
        Arg::new(name).long(name).value_name("value").help(format!("as in the attribute: {name} = {example}"))
    };
    let about = "Prints the declaration that a robot file stands for";
    Command::new("urdf").about(about).arg(file).args(Options::NAMES.map(option))
}

/// The options of the attribute.
fn options(matches: &ArgMatches) -> Result<Options, String> {
    let mut options = Options::default();
    for (name, _) in Options::NAMES {
        if let Some(value) = matches.get_one::<String>(name) {
            options.set(name, value).map_err(|mistake| mistake.to_string())?;
        }
    }
    Ok(options)
}

/// The module.
fn module(path: &Path, options: &Options) -> Result<String, String> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    lie_robots::module(&name, &text, path, options).map_err(|mistake| format!("{file}: {mistake}"))
}

/// The program.
fn main() -> ExitCode {
    let matches = command().get_matches();
    let path: &PathBuf = matches.get_one("file").expect("an argument that is required");
    match options(&matches).and_then(|options| module(path, &options)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
