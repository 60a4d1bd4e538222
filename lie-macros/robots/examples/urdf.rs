//! Converts a robot file to a module: `cargo run --example urdf -- arm.urdf > arm.rs`. The options are the options of the attribute:
//! `-- arm.xml --friction 'smooth(0.01)' --skip tendon,contact`.
//!
//! `#[mechanical_system(urdf = "arm.urdf")]` and `#[mechanical_system(mjcf = "arm.xml")]` contain the same items. Use the printed module
//! as a starting point for modifications.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use lie_robots::Options;

/// The command-line arguments.
fn command() -> Command {
    let file = Arg::new("file").required(true).value_parser(value_parser!(PathBuf)).help("a robot file, URDF or MJCF");
    let option = |(name, example)| {
        Arg::new(name).long(name).value_name("value").help(format!("as in the attribute: {name} = {example}"))
    };
    let about = "Converts a robot file to a declaration";
    Command::new("urdf").about(about).arg(file).args(Options::NAMES.map(option))
}

/// Returns the options in the arguments.
fn options(matches: &ArgMatches) -> Result<Options, String> {
    let mut options = Options::default();
    for (name, _) in Options::NAMES {
        if let Some(value) = matches.get_one::<String>(name) {
            options.set(name, value).map_err(|mistake| mistake.to_string())?;
        }
    }
    Ok(options)
}

/// Converts a file to a module.
fn module(path: &Path, options: &Options) -> Result<String, String> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    lie_robots::module(&name, &text, path, options).map_err(|mistake| format!("{file}: {mistake}"))
}

/// Prints the module or the error.
fn main() -> ExitCode {
    let matches = command().get_matches();
    let path: &PathBuf = matches.get_one("file").expect("a required argument");
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
