//! The module that a robot's file stands for: `cargo run --example urdf -- arm.urdf > arm.rs`, or `-- arm.xml --skip actuator,tendon`.
//!
//! `#[mechanical_system(urdf = "arm.urdf")]` and `#[mechanical_system(mjcf = "arm.xml")]` read the same items; what is printed is to be read,
//! changed and extended.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, Command, value_parser};

/// The arguments.
fn command() -> Command {
    let file =
        Arg::new("file").required(true).value_parser(value_parser!(PathBuf)).help("a robot's file, URDF or MJCF");
    let skip = Arg::new("skip").long("skip").value_name("elements").value_delimiter(',').action(ArgAction::Append);
    let about = "Prints the declaration that a robot's file stands for";
    Command::new("urdf").about(about).args([file, skip.help("elements that are left out, with commas between")])
}

/// The module.
fn module(path: &Path, skip: &[String]) -> Result<String, String> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    lie_robots::module(&name, &text, path, skip).map_err(|mistake| format!("{file}: {mistake}"))
}

/// The program.
fn main() -> ExitCode {
    let matches = command().get_matches();
    let skip: Vec<String> = matches.get_many("skip").unwrap_or_default().cloned().collect();
    let path: &PathBuf = matches.get_one("file").expect("an argument that is required");
    match module(path, &skip) {
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
