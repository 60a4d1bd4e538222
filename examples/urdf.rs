//! The module that a robot's file stands for: `cargo run --example urdf -- arm.urdf > arm.rs`.
//!
//! `#[mechanical_system(urdf = "arm.urdf")]` reads the same items; what is printed is to be read, changed and extended.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The module.
fn module(path: &Path) -> Result<String, String> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    lie_robots::module(&name, &text).map_err(|mistake| format!("{file}: {mistake}"))
}

/// The program.
fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [path] = files.as_slice() else {
        eprintln!("usage: cargo run --example urdf -- arm.urdf");
        return ExitCode::from(2);
    };
    match module(path) {
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
