//! Writes random function bodies as Rust text: the declarations of the test `bodies`, the same in every build.
//!
//! rustc says what a body means; the test compares that with what the macro has read. `RANDOM_BODIES=2000` asks for more
//! than the few hundred that are tried by default, `RANDOM_BODIES_FROM=…` for others.

mod body;
mod expression;
mod idiom;
mod module;
mod place;
mod random;
mod scope;

use std::path::Path;
use std::{env, fs};

/// How many bodies there are by default.
const BODIES: usize = 240;

fn number(name: &str) -> Option<usize> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok()?.parse().ok()
}

fn main() {
    println!("cargo::rerun-if-changed=build");
    let count = number("RANDOM_BODIES").unwrap_or(BODIES);
    let from = number("RANDOM_BODIES_FROM").unwrap_or(0);
    let modules = from / module::BODIES..(from + count).div_ceil(module::BODIES);
    let text: String = modules.clone().map(module::write).chain([module::list(modules)]).collect();
    let directory = env::var_os("OUT_DIR").expect("cargo says where to");
    fs::write(Path::new(&directory).join("bodies.rs"), text).expect("the directory can be written to");
}
