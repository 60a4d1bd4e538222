//! Work and precision of every constrained integrator on the heavy top of paper 1 (SO(3) × R³).
//!
//! ```text
//! cargo run --release --example work_precision        # the study: a table and figures
//! ```
//!
//! Work is the processor time of a run (the shortest of several, one after the other) and the number of linear systems
//! solved, which is the same on every machine; precision the errors of q, v and λ at t = 1. Besides, the energy over 50 s.

// The same declarations and errors as there; its study is its own.
#[allow(dead_code)]
mod heavy_top;
mod work_precision {
    pub mod study;
}

use std::process::ExitCode;

use work_precision::study;

/// The program.
fn main() -> ExitCode {
    harness::main(&study::example())
}
