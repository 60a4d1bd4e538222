//! The complete output of rustc for rejected declarations: messages of the macro, their positions, and follow-up errors.
//!
//! The tests of the package `lie-compiler` compare all other messages without rustc. The expected output is the output of one version of
//! rustc; with another version the test prints that it is skipped.

use std::process::Command;

/// The compiler whose output the `.stderr` files are.
const COMPILER: &str = "rustc 1.95.0 ";

/// Errors of structure, configuration, signatures, bodies and chains.
#[test]
fn declarations() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    if version.starts_with(COMPILER.as_bytes()) {
        // Without cases that pass, nothing but metadata is compiled for the ones that fail.
        trybuild::TestCases::new().compile_fail("tests/ui/*/fail/*.rs");
    } else {
        let found = String::from_utf8_lossy(&version);
        println!("skipped the messages of bad declarations: they are those of {COMPILER}, this is {found}");
    }
}
