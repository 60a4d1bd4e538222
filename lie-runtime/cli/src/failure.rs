//! Failures of a command, and their exit codes.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use lie_compiler::Diagnostics;

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
        eprintln!("{}", in_command_line(&message));
        ExitCode::from(code)
    }
}

/// Prints a warning.
pub fn warn(message: impl Display) {
    eprintln!("warning: {}", in_command_line(&message.to_string()));
}

/// Replaces the calls of Rust in a message by options.
fn in_command_line(message: &str) -> String {
    let parts = message.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { options_of(part) } else { None }.unwrap_or(part.to_owned()));
    let message = parts.collect::<Vec<_>>().join("`");
    // A program has no tables as objects.
    message.replace(", or `set_input` of a system without its type", "").replace(
        ", set an earlier end time, or call `.constant_extrapolation()` of the table",
        ", or set an earlier end time",
    )
}

/// Returns the options of calls such as `.rtol(1e-8).atol(1e-10)`; `None` if there are no such options.
fn options_of(calls: &str) -> Option<String> {
    let quoted = |text: &str| Some(text.split('"').nth(1)?.to_owned());
    if let Some(input) = calls.strip_prefix("system.with_input(") {
        return Some(format!("--input {}=0", quoted(input)?));
    }
    if let Some(length) = calls.strip_prefix("ModelLengths::new().length(") {
        let count = length.split_once(", ")?.1.strip_suffix(')')?;
        return Some(format!("--length {}={count}", quoted(length)?));
    }
    let option = |call: &str| {
        let (name, value) = call.trim_end_matches(')').split_once('(')?;
        let value = if value.parse::<f64>().is_ok() { value } else { "VALUE" };
        match name {
            "step" | "rtol" | "atol" => Some(format!("--{name} {value}")),
            "method" => Some("--method NAME".to_owned()),
            "end_time" => Some(format!("--until {value}")),
            "contact" => Some(format!("--contact {}=0", quoted(call)?)),
            _ => None,
        }
    };
    let options: Option<Vec<String>> = calls.strip_prefix('.')?.split(").").map(option).collect();
    Some(options?.join(" "))
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
