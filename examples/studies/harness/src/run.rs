//! From arguments to output and exit code.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use crate::arguments::{self, Format, Task};
use crate::example::Example;
use crate::output;
use crate::settings::UsageError;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Exit code 0.
    Done,
    /// Exit code 1: a run or an output failed on its way.
    Failed,
    /// Exit code 2: a flag or a value cannot be used.
    Misused,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Misused => 2,
        })
    }
}

/// Runs `example` as a program.
pub fn main(example: &Example) -> ExitCode {
    let (mut stdout, mut stderr) = (io::stdout(), io::stderr());
    run(example, std::env::args_os(), &mut stdout, &mut stderr).into()
}

/// Runs `example` with these arguments, the first of which is the name of the program.
pub fn run(
    example: &Example,
    arguments: impl IntoIterator<Item = OsString>,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> Status {
    let matches = match arguments::matches(example, arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let text = error.render();
            // A terminal that is gone needs no help text.
            return if error.use_stderr() {
                let _ = write!(stderr, "{text}");
                Status::Misused
            } else {
                let _ = write!(stdout, "{text}");
                Status::Done
            };
        }
    };
    let outcome = arguments::task(example, &matches)
        .map_err(Trouble::from)
        .and_then(|task| perform(example, task, stdout, stderr));
    let trouble = match outcome {
        Ok(status) => return status,
        Err(trouble) => trouble,
    };
    let status = trouble.status();
    if status != Status::Done {
        // A standard error that cannot be written to leaves the exit code to tell.
        let _ = writeln!(stderr, "error: {trouble}");
    }
    if status == Status::Misused {
        let _ = writeln!(stderr, "\nFor more information, try '--help'.");
    }
    status
}

/// Executes the request.
fn perform(example: &Example, task: Task, stdout: &mut dyn Write, stderr: &mut dyn Write) -> Result<Status, Trouble> {
    match task {
        Task::ListGroups => {
            for variant in &example.variants {
                writeln!(stdout, "{}", variant.id)?;
            }
        }
        Task::ListMethods { group, format } => {
            let methods = &example.variant(&group)?.methods;
            match format {
                Format::Json => output::json::methods(methods, stdout)?,
                Format::Table | Format::Csv => output::table::methods(methods, stdout)?,
            }
        }
        Task::Schematic { group, settings, file } => {
            let schematic = example.variant(&group)?.schematic(settings)?;
            let file = schematic.save(file).map_err(|error| Trouble::Study(error.into()))?;
            writeln!(stderr, "wrote {}", file.display())?;
        }
        Task::Study { folder } => {
            if let Some(study) = example.study {
                let clock = Instant::now();
                study(example, &folder, stdout).map_err(Trouble::Study)?;
                writeln!(stdout, "The study took {:.1} s.", clock.elapsed().as_secs_f64())?;
            }
        }
        Task::Run { group, request, format } => {
            let outcome = example.variant(&group)?.run(&request)?;
            match format {
                Format::Table => output::table::outcome(example, &outcome, stdout)?,
                Format::Json => output::json::outcome(example, &group, &outcome, stdout)?,
                Format::Csv => output::csv::outcome(&outcome, stdout)?,
            }
            for file in &outcome.files {
                writeln!(stderr, "wrote {}", file.display())?;
            }
            if let Some(failure) = &outcome.failure {
                writeln!(stderr, "error: {failure}")?;
                return Ok(Status::Failed);
            }
        }
    }
    stdout.flush()?;
    Ok(Status::Done)
}

/// Why a command did not end well.
enum Trouble {
    Usage(UsageError),
    Output(io::Error),
    Study(Box<dyn core::error::Error>),
}

impl Trouble {
    fn status(&self) -> Status {
        match self {
            Trouble::Usage(_) => Status::Misused,
            // Whoever reads has read enough.
            Trouble::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Done,
            Trouble::Output(_) | Trouble::Study(_) => Status::Failed,
        }
    }
}

impl core::fmt::Display for Trouble {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Trouble::Usage(error) => error.fmt(f),
            Trouble::Output(error) => write!(f, "the output could not be written: {error}"),
            Trouble::Study(error) => error.fmt(f),
        }
    }
}

impl From<UsageError> for Trouble {
    fn from(error: UsageError) -> Self {
        Trouble::Usage(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Output(error)
    }
}
