//! Failures of a command, and their exit codes.

use std::process::ExitCode;

use lie_compiler::Diagnostics;

/// The reason why a command has no result.
#[derive(Debug)]
pub enum Failure {
    /// Errors in a declaration, in the format of rustc.
    Declaration(String),
    /// The error of a simulation.
    Run(String),
    /// Wrong arguments, or a file that cannot be read.
    Usage(String),
}

impl Failure {
    /// Returns the failure for the errors of a declaration, each with its lines.
    pub fn of_declaration(errors: &Diagnostics) -> Self {
        let count = errors.errors().len();
        let plural = if count == 1 { "" } else { "s" };
        Failure::Declaration(format!("{errors}\n\nerror: {count} error{plural} in the declaration"))
    }

    /// Prints the message, and returns the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Declaration(text) => {
                eprintln!("{text}");
                ExitCode::from(1)
            }
            Failure::Run(message) => {
                eprintln!("error: {message}");
                ExitCode::from(1)
            }
            Failure::Usage(message) => {
                eprintln!("error: {message}");
                ExitCode::from(2)
            }
        }
    }
}
