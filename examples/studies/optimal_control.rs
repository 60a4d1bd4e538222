//! The program of `swing_up`, with the quadrotors whose controller is the reference of its plans.

// Their model is the same; their study is their own.
#[allow(dead_code)]
mod quadrotors;
#[allow(dead_code)]
mod swing_up;

use std::process::ExitCode;

/// The program.
fn main() -> ExitCode {
    harness::main(&swing_up::example())
}
