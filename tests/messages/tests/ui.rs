//! Bad declarations get the errors they should; good ones are compiled in the package `declarations`.
//!
//! The expected output holds for one compiler; on any other the test does nothing and says so.

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
