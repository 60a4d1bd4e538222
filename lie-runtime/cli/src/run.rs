//! The command `run`: simulates a declaration that is compiled in memory.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use lie_robots::Language;
use lie_runtime::dynamic::{DynamicModel, DynamicSystem, ModelLengths};
use lie_runtime::prelude::*;

use crate::failure::Failure;
use crate::input::{Input, InputArguments};

/// The arguments of a simulation.
#[derive(Args)]
pub struct RunArguments {
    #[command(flatten)]
    input: InputArguments,
    /// A parameter and its scalars, matrices by rows or by the diagonal: `mass=5`, `inertia=1,1,0.5`
    #[arg(long = "set", value_name = "NAME=VALUES", allow_hyphen_values = true)]
    parameters: Vec<String>,
    /// An input: scalars, or a CSV file with the columns `t` and the input: `push=2`, `push=table.csv`, `wind=1,0`
    #[arg(long = "input", value_name = "NAME=VALUES|FILE", allow_hyphen_values = true)]
    inputs: Vec<String>,
    /// The coefficient of restitution of a contact or stop [default: 0]
    #[arg(long = "contact", value_name = "NAME=COEFFICIENT")]
    contacts: Vec<String>,
    /// The length of a chain or of a list of the parameters: `nodes=5`
    #[arg(long = "length", value_name = "LIST=N")]
    lengths: Vec<String>,
    /// An initial configuration of a robot file: the name of a keyframe; the reference configuration by default
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// An initial position: `arm=0.5`, `attitude=1,0,0,0`; by default zero, the identity, or the keyframe
    #[arg(long = "initial", value_name = "MEMBER=VALUES", allow_hyphen_values = true)]
    configuration: Vec<String>,
    /// An initial velocity, body-fixed, angular components first; zero by default
    #[arg(long = "velocity", value_name = "MEMBER=VALUES", allow_hyphen_values = true)]
    velocity: Vec<String>,
    /// A method of `liemech methods`; by default a method with step size control for the system
    #[arg(long, value_name = "NAME")]
    method: Option<String>,
    /// The end time in s
    #[arg(long, value_name = "TIME")]
    until: f64,
    /// A constant step in s instead of step size control
    #[arg(long, value_name = "STEP")]
    step: Option<f64>,
    /// The relative tolerance of step size control [default: 1e-6]
    #[arg(long, value_name = "TOLERANCE", conflicts_with = "step")]
    rtol: Option<f64>,
    /// The absolute tolerance of step size control [default: 1e-8]
    #[arg(long, value_name = "TOLERANCE", conflicts_with = "step")]
    atol: Option<f64>,
    /// The number of rows, from the initial time to the end time [default: 11, and 201 for files]
    #[arg(long, value_name = "COUNT")]
    rows: Option<u32>,
    /// The columns of the table and of the figure: members, observables, `energy.total`; by default the configuration
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// Write all columns to a CSV file instead of printing a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a figure of the columns to an SVG file instead of printing a table
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Simulates a declaration, and returns a summary and a table.
pub fn run(arguments: &RunArguments) -> Result<String, Failure> {
    let input = Input::read(&arguments.input)?;
    let model = input.model(input.single()?, &lengths(&arguments.lengths)?)?;
    let usage = |error: &dyn std::error::Error| Failure::Usage(error.to_string());
    let [parameters, positions, velocities] =
        [&arguments.parameters, &arguments.configuration, &arguments.velocity].map(|given| assignments(given));
    let (parameters, positions, velocities) = (parameters?, positions?, velocities?);
    let system = model.system(borrowed(&parameters)).map_err(|error| usage(&error))?;
    let system = arguments.inputs.iter().try_fold(system, |system, text| with_input(system, text))?;
    let start = arguments.keyframe.as_deref().map_or(Ok(vec![]), |name| model.keyframe(name));
    let start = start.map_err(|error| usage(&error))?;
    let q = system.configuration(start.into_iter().chain(borrowed(&positions))).map_err(|error| usage(&error))?;
    let v = system.velocity(borrowed(&velocities)).map_err(|error| usage(&error))?;
    let simulation = Simulation::of(&system).initial(q, v).end_time(arguments.until).output_times(&times(arguments));
    let simulation = with_contacts(simulation, &system, &assignments(&arguments.contacts)?);
    let simulation = match (arguments.step, arguments.rtol, arguments.atol) {
        (Some(step), ..) => simulation.step(step),
        (None, None, None) => simulation,
        (None, rtol, atol) => simulation.rtol(rtol.unwrap_or(1e-6)).atol(atol.unwrap_or(1e-8)),
    };
    let result = match &arguments.method {
        None => simulation.run(),
        Some(name) => simulation.method_named(name).map_err(|error| usage(&error))?.run(),
    };
    let run = result.map_err(|error| Failure::Run(error.to_string()))?;
    if let Some(path) = &arguments.csv {
        run.save_csv(path).map_err(|error| usage(&error))?;
    }
    let names: Vec<String> = match &arguments.columns[..] {
        [] => model.member_names().into_iter().map(str::to_owned).collect(),
        columns => columns.to_vec(),
    };
    if let Some(path) = &arguments.plot {
        run.plot().lines(names.iter().cloned()).save(path).map_err(|error| usage(&error))?;
    }
    let table = run.table(["t"].into_iter().chain(names.iter().map(String::as_str))).map_err(|error| usage(&error))?;
    let mut text = format!("{run}\n");
    if arguments.has_files() {
        for file in [&arguments.csv, &arguments.plot].into_iter().flatten() {
            let _ = writeln!(text, "wrote {}", file.display());
        }
    } else {
        let _ = writeln!(text, "\n{table}");
    }
    for warning in model.warnings() {
        let _ = writeln!(text, "warning: {warning}");
    }
    for warning in run.warnings() {
        let _ = writeln!(text, "warning: {warning}");
    }
    Ok(text)
}

impl RunArguments {
    fn has_files(&self) -> bool {
        self.csv.is_some() || self.plot.is_some()
    }
}

/// The times of the rows.
fn times(arguments: &RunArguments) -> Vec<f64> {
    let rows = arguments.rows.unwrap_or(if arguments.has_files() { 201 } else { 11 });
    let last = rows.saturating_sub(1).max(1);
    (0..=last).map(|row| arguments.until * f64::from(row) / f64::from(last)).collect()
}

/// Sets the input of `push=2` or `push=table.csv`; a table is interpolated linearly, or by a cubic spline where constraints need it.
fn with_input(system: DynamicSystem, text: &str) -> Result<DynamicSystem, Failure> {
    let usage = |error: &dyn std::error::Error| Failure::Usage(error.to_string());
    let path = text.split_once('=').filter(|(_, value)| is_table(value.trim()));
    let Some((name, path)) = path else {
        let given = assignments(&[text.to_owned()])?;
        return given
            .iter()
            .try_fold(system, |system, (name, values)| system.with_input(name, values).map_err(|error| usage(&error)));
    };
    let (name, path) = (name.trim(), path.trim());
    let table = std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("the file `{path}` cannot be read: {error}")))?;
    let interpolation = system.interpolation_of_input(name).map_err(|error| usage(&error))?;
    system.with_input_csv(name, &table, interpolation).map_err(|error| usage(&error))
}

fn is_table(value: &str) -> bool {
    Path::new(value).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// Adds the events of all contacts, stops and frictions.
fn with_contacts<'s>(
    simulation: Simulation<'s, DynamicSystem>,
    system: &DynamicSystem,
    restitutions: &[Assignment],
) -> Simulation<'s, DynamicSystem> {
    // A name that is not declared is an error of the run.
    let mut coefficients: Vec<(String, f64)> =
        restitutions.iter().map(|(name, values)| (name.clone(), values[0])).collect();
    for name in system.contact_names() {
        if !coefficients.iter().any(|(known, _)| known.split(' ').next() == Some(name)) {
            coefficients.push((name.to_owned(), 0.0));
        }
    }
    let simulation = coefficients.iter().fold(simulation, |run, (name, coefficient)| run.contact(name, *coefficient));
    if system.has_dry_friction() { simulation.dry_friction() } else { simulation }
}

type Assignment = (String, Vec<f64>);

/// Reads `nodes=5`.
fn lengths(given: &[String]) -> Result<ModelLengths, Failure> {
    given.iter().try_fold(ModelLengths::new(), |lengths, text| {
        let length = text.split_once('=').and_then(|(name, count)| Some((name.trim(), count.trim().parse().ok()?)));
        let (name, count) =
            length.ok_or_else(|| Failure::Usage(format!("`{text}` is not a length: write `--length nodes=5`")))?;
        Ok(lengths.length(name, count))
    })
}

/// Reads `name=1,2,3`.
fn assignments(given: &[String]) -> Result<Vec<Assignment>, Failure> {
    let read = |text: &String| {
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("`{text}` has no value: write `{text}=1` or `{text}=1,2,3`")))?;
        let number = |value: &str| {
            value.trim().parse().map_err(|_| Failure::Usage(format!("`{value}` in `{text}` is not a number")))
        };
        Ok((name.trim().to_owned(), values.split(',').map(number).collect::<Result<_, _>>()?))
    };
    given.iter().map(read).collect()
}

fn borrowed(assignments: &[Assignment]) -> impl Iterator<Item = (&str, &[f64])> {
    assignments.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
}

impl Input {
    /// Compiles a system of the file to a model that can run.
    fn model(&self, system: &lie_compiler::DeclaredSystem, lengths: &ModelLengths) -> Result<DynamicModel, Failure> {
        if let Some((language, options)) = &self.robot {
            let model = match language {
                Language::Urdf => DynamicModel::from_urdf(&self.path, options),
                Language::Mjcf => DynamicModel::from_mjcf(&self.path, options),
            };
            return model.map_err(|error| Failure::Declaration(error.to_string()));
        }
        let model = lie_compiler::compile_to_tape_with(self.with_paths(system), lengths);
        Ok(DynamicModel::from(model.map_err(|errors| Failure::of_declaration(&self.located(errors)))?))
    }
}
