//! Writes a module for each declaration of the workspace: the declaration, its text, a system with random parameters, and a test.

mod declaration;
mod workspace;

use std::path::Path;
use std::{env, fs};

fn main() {
    let modules: String = workspace::declarations().iter().map(declaration::module).collect();
    let directory = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&directory).join("declared.rs"), modules).expect("the directory can be written to");
}
