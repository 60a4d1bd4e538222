//! The command `run`: simulates a declaration that is compiled in memory.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use lie_runtime::dynamic::DynamicSystem;
use lie_runtime::prelude::*;
use lie_runtime::simulate::SimulationError;
use lie_runtime::system::MechanicalSystem;

use crate::failure::{Failure, warn};
use crate::problem::{Problem, ProblemArguments, ensure_figure, ensure_files};

/// The arguments of a simulation.
#[derive(Args)]
pub struct RunArguments {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Write all columns to a CSV file instead of printing a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a figure of the columns to an SVG file instead of printing a table
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Simulates a declaration, and returns a summary and a table.
pub fn run(arguments: &RunArguments) -> Result<String, Failure> {
    ensure_files(arguments.problem.file(), [&arguments.csv, &arguments.plot].into_iter().flatten())?;
    arguments.plot.as_deref().map_or(Ok(()), ensure_figure)?;
    let problem = arguments.problem.problem(&[])?;
    let times = arguments.problem.times(arguments.has_files());
    let simulation = problem.simulation(&arguments.problem, &times);
    let result = match &arguments.problem.method {
        None => simulation.run(),
        Some(name) => simulation.method_named(name).map_err(Failure::usage)?.run(),
    };
    match result {
        Ok(run) => arguments.output(&problem, &run),
        Err(error) => Err(arguments.failed(&problem, *error)),
    }
}

impl RunArguments {
    fn has_files(&self) -> bool {
        self.csv.is_some() || self.plot.is_some()
    }

    /// Writes the files, and prints the warnings, and returns the summary and the table.
    fn output(&self, problem: &Problem, run: &Run<'_, DynamicSystem>) -> Result<String, Failure> {
        let names = self.problem.columns(&problem.model);
        // An unknown name is an error before files are written.
        let mut table = run.table(["t"].into_iter().chain(names.iter().map(String::as_str))).map_err(Failure::usage)?;
        for name in &mut table.names {
            if let Some(unit) = problem.system.description().unit_of(name) {
                let _ = write!(name, " [{unit}]");
            }
        }
        if let Some(path) = &self.csv {
            run.save_csv(path).map_err(|error| Failure::of_file(path, &error))?;
        }
        if let Some(path) = &self.plot {
            run.plot().lines(names).save(path).map_err(|error| Failure::of_file(path, &error))?;
        }
        // The summary contains the warnings, which are printed to the standard error stream.
        let mut text = run.to_string();
        text = text
            .lines()
            .filter(|line| !line.starts_with("warning: "))
            .fold(String::new(), |text, line| text + line + "\n");
        if self.has_files() {
            for file in [&self.csv, &self.plot].into_iter().flatten() {
                let _ = writeln!(text, "wrote {}", file.display());
            }
        } else {
            let _ = writeln!(text, "\n{table}");
        }
        problem.model.warnings().iter().for_each(warn);
        run.warnings().iter().for_each(warn);
        Ok(text)
    }

    /// Returns the failure of a run, with the output of the states before it.
    fn failed(&self, problem: &Problem, error: SimulationError<DynamicSystem>) -> Failure {
        let message = error.to_string();
        let SimulationError { trajectory, failure, .. } = error;
        if trajectory.states.is_empty() {
            return Failure::of_run(&failure, message);
        }
        let run = trajectory.with_system(&problem.system).map_err(Failure::usage);
        match run.and_then(|run| self.output(problem, &run)) {
            Ok(output) => Failure::Incomplete { output, message },
            Err(failure) => failure,
        }
    }
}
