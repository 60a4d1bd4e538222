//! Initial value problems: a declaration with parameters, inputs, initial values and the settings of a run, all by name.

use std::path::{Path, PathBuf};

use clap::Args;
use lie_robots::Language;
use lie_runtime::by_name::{InitialValueProblem, RunRequest};
use lie_runtime::dynamic::{DynamicConfiguration, DynamicModel, DynamicSystem, ModelLengths};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

use crate::failure::Failure;
use crate::input::{Input, InputArguments, read_text};

/// The largest number of rows; their times take 80 MB.
const MAX_ROWS: i64 = 10_000_000;

/// The arguments that describe a run.
#[derive(Args)]
pub struct ProblemArguments {
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
    /// The parent of each frame, `base` for frames without a parent: `parents=base,0,0`
    #[arg(long, value_name = "LIST=FRAMES")]
    parents: Vec<String>,
    /// The members that a list connects, by their numbers: `springs=0-1,1-2`, `supports=0,4`
    #[arg(long, value_name = "LIST=MEMBERS")]
    connections: Vec<String>,
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
    pub method: Option<String>,
    /// The end time in s
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub until: f64,
    /// A constant step in s instead of step size control
    #[arg(long, value_name = "STEP", allow_negative_numbers = true)]
    step: Option<f64>,
    /// The relative tolerance of step size control [default: 1e-6]
    #[arg(long, value_name = "TOLERANCE", allow_negative_numbers = true, conflicts_with = "step")]
    rtol: Option<f64>,
    /// The absolute tolerance of step size control [default: 1e-8]
    #[arg(long, value_name = "TOLERANCE", allow_negative_numbers = true, conflicts_with = "step")]
    atol: Option<f64>,
    /// The number of rows, from the initial time to the end time [default: 11, and 201 for files]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=MAX_ROWS))]
    rows: Option<u32>,
    /// The columns of the table and of the figure: members, observables, `energy.total`; by default the configuration
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
}

/// A system with its initial values.
pub struct Problem {
    pub model: DynamicModel,
    pub system: DynamicSystem,
    configuration: DynamicConfiguration,
    velocity: DVector<f64>,
    contacts: Vec<(String, f64)>,
}

impl ProblemArguments {
    /// Compiles the declaration, and sets parameters, inputs and initial values. Parameters without `--set` have the values of `further`.
    pub fn problem(&self, further: &[Assignment]) -> Result<Problem, Failure> {
        let values = [&self.parameters, &self.inputs, &self.contacts, &self.configuration, &self.velocity];
        let given = values.into_iter().chain([&self.lengths, &self.parents, &self.connections]);
        given.into_iter().try_for_each(|given| ensure_unique(given))?;
        let input = Input::read(&self.input)?;
        let model = input.model(input.single()?, &self.lengths()?)?;
        let [parameters, positions, velocities, contacts] =
            [&self.parameters, &self.configuration, &self.velocity, &self.contacts].map(|given| assignments(given));
        let (mut parameters, positions, velocities) = (parameters?, positions?, velocities?);
        for (name, values) in further {
            let is_missing = parameters.iter().all(|(known, _)| known != name);
            if is_missing && model.parameters().iter().any(|parameter| parameter.name == *name) {
                parameters.push((name.clone(), values.clone()));
            }
        }
        let system = model.system(borrowed(&parameters)).map_err(Failure::usage)?;
        let system = self.inputs.iter().try_fold(system, |system, text| with_input(system, text))?;
        let start = self.keyframe.as_deref().map_or(Ok(vec![]), |name| model.keyframe(name)).map_err(Failure::usage)?;
        let start = start.into_iter().chain(borrowed(&positions));
        let configuration = system.configuration(start).map_err(Failure::usage)?;
        let velocity = system.velocity(borrowed(&velocities)).map_err(Failure::usage)?;
        let contacts = coefficients(&system, &contacts?)?;
        Ok(Problem { model, system, configuration, velocity, contacts })
    }

    /// Reads `nodes=5`, `parents=base,0` and `springs=0-1,1-2`.
    fn lengths(&self) -> Result<ModelLengths, Failure> {
        let mut all = ModelLengths::new();
        for text in &self.lengths {
            let length = text.split_once('=').and_then(|(name, count)| Some((name.trim(), count.trim().parse().ok()?)));
            let wrong = || Failure::Usage(format!("`{text}` is not a length: write `--length nodes=5`"));
            let (name, length) = length.ok_or_else(wrong)?;
            all = all.length(name, length);
        }
        for text in &self.parents {
            let parents = items(text, |item| if item == "base" { Some(None) } else { item.parse().ok().map(Some) });
            let wrong = || Failure::Usage(format!("`{text}` is no list of frames: write `--parents parents=base,0,0`"));
            let (name, parents) = parents.ok_or_else(wrong)?;
            all = all.parents(name, parents);
        }
        for text in &self.connections {
            let tuples: Option<(&str, Vec<Vec<usize>>)> =
                items(text, |item| item.split('-').map(|member| member.trim().parse().ok()).collect());
            let help = "write `--connections springs=0-1,1-2`";
            let wrong = || Failure::Usage(format!("`{text}` is no list of members: {help}"));
            let (name, tuples) = tuples.ok_or_else(wrong)?;
            all = all.connections(name, tuples);
        }
        Ok(all)
    }

    /// Returns the names of the columns; by default the members of the configuration.
    pub fn columns(&self, model: &DynamicModel) -> Vec<String> {
        match &self.columns[..] {
            [] => model.member_names().into_iter().map(str::to_owned).collect(),
            columns => columns.to_vec(),
        }
    }

    /// Returns the file of the declaration.
    pub fn file(&self) -> &Path {
        &self.input.file
    }

    /// Returns true if the user has set the number of rows.
    pub fn has_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// Returns the times of the rows; a figure or a file has more rows than a printed table.
    pub fn times(&self, has_files: bool) -> Vec<f64> {
        let rows = self.rows.unwrap_or(if has_files { 201 } else { 11 });
        let last = rows - 1;
        let mut times: Vec<f64> = (0..=last).map(|row| self.until * f64::from(row) / f64::from(last)).collect();
        times.dedup();
        times
    }

    /// Returns the size of the steps; `None` for the default tolerances.
    fn steps(&self) -> Option<Steps> {
        match (self.step, self.rtol, self.atol) {
            (Some(step), ..) => Some(Steps::Fixed(step)),
            (None, None, None) => None,
            (None, rtol, atol) => Some(Steps::Controlled { rtol: rtol.unwrap_or(1e-6), atol: atol.unwrap_or(1e-8) }),
        }
    }

    /// Returns the request of a run of an ensemble.
    pub fn request(&self, times: &[f64]) -> RunRequest {
        let request = RunRequest::new().end_time(self.until).output_times(times);
        let request = match self.steps() {
            Some(Steps::Fixed(step)) => request.step(step),
            Some(Steps::Controlled { rtol, atol }) => request.rtol(rtol).atol(atol),
            None => request,
        };
        self.method.iter().fold(request, RunRequest::method)
    }
}

/// The size of the steps.
enum Steps {
    Fixed(f64),
    Controlled { rtol: f64, atol: f64 },
}

impl Problem {
    /// Returns a simulation with the default method.
    pub fn simulation(&self, arguments: &ProblemArguments, times: &[f64]) -> Simulation<'_, DynamicSystem> {
        let simulation = Simulation::of(&self.system).initial(self.configuration.clone(), self.velocity.clone());
        let simulation = simulation.end_time(arguments.until).output_times(times);
        let simulation = match arguments.steps() {
            Some(Steps::Fixed(step)) => simulation.step(step),
            Some(Steps::Controlled { rtol, atol }) => simulation.rtol(rtol).atol(atol),
            None => simulation,
        };
        with_contacts(simulation, &self.contacts, self.system.has_dry_friction())
    }

    /// Returns the problem for runs by name.
    pub fn by_name(self) -> InitialValueProblem<DynamicSystem> {
        let Problem { system, configuration, velocity, contacts, .. } = self;
        let has_dry_friction = system.has_dry_friction();
        let problem = InitialValueProblem::new(system, configuration, velocity);
        problem.with_setup(move |simulation| with_contacts(simulation, &contacts, has_dry_friction))
    }
}

/// Adds the events of all contacts, stops and frictions.
fn with_contacts<'s>(
    simulation: Simulation<'s, DynamicSystem>,
    contacts: &[(String, f64)],
    has_dry_friction: bool,
) -> Simulation<'s, DynamicSystem> {
    let simulation = contacts.iter().fold(simulation, |run, (name, coefficient)| run.contact(name, *coefficient));
    if has_dry_friction { simulation.dry_friction() } else { simulation }
}

/// Returns the coefficient of restitution of each contact and stop; zero by default.
fn coefficients(system: &DynamicSystem, given: &[Assignment]) -> Result<Vec<(String, f64)>, Failure> {
    // A name that is not declared is an error of the run.
    let coefficient = |(name, values): &Assignment| match values[..] {
        [value] => Ok((name.clone(), value)),
        _ => Err(Failure::Usage(format!("`{name}` has one coefficient: write `--contact {name}=0.5`"))),
    };
    let mut coefficients: Vec<(String, f64)> = given.iter().map(coefficient).collect::<Result<_, _>>()?;
    for name in system.contact_names() {
        if !coefficients.iter().any(|(known, _)| known.split(' ').next() == Some(name)) {
            coefficients.push((name.to_owned(), 0.0));
        }
    }
    Ok(coefficients)
}

/// Checks the name of a figure before a long computation.
pub fn ensure_figure(path: &Path) -> Result<(), Failure> {
    if path.extension().is_some_and(|extension| extension == "svg") {
        return Ok(());
    }
    let name = path.with_extension("svg");
    Err(Failure::Usage(format!(
        "the figure `{}` is not an SVG file: write `--plot {}`",
        path.display(),
        name.display()
    )))
}

/// Checks the files of a run before a long computation: each can be written, and no file replaces another one or the declaration.
pub fn ensure_files<'f>(input: &Path, files: impl IntoIterator<Item = &'f PathBuf>) -> Result<(), Failure> {
    let mut known = vec![input];
    for file in files {
        ensure_writable(file)?;
        if known.contains(&file.as_path()) {
            return Err(Failure::Usage(format!("the file `{}` is set twice: choose another name", file.display())));
        }
        known.push(file);
    }
    Ok(())
}

/// Checks that a file can be written before a long computation.
fn ensure_writable(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Failure::of_file(path, &"its folder does not exist"));
    }
    if path.is_dir() { Err(Failure::of_file(path, &"it is a folder")) } else { Ok(()) }
}

/// Sets the input of `push=2` or `push=table.csv`; a table is interpolated linearly, or by a cubic spline where constraints need it.
fn with_input(system: DynamicSystem, text: &str) -> Result<DynamicSystem, Failure> {
    let path = text.split_once('=').filter(|(_, value)| is_table(value.trim()));
    let Some((name, path)) = path else {
        let given = assignments(&[text.to_owned()])?;
        return given
            .iter()
            .try_fold(system, |system, (name, values)| system.with_input(name, values).map_err(Failure::usage));
    };
    let (name, path) = (name.trim(), path.trim());
    let table = read_text(Path::new(path))?;
    let interpolation = system.interpolation_of_input(name).map_err(Failure::usage)?;
    system.with_input_csv(name, &table, interpolation).map_err(Failure::usage)
}

fn is_table(value: &str) -> bool {
    Path::new(value).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// A name and its scalars.
pub type Assignment = (String, Vec<f64>);

/// Checks that each name has one value.
fn ensure_unique(given: &[String]) -> Result<(), Failure> {
    let names: Vec<&str> = given.iter().map(|text| text.split('=').next().unwrap_or_default().trim()).collect();
    match names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        Some((_, name)) => Err(Failure::Usage(format!("`{name}` is set twice"))),
        None => Ok(()),
    }
}

/// Returns the list and the items of `list=0,1,2`.
fn items<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<(&str, Vec<T>)> {
    let (name, items) = text.split_once('=')?;
    let items = items.trim();
    let items = items.split(',').filter(|_| !items.is_empty()).map(|text| item(text.trim())).collect::<Option<_>>()?;
    Some((name.trim(), items))
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
            if *lengths != ModelLengths::new() {
                let message =
                    "`--length`, `--parents` and `--connections` are for declarations: a robot file has no lists";
                return Err(Failure::Usage(message.to_owned()));
            }
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
