//! The program of `swing_up`, beside the quadrotors whose controller it compares plans with.

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
