//! The roll-up of paper 1, section 4: a moment at its end rolls a clamped rod up to a ring.
//!
//! Paper 1, Figs. 8 to 12.
//!
//! ```text
//! cargo run --release --example roll_up                                         # the study: tables and figures
//! cargo run --release --example roll_up -- --model kirchhoff --set damping=50 --end 150 --rtol 1e-6 --format json
//! ```

// Its steps are drawn beside those of the roll-up; its study is its own.
#[path = "../flying_spaghetti.rs"]
#[allow(dead_code)]
mod flying_spaghetti;
mod study;

use std::process::ExitCode;

/// The program.
fn main() -> ExitCode {
    examples::main(&study::example())
}
