//! Writes random declarations as Rust text, reproducibly: function bodies for the test `bodies`, mechanical systems for the test `motions`.
//!
//! rustc defines the meaning of a function body; the first test compares it with the interpretation of the macro. `RANDOM_BODIES=2000` asks
//! for more than the few hundred that are tried by default, `RANDOM_BODIES_FROM=…` for others; `RANDOM_MOTIONS` and `RANDOM_MOTIONS_FROM`
//! do so of systems.

mod body;
mod expression;
mod idiom;
mod module;
mod motions;
mod place;
mod random;
mod scope;

use std::ops::Range;
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
    let bodies = range("RANDOM_BODIES", BODIES);
    let modules = bodies.start / module::BODIES..bodies.end.div_ceil(module::BODIES);
    write("bodies.rs", modules.clone().map(module::write).chain([module::list(modules)]).collect());
    write("motions.rs", motions::write(range("RANDOM_MOTIONS", motions::MOTIONS)));
}

/// As many as are asked for, from where it is asked for.
fn range(name: &str, default: usize) -> Range<usize> {
    let count = number(name).unwrap_or(default);
    let from = number(&format!("{name}_FROM")).unwrap_or(0);
    from..from + count
}

fn write(file: &str, text: String) {
    let directory = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&directory).join(file), text).expect("the directory can be written to");
}
