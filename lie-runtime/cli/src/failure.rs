//! Failures of a command, and their exit codes.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use lie_compiler::Diagnostics;
use lie_runtime::simulate::{Failure as RunFailure, SetupError};

/// The reason why a command has no result.
#[derive(Debug)]
pub enum Failure {
    /// Errors in a declaration, in the format of rustc.
    Declaration(String),
    /// The error of a simulation.
    Run(String),
    /// The error of a simulation or of some simulations of an ensemble, with the output of the other results.
    Incomplete { output: String, message: String },
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

    /// Returns the failure for a wrong argument.
    pub fn usage(error: impl Display) -> Self {
        Failure::Usage(error.to_string())
    }

    /// Returns the failure of a run without results. Settings and inputs that the run refuses are wrong arguments.
    pub fn of_run(failure: &RunFailure, message: String) -> Self {
        let is_refused = match failure {
            RunFailure::Setup(error) => !matches!(error, SetupError::Declaration(_)),
            failure => matches!(failure, RunFailure::Inputs(_)),
        };
        if is_refused { Failure::Usage(message) } else { Failure::Run(message) }
    }

    /// Returns the failure for a file that cannot be written.
    pub fn of_file(path: &Path, error: &dyn Display) -> Self {
        Failure::Usage(format!("the file `{}` cannot be written: {error}", path.display()))
    }

    /// Prints the message, and returns the exit code.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Failure::Declaration(text) => (text, 1),
            Failure::Run(message) => (format!("error: {message}"), 1),
            Failure::Incomplete { output, message } => {
                print_output(&output).unwrap_or_else(Failure::report);
                (format!("error: {message}"), 1)
            }
            Failure::Usage(message) => (format!("error: {message}"), 2),
        };
        eprintln!("{message}");
        ExitCode::from(code)
    }
}

/// Prints a warning.
pub fn warn(message: impl Display) {
    eprintln!("warning: {message}");
}

/// Prints a text to the standard output. A reader that has closed its end of the pipe is not an error.
pub fn print_output(text: &str) -> Result<ExitCode, Failure> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Usage(format!("the output cannot be written: {error}")))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
