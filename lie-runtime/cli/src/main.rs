//! `liemech`: checks a declaration, prints its equations, its generated Rust code or its C code, and simulates it, without a crate around it.
//!
//! Each command is a function of [`commands`], [`run`](mod@run) or [`ensemble`](mod@ensemble). Exit codes: 0 without errors, 1 for errors in a declaration and runs that
//! fail, 2 for wrong arguments and files that cannot be read.

mod commands;
mod ensemble;
mod failure;
mod input;
mod method_table;
mod problem;
mod remedies;
mod run;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::ensemble::EnsembleArguments;
use crate::failure::{Failure, print_output};
use crate::input::InputArguments;
use crate::run::RunArguments;

/// The arguments of the program.
#[derive(Parser)]
#[command(name = "liemech", version, about = "Multibody dynamics on Lie groups, compiled from energies")]
#[command(
    after_help = "Exit codes: 0 without errors, 1 for errors in a declaration or a run, 2 for wrong arguments or files."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Subcommand)]
enum Command {
    /// Report all errors of a declaration, or of each declaration of a file
    Check(InputArguments),
    /// Print the equations of motion as text: energies, mass matrix, forces and constraints
    Equations(InputArguments),
    /// Print the generated Rust code, or the declaration of a robot file
    Expand(InputArguments),
    /// Print the equations of motion as a C99 header
    C(InputArguments),
    /// Simulate a declaration, and print a table
    Run(Box<RunArguments>),
    /// Simulate a declaration with many values of parameters and initial values, and print statistics
    Ensemble(Box<EnsembleArguments>),
    /// List the integration methods by name: order, step size control and requirements
    Methods,
}

impl Command {
    /// Returns the text for the standard output.
    fn run(self) -> Result<String, Failure> {
        match self {
            Command::Check(input) => commands::check(&input),
            Command::Equations(input) => commands::equations(&input),
            Command::Expand(input) => commands::expand(&input),
            Command::C(input) => commands::c(&input),
            Command::Run(arguments) => run::run(&arguments),
            Command::Ensemble(arguments) => ensemble::run(&arguments),
            Command::Methods => Ok(method_table::method_table()),
        }
    }
}

fn main() -> ExitCode {
    remedies::set();
    Arguments::parse().command.run().and_then(|text| print_output(&text)).unwrap_or_else(Failure::report)
}
