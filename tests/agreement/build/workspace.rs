//! The declarations of the workspace.

use std::path::Path;
use std::{env, fs};

use lie_compiler::DeclaredSystem;

/// The folders with declarations, from this package.
const FOLDERS: [&str; 4] = ["../../examples", "../../tests", "../../lie-runtime/tests", "../../lie-runtime/benches"];

/// Folders with rejected declarations.
const REJECTED: [&str; 2] = ["../../tests/messages", "../../tests/style"];

/// The file, the name and the reason of each declaration without a comparison.
const EXCLUDED: &str = include_str!("../excluded.txt");

/// The number of characters of a short declaration. The time to compile a declaration grows with its length: all declarations take ten
/// times as long as the short ones. The feature `thorough` compares all.
const SHORT: usize = 600;

/// A declaration and its location.
pub struct Declaration {
    /// The file, relative to the workspace.
    pub file: String,
    pub system: DeclaredSystem,
}

/// Returns the declarations of all Rust files.
pub fn declarations() -> Vec<Declaration> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=excluded.txt");
    let longest = if env::var_os("CARGO_FEATURE_THOROUGH").is_some() { usize::MAX } else { SHORT };
    let mut found = vec![];
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), longest, &mut found);
    }
    found
}

fn collect(folder: &Path, longest: usize, found: &mut Vec<Declaration>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            let is_rejected = REJECTED.iter().any(|rejected| Path::new(rejected) == path);
            if !is_rejected && path.file_name().is_none_or(|name| name != "target") {
                collect(&path, longest, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("the file is text");
            if !text.contains("mechanical_system") {
                continue;
            }
            let file = path.strip_prefix("../..").expect("it is in the workspace").display().to_string();
            let systems = lie_compiler::declared_systems(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
            for system in systems {
                let name = format!("{file} {}", system.name);
                let arguments = system.arguments.to_string();
                let is_robot = ["urdf", "mjcf"].iter().any(|format| arguments.contains(format));
                let is_compared = system.module.to_string().len() <= longest;
                if is_compared && !is_robot && !EXCLUDED.lines().any(|line| line.split(": ").next() == Some(&name)) {
                    found.push(Declaration { file: file.clone(), system });
                }
            }
        }
    }
}
